import OpenModelCodegen
import OpenSourceRewriter
import Testing

/// The types of properties, and invalid type names.
@Suite struct PropertyTypeTests {
  @Test(
    "attributes have Xcode's types: objects are optional, scalars only on request",
    arguments: [
      ("Integer 16", "NSNumber?", "Int16"), ("Integer 32", "NSNumber?", "Int32"),
      ("Integer 64", "NSNumber?", "Int64"), ("Double", "NSNumber?", "Double"),
      ("Float", "NSNumber?", "Float"), ("Boolean", "NSNumber?", "Bool"),
      ("Date", "Date?", "TimeInterval"), ("Decimal", "NSDecimalNumber?", "NSDecimalNumber?"),
      ("String", "String?", "String?"), ("Binary", "Data?", "Data?"), ("UUID", "UUID?", "UUID?"),
      ("URI", "URL?", "URL?"), ("Transformable", "NSObject?", "NSObject?"),
      ("Undefined", "NSObject?", "NSObject?"),
      ("ObjectID", "NSManagedObjectID?", "NSManagedObjectID?"),
    ])
  func attributeTypes(_ type: String, _ object: String, _ scalar: String) throws {
    for (flag, expected) in [("NO", object), ("YES", scalar)] {
      let model = try ModelOnDisk(
        entity(
          "Book", "",
          "<attribute name=\"x\" attributeType=\"\(type)\" usesScalarValueType=\"\(flag)\"/>"))
      #expect(try model.source().contains("  @Managed public var x: \(expected)\n"))
    }
  }

  @Test("composite attributes are dictionaries, and no identity")
  func composite() throws {
    let model = try ModelOnDisk(
      entity("Book", "", "<attribute name=\"id\" attributeType=\"Composite\" composite=\"P\"/>")
        + "<composite name=\"P\"><attribute name=\"x\" attributeType=\"String\"/></composite>")
    let source = try model.source()
    #expect(source.contains("@Managed public var id: [String: Any]?"))
    #expect(!source.contains("Identifiable"))
  }

  @Test("fetched properties are arrays of their entity's class")
  func fetchedProperty() throws {
    let request =
      "<fetchRequest name=\"fetchedPropertyFetchRequest\" entity=\"Tag\" "
      + "predicateString=\"TRUEPREDICATE\"/>"
    let model = try ModelOnDisk(
      entity("Book", "", "<fetchedProperty name=\"similar\">\(request)</fetchedProperty>")
        + entity("Tag", "representedClassName=\"Label\""))
    #expect(try model.source().contains("@Managed public var similar: [Label]?"))
    let unfinished = try ModelOnDisk(entity("Book", "", "<fetchedProperty name=\"similar\"/>"))
    #expect(unfinished.failure?.message.hasPrefix("The property has no destination") == true)
    #expect(unfinished.failure?.propertyName == "similar")
  }

  @Test(
    "custom classes of transformable attributes are used as written",
    arguments: [
      "Color", "App.Color", "[String]", "[String: [Int]]", "Set&lt;String&gt;", "[String?]",
      "[Any]",
      "Box&lt;A, [B]&gt;.Inner",
    ])
  func customClass(_ name: String) throws {
    let source = try transformable(name).source()
    let type = name.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    #expect(source.contains("@Managed public var x: \(type)?\n"))
    _ = try SourceRewriter.rewrite([SourceText(path: "Model.swift", text: source)])
  }

  @Test(
    "compositions of protocols are in parentheses before the question mark",
    arguments: ["any Sendable", "Codable &amp; Sendable", "any A&amp;B"])
  func composition(_ name: String) throws {
    let source = try transformable(name).source()
    let type = name.replacing("&amp;", with: "&")
    #expect(source.contains("@Managed public var x: (\(type))?\n"))
    _ = try SourceRewriter.rewrite([SourceText(path: "Model.swift", text: source)])
  }

  @Test(
    "a custom class that is not a type is rejected",
    arguments: [
      "Color { get { exit(1) } }", "Color = make()", "Color; import Evil", "Color&#10;import Evil",
      "A, y: B", "[String", "Set&lt;Int]", "()", "1Color", "// Color", "[]", "\u{202E}Color",
      "A B", "inout Color", "Color where", "A.", ".A", "A..B", "func", "A.self", "Set&lt;&gt;",
      "A&lt;B&gt;C", "?A",
      "a\u{E0041}", "A:B", "[A:B:C]",
    ])
  func hostileCustomClass(_ name: String) throws {
    let failure = try transformable(name).failure
    #expect(failure?.code == .unusableName)
    #expect(failure?.propertyName == "x")
  }

  @Test("an endlessly nested type is rejected")
  func deepType() throws {
    let nested = String(repeating: "[", count: 100_000)
    #expect(try transformable(nested).failure?.code == .unusableName)
  }

  private func transformable(_ className: String) throws -> ModelOnDisk {
    try ModelOnDisk(
      entity(
        "Book", "",
        "<attribute name=\"x\" attributeType=\"Transformable\" customClassName=\"\(className)\"/>"))
  }
}
