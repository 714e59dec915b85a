import Foundation
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

@Suite("Rows that another program wrote are read as SQLite converts them")
struct DamagedRowTests {
  private func rows(_ store: SQLiteStore, _ plan: FetchPlan) throws -> [Row] {
    var rows: [Row] = []
    try store.forEachChunk(matching: plan) { chunk in chunk.forEachRow { rows.append($0) } }
    return rows
  }

  @Test("values of another storage class are converted")
  func storageClasses() throws {
    let shop = try Shop()
    let store = try shop.open()
    try shop.sqlite(
      "INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT, ZSTOCK, ZCODE) VALUES (1, 1, NULL, 'x7', x'4142')")
    let product = try shop.entity()
    let row = try #require(try rows(store, shop.plan()).first)
    #expect(row.version == 0)
    #expect(row.integer(at: RowLayout.slot(try shop.slot("stock"), of: product)) == 0)
    #expect(row.text(at: RowLayout.slot(try shop.slot("code"), of: product)) == "AB")
  }

  @Test("an entity number that the model does not know is an error")
  func unknownEntity() throws {
    let shop = try Shop()
    let store = try shop.open()
    try shop.sqlite("INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT) VALUES (1, 99, 1)")
    let plan = try shop.plan()
    let reading = try #require(throws: StoreError.self) { try rows(store, plan) }
    #expect(reading.code == .corrupt)
    let keys = try #require(throws: StoreError.self) { try store.keys(matching: plan) }
    #expect(keys.code == .corrupt)
  }

  @Test("data that allows external storage has a tag byte in the database, and none in rows")
  func taggedData() throws {
    let shop = try Shop()
    let store = try shop.open()
    let product = try shop.entity()
    let slot = try shop.slot("picture")
    var writer = RowWriter()
    let row = writer.row(
      of: product, key: 1, version: 1, over: nil,
      values: [SlotValue(slot: slot, content: .data(Data([9, 8])))])
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.inserted = [row]
      return changes
    }
    #expect(try shop.sqlite("SELECT hex(ZPICTURE) FROM ZPRODUCT") == ["010908"])
    let read = try #require(try rows(store, shop.plan()).first)
    #expect(Array(read.bytes(at: RowLayout.slot(slot, of: product))) == [9, 8])
    try shop.sqlite(
      "UPDATE ZPRODUCT SET ZPICTURE = x'02' || CAST('\(String(repeating: "A", count: 36))' AS BLOB) || x'00'"
    )
    let error = try #require(throws: StoreError.self) { try store.rows(of: product, keys: [1]) }
    #expect(error.code == .missingFile)
  }

  @Test("a row larger than a chunk gets a separate chunk", arguments: [1, 70_000, 1_000_000])
  func largeRows(_ length: Int) throws {
    let shop = try Shop()
    let store = try shop.open()
    let codes = (0..<3).map { String(repeating: "\($0)", count: length) }
    let inserted = try shop.insert(codes, into: store)
    let product = try shop.entity()
    let offset = RowLayout.slot(try shop.slot("code"), of: product)
    #expect(try rows(store, shop.plan()).map { $0.text(at: offset) } == codes)
    let chunk = try store.rows(of: product, keys: inserted.map(\.key))
    #expect(chunk.rowCount == 3)
  }
}
