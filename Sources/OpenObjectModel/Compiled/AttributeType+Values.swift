internal import Foundation
internal import OpenPredicates

extension AttributeType {
  /// A value in the case that values of this type have; nil when it is of another kind.
  func converted(_ value: Value) -> Value? {
    if value == .null { return .null }
    switch self {
    case .integer16: return Self.integer(value, in: Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return Self.integer(value, in: Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return Self.integer(value, in: Int64.min...Int64.max)
    case .boolean: return Self.decimal(value).map { .bool($0 != 0) }
    case .double, .float: return Self.real(value)
    case .decimal: return Self.decimal(value).map { .decimal(DecimalValue($0)) }
    case .string, .date, .binaryData, .uuid, .uri: return matches(value) ? value : nil
    case .undefined, .transformable, .objectID, .composite: return value
    }
  }

  /// Whether a value that is no number is of this type.
  private func matches(_ value: Value) -> Bool {
    switch (self, value) {
    case (.string, .string), (.date, .date), (.binaryData, .data), (.uuid, .uuid), (.uri, .url):
      true
    default: false
    }
  }

  /// An integer; fractions are cut off.
  private static func integer(_ value: Value, in range: ClosedRange<Int64>) -> Value? {
    let integer: Int64? =
      switch value {
      case .bool(let flag): flag ? 1 : 0
      case .int(let integer): integer
      case .double(let real): Int64(exactly: real.rounded(.towardZero))
      case .decimal(let box): Int64(exactly: NSDecimalNumber(decimal: box.decimal).doubleValue)
      default: nil
      }
    return integer.flatMap { range.contains($0) ? .int($0) : nil }
  }

  private static func real(_ value: Value) -> Value? {
    switch value {
    case .bool(let flag): .double(flag ? 1 : 0)
    case .int(let integer): .double(Double(integer))
    case .double: value
    case .decimal(let box): .double(NSDecimalNumber(decimal: box.decimal).doubleValue)
    default: nil
    }
  }

  private static func decimal(_ value: Value) -> Decimal? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .int(let integer): Decimal(integer)
    case .double(let real): real.isFinite ? Decimal(real) : nil
    case .decimal(let box): box.decimal
    default: nil
    }
  }
}
