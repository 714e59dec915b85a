internal import Foundation
package import OpenObjectModel
internal import OpenPredicates

/// The stored form of a type whose values occupy one attribute without encoding.
///
/// > Concurrency: Any thread.
package enum ScalarForm: Sendable, Hashable {
  /// A Boolean value.
  case bool
  /// A signed or unsigned integer with a fixed number of bits.
  case integer(bits: Int, isSigned: Bool)
  /// A floating-point number with 32 bits.
  case float
  /// A floating-point number with 64 bits.
  case double
  /// A decimal number.
  case decimal
  /// A string.
  case string
  /// A date.
  case date
  /// A UUID.
  case uuid
  /// A URL.
  case url
  /// Binary data.
  case data

  /// The type of the attribute that stores the values.
  package var attributeType: NSAttributeDescription.AttributeType {
    switch self {
    case .bool: .boolean
    case .integer(let bits, let isSigned): Self.type(bits: isSigned ? bits : bits + 1)
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .url: .uri
    case .data: .binaryData
    }
  }

  private static func type(bits: Int) -> NSAttributeDescription.AttributeType {
    switch bits {
    case ...16: .integer16
    case 17...32: .integer32
    default: .integer64
    }
  }

  /// Determines the form of a type; returns `nil` if the type is not a scalar.
  ///
  /// - Parameter type: The type of the values.
  init?(_ type: any Any.Type) {
    guard let form = Self.forms[ObjectIdentifier(type)] else { return nil }
    self = form
  }

  private static let forms: [ObjectIdentifier: ScalarForm] = {
    let pairs: [(any Any.Type, ScalarForm)] = [
      (Bool.self, .bool), (Int.self, .integer(bits: Int.bitWidth, isSigned: true)),
      (Int8.self, .integer(bits: 8, isSigned: true)),
      (Int16.self, .integer(bits: 16, isSigned: true)),
      (Int32.self, .integer(bits: 32, isSigned: true)),
      (Int64.self, .integer(bits: 64, isSigned: true)),
      (UInt.self, .integer(bits: UInt.bitWidth, isSigned: false)),
      (UInt8.self, .integer(bits: 8, isSigned: false)),
      (UInt16.self, .integer(bits: 16, isSigned: false)),
      (UInt32.self, .integer(bits: 32, isSigned: false)),
      (UInt64.self, .integer(bits: 64, isSigned: false)),
      (Float.self, .float), (Double.self, .double), (CGFloat.self, .double),
      (Decimal.self, .decimal), (String.self, .string), (Date.self, .date), (UUID.self, .uuid),
      (URL.self, .url), (Data.self, .data), (Character.self, .string),
    ]
    return Dictionary(uniqueKeysWithValues: pairs.map { (ObjectIdentifier($0), $1) })
  }()

  // MARK: Values

  /// Converts an integer of any width to a value of the attribute.
  ///
  /// - Throws: `ModelValueError` if the integer is out of the attribute's range.
  func value(_ integer: some FixedWidthInteger) throws(ModelValueError) -> Value {
    switch self {
    case .integer: return .int(try Self.wide(integer))
    case .double, .float: return .double(Double(integer))
    case .bool where integer == 0 || integer == 1: return .bool(integer == 1)
    default: throw .wrong(Swift.type(of: integer), "\(self)")
    }
  }

  /// Converts an integer of any width to the widest integer that stores can contain.
  ///
  /// - Throws: `ModelValueError` if the integer is out of range.
  static func wide(_ integer: some FixedWidthInteger) throws(ModelValueError) -> Int64 {
    if let wide = Int64(exactly: integer) { return wide }
    throw ModelValueError(
      .outOfRange,
      "An unsigned integer is greater than \(Int64.max), the largest integer that a store can contain. Use Decimal or String."
    )
  }

  func value(_ real: Double) throws(ModelValueError) -> Value {
    switch self {
    case .double: return .double(real)
    case .float where real.isNaN || real.isInfinite || Float(real).isFinite: return .double(real)
    case .float:
      throw ModelValueError(.outOfRange, "A number is too large for a Float. Use Double.")
    case .date: return .date(real)
    default: throw .wrong(Double.self, "\(self)")
    }
  }

  func value(_ flag: Bool) throws(ModelValueError) -> Value {
    switch self {
    case .bool: return .bool(flag)
    case .integer: return .int(flag ? 1 : 0)
    default: throw .wrong(Bool.self, "\(self)")
    }
  }

  func value(_ text: String) throws(ModelValueError) -> Value {
    switch self {
    case .string: return .string(text)
    case .url:
      guard let url = URL(string: text) else { throw .wrong(String.self, "URL") }
      return .url(url)
    case .uuid:
      guard let uuid = UUID(uuidString: text) else { throw .wrong(String.self, "UUID") }
      return .uuid(uuid)
    default: throw .wrong(String.self, "\(self)")
    }
  }

  /// Converts a value of a Foundation type to a value of the attribute; returns `nil` for other
  /// types.
  func foundationValue(_ value: some Any) throws(ModelValueError) -> Value? {
    switch value {
    case let date as Date where self == .date: return .date(date.timeIntervalSinceReferenceDate)
    case let uuid as UUID where self == .uuid: return .uuid(uuid)
    case let url as URL where self == .url: return .url(url.absoluteURL)
    case let data as Data where self == .data: return .data(data)
    case let decimal as Decimal where self == .decimal: return .decimal(DecimalValue(decimal))
    case let real as CGFloat: return try self.value(Double(real))
    default: return nil
    }
  }
}
