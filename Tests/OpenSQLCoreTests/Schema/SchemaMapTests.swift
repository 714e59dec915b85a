import OpenObjectModel
import OpenSQLCore
import OpenStoreContract
import Testing

@Suite("The schema of a model in Apple's layout")
struct SchemaMapTests {
  @Test("tables, indexes and fixed tables have Apple's order and statements")
  func statements() throws {
    let texts = try Library().schema.statements().map {
      SQLRenderer.render($0, for: SQLiteDialect()).text
    }
    #expect(
      texts == [
        """
        CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZPAGES INTEGER, ZAUTHOR INTEGER, ZISCOLORED INTEGER, ZADDED TIMESTAMP, ZRATING FLOAT, \
        ZPRICE DECIMAL, ZTITLE VARCHAR, ZPAGES1 VARCHAR, ZSITE VARCHAR, ZCODE BLOB, ZCOVER BLOB )
        """,
        """
        CREATE TABLE Z_1TAGS ( Z_1ITEMS INTEGER, Z_6TAGS INTEGER, \
        PRIMARY KEY (Z_1ITEMS, Z_6TAGS) )
        """,
        """
        CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZEMAIL VARCHAR, ZNAME VARCHAR )
        """,
        """
        CREATE TABLE Z_4FRIENDS ( Z_4FRIENDOF INTEGER, Z_4FRIENDS INTEGER, \
        PRIMARY KEY (Z_4FRIENDOF, Z_4FRIENDS) )
        """,
        """
        CREATE TABLE ZSHELF ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZTOP INTEGER, Z1_TOP INTEGER, ZNAME VARCHAR )
        """,
        """
        CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        Z5PINNED INTEGER, ZNAME VARCHAR )
        """,
        "CREATE INDEX ZITEM_ZAUTHOR_INDEX ON ZITEM (ZAUTHOR)",
        "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
        "CREATE INDEX Z_1TAGS_Z_6TAGS_INDEX ON Z_1TAGS (Z_6TAGS, Z_1ITEMS)",
        "CREATE INDEX Z_Item_byTitle ON ZITEM (ZTITLE COLLATE BINARY ASC)",
        "CREATE INDEX Z_4FRIENDS_Z_4FRIENDS_INDEX ON Z_4FRIENDS (Z_4FRIENDS, Z_4FRIENDOF)",
        "CREATE UNIQUE INDEX Z_Person_UNIQUE_email ON ZPERSON (ZEMAIL COLLATE BINARY ASC)",
        "CREATE INDEX ZSHELF_ZTOP_INDEX ON ZSHELF (ZTOP)",
        "CREATE INDEX ZTAG_Z5PINNED_INDEX ON ZTAG (Z5PINNED)",
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
        Z_MAX INTEGER)
        """,
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
  }

  @Test("a join table that the file names from the other side is matched by column position")
  func existingJoin() throws {
    let library = try Library()
    var existing = library.schema.requiredColumns()
    existing["Z_4FRIENDS"] = nil
    existing["Z_4FRIENDOF"] = ["Z_4A", "Z_4B"]
    let schema = try SchemaMap(library.model, existing: existing)
    let person = try library.entity("Person")
    let friends = try #require(person.ordinal(of: "friends"))
    guard case .join(let side) = schema.storage(of: person.properties[friends]) else {
      Issue.record("friends has no table of pairs")
      return
    }
    #expect([side.table, side.source, side.destination] == ["Z_4FRIENDOF", "Z_4B", "Z_4A"])
  }

  @Test("rows of several entities share the columns that they inherit")
  func rowColumns() throws {
    let library = try Library()
    let columns = library.schema.rowColumns(of: try library.entity("Item").subtree)
    #expect(columns.entityColumn == 2)
    #expect(columns.slots.map(\.count) == [2, 7, 6])
    #expect(Set(columns.names).count == columns.names.count)
    #expect(columns.slots[1].prefix(2) == columns.slots[0].prefix(2))
  }

  @Test("identifiers are quoted only when they must be")
  func quoting() {
    let dialect = SQLiteDialect()
    #expect(dialect.quoted("Z_1TAGS") == "Z_1TAGS")
    #expect(dialect.quoted("ZÉTAGE") == "\"ZÉTAGE\"")
    #expect(dialect.quoted("Z\"; DROP") == "\"Z\"\"; DROP\"")
    // A combining mark and the quotation mark before it are one character.
    let marks = dialect.quoted("Z\"\u{301}; DROP").unicodeScalars.filter { $0 == "\"" }
    #expect(marks.count == 4)
  }
}
