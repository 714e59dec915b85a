import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract
import Testing

@Suite("Columns of composite attributes")
struct CompositeLayoutTests {
  private func drink() -> NSEntityDescription {
    Layout.entity(
      "Drink",
      [
        Layout.attribute("id", .UUIDAttributeType), Layout.attribute("place"),
        Layout.composite(
          "author",
          [
            Layout.attribute("year", .integer32AttributeType),
            Layout.attribute("id"),
            Layout.composite("home", [Layout.attribute("place")]),
          ]),
        Layout.attribute("zest", .integer16AttributeType),
        Layout.attribute("Abv", .integer16AttributeType),
      ])
  }

  @Test("elements replace the composite in order, and their names omit its name")
  func columns() throws {
    let schema = try Layout.schema([drink()])
    #expect(
      Layout.texts(schema.tableStatements()) == [
        """
        CREATE TABLE ZDRINK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZABV INTEGER, ZYEAR INTEGER, ZZEST INTEGER, ZID VARCHAR, ZPLACE VARCHAR, ZPLACE1 VARCHAR, \
        ZID1 BLOB )
        """
      ])
    let entity = schema.entities[0]
    let names = entity.entity.properties.map { property in
      "\(property.name): \(entity.column(property.ordinal)?.name ?? "none")"
    }
    #expect(
      names == [
        "Abv: ZABV", "author: none", "author.year: ZYEAR", "author.id: ZID",
        "author.home.place: ZPLACE", "id: ZID1", "place: ZPLACE1", "zest: ZZEST",
      ])
  }

  @Test("an index refers to an element by its path; a composite includes all its elements")
  func indexes() throws {
    let drink = drink()
    drink.indexes = [
      try Layout.index("byAuthor", on: [path("author")]),
      try Layout.index("byYear", on: [path("author.year"), path("zest")]),
      try Layout.index("byUnknown", on: [path("author.unknown")]),
    ]
    drink.uniquenessConstraints = [["author", "zest"]]
    let schema = try Layout.schema([drink])
    #expect(
      Layout.texts(schema.indexStatements()) == [
        """
        CREATE INDEX Z_Drink_byAuthor ON ZDRINK (ZYEAR COLLATE BINARY ASC, \
        ZID COLLATE BINARY ASC, ZPLACE COLLATE BINARY ASC)
        """,
        """
        CREATE INDEX Z_Drink_byYear ON ZDRINK (ZYEAR COLLATE BINARY ASC, ZZEST COLLATE BINARY ASC)
        """,
        """
        CREATE UNIQUE INDEX Z_Drink_UNIQUE_author_zest ON ZDRINK (ZYEAR COLLATE BINARY ASC, \
        ZID COLLATE BINARY ASC, ZPLACE COLLATE BINARY ASC, ZZEST COLLATE BINARY ASC)
        """,
      ])
    #expect(schema.uniqueness.map(\.columns) == [["ZYEAR", "ZID", "ZPLACE", "ZZEST"]])
  }

  private func path(_ path: String) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = path
    description.expression = .init(forKeyPath: path)
    return description
  }
}
