import Foundation

// Property types of many shapes.

enum Mood: String, Codable, CaseIterable { case happy, sad, other }
enum Level: Int8, Codable, CaseIterable { case low = -128, high = 127 }
enum Season: Codable, CaseIterable, Equatable { case spring, summer, autumn, winter }
enum Renamed: Codable, Equatable {
  case first, second
  enum CodingKeys: String, CodingKey { case first = "second", second = "first" }
}
enum Only: Codable, Equatable { case one }
enum Cargo: Codable, Equatable {
  case empty
  case letter(String)
  case box(width: Double, height: Double)
  indirect case nested(Cargo)
}

struct Point: Codable, Equatable {
  var x: Double
  var y: Double
}

struct Everything: Codable, Equatable {
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var bool: Bool
  var float: Float
  var double: Double
  var decimal: Decimal
  var string: String
  var date: Date
  var uuid: UUID
  var url: URL
  var data: Data
  var optional: Int?
  var point: Point
  var optionalPoint: Point?
  var mood: Mood
  var optionalMood: Mood?
  var level: Level
  var season: Season
  var cargo: Cargo?
  var numbers: [Int]
  var names: Set<String>?
  var table: [String: [Double]]
}

/// Keys with other names than the properties, two of them exchanged.
struct Exchanged: Codable, Equatable {
  var a: Int
  var b: Int
  var c: String?
  enum CodingKeys: String, CodingKey { case a = "b", b = "a", c = "third" }
}

struct Wrapped: RawRepresentable, Codable, Equatable { var rawValue: String }

struct Flags: OptionSet, Codable { let rawValue: Int }

struct Generic<Content: Codable & Equatable>: Codable, Equatable {
  var content: Content
  var other: Content?
}

@propertyWrapper
struct Clamped: Codable, Equatable {
  private var value = 0
  var wrappedValue: Int {
    get { value }
    set { value = min(max(newValue, 0), 10) }
  }
  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

struct Settings: Codable, Equatable {
  @Clamped var volume: Int
  var name: String
}

struct AllOptional: Codable, Equatable {
  var a: Int?
  var b: String?
}

struct Empty: Codable, Equatable {}

final class Reference: Codable, Equatable {
  var name: String
  init(name: String) { self.name = name }
  static func == (one: Reference, other: Reference) -> Bool { one.name == other.name }
}

/// Also decodes its value under an older name.
enum Versioned: String, Codable {
  case current, unknown

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = text == "old" ? .current : Versioned(rawValue: text) ?? .unknown
  }
}

/// Encodes values other than its properties.
struct Odd: Codable, Equatable {
  var first: Int
  var second: Int

  init(first: Int, second: Int) {
    self.first = first
    self.second = second
  }
  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self).split(separator: ",")
    first = Int(text[0]) ?? 0
    second = Int(text[1]) ?? 0
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(first),\(second)")
  }
}

/// Does not encode `zip` if `omits` has a value.
struct Omitting: Codable, Equatable {
  enum CodingKeys: String, CodingKey { case city, zip, omits }

  var city: String?
  var zip = "1"
  var omits: Bool?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(city, forKey: .city)
    if omits == nil { try container.encode(zip, forKey: .zip) }
  }
}

/// Contains a structure that has only one property, which is optional.
struct Sparse: Codable, Equatable {
  struct Part: Codable, Equatable { var text: String? }
  var part = Part()
  var number = 1
}

/// Encodes a property that is nil, instead of omitting it.
struct Listed: Codable, Equatable {
  enum CodingKeys: String, CodingKey { case names, number }

  var names: [String]?
  var number = 1

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(names, forKey: .names)
    try container.encode(number, forKey: .number)
  }
}

extension Everything {
  /// A value from random numbers.
  static func random(_ source: inout SeededNumbers) -> Everything {
    let texts = [
      "", "é", "e\u{301}", "\"quoted\"", "🧶", "a\u{0}b", String(repeating: "x", count: 999),
    ]
    func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
      switch Int.random(in: 0..<4, using: &source) {
      case 0: return .min
      case 1: return .max
      default: return .random(in: .min ... .max, using: &source)
      }
    }
    func real() -> Double {
      [0, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, 0.1, -1e300]
        .randomElement(using: &source) ?? 0
    }
    func text() -> String { texts.randomElement(using: &source) ?? "" }
    let isFull = Bool.random(using: &source)
    return Everything(
      int: number(Int.self), int8: number(Int8.self), int16: number(Int16.self),
      int32: number(Int32.self), int64: number(Int64.self),
      uint: number(UInt.self) >> 1, uint8: number(UInt8.self), uint16: number(UInt16.self),
      uint32: number(UInt32.self), uint64: number(UInt64.self) >> 1, bool: isFull,
      float: Float.random(in: -1e30...1e30, using: &source), double: real(),
      decimal: Decimal(number(Int32.self)) / 100, string: text(),
      date: Date(timeIntervalSinceReferenceDate: Double(number(Int32.self)) / 7), uuid: UUID(),
      url: URL(fileURLWithPath: "/tmp/\(number(UInt16.self))"),
      data: Data((0..<5).map { _ in number(UInt8.self) }),
      optional: isFull ? nil : number(Int.self),
      point: Point(x: real(), y: real()),
      optionalPoint: isFull ? Point(x: 1, y: real()) : nil,
      mood: Mood.allCases.randomElement(using: &source) ?? .sad, optionalMood: isFull ? .sad : nil,
      level: Level.allCases.randomElement(using: &source) ?? .low,
      season: Season.allCases.randomElement(using: &source) ?? .spring,
      cargo: isFull ? .nested(.box(width: real(), height: 2)) : .empty,
      numbers: (0..<3).map { _ in number(Int.self) }, names: isFull ? [text(), "b"] : nil,
      table: [text(): [real()], "none": []])
  }
}

/// Random numbers that a seed determines.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
