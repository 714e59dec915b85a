import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

@Suite("Rows that another program wrote")
struct DamagedRowTests {
  private func rows(_ store: SQLiteStore, _ plan: FetchPlan) throws -> [Row] {
    var rows: [Row] = []
    try store.forEachChunk(matching: plan) { chunk in chunk.forEachRow { rows.append($0) } }
    return rows
  }

  @Test(
    "a value of another storage class is an error that names the property and the row (D-404)",
    arguments: [("stock", "'x7'"), ("stock", "2.5"), ("code", "x'4142'"), ("picture", "'text'")])
  func storageClasses(_ property: String, _ value: String) throws {
    let shop = try Shop()
    let store = try shop.open()
    let column = "Z\(property.uppercased())"
    try shop.sqlite(
      "INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES (7, 1, NULL, \(value))")
    let product = try shop.entity()
    var plan = try shop.plan()
    let ordinal = try #require(product.ordinal(of: property))
    let path = PropertyPath(entityIndex: product.index, end: .property(ordinal: ordinal))
    let projection = FetchPlan(
      shape: FetchShape(
        entity: product,
        projection: Projection(columns: [
          Projection.Column(.property(path), type: product.properties[ordinal].attribute?.type)
        ])))
    let failed = plan
    let reads: [(row: String, read: () throws -> Void)] = [
      ("row 7", { _ = try rows(store, failed) }),
      ("row 7", { _ = try store.rows(of: product, keys: [7]) }),
      ("a row", { try store.forEachResultBatch(matching: projection) { _ in } }),
    ]
    for (row, read) in reads {
      let error = try #require(throws: StoreError.self) { try read() }
      #expect(error.code == .corrupt && error.nativeCode == 11)
      #expect(error.entityName == "Product" && error.propertyName == property)
      #expect(error.message.contains(row))
    }
    let damage = try store.damage().filter { $0.kind == .wrongType }
    #expect(damage.map(\.propertyName) == [property] && damage.map(\.key) == [7])
    plan.damagedValues = .readAsNull
    let row = try #require(try rows(store, plan).first)
    #expect(row.version == 0)
    #expect(row.isNull(try shop.slot(property)))
  }

  @Test("a row without a version can be updated and deleted")
  func missingVersions() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    try shop.sqlite(
      "INSERT INTO ZPRODUCT (Z_PK, Z_ENT, ZCODE) VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 1, 'c')")
    let found = try rows(store, try shop.plan()).sorted { $0.key < $1.key }
    #expect(found.map(\.version) == [0, 0, 0])
    var changes = ChangeSet()
    changes.updated = [
      try shop.update(found[0], code: "b"), try shop.update(found[1], code: "a"),
    ]
    let last = ObjectKey(entityIndex: found[2].entityIndex, key: 3)
    changes.deleted = [ChangeSet.Deletion(id: last, expectedVersion: 0)]
    guard case .committed = try store.commit(&changes) else {
      Issue.record("a row without a version has the version 0")
      return
    }
    #expect(
      try shop.sqlite("SELECT Z_PK, Z_OPT, ZCODE FROM ZPRODUCT ORDER BY Z_PK")
        == ["1|1|b", "2|1|a"])
  }

  @Test("a number is read from the storage class in which SQLite stores it")
  func exactConversions() throws {
    let shop = try Shop()
    let store = try shop.open()
    try shop.sqlite("INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT, ZSTOCK) VALUES (1, 1, 1, '12.0')")
    try shop.sqlite("INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT, ZUNTIL) VALUES (2, 2, 1, 5)")
    try #require(
      try shop.sqlite("SELECT typeof(ZSTOCK), typeof(ZUNTIL) FROM ZPRODUCT ORDER BY Z_PK")
        == ["integer|null", "null|integer"])
    let read = try rows(store, shop.plan())
    let stock = RowLayout.slot(try shop.slot("stock"), of: try shop.entity())
    #expect(read.first?.integer(at: stock) == 12)
    let offer = try shop.entity("Offer")
    let until = try #require(offer.ordinal(of: "until").map { offer.properties[$0] })
    #expect(read.last?.value(of: until, in: shop.model) == .date(5))
    #expect(try store.damage().filter { $0.kind == .wrongType }.isEmpty)
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
      "UPDATE ZPRODUCT SET ZPICTURE = CAST(x'02' || '\(String(repeating: "A", count: 36))' || x'00' AS BLOB)"
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
