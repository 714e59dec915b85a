internal import Foundation
internal import OpenPredicates

extension ScalarForm {
  /// Converts a stored value to a scalar type.
  ///
  /// The conversion accepts the values that stores return for the attribute's type, and rejects
  /// values that do not fit the type.
  ///
  /// - Returns: The converted value; `nil` if the type is not a scalar.
  /// - Throws: `ModelValueError` if the stored value does not fit the type.
  static func read<Content>(
    _ type: Content.Type, from value: Value
  ) throws(ModelValueError) -> Content? {
    switch type {
    case is Bool.Type: return try bool(value) as? Content
    case is Int.Type: return try integer(value, as: Int.self) as? Content
    case is String.Type: return try string(value) as? Content
    case is Double.Type: return try double(value) as? Content
    case is Date.Type: return Date(timeIntervalSinceReferenceDate: try double(value)) as? Content
    case is UUID.Type: return try uuid(value) as? Content
    case is URL.Type: return try url(value) as? Content
    case is Data.Type: return try data(value) as? Content
    case is Decimal.Type: return try decimal(value) as? Content
    case is Float.Type: return Float(try double(value)) as? Content
    case is CGFloat.Type: return CGFloat(try double(value)) as? Content
    case is Character.Type: return try character(value) as? Content
    default: break
    }
    guard let type = type as? any FixedWidthInteger.Type else { return nil }
    return try anyInteger(value, as: type) as? Content
  }

  private static func anyInteger<Integer: FixedWidthInteger>(
    _ value: Value, as type: Integer.Type
  ) throws(ModelValueError) -> Any { try integer(value, as: type) }

  static func integer<Integer: FixedWidthInteger>(
    _ value: Value, as type: Integer.Type
  ) throws(ModelValueError) -> Integer {
    switch value {
    case .int(let wide):
      guard let narrow = Integer(exactly: wide) else {
        throw ModelValueError(.outOfRange, "A stored integer is outside the range of \(type).")
      }
      return narrow
    case .bool(let flag): return flag ? 1 : 0
    case .double(let real):
      guard let exact = Integer(exactly: real) else { throw unreadable(value, type) }
      return exact
    default: throw unreadable(value, type)
    }
  }

  static func bool(_ value: Value) throws(ModelValueError) -> Bool {
    switch value {
    case .bool(let flag): return flag
    case .int(0): return false
    case .int(1): return true
    default: throw unreadable(value, Bool.self)
    }
  }

  static func double(_ value: Value) throws(ModelValueError) -> Double {
    switch value {
    case .double(let real), .date(let real): return real
    case .int(let integer): return Double(integer)
    default: throw unreadable(value, Double.self)
    }
  }

  static func string(_ value: Value) throws(ModelValueError) -> String {
    guard case .string(let text) = value else { throw unreadable(value, String.self) }
    return text
  }

  private static func character(_ value: Value) throws(ModelValueError) -> Character {
    guard case .string(let text) = value, text.count == 1, let character = text.first else {
      throw unreadable(value, Character.self)
    }
    return character
  }

  private static func uuid(_ value: Value) throws(ModelValueError) -> UUID {
    guard case .uuid(let uuid) = value else { throw unreadable(value, UUID.self) }
    return uuid
  }

  private static func url(_ value: Value) throws(ModelValueError) -> URL {
    switch value {
    case .url(let url): return url
    case .string(let text):
      guard let url = URL(string: text) else { throw unreadable(value, URL.self) }
      return url
    default: throw unreadable(value, URL.self)
    }
  }

  private static func data(_ value: Value) throws(ModelValueError) -> Data {
    guard case .data(let data) = value else { throw unreadable(value, Data.self) }
    return data
  }

  private static func decimal(_ value: Value) throws(ModelValueError) -> Decimal {
    switch value {
    case .decimal(let box): return box.decimal
    case .int(let integer): return Decimal(integer)
    case .double(let real):
      guard let box = DecimalValue(real: real) else { throw unreadable(value, Decimal.self) }
      return box.decimal
    default: throw unreadable(value, Decimal.self)
    }
  }

  private static func unreadable(_ value: Value, _ type: any Any.Type) -> ModelValueError {
    ModelValueError(
      .unreadable,
      "The store contains \(kind(of: value)), but the property's type is \(type). Migrate the store, or change the type "
        + "back.")
  }

  /// Returns the kind of a value for an error message, without the value itself.
  private static func kind(of value: Value) -> String {
    switch value {
    case .null: "no value"
    case .bool: "a Boolean"
    case .int: "an integer"
    case .double: "a number"
    case .date: "a date"
    case .string: "a string"
    case .data: "data"
    case .uuid: "a UUID"
    case .decimal: "a decimal number"
    case .url: "a URL"
    case .object: "a reference"
    case .list: "a list"
    }
  }
}
