import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import Testing

@Suite("Indexes")
struct IndexLayoutTests {
  @Test("key, entity, pair and fetch indexes and constraints are in Apple's order")
  func order() throws {
    let person = Layout.entity("Person")
    let novel = Layout.entity("Novel", [Layout.attribute("style")])
    let book = Layout.entity(
      "Book", [Layout.attribute("title"), Layout.attribute("year", .integer16AttributeType)],
      subentities: [novel])
    Layout.connect(book, "author", person, "books", manyBack: true)
    Layout.connect(book, "readers", toMany: true, person, "read", manyBack: true)
    let (title, year) = (book.properties[0], book.properties[1])
    let author = book.properties[2]
    book.indexes = [
      try Layout.index("zByYear", on: [year, title], descending: ["year"]),
      try Layout.index("byAuthor", on: [author]),
      try Layout.index("byAuthorAndYear", on: [author, year]),
    ]
    book.uniquenessConstraints = [["title", "author"]]
    novel.uniquenessConstraints = [["style"]]
    #expect(
      try Layout.texts(Layout.schema([person, book, novel]).indexStatements()) == [
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT)",
        "CREATE INDEX Z_1READERS_Z_3READERS_INDEX ON Z_1READERS (Z_3READERS, Z_1READ)",
        """
        CREATE INDEX Z_Book_zByYear ON ZBOOK (ZYEAR COLLATE BINARY DESC, \
        ZTITLE COLLATE BINARY ASC)
        """,
        """
        CREATE INDEX Z_Book_byAuthorAndYear ON ZBOOK (ZAUTHOR COLLATE BINARY ASC, \
        ZYEAR COLLATE BINARY ASC)
        """,
        """
        CREATE UNIQUE INDEX Z_Book_UNIQUE_title_author ON ZBOOK (ZTITLE COLLATE BINARY ASC, \
        ZAUTHOR COLLATE BINARY ASC)
        """,
        "CREATE UNIQUE INDEX Z_Novel_UNIQUE_style ON ZBOOK (ZSTYLE COLLATE BINARY ASC)",
      ])
  }

  @Test("of indexes with the same name, the first is created")
  func equalNames() throws {
    let book = Layout.entity("Book", [Layout.attribute("title")])
    book.indexes = [
      try Layout.index("byTitle", on: book.properties),
      try Layout.index("byTitle", on: book.properties),
    ]
    #expect(
      try Layout.texts(Layout.schema([book]).indexStatements()) == [
        "CREATE INDEX Z_Book_byTitle ON ZBOOK (ZTITLE COLLATE BINARY ASC)"
      ])
  }

  @Test("an R-tree index that is listed twice is created once")
  func equalSpatialIndexes() throws {
    let place = Layout.entity("Place", [Layout.attribute("x", .doubleAttributeType)])
    place.indexes = [
      try Layout.index("byX", on: place.properties, type: .rTree),
      try Layout.index("byX", on: place.properties, type: .rTree),
    ]
    let texts = try Layout.texts(Layout.schema([place]).spatialStatements())
    #expect(texts.filter { $0.hasPrefix("CREATE VIRTUAL TABLE") }.count == 1)
  }

  @Test("indexed properties and groups of older models have indexes, unless a fetch index has them")
  func olderForms() throws {
    let book = Layout.entity(
      "Book", [Layout.attribute("title"), Layout.attribute("code"), Layout.attribute("year")])
    for property in book.properties { property.isIndexed = true }
    book.indexes = [try Layout.index("byTitle", on: [book.properties[0]])]
    book.compoundIndexes = [["title", "code"], ["code", "year"], ["title"]]
    #expect(
      try Layout.texts(Layout.schema([book]).indexStatements()) == [
        "CREATE INDEX Z_Book_byTitle ON ZBOOK (ZTITLE COLLATE BINARY ASC)",
        "CREATE INDEX Z_Book_code ON ZBOOK (ZCODE COLLATE BINARY ASC)",
        "CREATE INDEX Z_Book_year ON ZBOOK (ZYEAR COLLATE BINARY ASC)",
        """
        CREATE INDEX Z_Book_compoundIndex ON ZBOOK (ZTITLE COLLATE BINARY ASC, \
        ZCODE COLLATE BINARY ASC)
        """,
        """
        CREATE INDEX Z_Book_compoundIndex1 ON ZBOOK (ZCODE COLLATE BINARY ASC, \
        ZYEAR COLLATE BINARY ASC)
        """,
      ])
  }

  @Test("the expressions SELF and entity are indexed by the system columns")
  func systemColumns() throws {
    let share = Layout.entity("Share", [Layout.attribute("created", .dateAttributeType)])
    share.indexes = [
      try Layout.index(
        "byAll", on: [expression("entity"), share.properties[0], expression("self")])
    ]
    #expect(
      try Layout.texts(Layout.schema([share]).indexStatements()) == [
        """
        CREATE INDEX Z_Share_byAll ON ZSHARE (Z_ENT COLLATE BINARY ASC, \
        ZCREATED COLLATE BINARY ASC, Z_PK COLLATE BINARY ASC)
        """
      ])
  }

  private func expression(_ name: String) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression =
      name == "self" ? .init(node: .evaluatedObject) : .init(forKeyPath: name)
    return description
  }

  @Test(
    "a partial index has its predicate as condition, with constants in the text",
    arguments: [
      ("a == -1 AND b != -1", "(ZA = -1 AND ZB <> -1)"), ("a != nil", "ZA IS NOT NULL"),
      ("a == nil", "ZA IS NULL"), ("a == 2 OR a == 4", "(ZA = 2 OR ZA = 4)"),
      ("t == 'it''s'", nil), ("t == \"it's\"", "ZT = 'it''s'"), ("d > 1.5", "ZD > 1.5"),
      ("3 <= a", "ZA >= 3"), ("a IN {1, 2}", "ZA IN (1, 2)"),
      ("a BETWEEN {1, 5}", "ZA BETWEEN 1 AND 5"), ("NOT (a == 1)", "NOT (ZA = 1)"),
      ("a == b", "ZA = ZB"), ("a == 1 AND (b == 2 OR b == 3)", "(ZA = 1 AND (ZB = 2 OR ZB = 3))"),
      ("t BEGINSWITH 'x'", nil), ("t ==[c] 'x'", nil), ("unknown == 1", nil),
      ("a == 1 AND t LIKE 'x'", nil), ("FALSEPREDICATE", nil), ("a + 1 == 2", nil),
    ] as [(String, String?)])
  func partial(_ format: String, condition: String?) throws {
    let entity = Layout.entity(
      "E",
      [
        Layout.attribute("a", .integer16AttributeType),
        Layout.attribute("b", .integer16AttributeType), Layout.attribute("t"),
        Layout.attribute("d", .doubleAttributeType),
      ])
    // Formats double no quotes; such a text is no predicate at all.
    guard let index = try? Layout.index("i", on: [entity.properties[0]], where: format) else {
      #expect(condition == nil)
      return
    }
    entity.indexes = [index]
    let expected = condition.map { "CREATE INDEX Z_E_i ON ZE (ZA COLLATE BINARY ASC) WHERE \($0)" }
    #expect(
      try Layout.texts(Layout.schema([entity]).indexStatements()) == expected.map { [$0] } ?? [])
  }

  @Test("a predicate that is always true restricts nothing")
  func always() throws {
    let entity = Layout.entity("E", [Layout.attribute("a")])
    entity.indexes = [
      try Layout.index("i", on: [entity.properties[0]], where: "TRUEPREDICATE")
    ]
    #expect(
      try Layout.texts(Layout.schema([entity]).indexStatements()) == [
        "CREATE INDEX Z_E_i ON ZE (ZA COLLATE BINARY ASC)"
      ])
  }

  @Test("an R-tree index is a virtual table with three triggers")
  func spatial() throws {
    let asset = Layout.entity(
      "Asset",
      [
        Layout.attribute("latitude", .doubleAttributeType),
        Layout.attribute("longitude", .doubleAttributeType),
      ])
    asset.indexes = [try Layout.index("byRect", on: asset.properties, type: .rTree)]
    let schema = try Layout.schema([asset])
    #expect(schema.indexStatements().isEmpty)
    let columns = "ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX"
    let values = "NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE"
    #expect(
      Layout.texts(schema.spatialStatements()) == [
        """
        CREATE VIRTUAL TABLE Z_RT_Asset_byRect USING RTREE (Z_PK INTEGER PRIMARY KEY, \
        ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)
        """,
        """
        CREATE TRIGGER Z_RT_Asset_byRect_INSERT AFTER INSERT ON ZASSET FOR EACH ROW BEGIN \
        INSERT OR REPLACE INTO Z_RT_Asset_byRect (Z_PK, \(columns)) VALUES (\(values)) ; END
        """,
        """
        CREATE TRIGGER Z_RT_Asset_byRect_UPDATE AFTER UPDATE ON ZASSET FOR EACH ROW BEGIN \
        DELETE FROM Z_RT_Asset_byRect WHERE Z_PK = NEW.Z_PK ; INSERT INTO Z_RT_Asset_byRect \
        (Z_PK, \(columns)) VALUES (\(values)) ; END
        """,
        """
        CREATE TRIGGER Z_RT_Asset_byRect_DELETE AFTER DELETE ON ZASSET FOR EACH ROW BEGIN \
        DELETE FROM Z_RT_Asset_byRect WHERE Z_PK = OLD.Z_PK ; END
        """,
      ])
  }
}
