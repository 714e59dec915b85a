import Foundation
import OpenCoreData
import Testing

/// The codes with which applications decide whether to create, replace or report a store.
@Suite("Error codes of stores that cannot be opened or read")
struct StoreErrorCodeTests {
  private static let types: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]

  private func error(
    _ type: NSPersistentStore.StoreType = .sqlite, at url: URL, in stack: FileTestStack,
    isReadOnly: Bool = false
  ) throws -> CocoaError {
    try #require(throws: CocoaError.self) {
      try stack.coordinator().addPersistentStore(
        type: type, at: url, options: [NSReadOnlyPersistentStoreOption: isReadOnly])
    }
  }

  /// Returns SQLite's primary result code in an error.
  private func sqliteCode(of error: CocoaError?) -> Int? {
    (error?.userInfo[NSSQLiteErrorDomain] as? Int).map { $0 & 0xFF }
  }

  @Test("a missing file throws 260 if it is read, and a missing folder 512", arguments: types)
  func missing(_ type: NSPersistentStore.StoreType) throws {
    let stack = try FileTestStack()
    let file = try error(type, at: stack.url("none"), in: stack, isReadOnly: true)
    #expect(file.code == .fileReadNoSuchFile)
    let metadata = #expect(throws: CocoaError.self) {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: type, at: stack.url("no/such"))
    }
    #expect(metadata?.code == .fileReadNoSuchFile)
    let folder = try error(type, at: stack.url("no/such"), in: stack)
    #expect(folder.code == .fileWriteUnknown)
    #expect(folder.userInfo["reason"] as? String == "Failed to create file; code = 2")
    #expect(try stack.names == [])
  }

  @Test("a file that is no store throws 259 and, in SQLite, the code 26", arguments: types)
  func foreign(_ type: NSPersistentStore.StoreType) throws {
    let stack = try FileTestStack()
    let url = stack.url("text")
    try Data(repeating: 65, count: 5000).write(to: url)
    let isSQLite = type == .sqlite
    let text = try error(type, at: url, in: stack)
    #expect(text.code == .fileReadCorruptFile)
    #expect(sqliteCode(of: text) == (isSQLite ? 26 : nil))
    guard isSQLite else { return }
    try stack.execute("CREATE TABLE other (x)", on: stack.url("other"))
    let other = try error(at: stack.url("other"), in: stack)
    #expect(other.code == .fileReadCorruptFile)
    #expect(sqliteCode(of: other) == 26)
  }

  @Test("an empty file throws 259 if it is opened as read-only; otherwise, it becomes a store")
  func empty() throws {
    let stack = try FileTestStack()
    let url = stack.url("empty")
    try Data().write(to: url)
    let empty = try error(at: url, in: stack, isReadOnly: true)
    #expect(empty.code == .fileReadCorruptFile)
    #expect(sqliteCode(of: empty) == 26)
    #expect(empty.localizedDescription.contains("empty"))
    let coordinator = stack.coordinator()
    try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
    #expect(try Data(contentsOf: url).isEmpty == false)
  }

  @Test("a damaged store throws 259 and SQLite's code 11")
  func damaged() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
    let whole = try Data(contentsOf: url)
    for length in [50, 3000, 9000] {
      try whole.prefix(length).write(to: url)
      let truncated = try error(at: url, in: stack)
      #expect(truncated.code == .fileReadCorruptFile)
      #expect(sqliteCode(of: truncated) == 11)
    }
    try whole.write(to: url)
    try stack.execute("UPDATE Z_METADATA SET Z_PLIST = x'00'", on: url)
    let metadata = #expect(throws: CocoaError.self) {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    }
    #expect(metadata?.code == .fileReadCorruptFile)
    #expect(sqliteCode(of: metadata) == 11)
    #expect(try stack.names.contains("a.sqlite"))
  }

  @Test("D-415: a folder at the store's path throws 134080, so no program replaces it")
  func obstructed() throws {
    let stack = try FileTestStack()
    for type in Self.types {
      #expect(try error(type, at: stack.folder, in: stack).code == .persistentStoreOpen)
    }
  }

  @Test(
    "D-415: a store that the system does not allow to be read throws 134080",
    .enabled(if: getuid() != 0, "root can read every file"), arguments: types)
  func denied(_ type: NSPersistentStore.StoreType) throws {
    let stack = try FileTestStack()
    let url = stack.url("a")
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: type, at: url)
    _ = try stack.fill(stack.context(coordinator))
    try coordinator.remove(store)
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: url.path)
    #expect(try error(type, at: url, in: stack).code == .persistentStoreOpen)
  }

  @Test("D-415: the log of another store throws 134080, so no program replaces the intact store")
  func foreignLog() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
    // The log has pages of another size.
    try stack.execute(
      "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM; PRAGMA journal_mode = WAL",
      on: url)
    let other = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("b.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    // Closing the other store deletes its log.
    try FileManager.default.copyItem(
      at: stack.url("b.sqlite-wal"), to: stack.url("a.sqlite-wal"))
    try coordinator.remove(other)
    let before = try Data(contentsOf: url)
    #expect(try error(at: url, in: stack).code == .persistentStoreOpen)
    #expect(try Data(contentsOf: url) == before)
    #expect(try stack.names.contains("a.sqlite"))
  }

  @Test("a failed SQL statement throws 256 if it reads and 134180 if it writes")
  func failedStatement() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = stack.context(coordinator)
    try stack.execute("DROP TABLE ZTAG", on: url)
    context.performAndWait {
      let read = #expect(throws: CocoaError.self) {
        _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      }
      #expect(read?.code == .fileReadUnknown)
      #expect(sqliteCode(of: read) == 1)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      let write = #expect(throws: CocoaError.self) { try context.save() }
      #expect(write?.code == .sqlite)
      #expect(sqliteCode(of: write) == 1)
    }
    #expect(try stack.names.contains("a.sqlite"))
  }
}
