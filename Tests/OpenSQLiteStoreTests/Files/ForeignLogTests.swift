import COpenSQLite
import Foundation
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("A log without the store's identifier is distinguished from the file's own log")
struct ForeignLogTests {
  /// A way in which a file and a log do not fit together.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The codes of the store whose log is copied, and of the store that receives it.
    var codes: [String] = ["a", "b"]
    var otherCodes: [[String]] = [["c", "d"]]
    /// The number of tables in the other store, one for each change.
    var otherTables = 0
    /// The contents of the log.
    var script: String
    /// The expected message.
    var reason: String
  }

  private static let update = "UPDATE ZPRODUCT SET ZSTOCK = 5 WHERE Z_PK = 1"

  private static let cases = [
    Case(
      testDescription: "the log's page does not fit the index of its table", script: update,
      reason: "damaged with it"),
    Case(
      testDescription: "the file has another number of pages",
      otherCodes: [(0..<500).map { "other \($0)" }], script: update, reason: "pages"),
    Case(
      testDescription: "the file is at a later change",
      otherTables: 5,
      script: "CREATE TABLE notes (body); " + update, reason: "change"),
    Case(
      testDescription: "the file has pages of another size",
      script: "CREATE TABLE notes (body); " + update, reason: "bytes"),
  ]

  private func shop(_ codes: [[String]], pageSize: Int? = nil) throws -> Shop {
    let shop = try Shop()
    let store = try shop.open()
    for group in codes { _ = try shop.insert(group, into: store) }
    store.close()
    if let pageSize {
      try shop.execute(
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize); VACUUM; "
          + "PRAGMA journal_mode = WAL")
    }
    return shop
  }

  @Test("every way to read the file rejects a foreign log and names it", arguments: cases)
  func foreign(_ example: Case) throws {
    let source = try shop([example.codes]).killed(after: example.script)
    let size = example.reason == "bytes" ? 8192 : nil
    let shop = try shop(example.otherCodes, pageSize: size)
    for number in 0..<example.otherTables { try shop.execute("CREATE TABLE t\(number) (x)") }
    try shop.takeFiles(of: source, suffixes: ["-wal"])
    let before = try FolderContents(shop.folder)
    let attempts: [() throws -> Void] = [
      { try shop.open().close() }, { try shop.open { $0.isReadOnly = true }.close() },
      { _ = try SQLiteStore.metadata(at: shop.file) },
      { try SQLiteStore.setMetadata([:], StoreConfiguration(url: shop.file)) },
    ]
    for attempt in attempts {
      let error = try #require(throws: StoreError.self) { try attempt() }
      #expect(error.code == .obstructed)
      #expect(error.message.contains("shop.sqlite-wal belongs to another store"))
      #expect(error.message.contains(example.reason), "\(error.message)")
      #expect(try FolderContents(shop.folder) == before)
    }
    try FileManager.default.removeItem(atPath: shop.file.path + "-wal")
    let opened = try shop.open()
    #expect(try opened.count(matching: shop.plan()) == example.otherCodes.joined().count)
    opened.close()
  }

  @Test("a file's own log is written into it, from its first change on", arguments: cases)
  func own(_ example: Case) throws {
    let shop = try shop([example.codes]).killed(after: example.script)
    _ = try SQLiteStore.metadata(at: shop.file)
    try shop.open { $0.isReadOnly = true }.close()
    try shop.open().close()
    #expect(try FolderContents(shop.folder).names == ["shop.sqlite"])
    #expect(try shop.sqlite("SELECT ZSTOCK FROM ZPRODUCT WHERE Z_PK = 1") == ["5"])
  }

  @Test("the store's log is accepted after a partial or complete checkpoint", arguments: [0, 1, 2])
  func checkpointed(_ moment: Int) throws {
    let script = ["CREATE TABLE notes (body)", Self.update, "CREATE TABLE more (body)"]
    let live = try shop([["a", "b"]])
    let parts = script.enumerated().map { index, statement in
      statement + (index == moment ? "; PRAGMA wal_checkpoint(PASSIVE)" : "")
    }
    let shop = try live.killed(after: parts.joined(separator: "; "))
    try shop.open().close()
    #expect(try shop.sqlite("SELECT count(*) FROM sqlite_master WHERE name = 'more'") == ["1"])
    #expect(try shop.sqlite("SELECT ZSTOCK FROM ZPRODUCT WHERE Z_PK = 1") == ["5"])
  }

  @Test("the log of a later state of the same store does not fit a restored copy")
  func restored() throws {
    let live = try shop([["a", "b"]])
    let backup = try Data(contentsOf: live.file)
    for number in 0..<3 { try live.execute("CREATE TABLE t\(number) (x)") }
    let shop = try live.killed(after: "CREATE TABLE notes (body)")
    try backup.write(to: shop.file)
    let error = try #require(throws: StoreError.self) { try shop.open() }
    #expect(error.message.contains("shop.sqlite-wal"))
    #expect(try Data(contentsOf: shop.file) == backup)
  }

  @Test("a log whose header is damaged is ignored, as SQLite does")
  func damagedHeader() throws {
    let shop = try shop([["a", "b"]]).killed(after: Self.update)
    var log = try Data(contentsOf: URL(fileURLWithPath: shop.file.path + "-wal"))
    log[26] ^= 1
    try log.write(to: URL(fileURLWithPath: shop.file.path + "-wal"))
    let store = try shop.open()
    #expect(try store.count(matching: shop.plan()) == 2)
    store.close()
  }
}

extension Shop {
  /// A copy of this shop's files after a script whose changes are in the log only.
  fileprivate func killed(after script: String) throws -> Shop {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(file.path, &database) == SQLITE_OK,
      sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK
    else { throw Failure(message: String(cString: sqlite3_errmsg(database))) }
    let copy = try Shop()
    try copy.takeFiles(of: self)
    return copy
  }
}
