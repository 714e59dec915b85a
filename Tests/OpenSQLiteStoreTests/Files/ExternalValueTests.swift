import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

@Suite("Large values of attributes that allow external storage are in separate files")
struct ExternalValueTests {
  @Test("a value larger than 128 KB is stored in a file, a smaller value in the row")
  func placing() throws {
    let shop = try Shop()
    let store = try shop.open()
    let limit = 128 << 10
    _ = try shop.insertPicture(Shop.large.prefix(limit), into: store)
    #expect(shop.externalNames == [])
    _ = try shop.insertPicture(Shop.large, code: "b", into: store)
    let name = try #require(shop.externalNames.first)
    #expect(name == UUID(uuidString: name)?.uuidString)
    #expect(
      try shop.sqlite("SELECT hex(substr(ZPICTURE, 1, 1)), length(ZPICTURE) FROM ZPRODUCT")
        == ["01|\(limit + 1)", "02|38"])
    #expect(
      try shop.sqlite("SELECT substr(ZPICTURE, 2, 36) FROM ZPRODUCT WHERE Z_PK = 2") == [name])
    #expect(try shop.pictures(in: store) == [Shop.large.prefix(limit), Shop.large])
    let chunk = try store.rows(of: shop.entity(), keys: [2])
    #expect(chunk.rowCount == 1)
    store.close()
  }

  @Test("a commit that fails leaves the old file and no new one")
  func failing() throws {
    let shop = try Shop()
    let store = try shop.open()
    let first = try shop.insertPicture(Shop.large, into: store)
    let before = shop.externalNames
    let second = try shop.pictureRow(first.key, Shop.large + [1], over: first)
    let slots = OrdinalSet([try shop.slot("picture")])
    let outcome = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.updated = [ChangeSet.Update(row: second, slots: slots, expectedVersion: 1)]
      changes.deleted = [
        ChangeSet.Deletion(id: ObjectKey(entityIndex: 0, key: 99), expectedVersion: 1)
      ]
      return changes
    }
    guard case .conflicts = outcome else {
      Issue.record("a missing row is a conflict")
      return
    }
    #expect(shop.externalNames == before)
    #expect(try shop.pictures(in: store) == [Shop.large])
    store.close()
  }

  @Test("a missing file fails every read of its value, and a batch update ends that")
  func missingFile() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    let row = try shop.insertPicture(Shop.large, into: store)
    let name = try #require(shop.externalNames.first)
    let path = shop.externalFolder().appendingPathComponent(name).path
    try FileManager.default.removeItem(atPath: path)
    let product = try shop.entity()
    let ordinal = try #require(product.ordinal(of: "picture"))
    let column = Projection.Column(
      .property(PropertyPath(entityIndex: product.index, end: .property(ordinal: ordinal))),
      type: .binaryData)
    let projection = FetchPlan(
      shape: FetchShape(entity: try shop.entity(), projection: Projection(columns: [column])))
    let reads: [() throws -> Void] = [
      { _ = try shop.pictures(in: store) },
      { _ = try store.rows(of: shop.entity(), keys: [row.key]) },
      { try store.forEachResultBatch(matching: projection) { _ in } },
    ]
    for read in reads {
      let error = try #require(throws: StoreError.self) { try read() }
      #expect(error.code == .missingFile)
      #expect(error.path == path)
    }
    #expect(try shop.pictures(in: store, damagedValues: .readAsNull) == [nil])
    #expect(try store.keys(matching: shop.plan()).map(\.key) == [row.key])
    var update = BatchUpdate(plan: try shop.plan(), assignments: [])
    update.assignments = [.init(slot: try shop.slot("picture"), operand: .binding(0))]
    update.plan.bindings = [.null]
    _ = try store.execute(.update(update), origin: ChangeOrigin())
    #expect(try shop.pictures(in: store) == [nil])
  }

  @Test("objects that exchange unique values have one file for each large value")
  func exchange() throws {
    let shop = try Shop()
    let store = try shop.open()
    let rows = [
      try shop.insertPicture(Shop.large, into: store),
      try shop.insertPicture(Shop.large + [1], code: "b", into: store),
    ]
    let news = [
      try shop.pictureRow(rows[0].key, Shop.large + [2], over: rows[0], code: "b"),
      try shop.pictureRow(rows[1].key, Shop.large + [3], over: rows[1], code: "a"),
    ]
    let slots = OrdinalSet([try shop.slot("code"), try shop.slot("picture")])
    var changes = ChangeSet()
    changes.updated = news.map { ChangeSet.Update(row: $0, slots: slots, expectedVersion: 1) }
    guard case .committed = try store.commit(&changes) else {
      Issue.record("unique values can be exchanged")
      return
    }
    #expect(try shop.pictures(in: store) == [Shop.large + [2], Shop.large + [3]])
    store.close()
    #expect(shop.externalNames.count == 2)
    #expect(shop.marks == [])
  }

  @Test("a value of more than four gigabytes in a file is too long, not missing")
  func longFile() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    let row = try shop.insertPicture(Shop.large, into: store)
    let name = try #require(shop.externalNames.first)
    let file = try FileHandle(forWritingTo: shop.externalFolder().appendingPathComponent(name))
    // The file has no blocks for the added bytes.
    try file.truncate(atOffset: 5 << 30)
    try file.close()
    let error = try #require(throws: StoreError.self) {
      try store.rows(of: shop.entity(), keys: [row.key])
    }
    #expect(error.code == .unsupported)
    #expect(error.message.contains("four gigabytes"))
  }

  @Test("a reference to a file outside the folder is treated as a plain value")
  func hostileReference() throws {
    let shop = try Shop()
    try shop.open().close()
    let name = "../../shop.sqlite" + String(repeating: "/", count: 19)
    #expect(name.utf8.count == 36)
    try shop.sqlite(
      "INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT, ZPICTURE) VALUES (1, 1, 1, "
        + "x'02\(name.utf8.map { String(format: "%02X", $0) }.joined())00')")
    let store = try shop.open()
    #expect(try shop.pictures(in: store).first??.count == 38)
    store.close()
  }
}
