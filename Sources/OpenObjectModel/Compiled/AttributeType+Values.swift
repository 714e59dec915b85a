package import Foundation
internal import OpenPredicates

extension AttributeType {
  /// Returns a value converted to this type; nil if the value has an unrelated type or is out of
  /// range.
  func converted(_ value: Value) -> Value? {
    form(of: value).flatMap { slotDomain.accepts($0) ? $0 : nil }
  }

  private func form(of value: Value) -> Value? {
    if value == .null { return .null }
    switch self {
    case .integer16, .integer32, .integer64: return Self.integer(value)
    case .boolean: return Self.decimal(value).map { .bool($0 != 0) }
    case .double, .float: return Self.real(value)
    case .decimal: return Self.decimal(value).map { .decimal(DecimalValue($0)) }
    case .string, .date, .binaryData, .uuid, .uri: return matches(value) ? value : nil
    case .undefined, .transformable, .objectID, .composite: return value
    }
  }

  /// Returns whether a value that is not a number has this type.
  private func matches(_ value: Value) -> Bool {
    switch (self, value) {
    case (.string, .string), (.date, .date), (.binaryData, .data), (.uuid, .uuid), (.uri, .url):
      true
    default: false
    }
  }

  /// Returns a value as an integer, without its fraction.
  private static func integer(_ value: Value) -> Value? {
    switch value {
    case .bool(let flag): .int(flag ? 1 : 0)
    case .int: value
    case .double(let real): Int64(exactly: real.rounded(.towardZero)).map { .int($0) }
    case .decimal(let box): whole(box.decimal).map { .int($0) }
    default: nil
    }
  }

  /// Returns the integer part of a decimal number; nil for NaN and for a number outside the range
  /// of `Int64`.
  package static func whole(_ decimal: Decimal) -> Int64? {
    guard decimal.isFinite else { return nil }
    var (source, result) = (decimal, Decimal())
    NSDecimalRound(&result, &source, 0, decimal < 0 ? .up : .down)
    return Int64(result.description)
  }

  private static func real(_ value: Value) -> Value? {
    switch value {
    case .bool(let flag): .double(flag ? 1 : 0)
    case .int(let integer): .double(Double(integer))
    case .double: value
    case .decimal(let box): .double(box.decimal.nearestDouble)
    default: nil
    }
  }

  private static func decimal(_ value: Value) -> Decimal? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .int(let integer): Decimal(integer)
    case .double(let real): DecimalValue(real: real)?.decimal
    case .decimal(let box): box.decimal.isNaN ? nil : box.decimal
    default: nil
    }
  }
}
