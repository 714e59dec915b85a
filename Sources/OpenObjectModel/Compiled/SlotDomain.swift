internal import Foundation
public import OpenPredicates

/// The set of values that the slot of an attribute may contain.
///
/// A slot of eight bytes can contain any 64-bit integer or real number, but the attribute's type
/// may have a smaller range. If a store saved a value outside the domain, the store would later
/// return a different value, or null.
public enum SlotDomain: UInt8, Sendable, Hashable {
  /// Any value.
  case any
  /// The integers 0 and 1.
  case boolean
  /// An integer in the range of `Int16`.
  case integer16
  /// An integer in the range of `Int32`.
  case integer32
  /// A real number other than NaN.
  case real
  /// A real number other than NaN that does not overflow when converted to `Float`.
  case float
  /// A string that is a URL.
  case uri
  /// Data of exactly 16 bytes.
  case uuid
  /// A decimal number with a magnitude below 10^127. A database can convert such a number to a real
  /// number and back.
  case decimal

  /// The width of integers in bits: 16 or 32 for the integer domains, 64 for ``any``, and 0 for all
  /// other domains.
  public var width: Int {
    switch self {
    case .integer16: 16
    case .integer32: 32
    case .any: 64
    case .boolean, .real, .float, .uri, .uuid, .decimal: 0
    }
  }

  /// Returns whether the domain contains the given value; true for null.
  ///
  /// The method also returns true for a value of an unrelated type, because the library throws an
  /// error later, when the library packs this value into a row.
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

  /// Returns whether a number does not overflow when converted to `Float`.
  @inlinable
  static func isFloat(_ real: Double) -> Bool { real.isInfinite || Float(real).isFinite }

  /// The magnitude that decimal numbers must not reach.
  ///
  /// A numeric column may round a number that is close to 10^128 to a number that `Decimal` cannot
  /// represent. The limit is lower, because `Decimal(sign:exponent:significand:)` cannot create
  /// 10^128.
  private static let decimalLimit = Decimal(sign: .plus, exponent: 127, significand: 1)

  /// Returns whether a decimal number is below the limit; the full comparison is rarely needed.
  private static func isSmall(_ decimal: Decimal) -> Bool {
    decimal.exponent < 89 || decimal.magnitude < decimalLimit
  }

  /// Tests the rare cases, in which a property is declared with a different type than its
  /// attribute.
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
  /// The set of values that the slot of an attribute of this type may contain.
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
