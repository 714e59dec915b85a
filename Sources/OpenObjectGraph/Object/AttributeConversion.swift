internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// Converts values given by callers to the types of attributes.
enum AttributeConversion {
  /// Converts a value to an attribute type; returns nil for a value that the type does not accept.
  static func value(_ given: Any?, as type: AttributeType) -> Value? {
    guard let value = Value(any: given) else { return nil }
    switch (type, value) {
    case (_, .null): return .null
    case (.integer16, _), (.integer32, _), (.integer64, _), (.objectID, _): return integer(value)
    case (.boolean, .bool): return value
    case (.boolean, .int(let integer)): return .bool(integer != 0)
    case (.boolean, .double(let real)): return .bool(real != 0)
    case (.boolean, .decimal(let box)) where !box.decimal.isNaN: return .bool(box.decimal != 0)
    case (.double, _), (.float, _): return real(value)
    case (.decimal, _): return decimal(value)
    case (.string, .string), (.uuid, .uuid), (.uri, .url), (.binaryData, .data): return value
    case (.date, .date): return value
    default: return nil
    }
  }

  private static func integer(_ value: Value) -> Value? {
    switch value {
    case .int: value
    case .bool(let flag): .int(flag ? 1 : 0)
    case .double(let real): Int64(exactly: real.rounded(.towardZero)).map { .int($0) }
    case .decimal(let box): AttributeType.whole(box.decimal).map { .int($0) }
    default: nil
    }
  }

  private static func real(_ value: Value) -> Value? {
    switch value {
    case .double: value
    case .int(let integer): .double(Double(integer))
    case .bool(let flag): .double(flag ? 1 : 0)
    case .decimal(let box): .double(box.decimal.nearestDouble)
    default: nil
    }
  }

  private static func decimal(_ value: Value) -> Value? {
    switch value {
    case .decimal(let box): box.decimal.isNaN ? nil : value
    case .int(let integer): .decimal(DecimalValue(Decimal(integer)))
    case .double(let real): DecimalValue(real: real).map { .decimal($0) }
    default: nil
    }
  }
}
