internal import Foundation
internal import OpenPredicates

/// Converts property-list values to `Sendable` values, and checks that metadata contains only
/// property-list values.
package enum PropertyListValue {
  /// Returns a property-list value as a `Sendable` value; nil if a property list does not support
  /// the value.
  ///
  /// A number becomes a Boolean value, an integer or a double. Unsupported elements of arrays and
  /// dictionaries are omitted.
  package static func plain(_ value: Any) -> (any Sendable)? {
    switch value {
    case let text as String: text
    case let data as Data: data
    case let date as Date: date
    // Foundation's numbers 0 and 1 also convert to Boolean values.
    case let flag as Bool where type(of: value) == Bool.self: flag
    case let number as NSNumber where type(of: value) is NSNumber.Type: plain(number)
    case let integer as Int: integer
    case let real as Double: real
    case let number as NSNumber: plain(number)
    case let list as [Any]: list.compactMap(plain) as [any Sendable]
    case let dictionary as [String: Any]:
      dictionary.compactMapValues(plain) as [String: any Sendable]
    default: nil
    }
  }

  /// Returns a property-list value with its numbers as `NSNumber`, which can be cast to any numeric
  /// type.
  package static func boxed(_ value: Any) -> Any {
    switch value {
    case let number as NSNumber: number
    case let list as [Any]: list.map(boxed)
    case let dictionary as [String: Any]: dictionary.mapValues(boxed)
    default: value
    }
  }

  /// The maximum number of collections in one another in a value of the metadata. The readers of
  /// stores reject deeper property lists, which could exhaust the stack.
  private static let nestingLimit = 50

  /// Returns the error for metadata with unsupported values; nil if all values are supported.
  ///
  /// A value is unsupported if a property list cannot contain the value, if the value is an integer
  /// greater than `Int64.max`, or if the value has more than 50 nested arrays and dictionaries.
  ///
  /// - Parameter metadata: The metadata to check.
  /// - Returns: A `StoreError` with code `.unfitValue`. The message contains the keys of the
  ///   unsupported values.
  package static func failure(of metadata: [String: Any]) -> StoreError? {
    let keys = metadata.filter { !supports($0.value, depth: 0) }.keys.sorted()
    if keys.isEmpty { return nil }
    return StoreError(
      .unfitValue,
      "The values of the keys \(keys.joined(separator: ", ")) in the metadata are not property-list values. Use strings, numbers, "
        + "dates, data, and at most \(nestingLimit) nested arrays and dictionaries of such values. The greatest integer is "
        + "\(Int64.max).")
  }

  /// Returns whether a property list supports a value and the values that it contains.
  ///
  /// - Parameter depth: The number of collections around the value.
  private static func supports(_ value: Any, depth: Int) -> Bool {
    switch value {
    case let list as [Any]:
      depth < nestingLimit && list.allSatisfy { supports($0, depth: depth + 1) }
    case let dictionary as [String: Any]:
      depth < nestingLimit && dictionary.values.allSatisfy { supports($0, depth: depth + 1) }
    case let number as NSNumber where isTooLarge(number): false
    default: plain(value) != nil
    }
  }

  /// Returns whether a number is an integer greater than `Int64.max`.
  private static func isTooLarge(_ number: NSNumber) -> Bool {
    UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "Q")
      && number.uint64Value > UInt64(Int64.max)
  }

  private static func plain(_ number: NSNumber) -> any Sendable {
    // A Boolean value and an integer of 8 bits have the same type code.
    if ObjectIdentifier(type(of: number)) == Value.booleanClass { return number.boolValue }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return number.doubleValue
    case UInt8(ascii: "B"): return number.boolValue
    case UInt8(ascii: "Q") where isTooLarge(number): return number.doubleValue
    default: return number.intValue
    }
  }
}
