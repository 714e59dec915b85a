import Foundation
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

/// Files that other programs delete, replace or truncate while a store has them open, and paths that name no file.
@Suite("Lost files")
struct LostFileTests {
  private enum Loss: CaseIterable {
    case logDeleted, logReplaced, logEmptied, fileEmptied, fileTruncated, fileDeleted

    /// The error of the next save.
    var code: StoreError.Code {
      switch self {
      case .logDeleted, .logReplaced, .fileDeleted: .missingFile
      case .logEmptied, .fileEmptied, .fileTruncated: .corrupt
      }
    }

    func apply(to file: URL) throws {
      let log = URL(fileURLWithPath: file.path + "-wal")
      let files = FileManager.default
      switch self {
      case .logDeleted: try files.removeItem(at: log)
      case .logReplaced:
        let content = try Data(contentsOf: log)
        try files.removeItem(at: log)
        // Holds the place of the deleted file, so that the new one is another.
        try Data().write(to: URL(fileURLWithPath: file.path + "-place"))
        try content.write(to: log)
      case .logEmptied: try truncate(log, to: 0)
      case .fileEmptied: try truncate(file, to: 0)
      case .fileTruncated: try truncate(file, to: 8192)
      case .fileDeleted: try files.removeItem(at: file)
      }
    }

    private func truncate(_ url: URL, to size: UInt64) throws {
      let file = try FileHandle(forWritingTo: url)
      try file.truncate(atOffset: size)
      try file.close()
    }
  }

  @Test("a save after a file was lost is an error, and so is the next", arguments: Loss.allCases)
  private func save(_ loss: Loss) throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insert(["a"], into: store)
    if loss == .fileTruncated { _ = try store.checkpoint(.emptyingLog) }
    try loss.apply(to: shop.file)
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { _ = try shop.insert(["b"], into: store) }
      #expect(error?.code == loss.code)
    }
    #expect(throws: StoreError.self) { try store.reserveKeys([0: 1]) }
    store.close()
  }

  @Test("changes saved before the log was deleted are in the file after the store is closed")
  func closing() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insert(["a"], into: store)
    try FileManager.default.removeItem(atPath: shop.file.path + "-wal")
    #expect(throws: StoreError.self) { _ = try shop.insert(["b"], into: store) }
    store.close()
    let again = try shop.open()
    _ = try shop.insert(["b"], into: again)
    again.close()
    #expect(try shop.sqlite("SELECT ZCODE FROM ZPRODUCT ORDER BY 1") == ["a", "b"])
  }

  @Test(
    "intact files are never treated as lost: many saves, checkpoints, freed pages, two stores"
  )
  func wholeFiles() throws {
    let shop = try Shop()
    let stores = [
      try shop.open { $0.settings = ["wal_autocheckpoint": "3"] },
      try shop.open { $0.settings = ["wal_autocheckpoint": "1000"] },
    ]
    for round in 0..<60 {
      let store = stores[round % 2]
      let rows = try shop.insert((0..<20).map { "\(round)-\($0)" }, into: store)
      _ = try store.commit(reserving: [:]) { _ in
        var changes = ChangeSet()
        changes.deleted = rows.dropLast().map {
          ChangeSet.Deletion(
            id: ObjectKey(entityIndex: $0.entityIndex, key: $0.key), expectedVersion: $0.version)
        }
        return changes
      }
      if round % 7 == 0 { _ = try store.checkpoint(.emptyingLog) }
      if round % 11 == 0 { try shop.execute("PRAGMA incremental_vacuum") }
      if round % 13 == 0 { try shop.execute("PRAGMA wal_checkpoint(RESTART)") }
    }
    #expect(try stores[0].count(matching: shop.plan()) == 60)
    for store in stores { store.close() }
    #expect(try shop.sqlite("PRAGMA integrity_check") == ["ok"])
  }

  // MARK: Paths that name no file

  private func code(_ work: () throws -> Void) -> StoreError.Code? {
    do { try work() } catch { return (error as? StoreError)?.code }
    return nil
  }

  @Test(
    "opening, reading metadata of and destroying a pipe, a device or a folder fail at once"
  )
  func noFile() throws {
    let shop = try Shop()
    let pipe = shop.folder.appendingPathComponent("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let folder = shop.folder.appendingPathComponent("folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let kept = folder.appendingPathComponent("kept")
    try Data().write(to: kept)
    for url in [pipe, folder, URL(fileURLWithPath: "/dev/zero")] {
      for isReadOnly in [true, false] {
        #expect(
          code {
            _ = try shop.open {
              $0.url = url
              $0.isReadOnly = isReadOnly
            }
          } == .obstructed)
      }
      #expect(code { _ = try SQLiteStore.metadata(at: url) } == .obstructed)
      for isForced in [true, false] {
        #expect(
          code { try SQLiteStore.destroy(StoreConfiguration(url: url), isForced: isForced) }
            == .obstructed)
        #expect(
          code {
            try SQLiteStore.replace(
              StoreConfiguration(url: url), withStoreAt: shop.file, isForced: isForced)
          } == .obstructed)
      }
    }
    #expect(FileManager.default.fileExists(atPath: kept.path))
  }

  @Test("a pipe in place of the log is rejected", arguments: ["-wal", "-shm", "-journal"])
  func pipeBesideFile(_ suffix: String) throws {
    let shop = try Shop()
    try shop.open().close()
    #expect(mkfifo(shop.file.path + suffix, 0o600) == 0)
    #expect(code { _ = try shop.open() } == .obstructed)
    #expect(code { _ = try SQLiteStore.metadata(at: shop.file) } == .obstructed)
  }
}
