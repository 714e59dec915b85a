import OpenObjectModel
import OpenSQLCore
import Testing

@Suite("Triggers of derived attributes")
struct DerivationLayoutTests {
  private static let updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
  private static let inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

  @Test("a count over a to-many relationship has Apple's five triggers")
  func count() throws {
    let page = Layout.entity("Page")
    let book = Layout.entity(
      "Book", [try Layout.derived("pagesCount", .integer64AttributeType, "pages.@count")])
    Layout.connect(page, "book", book, "pages", manyBack: true)
    let name = "Z_DA_ZPAGE_Book_pagesCount_PARAMETER"
    let tell = { (owner: String) in
      """
      SELECT \(Self.updated)('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK \
      WHERE Z_PK = \(owner); END
      """
    }
    #expect(
      try triggers(page, book) == [
        """
        CREATE TRIGGER \(name)_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW WHEN \
        (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 \
        WHERE Z_PK = NEW.ZBOOK; \(tell("NEW.ZBOOK"))
        """,
        """
        CREATE TRIGGER \(name)_UPDATE_INCREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN \
        (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT + 1 \
        WHERE Z_PK = NEW.ZBOOK; \(tell("NEW.ZBOOK"))
        """,
        """
        CREATE TRIGGER \(name)_UPDATE_DECREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN \
        (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 \
        WHERE Z_PK = OLD.ZBOOK; \(tell("OLD.ZBOOK"))
        """,
        """
        CREATE TRIGGER \(name)_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW WHEN \
        (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 \
        WHERE Z_PK = OLD.ZBOOK; \(tell("OLD.ZBOOK"))
        """,
        """
        CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW \
        BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE \
        WHERE ZBOOK = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; SELECT \(Self.inserted)('ZBOOK', Z_ENT, \
        Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END
        """,
      ])
  }

  @Test("a path over a to-one relationship has Apple's four triggers")
  func path() throws {
    let label = Layout.entity("Label", [Layout.attribute("code", .integer16AttributeType)])
    let asset = Layout.entity(
      "Asset", [try Layout.derived("labelCode", .integer16AttributeType, "label.code")])
    Layout.connect(asset, "label", label, "assets", manyBack: true)
    let value = "(SELECT ZCODE FROM ZLABEL WHERE Z_PK = NEW.ZLABEL)"
    let own = "UPDATE ZASSET SET ZLABELCODE = \(value) WHERE Z_PK = NEW.Z_PK"
    let theirs = "UPDATE ZASSET SET ZLABELCODE = NEW.ZCODE WHERE ZLABEL = NEW.Z_PK"
    let arguments = "('ZASSET', Z_ENT, Z_PK, 'labelCode', ZLABELCODE) FROM ZASSET"
    #expect(
      try triggers(label, asset) == [
        """
        CREATE TRIGGER Z_DA_ZASSET_Asset_labelCode_SOURCE_INSERT AFTER INSERT ON ZASSET \
        FOR EACH ROW BEGIN \(own); SELECT \(Self.inserted)\(arguments) WHERE Z_PK = NEW.Z_PK; END
        """,
        """
        CREATE TRIGGER Z_DA_ZASSET_Asset_labelCode_SOURCE_UPDATE AFTER UPDATE OF ZLABEL ON ZASSET \
        FOR EACH ROW BEGIN \(own); SELECT \(Self.updated)\(arguments) WHERE Z_PK = NEW.Z_PK; END
        """,
        """
        CREATE TRIGGER Z_DA_ZLABEL_Asset_labelCode_PARAMETER_INSERT AFTER INSERT ON ZLABEL \
        FOR EACH ROW BEGIN \(theirs); SELECT \(Self.inserted)\(arguments) \
        WHERE ZLABEL = NEW.Z_PK; END
        """,
        """
        CREATE TRIGGER Z_DA_ZLABEL_Asset_labelCode_PARAMETER_UPDATE AFTER UPDATE OF ZCODE ON ZLABEL \
        FOR EACH ROW BEGIN \(theirs); SELECT \(Self.updated)\(arguments) \
        WHERE ZLABEL = NEW.Z_PK; END
        """,
      ])
  }

  @Test(
    "other derivations recompute the value in the row's triggers",
    arguments: [
      ("now()", "Z_OPT", "NSCoreDataNow()"), ("name", "ZNAME", "NEW.ZNAME"),
      ("canonical:(name)", "ZNAME", "ocd_canonical(NEW.ZNAME)"),
      ("uppercase:(name)", "ZNAME", "ocd_uppercase(NEW.ZNAME)"),
      ("lowercase:(name)", "ZNAME", "ocd_lowercase(NEW.ZNAME)"),
    ])
  func own(_ format: String, watched: String, value: String) throws {
    let tag = Layout.entity(
      "Tag", [Layout.attribute("name"), try Layout.derived("made", .stringAttributeType, format)])
    let body = { (function: String) in
      """
      FOR EACH ROW BEGIN UPDATE ZTAG SET ZMADE = \(value) WHERE Z_PK = NEW.Z_PK; \
      SELECT \(function)('ZTAG', Z_ENT, Z_PK, 'made', ZMADE) FROM ZTAG WHERE Z_PK = NEW.Z_PK; END
      """
    }
    #expect(
      try triggers(tag) == [
        """
        CREATE TRIGGER Z_DA_ZTAG_Tag_made_SOURCE_INSERT AFTER INSERT ON ZTAG \(body(Self.inserted))
        """,
        """
        CREATE TRIGGER Z_DA_ZTAG_Tag_made_SOURCE_UPDATE AFTER UPDATE OF \(watched) ON ZTAG \
        \(body(Self.updated))
        """,
      ])
  }

  @Test("triggers of longer paths and of pairs have distinct names")
  func names() throws {
    let node = Layout.entity(
      "Node",
      [
        Layout.attribute("name"), Layout.attribute("size", .integer64AttributeType),
        try Layout.derived("grandName", .stringAttributeType, "parent.parent.name"),
        try Layout.derived("linkCount", .integer64AttributeType, "links.@count"),
        try Layout.derived("linkSize", .integer64AttributeType, "links.@sum.size"),
      ])
    Layout.connect(node, "parent", node, "children", manyBack: true)
    Layout.connect(node, "links", toMany: true, node, "linkedBy", manyBack: true)
    let names = try triggers(node).map { $0.split(separator: " ")[2].dropFirst("Z_DA_".count) }
    #expect(
      names == [
        "ZNODE_Node_grandName_SOURCE_INSERT", "ZNODE_Node_grandName_SOURCE_UPDATE",
        "ZNODE_Node_grandName_PARAMETER_INSERT", "ZNODE_Node_grandName_PARAMETER_UPDATE",
        "ZNODE_Node_grandName_PARAMETER_INSERT1", "ZNODE_Node_grandName_PARAMETER_UPDATE1",
        "Z_1LINKS_Node_linkCount_PARAMETER_INSERT",
        "Z_1LINKS_Node_linkCount_PARAMETER_UPDATE_INCREMENT",
        "Z_1LINKS_Node_linkCount_PARAMETER_UPDATE_DECREMENT",
        "Z_1LINKS_Node_linkCount_PARAMETER_DELETE", "ZNODE_Node_linkCount_SOURCE_INSERT",
        "Z_1LINKS_Node_linkSize_PARAMETER_INSERT",
        "Z_1LINKS_Node_linkSize_PARAMETER_UPDATE_INCREMENT",
        "Z_1LINKS_Node_linkSize_PARAMETER_UPDATE_DECREMENT",
        "Z_1LINKS_Node_linkSize_PARAMETER_DELETE", "ZNODE_Node_linkSize_PARAMETER_UPDATE",
        "ZNODE_Node_linkSize_SOURCE_INSERT",
      ])
  }

  @Test(
    "a derivation from an unknown property makes the model invalid",
    arguments: ["unknown", "parts.unknown", "unknown.@count", "name.@count", "parts.name", "parts"])
  func unknown(_ format: String) throws {
    let part = Layout.entity("Part", [Layout.attribute("name")])
    let car = Layout.entity(
      "Car",
      [
        Layout.attribute("name"), Library.relationship("parts", part, isToMany: true),
        try Layout.derived("made", .stringAttributeType, format),
      ])
    #expect(throws: ModelError.self) { try triggers(part, car) }
  }

  @Test("a path beyond the length limit makes the model invalid")
  func endlessPath() throws {
    let path = String(repeating: "parent.", count: 5000) + "name"
    let node = Layout.entity(
      "Node", [Layout.attribute("name"), try Layout.derived("far", .stringAttributeType, path)])
    Layout.connect(node, "parent", node, "children", manyBack: true)
    #expect(throws: ModelError.self) { try triggers(node) }
  }

  private func triggers(_ entities: NSEntityDescription...) throws -> [String] {
    Layout.texts(try Layout.schema(entities).triggerStatements())
  }
}
