import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

@Suite("Files that are not stores are rejected with a specific code")
struct BadFileTests {
  private func code(
    _ shop: Shop, _ change: (inout StoreConfiguration) -> Void = { _ in }
  ) throws -> StoreError.Code {
    try #require(throws: StoreError.self) { try shop.open(change) }.code
  }

  @Test("a missing folder, and a missing file to read")
  func missing() throws {
    let shop = try Shop()
    #expect(try code(shop) { $0.isReadOnly = true } == .missingFile)
    #expect(
      try code(shop) { $0.url = shop.folder.appendingPathComponent("no/such.sqlite") }
        == .missingFolder)
    #expect(try code(shop) { $0.url = shop.folder } == .obstructed)
    #expect(throws: StoreError.self) { try SQLiteStore.metadata(at: shop.file) }
  }

  @Test("an empty file to read, a text, and another application's database")
  func foreign() throws {
    let shop = try Shop()
    try Data().write(to: shop.file)
    #expect(try code(shop) { $0.isReadOnly = true } == .foreignFile)
    try Data(repeating: 65, count: 5000).write(to: shop.file)
    #expect(try code(shop) == .foreignFile)
    try FileManager.default.removeItem(at: shop.file)
    try shop.sqlite("CREATE TABLE other (x)")
    #expect(try code(shop) == .foreignFile)
    #expect(try shop.sqlite("SELECT name FROM sqlite_master") == ["other"])
  }

  @Test("a database in UTF-16")
  func encoding() throws {
    let shop = try Shop()
    try shop.execute("PRAGMA encoding = 'UTF-16'; CREATE TABLE Z_METADATA (x);")
    #expect(try code(shop) == .foreignFile)
  }

  @Test("a truncated store is rejected", arguments: [50, 3000, 9000])
  func truncated(_ length: Int) throws {
    let shop = try Shop()
    try shop.open().close()
    let bytes = try Data(contentsOf: shop.file)
    #expect(bytes.count > length)
    try bytes.prefix(length).write(to: shop.file)
    #expect(try code(shop) == .corrupt)
  }

  @Test("a store of another model")
  func otherModel() throws {
    let shop = try Shop()
    let other = try Shop.makeModel(withVariants: false).compiled()
    let configuration = StoreConfiguration(url: shop.file)
    try SQLiteStore.open(configuration, model: other).close()
    #expect(try code(shop) == .incompatibleSchema)
  }

  @Test("a store without its metadata row")
  func noMetadata() throws {
    let shop = try Shop()
    try shop.open().close()
    try shop.sqlite("DELETE FROM Z_METADATA")
    #expect(try code(shop) == .corrupt)
  }

  @Test(
    "a file or folder without permission is rejected",
    .enabled(if: getuid() != 0, "root may do anything"))
  func permission() throws {
    let shop = try Shop()
    try shop.open().close()
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: shop.file.path)
    #expect(try code(shop) == .permission)
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: shop.file.path)
    try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: shop.folder.path)
    #expect(try code(shop) == .permission)
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: shop.folder.path)
  }

  @Test("a pragma whose value contains a statement is rejected")
  func pragmas() throws {
    let shop = try Shop()
    #expect(try code(shop) { $0.settings = ["cache_size": "1; DROP TABLE x"] } == .unsupported)
    #expect(throws: Never.self) { try shop.open { $0.settings = ["cache_size": "-1000"] } }
  }

  @Test("a write while another connection holds the lock")
  func locked() throws {
    let shop = try Shop()
    let store = try shop.open()
    var other: OpaquePointer?
    defer { sqlite3_close(other) }
    try #require(sqlite3_open(shop.file.path, &other) == SQLITE_OK)
    try #require(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let error = try #require(throws: StoreError.self) {
      var changes = ChangeSet()
      _ = try store.commit(&changes)
    }
    #expect(error.code == .locked)
    try #require(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    #expect(try store.reserveKeys([0: 1]) == [0: 1])
  }

  @Test("a write to a store opened for reading, and any call after closing")
  func readOnlyAndClosed() throws {
    let shop = try Shop()
    let writing = try shop.open()
    _ = try shop.insert(["a"], into: writing)
    let reading = try shop.open { $0.isReadOnly = true }
    #expect(try reading.count(matching: try shop.plan()) == 1)
    #expect(throws: StoreError.self) { try reading.reserveKeys([0: 1]) }
    writing.close()
    let error = try #require(throws: StoreError.self) { try writing.count(matching: shop.plan()) }
    #expect(error.code == .closed)
  }

  @Test("a closed store neither lists its text indexes nor waits for commits")
  func closedStore() throws {
    let shop = try Shop()
    let store = try shop.open()
    store.close()
    let listing = #expect(throws: StoreError.self) { _ = try store.textIndexes() }
    #expect(listing?.code == .closed)
    let watching = #expect(throws: StoreError.self) { _ = try store.watchChanges { _ in } }
    #expect(watching?.code == .closed)
  }
}
