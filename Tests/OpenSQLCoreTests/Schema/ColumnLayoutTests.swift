import OpenObjectModel
import OpenSQLCore
import OpenStoreContract
import Testing

@Suite("Columns of entity tables")
struct ColumnLayoutTests {
  @Test("a name that already exists in the tree gets a number, in the order of entity ids")
  func collisions() throws {
    let note = Layout.entity("Note", [Layout.attribute("title")])
    let folder = Layout.entity("Folder", [Layout.attribute("title")])
    let tag = Layout.entity("Tag", [Layout.attribute("Title", .integer16AttributeType)])
    let base = Layout.entity("Base", subentities: [tag, note, folder])
    let schema = try Layout.schema([base, note, folder, tag])
    #expect(
      Layout.texts(schema.tableStatements()) == [
        """
        CREATE TABLE ZBASE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZTITLE2 INTEGER, ZTITLE VARCHAR, ZTITLE1 VARCHAR )
        """
      ])
    #expect(schema.entities.map(\.entity.name) == ["Base", "Folder", "Note", "Tag"])
    #expect(
      schema.entities.dropFirst().map { $0.columns[0].name } == ["ZTITLE", "ZTITLE1", "ZTITLE2"])
  }

  @Test("a key's suffix is part of its entity discriminator's and its ordering column's names")
  func suffixedKeys() throws {
    let kind = Layout.entity("Kind")
    let place = Layout.entity("Place", subentities: [kind])
    let first = Layout.entity("First")
    let second = Layout.entity("Second")
    let base = Layout.entity("Base", subentities: [first, second])
    Layout.connect(first, "place", place, "firsts", manyBack: true)
    Layout.connect(second, "place", place, "seconds", manyBack: true, orderedBack: true)
    let schema = try Layout.schema([base, first, second, place, kind])
    #expect(
      Layout.texts(schema.tableStatements())[0] == """
        CREATE TABLE ZBASE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZPLACE INTEGER, Z4_PLACE INTEGER, ZPLACE1 INTEGER, Z4_PLACE1 INTEGER, \
        Z_FOK_PLACE1 INTEGER )
        """)
    let seconds = try #require(try storage("seconds", of: "Place", in: schema))
    guard case .foreignKey(let key) = seconds else {
      Issue.record("seconds has a table of pairs")
      return
    }
    #expect(key.column == "ZPLACE1")
    #expect(key.orderColumn == "Z_FOK_PLACE1")
    #expect(key.discriminator == "Z4_PLACE1")
  }

  @Test("a to-many relationship without inverse has a column named by its owner's number")
  func hiddenKeys() throws {
    let part = Layout.entity("Part", [Layout.attribute("name")])
    let car = Layout.entity("Car", [Library.relationship("parts", part, isToMany: true)])
    let spares = Library.relationship("spares", part, isToMany: true)
    spares.isOrdered = true
    car.properties += [spares, Library.relationship("Parts", part, isToMany: true)]
    let schema = try Layout.schema([part, car])
    #expect(
      Layout.texts(schema.tableStatements() + schema.indexStatements()) == [
        "CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        """
        CREATE TABLE ZPART ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        Z1PARTS INTEGER, Z1PARTS1 INTEGER, Z1SPARES INTEGER, Z_FOK_1SPARES INTEGER, ZNAME VARCHAR )
        """,
        "CREATE INDEX ZPART_Z1PARTS_INDEX ON ZPART (Z1PARTS)",
        "CREATE INDEX ZPART_Z1PARTS1_INDEX ON ZPART (Z1PARTS1)",
        "CREATE INDEX ZPART_Z1SPARES_INDEX ON ZPART (Z1SPARES)",
      ])
    #expect(try storage("parts", of: "Car", in: schema)?.key == "Z1PARTS1")
    #expect(try storage("spares", of: "Car", in: schema)?.orderColumn == "Z_FOK_1SPARES")
  }

  @Test("properties are in the order of their names' bytes")
  func order() throws {
    let names = ["b", "É", "a", "Z", "_x", "z"]
    let entity = Layout.entity("Word", names.map { Layout.attribute($0, .integer16AttributeType) })
    let schema = try Layout.schema([entity])
    #expect(schema.entities[0].columns.map(\.name) == ["ZZ", "Z_X", "ZA", "ZB", "ZZ1", "ZÉ"])
  }

  @Test("a file without columns of places is accepted; its relationships have no order")
  func missingOrderColumns() throws {
    let item = Layout.entity("Item")
    let list = Layout.entity("List")
    Layout.connect(list, "items", toMany: true, ordered: true, item, "list")
    Layout.connect(list, "tagged", toMany: true, ordered: true, item, "tags", manyBack: true)
    let fresh = try Layout.schema([item, list])
    #expect(fresh.missingOrderColumns.isEmpty)
    #expect(try storage("items", of: "List", in: fresh)?.orderColumn == "Z_FOK_LIST")
    let required = fresh.requiredColumns()
    #expect(required["ZITEM"] == ["Z_PK", "Z_ENT", "Z_OPT", "ZLIST"])
    #expect(required["Z_1TAGS"] == ["Z_1TAGGED", "Z_2TAGS"])
    let schema = try SchemaMap(fresh.model, existing: required)
    #expect(schema.missingOrderColumns == ["ZITEM": ["Z_FOK_LIST"], "Z_1TAGS": ["Z_FOK_1TAGGED"]])
    #expect(try storage("items", of: "List", in: schema)?.orderColumn == nil)
    #expect(try storage("tagged", of: "List", in: schema)?.orderColumn == nil)
  }

  private func storage(
    _ name: String, of entity: String, in schema: SchemaMap
  ) throws -> ToManyStorage? {
    let entity = try #require(schema.model.entity(named: entity))
    let ordinal = try #require(entity.ordinal(of: name))
    return schema.storage(of: entity.properties[ordinal])
  }
}

extension ToManyStorage {
  fileprivate var key: String {
    switch self {
    case .foreignKey(let key): key.column
    case .join(let side): side.source
    }
  }
}
