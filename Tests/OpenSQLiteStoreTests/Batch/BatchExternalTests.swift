import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Large values of batch requests")
struct BatchExternalTests {
  private static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  private func fileCount(_ shop: Shop) -> Int {
    let folder = shop.folder.appendingPathComponent(".shop_SUPPORT/_EXTERNAL_DATA")
    // Without a value there is no folder.
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).count
  }

  private func insert(
    _ shop: Shop, _ store: SQLiteStore, _ codes: [String], _ collision: BatchInsert.Collision
  ) throws -> BatchOutcome {
    let product = try shop.entity()
    var writer = RowWriter()
    var rows = try codes.map { code in
      writer.row(
        of: product, key: 0, version: 1, over: nil,
        values: [
          SlotValue(slot: try shop.slot("code"), content: .text(code)),
          SlotValue(slot: try shop.slot("picture"), content: .data(Self.large)),
        ])
    }
    let insertion = BatchInsert(entity: product, collision: collision)
    return try store.insert(insertion, origin: ChangeOrigin()) { () throws(StoreError) in
      defer { rows = [] }
      return rows
    }
  }

  private func pictures(_ shop: Shop, _ store: SQLiteStore) throws -> [Value] {
    let product = try shop.entity()
    let property = product.properties[try #require(product.ordinal(of: "picture"))]
    var pictures: [Value] = []
    try store.forEachChunk(matching: shop.plan()) { chunk in
      chunk.forEachRow { pictures.append($0.value(of: property, in: shop.model)) }
    }
    return pictures
  }

  @Test("an expression cannot set or read a value that may be in a file (D-463)")
  func expressions() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    _ = try insert(shop, store, ["a"], .fail)
    let product = try shop.entity()
    for (name, source) in [("code", "picture"), ("picture", "picture"), ("picture", "code")] {
      let ordinal = try #require(product.ordinal(of: source))
      let operand = Operand.property(
        PropertyPath(entityIndex: product.index, end: .property(ordinal: ordinal)))
      let update = BatchUpdate(
        plan: try shop.plan(),
        assignments: [BatchUpdate.Assignment(slot: try shop.slot(name), operand: operand)])
      let error = try #require(throws: StoreError.self) {
        try store.execute(.update(update), origin: ChangeOrigin())
      }
      #expect(error.code == .unsupportedPredicate)
    }
    #expect(try pictures(shop, store) == [.data(Self.large)])
  }

  @Test("each value has one file, whether rows collide, are replaced, kept, updated or deleted")
  func files() throws {
    let shop = try Shop()
    let store = try shop.open()
    defer { store.close() }
    #expect(try insert(shop, store, ["a", "b"], .fail).inserted.count == 2)
    #expect(fileCount(shop) == 2)
    #expect(throws: StoreError.self) { try insert(shop, store, ["c", "a"], .fail) }
    #expect(fileCount(shop) == 2)
    #expect(try insert(shop, store, ["a", "c"], .keep).inserted.count == 1)
    #expect(fileCount(shop) == 3)
    #expect(try insert(shop, store, ["a"], .replace).updated.count == 1)
    #expect(fileCount(shop) == 3)
    #expect(try pictures(shop, store) == Array(repeating: .data(Self.large), count: 3))
    var update = BatchUpdate(plan: try shop.plan(), assignments: [])
    update.assignments = [.init(slot: try shop.slot("picture"), operand: .binding(0))]
    update.plan.bindings = [.data(Self.large + Self.large)]
    _ = try store.execute(.update(update), origin: ChangeOrigin())
    #expect(
      try pictures(shop, store) == Array(repeating: .data(Self.large + Self.large), count: 3))
    update.plan.bindings = [.null]
    _ = try store.execute(.update(update), origin: ChangeOrigin())
    #expect(fileCount(shop) == 0)
    #expect(try insert(shop, store, ["a", "b"], .replace).updated.count == 2)
    #expect(try store.deleteRows(matching: shop.plan()).count == 3)
    #expect(fileCount(shop) == 0)
  }
}
