import Foundation
import OpenCoreData
import OpenSQLiteStore
import OpenStoreContract
import ProcessModel
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Processes that are killed while they migrate, or find the disk full", .serialized)
struct MigrationKillTests {
  /// Number of kills of each way; the long run sets it.
  private static var kills: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_KILLS"].flatMap(Int.init) ?? 15
  }
  /// Number of sizes at which the disk is full; the long run sets it.
  private static var diskSteps: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_DISK_STEPS"].flatMap(Int.init) ?? 3
  }
  private static let rowCount = 20_000

  /// A store of the old model, which is copied for each process.
  private static func makeStore(_ rowCount: Int = rowCount) throws -> SharedStore {
    let store = try SharedStore()
    try store.opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      let rows = (0..<rowCount).map { ["amount": $0, "note": String(repeating: "x", count: 40)] }
      try context.performAndWait {
        _ = try context.execute(NSBatchInsertRequest(entityName: "Entry", objects: rows))
      }
    }
    return store
  }

  private func copy(_ store: SharedStore) throws -> SharedStore {
    let copy = try SharedStore()
    for name in try store.names {
      try FileManager.default.copyItem(
        at: store.folder.appendingPathComponent(name),
        to: copy.folder.appendingPathComponent(name))
    }
    return copy
  }

  /// Requires that the store is that of one of the models, and whole.
  ///
  /// - Returns: Whether it is migrated.
  private func check(
    _ store: SharedStore, _ rowCount: Int = rowCount, mayHaveState: Bool = false
  ) throws -> Bool {
    let metadata = try SQLiteStore.metadata(at: store.url)
    let next = ProcessModel.makeNext()
    let isNew = next.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    if !isNew {
      #expect(
        ProcessModel.make().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }
    let model = try (isNew ? next : ProcessModel.make()).compiled()
    var configuration = StoreConfiguration(url: store.url)
    configuration.tracksHistory = true
    let opened = try SQLiteStore.open(configuration, model: model)
    #expect(try opened.damage() == [])
    opened.close()
    var names = try store.names
    if mayHaveState { names.removeAll { $0.hasPrefix(".shared.sqlite.migration-state") } }
    #expect(names == ["shared.sqlite"], "\(names)")
    let sums = try StoreInspection.rows(
      of: "SELECT count(*), sum(ZAMOUNT) FROM \(isNew ? "ZITEM" : "ZENTRY")", inStoreAt: store.url)
    #expect(
      sums == [
        [.int(Int64(rowCount)), .int(Int64(rowCount * (rowCount - 1) / 2))]
      ])
    return isNew
  }

  @Test("the store is the old or the new one, and whole", arguments: ["inPlace", "copy"])
  func kills(_ way: String) throws {
    let seed = UInt64.random(in: 1...1_000_000)
    print("Seed: \(seed)")
    var numbers = SeededRandom(seed: seed)
    let original = try Self.makeStore()
    let whole = try copy(original)
    let start = ContinuousClock.now
    #expect(try ChildProcess().ask("migrate \(whole.url.path) \(way)") == "migrated")
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    #expect(try check(whole))
    var migrated = 0
    for _ in 0..<Self.kills {
      let store = try copy(original)
      let process = try ChildProcess()
      try process.send("migrate \(store.url.path) \(way)")
      usleep(useconds_t.random(in: 0...useconds_t(duration), using: &numbers))
      process.kill()
      if try check(store) { migrated += 1 }
    }
    print("\(way): \(Self.kills) kills, \(migrated) migrated")
  }

  @Test(
    "object by object, the store is the old or the new one, and the migration goes on from there")
  func killsByObjects() throws {
    let rowCount = 1_500
    let seed = UInt64.random(in: 1...1_000_000)
    print("Seed: \(seed)")
    var numbers = SeededRandom(seed: seed)
    let original = try Self.makeStore(rowCount)
    let whole = try copy(original)
    let start = ContinuousClock.now
    #expect(try ChildProcess().ask("migrate \(whole.url.path) objects") == "migrated")
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    #expect(try check(whole, rowCount))
    for _ in 0..<Self.kills {
      let store = try copy(original)
      let process = try ChildProcess()
      try process.send("migrate \(store.url.path) objects")
      usleep(useconds_t.random(in: 0...useconds_t(duration), using: &numbers))
      process.kill()
      _ = try check(store, rowCount, mayHaveState: true)
      #expect(try ChildProcess().ask("migrate \(store.url.path) objects") == "migrated")
      #expect(try check(store, rowCount))
    }
  }

  @Test(
    "the next opening deletes the copy of a process that was killed before it replaced the store")
  func unfinishedCopy() throws {
    let store = try Self.makeStore(10)
    for suffix in ["", "-journal"] {
      let name = ".shared.sqlite.copying-C68956DA-90D3-4A4E-8314-E8E0583BEF51" + suffix
      try Data("unfinished".utf8).write(to: store.folder.appendingPathComponent(name))
    }
    #expect(try !check(store, 10))
  }

  @Test("while a process migrates, others get an error that names it, or wait")
  func others() throws {
    let store = try Self.makeStore(20_000)
    let process = try ChildProcess()
    try process.send("migrate \(store.url.path) objects")
    let lock = store.url.path + "-lock"
    for _ in 0..<20_000 where !FileManager.default.fileExists(atPath: lock) { usleep(1000) }
    var configuration = StoreConfiguration(url: store.url)
    configuration.timeout = 0
    configuration.tracksHistory = true
    let model = try ProcessModel.make().compiled()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore.open(configuration, model: model)
    }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("opencoredata-process") == true, "\(error?.message ?? "")")
    process.kill()
    _ = try check(store, 20_000, mayHaveState: true)
  }

  @Test(
    "a full disk leaves the old store, and the migration succeeds once there is room",
    arguments: ["inPlace", "copy"])
  func fullDisk(_ way: String) throws {
    let original = try Self.makeStore()
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: original.url.path)[.size] as? Int)
    let steps = max(Self.diskSteps, 2)
    let limits = (0...steps).map { 8_192 + $0 * (size + 8_192) / steps }
    for limit in limits.dropLast() {
      let store = try copy(original)
      let process = try ChildProcess()
      #expect(try process.ask("limit \(limit)") == "limited")
      let answer = try process.ask("migrate \(store.url.path) \(way)")
      #expect(answer.hasPrefix("error"), "\(limit): \(answer)")
      #expect(try !check(store))
      #expect(try process.ask("limit -1") == "limited")
      #expect(try process.ask("migrate \(store.url.path) \(way)") == "migrated")
      #expect(try check(store))
    }
  }
}
