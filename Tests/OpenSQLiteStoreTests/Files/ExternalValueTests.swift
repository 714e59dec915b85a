import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

@Suite("Large values of attributes that allow it are in files of their own")
struct ExternalValueTests {
  private static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  private func names(_ shop: Shop) -> [String] {
    let folder = shop.folder.appendingPathComponent(".shop_SUPPORT/_EXTERNAL_DATA")
    // Without a value there is no folder.
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func row(
    _ shop: Shop, _ key: Int64, _ picture: Data?, over old: Row? = nil, code: String = "a"
  ) throws -> Row {
    var writer = RowWriter()
    return writer.row(
      of: try shop.entity(), key: key, version: (old?.version ?? 0) + 1, over: old?.view,
      values: [
        SlotValue(slot: try shop.slot("code"), content: .text(code)),
        SlotValue(slot: try shop.slot("picture"), content: picture.map { .data($0) } ?? .null),
      ])
  }

  private func insert(_ shop: Shop, _ store: SQLiteStore, _ picture: Data) throws -> Row {
    let product = try shop.entity()
    var inserted: Row?
    _ = try store.commit(reserving: [product.index: 1]) { keys throws(StoreError) in
      var changes = ChangeSet()
      guard let row = try? row(shop, keys[product.index] ?? 0, picture) else { return changes }
      inserted = row
      changes.inserted = [row]
      return changes
    }
    return try #require(inserted)
  }

  private func pictures(_ shop: Shop, _ store: SQLiteStore) throws -> [Data?] {
    let product = try shop.entity()
    let property = product.properties[try #require(product.ordinal(of: "picture"))]
    var pictures: [Data?] = []
    try store.forEachChunk(matching: shop.plan()) { chunk in
      chunk.forEachRow { row in
        guard case .data(let data) = row.value(of: property, in: shop.model) else {
          return pictures.append(nil)
        }
        pictures.append(data)
      }
    }
    return pictures
  }

  @Test("a value of more than 128 KB goes to a file, a smaller one into the row")
  func placing() throws {
    let shop = try Shop()
    let store = try shop.open()
    let limit = 128 << 10
    _ = try insert(shop, store, Self.large.prefix(limit))
    #expect(names(shop) == [])
    let product = try shop.entity()
    _ = try store.commit(reserving: [product.index: 1]) { keys throws(StoreError) in
      var changes = ChangeSet()
      if let row = try? row(shop, keys[product.index] ?? 0, Self.large, code: "b") {
        changes.inserted = [row]
      }
      return changes
    }
    let name = try #require(names(shop).first)
    #expect(name == UUID(uuidString: name)?.uuidString)
    #expect(
      try shop.sqlite("SELECT hex(substr(ZPICTURE, 1, 1)), length(ZPICTURE) FROM ZPRODUCT")
        == ["01|\(limit + 1)", "02|38"])
    #expect(
      try shop.sqlite("SELECT substr(ZPICTURE, 2, 36) FROM ZPRODUCT WHERE Z_PK = 2") == [name])
    #expect(try pictures(shop, store) == [Self.large.prefix(limit), Self.large])
    let chunk = try store.rows(of: product, keys: [2])
    #expect(chunk.rowCount == 1)
    store.close()
  }

  @Test("the file of a value that is replaced or deleted goes with the commit")
  func replacing() throws {
    let shop = try Shop()
    let store = try shop.open()
    let first = try insert(shop, store, Self.large)
    let old = names(shop)
    let second = try row(shop, first.key, Self.large + [1], over: first)
    let slots = OrdinalSet([try shop.slot("picture")])
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.updated = [ChangeSet.Update(row: second, slots: slots, expectedVersion: 1)]
      return changes
    }
    #expect(names(shop).count == 1)
    #expect(names(shop) != old)
    #expect(try pictures(shop, store) == [Self.large + [1]])
    let id = ObjectKey(entityIndex: second.entityIndex, key: second.key)
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.deleted = [ChangeSet.Deletion(id: id, expectedVersion: 2)]
      return changes
    }
    #expect(names(shop) == [])
    store.close()
  }

  @Test("a commit that fails leaves the old file and no new one")
  func failing() throws {
    let shop = try Shop()
    let store = try shop.open()
    let first = try insert(shop, store, Self.large)
    let before = names(shop)
    let second = try row(shop, first.key, Self.large + [1], over: first)
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
    #expect(names(shop) == before)
    #expect(try pictures(shop, store) == [Self.large])
    store.close()
  }

  @Test("a missing file does not fail a fetch, but the look-up of its row")
  func missingFile() throws {
    let shop = try Shop()
    let store = try shop.open()
    let row = try insert(shop, store, Self.large)
    let name = try #require(names(shop).first)
    try FileManager.default.removeItem(
      at: shop.folder.appendingPathComponent(".shop_SUPPORT/_EXTERNAL_DATA/\(name)"))
    #expect(try pictures(shop, store) == [nil])
    let error = try #require(throws: StoreError.self) {
      try store.rows(of: shop.entity(), keys: [row.key])
    }
    #expect(error.code == .missingFile)
    store.close()
  }

  @Test("a reference that leads out of the folder is a value like any other")
  func hostileReference() throws {
    let shop = try Shop()
    try shop.open().close()
    let name = "../../shop.sqlite" + String(repeating: "/", count: 19)
    #expect(name.utf8.count == 36)
    try shop.sqlite(
      "INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT, ZPICTURE) VALUES (1, 1, 1, "
        + "x'02\(name.utf8.map { String(format: "%02X", $0) }.joined())00')")
    let store = try shop.open()
    #expect(try pictures(shop, store).first??.count == 38)
    store.close()
  }
}
