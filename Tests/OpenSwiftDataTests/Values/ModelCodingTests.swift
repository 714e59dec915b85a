import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Suite("Property values are stored according to their type, and read back")
struct ModelCodingTests {
  private func encoded<Content: Encodable>(_ value: Content) throws -> Any? {
    try ModelCoding.encode(value, as: StoredForm.of(Content.self), attributeName: "value")
  }

  private func decoded<Content: Decodable>(_ type: Content.Type, _ stored: Any?) throws -> Content {
    try ModelCoding.decode(type, from: stored, as: StoredForm.of(type), attributeName: "value")
  }

  private func expectRoundTrip<Content: Codable & Equatable>(_ value: Content) throws {
    #expect(try decoded(Content.self, encoded(value)) == value)
    #expect(try decoded(Content?.self, encoded(Optional(value))) == value)
  }

  private func dictionary(_ value: some Encodable) throws -> [String: Value?] {
    (try encoded(value) as? [String: Any] ?? [:]).mapValues { Value(any: $0) }
  }

  // MARK: Round trips

  @Test(
    "structs of all kinds of properties, with extreme values", arguments: 0..<40 as Range<UInt64>)
  func everything(_ seed: UInt64) throws {
    var source = SeededNumbers(seed: seed)
    try expectRoundTrip(Everything.random(&source))
  }

  @Test("enumerations, wrappers, generic types, and empty types")
  func shapes() throws {
    for mood in Mood.allCases { try expectRoundTrip(mood) }
    for level in Level.allCases { try expectRoundTrip(level) }
    for season in Season.allCases { try expectRoundTrip(season) }
    try expectRoundTrip(Renamed.first)
    try expectRoundTrip(Renamed.second)
    try expectRoundTrip(Only.one)
    try expectRoundTrip(Cargo.empty)
    try expectRoundTrip(Cargo.nested(.nested(.letter(""))))
    try expectRoundTrip(Cargo.box(width: .infinity, height: -0))
    try expectRoundTrip(Exchanged(a: 1, b: 2, c: nil))
    try expectRoundTrip(Wrapped(rawValue: "raw"))
    try expectRoundTrip(Flags(rawValue: 5))
    try expectRoundTrip(Generic(content: Point(x: 1, y: 2), other: nil))
    try expectRoundTrip(Generic(content: [1, 2], other: []))
    try expectRoundTrip(Settings(volume: 7, name: "n"))
    try expectRoundTrip(Empty())
    try expectRoundTrip(Reference(name: "r"))
    try expectRoundTrip(CGRect(x: 1, y: 2, width: 3, height: 4))
    try expectRoundTrip(1..<9)
    try expectRoundTrip(TimeZone(identifier: "Europe/Berlin"))
  }

  @Test("collections: primitives in archives, other elements as JSON text")
  func collections() throws {
    let texts = try encoded(["a"]) as? [String]
    #expect(texts == ["a"])
    let numbers = try encoded(Set([1])) as? Set<Int>
    #expect(numbers == [1])
    let points = try encoded([Point(x: 1, y: 2)]) as? Data
    #expect(points?.first == UInt8(ascii: "["))
    try expectRoundTrip([Mood.happy, .sad])
    try expectRoundTrip(["key": Point(x: 0, y: 1)])
    // Archives decode to Foundation's collections.
    #expect(try decoded([Int].self, NSArray(array: [1, 2])) == [1, 2])
    #expect(try decoded([Int8].self, [Int64(1)] as [Any]) == [1])
    #expect(try decoded(Set<String>.self, NSSet(array: ["a"])) == ["a"])
    #expect(
      try decoded([String: [Double]].self, ["k": [1.5]] as [AnyHashable: Any]) == ["k": [1.5]])
  }

  @Test("an encoded value as a whole")
  func whole() throws {
    let form = try StoredForm.whole(Point?.self)
    let data = try ModelCoding.encode(Point(x: .nan, y: 1), as: form, attributeName: "value")
    let point = try ModelCoding.decode(Point?.self, from: data, as: form, attributeName: "value")
    #expect(point?.x.isNaN == true)
    #expect(try ModelCoding.encode(Point?.none, as: form, attributeName: "value") == nil)
    #expect(try ModelCoding.decode(Point?.self, from: nil, as: form, attributeName: "value") == nil)
  }

  @Test("a value whose JSON text could not be read back is refused (D-482)")
  func unreadableText() throws {
    func expectRefusal(_ value: some Encodable, _ name: String? = nil) {
      let error = #expect(throws: ModelValueError.self) { try encoded(value) }
      #expect(error?.code == .refused && error?.propertyName == name)
    }
    expectRefusal([Generic(content: Decimal.nan, other: nil)])
    expectRefusal(Generic(content: [Decimal.nan], other: nil), "content")
    try expectRoundTrip([Generic(content: "NaN\\\"[N", other: "\\")])
    try expectRoundTrip(Array(repeating: Generic(content: Decimal(1), other: nil), count: 600))
  }

  // MARK: Forms

  @Test("elements have the names and the values of properties")
  func elements() throws {
    #expect(try dictionary(Point(x: 1, y: 2)) == ["x": .double(1), "y": .double(2)])
    #expect(
      try dictionary(Exchanged(a: 1, b: 2, c: "3")) == [
        "a": .int(1), "b": .int(2), "c": .string("3"),
      ])
    #expect(try dictionary(Mood.sad) == ["value": .string("sad")])
    #expect(try dictionary(Level.low) == ["value": .int(-128)])
    #expect(try dictionary(Season.summer) == ["summer": .string("summer")])
    #expect(try dictionary(Renamed.first) == ["first": .string("first")])
    let cargo = try encoded(Cargo.letter("a")) as? [String: Data]
    #expect(
      cargo?["letter"].map { String(decoding: $0, as: UTF8.self) } == "{\"letter\":{\"_0\":\"a\"}}")
    #expect(cargo?.count == 1)
  }

  @Test("leaves are in the order of their paths")
  func leaves() throws {
    let form = try #require(try StoredForm.of(Generic<Point>.self).composite)
    #expect(
      form.leafPaths(attributeName: "value") == ["content.x", "content.y", "other.x", "other.y"])
    let leaves = try ModelCoding.leaves(of: Generic(content: Point(x: 1, y: 2)), form)
    #expect(leaves == [.double(1), .double(2), .null, .null])
    let mood = try #require(try StoredForm.of(Mood.self).composite)
    #expect(mood.leafPaths(attributeName: "mood") == ["mood"])
  }

  @Test("the coding of an enumeration reads older values")
  func olderValues() throws {
    #expect(try decoded(Versioned.self, ["value": "old"]) == .current)
    #expect(try decoded(Versioned.self, ["value": "?"]) == .unknown)
  }

  @Test("an optional empty value is nil, and nested optionals are flattened")
  func optionals() throws {
    #expect(try encoded(AllOptional()) == nil)
    #expect(try decoded(AllOptional?.self, nil) == nil)
    #expect(try decoded(AllOptional.self, nil) == AllOptional())
    #expect(try encoded(Mood?.none) == nil)
    #expect(try decoded(Mood?.self, nil) == nil)
    #expect(try encoded(Int??.some(.some(3))) as? Int64 == 3)
    #expect(try decoded(Int??.self, nil).flatMap { $0 } == nil)
    #expect(try decoded(Point??.self, ["x": 1.0, "y": 2.0]) == Point(x: 1, y: 2))
  }

  @Test("a collection that a structure encodes as nil is stored as a missing value")
  func missingCollections() throws {
    #expect(try dictionary(Listed()) == ["number": .int(1)])
    try expectRoundTrip(Listed())
    try expectRoundTrip(Listed(names: ["a"]))
  }

  // MARK: Errors

  private func code(_ work: () throws -> Any?) -> ModelValueError.Code? {
    do {
      _ = try work()
      return nil
    } catch { return (error as? ModelValueError)?.code }
  }

  @Test("an unsigned integer above the signed maximum is an error, not another value")
  func greatIntegers() throws {
    #expect(code { try encoded(UInt64.max) } == .outOfRange)
    #expect(code { try encoded(UInt64(Int64.max)) } == nil)
    #expect(code { try encoded(Generic(content: UInt64.max)) } == .outOfRange)
    #expect(code { try decoded(Int8.self, Int64(128)) } == .outOfRange)
    #expect(code { try decoded(Generic<UInt8>.self, ["content": Int64(-1)]) } == .outOfRange)
  }

  @Test("a coding that does not match the declaration causes an error that states the remedy")
  func otherShapes() throws {
    #expect(code { try encoded(Odd(first: 1, second: 2)) } == .unexpectedShape)
    let form = try StoredForm.whole(Odd.self)
    let data = try ModelCoding.encode(Odd(first: 1, second: 2), as: form, attributeName: "value")
    #expect(
      try ModelCoding.decode(Odd.self, from: data, as: form, attributeName: "value")
        == Odd(first: 1, second: 2))
  }

  @Test("a coding that omits a required property is an error at any depth and in an optional value")
  func omittedProperties() throws {
    let complete = Omitting(city: "a")
    let broken = Omitting(city: "a", omits: true)
    let empty = Omitting(omits: true)
    #expect(code { try encoded(broken) } == .unexpectedShape)
    #expect(code { try encoded(Optional(broken)) } == .unexpectedShape)
    #expect(code { try encoded(Optional(empty)) } == .unexpectedShape)
    #expect(code { try encoded(Generic(content: broken)) } == .unexpectedShape)
    #expect(code { try encoded(Generic(content: complete, other: broken)) } == .unexpectedShape)
    #expect(code { try encoded(Generic(content: complete, other: empty)) } == .unexpectedShape)
    #expect(code { try encoded(Generic(content: Generic(content: broken))) } == .unexpectedShape)
    try expectRoundTrip(complete)
    try expectRoundTrip(Generic(content: complete))
    try expectRoundTrip(Sparse())
    do {
      _ = try encoded(Optional(Generic(content: broken)))
    } catch let error as ModelValueError {
      #expect(error.propertyName == "content.zip")
    }
  }

  @Test("the keys of JSON text are sorted")
  func sortedKeys() throws {
    let names = "abcdefghijklmnopqrst".map { String($0) }
    let value = Dictionary(uniqueKeysWithValues: names.map { ($0, Only.one) })
    let text = String(decoding: try #require(try encoded(value) as? Data), as: UTF8.self)
    let expected = names.map { "\"\($0)\":{\"one\":{}}" }.joined(separator: ",")
    #expect(text == "{\(expected)}")
  }

  @Test("damaged stored values cause errors that name the part but no value")
  func damage() throws {
    #expect(code { try decoded(Point.self, ["x": 1.0]) } == .missingValue)
    #expect(code { try decoded(Point.self, ["x": "secret", "y": 1.0]) } == .unreadable)
    #expect(code { try decoded(Mood.self, nil) } == .missingValue)
    #expect(code { try decoded(Mood.self, ["value": "secret"]) } == .unreadable)
    #expect(code { try decoded(Cargo.self, ["letter": Data("secret".utf8)]) } == .unreadable)
    #expect(code { try decoded([Point].self, Data("[{".utf8)) } == .unreadable)
    #expect(code { try decoded([Int].self, ["a"] as [Any]) } == .unreadable)
    #expect(code { try decoded(Int.self, "text") } == .unreadable)
    #expect(code { try decoded(Point.self, "text") } == .unreadable)
    do {
      _ = try decoded(Generic<Point>.self, ["content": ["x": "secret", "y": 1.0] as [String: Any]])
    } catch let error as ModelValueError {
      #expect(error.propertyName == "content.x")
      #expect(!error.description.contains("secret"))
    }
  }

  @Test("a type that is not Codable has no stored form")
  func notCodable() {
    #expect(code { try StoredForm.of(Thread.self) } == .unsupportedType)
  }
}
