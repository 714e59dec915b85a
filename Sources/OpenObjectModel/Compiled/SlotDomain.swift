internal import Foundation
public import OpenPredicates

/// The subset of the slot's values that the attribute may have.
///
/// A slot of eight bytes can contain any integer or real number, but an attribute may have a smaller type. Values
/// outside of the domain would be read as other values, or as null.
public enum SlotDomain: UInt8, Sendable, Hashable {
  /// Any content.
  case any
  case boolean
  case integer16
  case integer32
  /// A number, which NaN is not.
  case real
  /// A number that is finite as a `Float` if it is finite.
  case float
  /// A text that is a URL.
  case uri
  /// Sixteen bytes.
  case uuid
  /// A decimal number below 10^128, which a database may turn into a real number and back.
  case decimal

  /// The bits that an accessor of the attribute's integers needs; 0 for what is no integer.
  public var width: Int {
    switch self {
    case .integer16: 16
    case .integer32: 32
    case .any: 64
    case .boolean, .real, .float, .uri, .uuid, .decimal: 0
    }
  }

  /// Whether the domain contains a value.
  ///
  /// Values of other types are accepted; packing them fails.
  ///
  /// - Returns: `true` if the domain contains the value.
  @inlinable @inline(__always)
  public func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (.any, _), (_, .null): true
    case (.integer16, .int(let integer)): Int64(Int16(truncatingIfNeeded: integer)) == integer
    case (.integer32, .int(let integer)): Int64(Int32(truncatingIfNeeded: integer)) == integer
    case (.real, .double(let real)), (.real, .date(let real)): real == real
    case (.float, .double(let real)): real == real && Self.isFloat(real)
    default: acceptsRarely(value)
    }
  }

  /// Whether a number does not become infinite as a `Float`.
  @inlinable
  static func isFloat(_ real: Double) -> Bool { real.isInfinite || Float(real).isFinite }

  /// The least decimal number that a column of numbers may give back as one that `Decimal` cannot hold.
  private static let decimalLimit = Decimal(sign: .plus, exponent: 127, significand: 10)

  /// Whether a decimal number is below the limit; hardly any needs the comparison.
  private static func isSmall(_ decimal: Decimal) -> Bool {
    decimal.exponent < 89 || decimal.magnitude < decimalLimit
  }

  /// The cases that programs do not meet unless a property is declared with another type than its attribute.
  @usableFromInline
  func acceptsRarely(_ value: Value) -> Bool {
    switch (self, value) {
    case (.boolean, .int(let integer)): integer == 0 || integer == 1
    case (.uri, .string(let text)): URL(string: text) != nil
    case (.uri, .url(let url)): !url.absoluteString.isEmpty
    case (.uuid, .data(let data)): data.count == 16
    case (.decimal, .decimal(let box)): Self.isSmall(box.decimal)
    case (.real, .double(let real)), (.float, .date(let real)): !real.isNaN
    default: true
    }
  }
}

extension AttributeType {
  /// The values that attributes of the type may have.
  public var slotDomain: SlotDomain {
    switch self {
    case .boolean: .boolean
    case .integer16: .integer16
    case .integer32: .integer32
    case .double, .date: .real
    case .float: .float
    case .uri: .uri
    case .uuid: .uuid
    case .decimal: .decimal
    case .undefined, .integer64, .string, .binaryData, .transformable, .objectID,
      .composite:
      .any
    }
  }
}
