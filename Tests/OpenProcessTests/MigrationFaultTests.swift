#if os(Linux)
  import Foundation
  import OpenCoreData
  import OpenSQLiteStore
  import OpenStoreContract
  import ProcessModel
  import Testing

  /// Migrations of every kind, with a fault at each operation on the files of the store's folder: each write, new file, removed or
  /// changed name, and synchronization.
  ///
  /// `OPENCOREDATA_MIGRATION_FAULTS=all` tests every operation; otherwise, a few of each kind.
  @Suite("Migrations with a fault at each operation on files", .serialized)
  struct MigrationFaultTests {
    static let kinds = ["inPlace", "copy", "objects", "chain", "staged"]
    private static let takesAll =
      ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATION_FAULTS"] == "all"
    private let rowCount = 120
    private let leftovers = [SharedStore.migrationState, SharedStore.backups]

    /// A store of the old version, and the number of operations in its migration.
    private func prepared(_ kind: String) throws -> (store: SharedStore, operations: Int) {
      let original = try SharedStore.old(rowCount: rowCount)
      let store = try original.copy()
      let process = try ChildProcess()
      #expect(try process.ask("fault \(store.folder.path) count 0") == "set")
      #expect(try process.ask("migrate \(store.url.path) \(kind)") == "migrated")
      let operations = try #require(Int(try process.ask("fault end")))
      try requireMigrated(store, kind)
      return (original, operations)
    }

    private func points(_ operations: Int) -> [Int] {
      let count = Self.takesAll ? operations : min(operations, 8)
      return (0..<count).map { 1 + $0 * (operations - 1) / max(count - 1, 1) }
    }

    /// Gives `body` a store of the old version and a process that meets the fault at an operation; it has to leave the store migrated.
    private func forEachPoint(
      _ kind: String, _ fault: String, _ body: (SharedStore, ChildProcess, Int) throws -> Void
    ) throws {
      let (original, operations) = try prepared(kind)
      let points = points(operations)
      for point in points {
        let store = try original.copy()
        let process = try ChildProcess()
        #expect(try process.ask("fault \(store.folder.path) \(fault) \(point)") == "set")
        try body(store, process, point)
        try requireMigrated(store, kind, "operation \(point)")
      }
      print("\(kind): \(fault) at \(points.count) of \(operations) operations")
    }

    private func requireMigrated(
      _ store: SharedStore, _ kind: String, _ comment: Comment? = nil
    ) throws {
      let version = try store.wholeVersion(rowCount: rowCount, leftovers: [SharedStore.backups])
      #expect(version == (kind == "chain" ? .last : .next), comment)
      guard kind == "staged" else { return }
      let others = try StoreInspection.rows(
        of: "SELECT count(*) FROM ZITEM WHERE ZKIND IS NOT '\(ProcessModel.handledKind)'",
        inStoreAt: store.url)
      #expect(others == [[.int(0)]], comment)
    }

    @Test(
      "a process that is killed leaves the version before or after, and the next one continues",
      arguments: kinds)
    func killed(_ kind: String) throws {
      var killCount = 0
      try forEachPoint(kind, "kill") { store, process, point in
        try process.send("migrate \(store.url.path) \(kind)")
        // The same schedule makes the same operations, but for names of backups and what depends on time.
        let answer = try process.line()
        #expect(answer ?? "migrated" == "migrated", "operation \(point)")
        if answer == nil { killCount += 1 }
        process.kill()
        _ = try store.wholeVersion(rowCount: rowCount, leftovers: leftovers)
        if kind == "chain" { try takeBack(try store.copy(), point) }
        #expect(
          try ChildProcess().ask("migrate \(store.url.path) \(kind)") == "migrated",
          "operation \(point)")
      }
      #expect(killCount > 0)
    }

    /// Requires that a killed migration is undone, has not begun, or is complete.
    private func takeBack(_ store: SharedStore, _ point: Int) throws {
      let before = try store.wholeVersion(rowCount: rowCount, leftovers: leftovers)
      let answer = try ChildProcess().ask("rollback \(store.url.path)")
      let version = try store.wholeVersion(rowCount: rowCount, leftovers: leftovers)
      if answer == "rolledBack" {
        #expect(version == .old, "operation \(point)")
      } else {
        #expect(answer == "nothing" && version == before, "operation \(point)")
        #expect(version != .next, "operation \(point)")
      }
    }

    @Test(
      "a disk without room from then on leaves the version before or after, and once there is room the same process goes on",
      arguments: kinds)
    func full(_ kind: String) throws {
      var errorCount = 0
      try forEachPoint(kind, "full") { store, process, point in
        let answer = try process.ask("migrate \(store.url.path) \(kind)")
        if answer.hasPrefix("error") { errorCount += 1 }
        #expect(answer == "migrated" || answer.hasPrefix("error"), "operation \(point): \(answer)")
        #expect(Int(try process.ask("fault end")) != nil)
        let version = try store.wholeVersion(rowCount: rowCount, leftovers: leftovers)
        #expect(answer.hasPrefix("error") || version != .old, "operation \(point)")
        #expect(
          try process.ask("migrate \(store.url.path) \(kind)") == "migrated", "operation \(point)")
      }
      #expect(errorCount > 0)
    }
  }
#endif
