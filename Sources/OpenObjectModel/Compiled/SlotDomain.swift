internal import Foundation
public import OpenPredicates

/// Which of the values that a slot has room for its attribute may have.
///
/// A slot of eight bytes holds any integer and any real number; an attribute of a smaller type does not. Values outside
/// of the domain would be read as other values, or as null.
public enum SlotDomain: UInt8, Sendable, Hashable {
  /// Whatever the slot holds.
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

  /// The bits that an accessor of the attribute's integers needs; 0 for what is no integer.
  public var width: Int {
    switch self {
    case .integer16: 16
    case .integer32: 32
    case .any: 64
    case .boolean, .real, .float, .uri, .uuid: 0
    }
  }

  /// Whether an attribute may have a value.
  ///
  /// Values of kinds that the slot cannot hold count as accepted; packing them fails anyway.
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

  /// The cases that programs do not meet unless a property is declared with another type than its attribute.
  @usableFromInline
  func acceptsRarely(_ value: Value) -> Bool {
    switch (self, value) {
    case (.boolean, .int(let integer)): integer == 0 || integer == 1
    case (.uri, .string(let text)): URL(string: text) != nil
    case (.uri, .url(let url)): !url.absoluteString.isEmpty
    case (.uuid, .data(let data)): data.count == 16
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
    case .undefined, .integer64, .decimal, .string, .binaryData, .transformable, .objectID,
      .composite:
      .any
    }
  }
}
