import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

/// Default values that Apple's compiler accepts, though the model editor would not write them.
@Suite("Default values in model documents")
struct DefaultTextTests {
  private func attribute(
    _ type: String, _ text: String, key: String = "defaultValueString"
  ) throws -> (NSManagedObjectModel, NSAttributeDescription) {
    let model = try ModelFolder.model(
      "<entity name=\"A\"><attribute name=\"x\" optional=\"YES\" attributeType=\"\(type)\" \(key)=\"\(text)\"/></entity>"
    )
    return (model, try #require(model.entitiesByName["A"]?.attributesByName["x"]))
  }

  /// The codes of the findings about default values.
  private func findings(_ model: NSManagedObjectModel) -> [String] {
    ModelLint.findings(in: model).filter { $0.code == .looseDefault }.map {
      "\($0.entityName ?? "").\($0.propertyName ?? "")"
    }
  }

  static let numbers: [(String, String, Double, isLoose: Bool)] = [
    ("Integer 16", "NO", 0, true), ("Integer 32", "YES", 1, true), ("Integer 64", "true", 1, true),
    ("Integer 16", "1.0", 1, true), ("Integer 16", "-2.7", -2, true),
    ("Integer 16", " 7 ", 7, false),
    ("Double", "YES", 1, true), ("Float", "NO", 0, true), ("Double", "1.5\n", 1.5, false),
    ("Decimal", "YES", 1, true), ("Decimal", "0.10", 0.1, false), ("Boolean", "2", 1, true),
    ("Decimal", "0x10", 16, true), ("Integer 16", "0x10", 16, true),
    ("Boolean", "1.0", 1, true), ("Boolean", "false", 0, false), ("Boolean", "NO", 0, false),
  ]

  @Test("a number is read from all its forms", arguments: numbers)
  func number(_ type: String, _ text: String, _ expected: Double, isLoose: Bool) throws {
    let (model, attribute) = try attribute(type, text)
    let number = try #require(attribute.defaultValue as? NSNumber)
    #expect(number.doubleValue == expected)
    #expect(findings(model) == (isLoose ? ["A.x"] : []))
    // The model can be used.
    _ = try model.compiled()
  }

  @Test(
    "a blank text is not a default value, except for strings",
    arguments: ["Integer 16", "Double", "Decimal", "Boolean", "Date", "UUID", "URI"], ["", "  "])
  func blank(type: String, text: String) throws {
    let (model, attribute) = try attribute(type, text)
    #expect(attribute.defaultValue == nil)
    #expect(findings(model) == [])
    #expect(try self.attribute("String", text).1.defaultValue as? String == text)
  }

  @Test("dates are seconds since 2001, or ISO 8601, under either name")
  func dates() throws {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    for (key, text, isLoose) in [
      ("defaultDateTimeInterval", "0", false), ("defaultValueString", "0", false),
      ("defaultValueString", "2001-01-01T00:00:00Z", true),
      ("defaultValueString", "2001-01-01", true),
    ] {
      let (model, attribute) = try attribute("Date", text, key: key)
      #expect(attribute.defaultValue as? Date == start, "\(key) \(text)")
      #expect(findings(model) == (isLoose ? ["A.x"] : []), "\(key) \(text)")
    }
  }

  @Test("UUIDs and URIs are read in the forms that people write")
  func identifiers() throws {
    let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    let uuid = try #require(UUID(uuidString: text))
    #expect(try attribute("UUID", text.lowercased()).1.defaultValue as? UUID == uuid)
    #expect(try attribute("UUID", "{\(text)}").1.defaultValue as? UUID == uuid)
    let url = try attribute("URI", "https://example.org/a b").1.defaultValue as? URL
    #expect(url?.absoluteString == "https://example.org/a%20b")
  }

  @Test(
    "a finding states the written value and its interpretation, and disappears with the default value"
  )
  func finding() throws {
    let (model, attribute) = try attribute("Integer 16", "NO")
    let finding = try #require(ModelLint.findings(in: model).first { $0.code == .looseDefault })
    #expect(finding.message.contains("\"NO\"") && finding.message.contains("interpreted as 0"))
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(findings(copy) == ["A.x"])
    attribute.defaultValue = 3
    #expect(findings(model) == [])
  }

  @Test(
    "an invalid text causes an error with its location",
    arguments: [
      ("Integer 16", "many"), ("Integer 64", "1e300"), ("Double", "1,5"), ("Decimal", "x"),
      ("Decimal", "-inf"), ("Boolean", "maybe"), ("Date", "tomorrow"), ("UUID", "1"),
    ])
  func meaningless(type: String, text: String) throws {
    let error = try #require(
      try ModelFolder.error(
        "<entity name=\"A\">\n<attribute name=\"x\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/></entity>"
      ))
    #expect(error.code == .mismatchedDefault)
    for part in ["contents", "line 4", "Entity: A", "Property: x", text] {
      #expect((error as any Error).localizedDescription.contains(part), "\(part)")
    }
  }

  @Test("a decimal default value of an integer keeps all digits")
  func digits() throws {
    let model = try ModelFolder.model(
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Integer 64\"/></entity>")
    let attribute = try #require(model.entitiesByName["A"]?.attributesByName["x"])
    attribute.defaultValue = NSDecimalNumber(string: "9007199254740993")
    let compiled = try model.compiled()
    #expect(
      compiled.entities[0].properties[0].attribute?.defaultValue == .int(9_007_199_254_740_993))
    let written = try self.attribute("Integer 64", "9007199254740993.0").1.defaultValue
    #expect((written as? NSNumber)?.int64Value == 9_007_199_254_740_993)
  }
}
