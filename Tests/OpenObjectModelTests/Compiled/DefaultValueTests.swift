import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Default values")
struct DefaultValueTests {
  private func compile(
    _ defaultValue: Any?, _ type: NSAttributeDescription.AttributeType
  ) throws(ModelError) -> Value? {
    let attribute = LibraryModel.attribute("value", type)
    attribute.defaultValue = defaultValue
    let compiled = try LibraryModel.item([attribute]).compiled()
    return compiled.entities[0].properties[0].attribute?.defaultValue
  }

  @Test("numbers become values of the attribute's type")
  func numbers() throws {
    #expect(try compile(NSNumber(value: 5), .integer16) == .int(5))
    #expect(try compile(true, .integer64) == .int(1))
    #expect(try compile(7.9, .integer32) == .int(7))
    #expect(try compile(NSNumber(value: 1), .boolean) == .bool(true))
    #expect(try compile(3, .double) == .double(3))
    #expect(try compile(Int32(3), .decimal) == .decimal(DecimalValue(3)))
    #expect(try compile(NSDecimalNumber(string: "0.5"), .float) == .double(0.5))
    #expect(try compile(NSDecimalNumber(string: "0.007"), .double) == .double(0.007))
  }

  @Test("other values keep their kind")
  func otherKinds() throws {
    let uuid = UUID()
    let url = try #require(URL(string: "https://example.org/a"))
    #expect(try compile("x", .string) == .string("x"))
    #expect(try compile(Date(timeIntervalSinceReferenceDate: 3), .date) == .date(3))
    #expect(try compile(Data([1]), .binaryData) == .data(Data([1])))
    #expect(try compile(uuid, .uuid) == .uuid(uuid))
    #expect(try compile(url, .uri) == .url(url))
    #expect(try compile(nil, .string) == .null)
  }

  @Test("a default of a transformable attribute is kept as its archive")
  func transformable() throws {
    guard case .data(let archive)? = try compile(["a": 1], .transformable) else {
      Issue.record("There is no archive.")
      return
    }
    #expect(try KeyedArchive.foundationValue(in: archive) as? [String: Int] == ["a": 1])
  }

  @Test("a default value of another type is rejected")
  func mismatches() {
    let cases: [(Any, NSAttributeDescription.AttributeType)] = [
      (5, .string), ("5", .integer32), (70_000, .integer16), (Int64.max, .integer32), ("x", .date),
      (Double.nan, .integer64), (Double.infinity, .decimal), ("x", .uuid), (NSObject(), .string),
      (NSObject(), .transformable), (Double.nan, .double), (1e300, .float), (1e300, .decimal),
    ]
    for (value, type) in cases {
      let error = ModelFolder.error { () throws(ModelError) in _ = try compile(value, type) }
      #expect(error?.code == .mismatchedDefault, "\(value) as \(type.rawValue)")
      #expect(error?.propertyName == "value")
    }
  }
}
