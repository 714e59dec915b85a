import OpenObjectModel
import OpenSQLCore
import OpenStoreContract
import Testing

@Suite("Tables of pairs")
struct JoinLayoutTests {
  @Test("the entity with the lower number names the table, or the one that has subentities")
  func namingSide() throws {
    let special = Layout.entity("SpecialZone")
    let zone = Layout.entity("Zone", subentities: [special])
    let asset = Layout.entity("Asset")
    let badge = Layout.entity("Badge")
    Layout.connect(asset, "zones", toMany: true, zone, "assets", manyBack: true)
    Layout.connect(badge, "assets", toMany: true, asset, "badges", manyBack: true)
    let schema = try Layout.schema([asset, badge, zone, special])
    #expect(
      joins(of: schema) == [
        """
        CREATE TABLE Z_1BADGES ( Z_1ASSETS INTEGER, Z_2BADGES INTEGER, \
        PRIMARY KEY (Z_1ASSETS, Z_2BADGES) )
        """,
        """
        CREATE TABLE Z_3ASSETS ( Z_3ZONES INTEGER, Z_1ASSETS1 INTEGER, \
        PRIMARY KEY (Z_3ZONES, Z_1ASSETS1) )
        """,
      ])
    #expect(
      Layout.texts(schema.indexStatements()).contains(
        "CREATE INDEX Z_3ASSETS_Z_1ASSETS1_INDEX ON Z_3ASSETS (Z_1ASSETS1, Z_3ZONES)"))
  }

  @Test("each ordered side has a position column after both keys")
  func orderedSides() throws {
    let team = Layout.entity("Team")
    let player = Layout.entity("Player")
    Layout.connect(
      team, "players", toMany: true, ordered: true, player, "teams", manyBack: true,
      orderedBack: true)
    let schema = try Layout.schema([team, player])
    #expect(
      joins(of: schema) == [
        """
        CREATE TABLE Z_1TEAMS ( Z_1PLAYERS INTEGER, Z_2TEAMS INTEGER, Z_FOK_1PLAYERS INTEGER, \
        Z_FOK_2TEAMS INTEGER, PRIMARY KEY (Z_1PLAYERS, Z_2TEAMS) )
        """
      ])
    let teams = try #require(schema.model.entity(named: "Player")?.properties.first)
    #expect(schema.storage(of: teams)?.orderColumn == "Z_FOK_2TEAMS")
  }

  @Test("a relationship that is its own inverse has a column REFLEXIVE")
  func reflexive() throws {
    let person = Layout.entity("Person")
    Layout.connect(person, "twins", toMany: true, person, "twins")
    let schema = try Layout.schema([person])
    #expect(
      joins(of: schema) == [
        """
        CREATE TABLE Z_1TWINS ( Z_1TWINS INTEGER, REFLEXIVE INTEGER, \
        PRIMARY KEY (Z_1TWINS, REFLEXIVE) )
        """
      ])
    #expect(
      Layout.texts(schema.indexStatements()) == [
        "CREATE INDEX Z_1TWINS_REFLEXIVE_INDEX ON Z_1TWINS (REFLEXIVE, Z_1TWINS)"
      ])
  }

  @Test("an ordered relationship that is its own inverse has a column of places")
  func orderedReflexive() throws {
    let person = Layout.entity("Person")
    Layout.connect(person, "twins", toMany: true, ordered: true, person, "twins")
    let schema = try Layout.schema([person])
    #expect(
      joins(of: schema) == [
        """
        CREATE TABLE Z_1TWINS ( Z_1TWINS INTEGER, REFLEXIVE INTEGER, Z_FOK_1TWINS INTEGER, \
        PRIMARY KEY (Z_1TWINS, REFLEXIVE) )
        """
      ])
    let twins = try #require(schema.model.entities[0].properties.first)
    #expect(schema.storage(of: twins)?.orderColumn == "Z_FOK_1TWINS")
  }

  @Test(
    "between relationships of one entity Apple's hash table decides, in which all properties have a place",
    arguments: [
      // According to an independent reference that was checked against Apple's files.
      (["following", "followers"], [], "FOLLOWING"), (["blocking", "blockedBy"], [], "BLOCKING"),
      (["parents", "children"], [], "PARENTS"),
      (["parents", "children"], ["name", "age", "email", "a"], "CHILDREN"),
      (["follows", "followedBy"], [], "FOLLOWEDBY"),
      (["follows", "followedBy"], ["name", "age", "email", "a"], "FOLLOWS"),
    ] as [([String], [String], String)])
  func buckets(_ names: [String], _ others: [String], _ naming: String) throws {
    let person = Layout.entity("Person", others.map { Layout.attribute($0) })
    Layout.connect(person, names[0], toMany: true, person, names[1], manyBack: true)
    let schema = try Layout.schema([person])
    #expect(schema.joins.map(\.name) == ["Z_1" + naming])
  }

  @Test("between relationships of one entity a file's name decides, if it has one")
  func samePair() throws {
    let folder = Layout.entity("Folder")
    Layout.connect(folder, "items", toMany: true, ordered: true, folder, "boxes", manyBack: true)
    let fresh = try Layout.schema([folder])
    #expect(
      joins(of: fresh) == [
        """
        CREATE TABLE Z_1BOXES ( Z_1ITEMS INTEGER, Z_1BOXES INTEGER, Z_FOK_1ITEMS INTEGER, \
        PRIMARY KEY (Z_1ITEMS, Z_1BOXES) )
        """
      ])
    let existing = ["Z_1ITEMS": ["Z_1BOXES", "Z_1ITEMS", "Z_FOK_1ITEMS"]]
    let schema = try SchemaMap(fresh.model, existing: existing)
    #expect(
      joins(of: schema) == [
        """
        CREATE TABLE Z_1ITEMS ( Z_1BOXES INTEGER, Z_1ITEMS INTEGER, Z_FOK_1ITEMS INTEGER, \
        PRIMARY KEY (Z_1BOXES, Z_1ITEMS) )
        """
      ])
    let items = try #require(schema.model.entities[0].properties.last)
    guard case .join(let side) = schema.storage(of: items) else {
      Issue.record("items has no table of pairs")
      return
    }
    #expect([side.source, side.destination] == ["Z_1BOXES", "Z_1ITEMS"])
    #expect(side.orderColumn == "Z_FOK_1ITEMS")
  }

  @Test(
    "the column check handles a join table without two keys in the file",
    arguments: [[], ["Z_PK"], ["Z_FOK_1ITEMS", "X"]])
  func damagedTable(_ columns: [String]) throws {
    let folder = Layout.entity("Folder")
    let tag = Layout.entity("Tag")
    Layout.connect(folder, "tags", toMany: true, ordered: true, tag, "folders", manyBack: true)
    let schema = try Layout.schema([folder, tag], existing: ["Z_1TAGS": columns])
    #expect(schema.requiredColumns()["Z_1TAGS"] == ["Z_1FOLDERS", "Z_2TAGS"])
    #expect(schema.missingOrderColumns == ["Z_1TAGS": ["Z_FOK_2TAGS"]])
  }

  private func joins(of schema: SchemaMap) -> [String] {
    Layout.texts(schema.tableStatements()).filter { $0.contains("PRIMARY KEY (") }
  }
}
