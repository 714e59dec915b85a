import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Files that lack parts of the layout")
struct TolerantOpeningTests {
  private let shop: Shop
  private let model: CompiledModel

  /// A list with two items, in a file of our own.
  init() throws {
    shop = try Shop()
    let item = Self.entity("Item")
    let list = Self.entity("List")
    let items = Self.relationship("items", item, isToMany: true)
    let owner = Self.relationship("list", list)
    items.isOrdered = true
    items.inverseRelationship = owner
    owner.inverseRelationship = items
    list.properties = [items]
    item.properties = [owner]
    let model = NSManagedObjectModel()
    model.entities = [item, list]
    self.model = try model.compiled()
    try SQLiteStore.open(StoreConfiguration(url: shop.file), model: self.model).close()
    try shop.execute(
      """
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLIST, Z_FOK_LIST)
        VALUES (1, 1, 1, 1, 2048), (2, 1, 1, 1, 1024);
      """)
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, isToMany: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = isToMany ? 0 : 1
    relationship.isOptional = true
    return relationship
  }

  private func items() throws -> [Int64] {
    var configuration = StoreConfiguration(url: shop.file)
    configuration.isReadOnly = true
    let store = try SQLiteStore.open(configuration, model: model)
    defer { store.close() }
    let list = try #require(model.entity(named: "List"))
    let relationship = try #require(list.properties.first)
    return try store.destinations(
      of: relationship, in: list, sources: [1]
    ).flatMap { $0 }.map(\.key)
  }

  @Test("a complete file has the members in their places")
  func complete() throws {
    #expect(try items() == [2, 1])
  }

  @Test("without the column of places the members have no order")
  func withoutPlaces() throws {
    try shop.execute("ALTER TABLE ZITEM DROP COLUMN Z_FOK_LIST")
    #expect(try items().sorted() == [1, 2])
  }

  @Test("indexes can be missing")
  func withoutIndexes() throws {
    try shop.execute("DROP INDEX ZITEM_ZLIST_INDEX")
    #expect(try items() == [2, 1])
  }

  @Test("a file without a key column is rejected")
  func withoutKey() throws {
    try shop.execute("DROP INDEX ZITEM_ZLIST_INDEX; ALTER TABLE ZITEM DROP COLUMN ZLIST")
    let error = try #require(throws: StoreError.self) { try items() }
    #expect(error.code == .incompatibleSchema)
  }
}
