import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Triggers of derived attributes and R-trees, run by SQLite")
struct DerivationTriggerTests {
  private let database: LayoutDatabase

  init() throws {
    database = try LayoutDatabase()
    let model = NSManagedObjectModel()
    model.entities = try LibraryWithSums.entities()
    let schema = try SchemaMap(try model.compiled())
    for statement in schema.statements() + schema.historyStatements {
      try database.run(SQLRenderer.render(statement, for: SQLiteDialect()).text)
    }
    try database.run(
      """
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ann'), (2, 1, 1, 'Bob');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZTITLE, ZPRICE) VALUES
        (1, 2, 1, 1, 'Emma', 2.5), (2, 2, 1, 1, 'Dune', 4), (3, 2, 1, NULL, NULL, 1);
      """)
  }

  private func authors() throws -> [String] {
    try database.rows("SELECT ZBOOKCOUNT, ZBOOKPRICE FROM ZAUTHOR ORDER BY Z_PK")
  }

  @Test("a new store has the statements of its model's layout")
  func newStore() throws {
    let shop = try Shop()
    let model = NSManagedObjectModel()
    model.entities = try LibraryWithSums.entities()
    let compiled = try model.compiled()
    try SQLiteStore.open(StoreConfiguration(url: shop.file), model: compiled).close()
    let statements = try SchemaMap(compiled).statements().map {
      SQLRenderer.render($0, for: SQLiteDialect()).text
    }
    #expect(try LayoutFile(shop.file).statements == statements)
  }

  @Test("counts and sums follow insertions, changes and deletions")
  func counts() throws {
    #expect(try authors() == ["2|6.5", "0|0.0"])
    try database.run("UPDATE ZBOOK SET ZAUTHOR = 2 WHERE Z_PK = 2")
    #expect(try authors() == ["1|2.5", "1|4.0"])
    try database.run("UPDATE ZBOOK SET ZAUTHOR = 2, ZPRICE = 9 WHERE Z_PK = 2")
    #expect(try authors() == ["1|2.5", "1|9.0"])
    try database.run("UPDATE ZBOOK SET ZAUTHOR = NULL WHERE Z_PK = 1")
    try database.run("DELETE FROM ZBOOK WHERE Z_PK = 2")
    #expect(try authors() == ["0|0.0", "0|0.0"])
  }

  @Test("counts and sums over tables of pairs follow the pairs and the values")
  func pairs() throws {
    let tags = "SELECT ZBOOKCOUNT, ZBOOKPRICE FROM ZTAG ORDER BY Z_PK"
    try database.run(
      """
      INSERT INTO Z_2TAGS (Z_2BOOKS, Z_5TAGS) VALUES (1, 1), (2, 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 1), (2, 5, 1);
      """)
    #expect(try database.rows(tags) == ["2|6.5", "0|0.0"])
    try database.run("INSERT OR IGNORE INTO Z_2TAGS (Z_2BOOKS, Z_5TAGS) VALUES (3, 2), (1, 1)")
    #expect(try database.rows(tags) == ["2|6.5", "1|1.0"])
    try database.run("UPDATE ZBOOK SET ZPRICE = 3 WHERE Z_PK = 1")
    #expect(try database.rows(tags) == ["2|7.0", "1|1.0"])
    try database.run("DELETE FROM Z_2TAGS WHERE Z_2BOOKS = 2")
    #expect(try database.rows(tags) == ["1|3.0", "1|1.0"])
  }

  @Test("values over to-one relationships follow the keys and the values")
  func paths() throws {
    let names = "SELECT ZAUTHORNAME FROM ZBOOK ORDER BY Z_PK"
    #expect(try database.rows(names) == ["Ann", "Ann", "NULL"])
    try database.run("UPDATE ZBOOK SET ZAUTHOR = 2 WHERE Z_PK = 3")
    try database.run("UPDATE ZAUTHOR SET ZNAME = 'Bill' WHERE Z_PK = 2")
    #expect(try database.rows(names) == ["Ann", "Ann", "Bill"])
    try database.run("UPDATE ZBOOK SET ZAUTHOR = NULL WHERE Z_PK = 1")
    #expect(try database.rows(names) == ["NULL", "Ann", "Bill"])
  }

  @Test("values over two relationships of one table follow every row on the path")
  func longPaths() throws {
    let names = "SELECT ZGRANDNAME FROM ZNODE ORDER BY Z_PK"
    try database.run(
      """
      INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZPARENT, ZNAME) VALUES
        (3, 3, 1, 2, 'leaf'), (2, 3, 1, 1, 'middle'), (1, 3, 1, NULL, 'root');
      """)
    #expect(try database.rows(names) == ["NULL", "NULL", "root"])
    try database.run("UPDATE ZNODE SET ZNAME = 'top' WHERE Z_PK = 1")
    #expect(try database.rows(names) == ["NULL", "NULL", "top"])
    try database.run("INSERT INTO ZNODE (Z_PK, ZNAME) VALUES (4, 'other')")
    try database.run("UPDATE ZNODE SET ZPARENT = 4 WHERE Z_PK = 2")
    #expect(try database.rows(names) == ["NULL", "NULL", "other", "NULL"])
    try database.run("UPDATE ZNODE SET ZPARENT = NULL WHERE Z_PK = 2")
    #expect(try database.rows(names) == ["NULL", "NULL", "NULL", "NULL"])
  }

  @Test("copies and changed texts follow their attribute, times follow each save")
  func own() throws {
    let values = "SELECT ZTITLECOPY, ZUPPER, ZSAVED FROM ZBOOK ORDER BY Z_PK LIMIT 1"
    let now = String(LayoutDatabase.now)
    #expect(try database.rows(values) == ["Emma|EMMA|\(now)"])
    try database.run("UPDATE ZBOOK SET ZTITLE = 'Iris', ZSAVED = 0 WHERE Z_PK = 1")
    #expect(try database.rows(values) == ["Iris|IRIS|0"])
    try database.run("UPDATE ZBOOK SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
    #expect(try database.rows(values) == ["Iris|IRIS|\(now)"])
  }

  @Test("a value that is copied from another derived attribute follows it from the insertion on")
  func chains() throws {
    let copies = "SELECT ZCOPYOFUPPER FROM ZBOOK ORDER BY Z_PK"
    #expect(try database.rows(copies) == ["EMMA", "DUNE", "NULL"])
    try database.run("UPDATE ZBOOK SET ZTITLE = 'Iris' WHERE Z_PK = 1")
    #expect(try database.rows(copies) == ["IRIS", "DUNE", "NULL"])
    try database.run(
      """
      INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZPARENT, ZNAME) VALUES
        (2, 3, 1, 1, 'leaf'), (1, 3, 1, NULL, 'root');
      """)
    let names = "SELECT ZABOVENAME FROM ZNODE ORDER BY Z_PK"
    #expect(try database.rows(names) == ["NULL", "ROOT"])
  }

  @Test("an R-tree finds rows by their place")
  func spatial() throws {
    try database.run(
      """
      INSERT INTO ZPLACE (Z_PK, ZLATITUDE, ZLONGITUDE) VALUES (1, 10, 20), (2, 50, 60);
      UPDATE ZPLACE SET ZLATITUDE = 11 WHERE Z_PK = 1;
      """)
    let query = "SELECT Z_PK FROM Z_RT_Place_byPoint WHERE ZLATITUDE_MIN > 10.5 ORDER BY Z_PK"
    #expect(try database.rows(query) == ["1", "2"])
    try database.run("DELETE FROM ZPLACE WHERE Z_PK = 2")
    #expect(try database.rows(query) == ["1"])
  }
}

/// Authors, books, tags, nodes and places with derived attributes of every kind.
private enum LibraryWithSums {
  static func entities() throws -> [NSEntityDescription] {
    let author = try entity("Author", [attribute("name", .stringAttributeType)] + sums())
    let book = try entity(
      "Book",
      [
        attribute("title", .stringAttributeType), attribute("price", .doubleAttributeType),
        derived("authorName", .stringAttributeType, "author.name"),
        derived("titleCopy", .stringAttributeType, "title"),
        derived("upper", .stringAttributeType, "uppercase:(title)"),
        derived("saved", .dateAttributeType, "now()"),
        derived("copyOfUpper", .stringAttributeType, "upper"),
      ])
    let tag = try entity("Tag", sums())
    let node = try entity(
      "Node",
      [
        attribute("name", .stringAttributeType),
        derived("grandName", .stringAttributeType, "parent.parent.name"),
        derived("loudName", .stringAttributeType, "uppercase:(name)"),
        derived("aboveName", .stringAttributeType, "parent.loudName"),
      ])
    connect(book, "author", author, "books")
    connect(book, "tags", tag, "books", manyToMany: true)
    connect(node, "parent", node, "children")
    return [author, book, tag, node, place()]
  }

  private static func place() -> NSEntityDescription {
    let place = entity(
      "Place",
      [attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType)])
    place.indexes = [
      NSFetchIndexDescription(
        name: "byPoint",
        elements: place.properties.map {
          NSFetchIndexElementDescription(property: $0, collationType: .rTree)
        })
    ]
    return place
  }

  private static func sums() throws -> [NSPropertyDescription] {
    [
      try derived("bookCount", .integer64AttributeType, "books.@count"),
      try derived("bookPrice", .doubleAttributeType, "books.@sum.price"),
    ]
  }

  private static func entity(
    _ name: String, _ properties: [NSPropertyDescription]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  private static func derived(
    _ name: String, _ type: NSAttributeType, _ format: String
  ) throws -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.derivationExpression = try .parsing(format)
    return attribute
  }

  private static func connect(
    _ owner: NSEntityDescription, _ name: String, _ destination: NSEntityDescription,
    _ inverse: String, manyToMany: Bool = false
  ) {
    let pair = [(name, destination, manyToMany), (inverse, owner, true)].map {
      name, end, isToMany in
      let relationship = NSRelationshipDescription()
      relationship.name = name
      relationship.destinationEntity = end
      relationship.maxCount = isToMany ? 0 : 1
      relationship.isOptional = true
      return relationship
    }
    owner.properties += [pair[0]]
    destination.properties += [pair[1]]
    pair[0].inverseRelationship = pair[1]
    pair[1].inverseRelationship = pair[0]
  }
}
