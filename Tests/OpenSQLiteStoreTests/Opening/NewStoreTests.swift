import Foundation
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

@Suite("A new store's file")
struct NewStoreTests {
  @Test("has the tables and indexes of Apple's layout")
  func schema() throws {
    let shop = try Shop()
    try shop.open().close()
    #expect(
      try shop.sqlite("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid") == [
        """
        CREATE TABLE ZPRODUCT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZSTOCK INTEGER, ZUNTIL TIMESTAMP, ZCODE VARCHAR, ZPICTURE BLOB )
        """,
        "CREATE INDEX ZPRODUCT_Z_ENT_INDEX ON ZPRODUCT (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Product_UNIQUE_code ON ZPRODUCT (ZCODE COLLATE BINARY ASC)",
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
        Z_MAX INTEGER)
        """,
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
  }

  @Test("has Apple's page size, vacuum and journal modes, and a row for each entity")
  func settings() throws {
    let shop = try Shop()
    try shop.open().close()
    #expect(try shop.sqlite("PRAGMA page_size") == ["4096"])
    #expect(try shop.sqlite("PRAGMA auto_vacuum") == ["2"])
    #expect(try shop.sqlite("PRAGMA journal_mode") == ["wal"])
    #expect(
      try shop.sqlite("SELECT * FROM Z_PRIMARYKEY") == ["1|Product|0|0", "2|Offer|1|0"])
    #expect(try shop.sqlite("SELECT COUNT(*) FROM Z_MODELCACHE") == ["1"])
    #expect(
      try shop.sqlite("SELECT Z_VERSION, substr(hex(Z_PLIST), 1, 16) FROM Z_METADATA")
        == ["1|62706C6973743030"])
  }

  @Test("has the page size and vacuum mode of the store's pragmas")
  func pragmas() throws {
    let shop = try Shop()
    try shop.open { $0.settings = ["page_size": "8192", "auto_vacuum": "NONE"] }.close()
    #expect(try shop.sqlite("PRAGMA page_size") == ["8192"])
    #expect(try shop.sqlite("PRAGMA auto_vacuum") == ["0"])
    #expect(try shop.sqlite("PRAGMA journal_mode") == ["wal"])
    #expect(try shop.open().count(matching: shop.plan()) == 0)
  }

  @Test("keeps its identifier and metadata")
  func metadata() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.metadata = ["owner": "test", "numbers": [1, 2]]
      return changes
    }
    store.close()
    let metadata = try SQLiteStore.metadata(at: shop.file)
    #expect(metadata["NSStoreUUID"] as? String == store.identifier)
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    #expect(metadata["owner"] as? String == "test")
    #expect(try shop.open().identifier == store.identifier)
  }

  @Test("replaces an empty file")
  func emptyFile() throws {
    let shop = try Shop()
    try Data().write(to: shop.file)
    let store = try shop.open()
    #expect(try store.count(matching: try shop.plan()) == 0)
  }
}
