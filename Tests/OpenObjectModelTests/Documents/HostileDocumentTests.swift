import Foundation
import OpenObjectModel
import Testing

@Suite("Hostile model documents")
struct HostileDocumentTests {
  private func error(document: String) throws -> ModelError? {
    let folder = try ModelFolder()
    let file = try folder.write(document, to: "A.xcdatamodel/contents")
    return withExtendedLifetime(folder) {
      ModelFolder.error { () throws(ModelError) in
        _ = try NSManagedObjectModel(reading: file.deletingLastPathComponent())
      }
    }
  }

  @Test("multiplying entities are rejected before they are expanded")
  func billionLaughs() throws {
    let levels = (1..<20).map {
      "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">"
    }
    let document = """
      <?xml version="1.0"?>
      <!DOCTYPE model [<!ENTITY e0 "ha">\(levels.joined())]>
      <model><entity name="&e19;"/></model>
      """
    #expect(try error(document: document)?.code == .malformed)
  }

  @Test("entities outside the document are not fetched")
  func externalEntity() throws {
    let folder = try ModelFolder()
    let secret = try folder.write("<entity name=\"Secret\"/>", to: "secret.xml")
    let document = """
      <?xml version="1.0"?>
      <!DOCTYPE model [<!ENTITY x SYSTEM "\(secret.absoluteString)">]>
      <model>&x;</model>
      """
    #expect(try error(document: document)?.code == .malformed)
  }

  @Test("a text in an encoding with zero bytes is rejected")
  func otherEncoding() throws {
    let folder = try ModelFolder()
    let file = try folder.write("", to: "A.xcdatamodel/contents")
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><model/>"
    try text.data(using: .utf16)?.write(to: file)
    let error = ModelFolder.error { () throws(ModelError) in
      _ = try NSManagedObjectModel(reading: file.deletingLastPathComponent())
    }
    #expect(error?.code == .malformed)
  }

  @Test("a document with a million elements is rejected with a line number")
  func manyElements() throws {
    let lines = String(repeating: "<entity name=\"A\"/>\n", count: 1_000_000)
    let error = try error(document: "<model>\n" + lines + "</model>")
    #expect(error?.code == .malformed)
    #expect((error?.line ?? .max) < 300_000)
  }

  @Test("deep nesting is rejected")
  func depth() throws {
    let open = String(repeating: "<a>", count: 100_000)
    #expect(try error(document: "<model>" + open)?.code == .malformed)
  }

  @Test("a long chain of parents is read, an endless one is rejected")
  func longChain() throws {
    func document(_ count: Int) -> String {
      (1..<count).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }.joined()
        + "<entity name=\"E0\"/>"
    }
    #expect(try ModelFolder.model(document(1001)).entities.count == 1001)
    #expect(try ModelFolder.error(document(1002))?.code == .malformed)
    #expect(try ModelFolder.error(document(50_000))?.code == .malformed)
  }

  @Test("an entity with very many properties, inverses and children is read in reasonable time")
  func wideEntity() throws {
    let count = 5000
    let relationships = (0..<count).map {
      "<relationship name=\"r\($0)\" destinationEntity=\"A\" inverseName=\"r\($0)\" inverseEntity=\"A\"/>"
    }
    let children = (0..<count).map { "<entity name=\"C\($0)\" parentEntity=\"A\"/>" }
    let model = try ModelFolder.model(
      "<entity name=\"A\">\(relationships.joined())</entity>" + children.joined())
    #expect(model.entitiesByName["A"]?.subentities.count == count)
  }

  @Test("composite types that multiply or nest endlessly are rejected")
  func composites() throws {
    let inner = { (level: Int) in
      "<attribute name=\"a\" attributeType=\"Composite\" composite=\"T\(level + 1)\"/>"
        + "<attribute name=\"b\" attributeType=\"Composite\" composite=\"T\(level + 1)\"/>"
    }
    let types = { (count: Int) in
      (0..<count).map { "<composite name=\"T\($0)\">\(inner($0))</composite>" }.joined()
        + "<composite name=\"T\(count)\"><attribute name=\"x\" attributeType=\"String\"/></composite>"
    }
    let entity =
      "<entity name=\"A\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"T0\"/></entity>"
    #expect(try ModelFolder.model(entity + types(8)).entities.count == 1)
    #expect(try ModelFolder.error(entity + types(30))?.code == .malformed)
    #expect(try ModelFolder.error(entity + types(10_000))?.code == .malformed)
  }

  /// Values that no editor writes.
  static let wrongValues = [
    "<relationship name=\"r\" destinationEntity=\"A\" maxCount=\"many\"/>",
    "<relationship name=\"r\" destinationEntity=\"A\" minCount=\"99999999999999999999\"/>",
    "<relationship name=\"r\" destinationEntity=\"A\" deletionRule=\"Explode\"/>",
    "<attribute name=\"d\" attributeType=\"Integer 64\" derived=\"YES\" derivationExpression=\"a +\"/>",
    "<fetchedProperty name=\"f\"><fetchRequest predicateString=\"(\"/></fetchedProperty>",
    "<fetchedProperty name=\"f\"><fetchRequest fetchLimit=\"-1\"/></fetchedProperty>",
    "<fetchIndex name=\"i\"><fetchIndexElement expression=\"length:(\"/></fetchIndex>",
    "<fetchIndex name=\"i\" partialIndexPredicate=\"a ==\"/>",
  ]

  @Test("wrong values are reported with their line", arguments: wrongValues)
  func wrongValue(_ element: String) throws {
    let error = try ModelFolder.error("<entity name=\"A\">\n\(element)</entity>")
    #expect(error?.code == .malformed)
    #expect(error?.line == 4)
    #expect(error?.entityName == "A")
  }

  @Test("an invalid Boolean is reported")
  func wrongFlag() throws {
    let error = try ModelFolder.error(
      "<entity name=\"A\"><attribute name=\"b\" attributeType=\"Boolean\" defaultValueString=\"maybe\"/></entity>"
    )
    #expect(error?.code == .mismatchedDefault)
  }

  @Test("fetch requests are known by one name and by entities of the model")
  func templates() throws {
    #expect(try ModelFolder.error("<fetchRequest entity=\"A\"/>")?.code == .missingName)
    #expect(
      try ModelFolder.error("<fetchRequest name=\"a\" entity=\"A\"/>")?.code == .unknownEntity)
    #expect(
      try ModelFolder.error("<fetchRequest name=\"a\"/><fetchRequest name=\"a\"/>")?.code
        == .duplicateName)
  }
}
