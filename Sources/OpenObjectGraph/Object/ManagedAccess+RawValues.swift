internal import Foundation
internal import OpenObjectModel

// Accessors of `@Managed` for enumerations and other types over a raw value that the attribute stores.

extension RawRepresentable {
  /// Reads an attribute that stores raw values.
  ///
  /// A raw value without a case reads as another case, and makes the next save throw.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    let raw = object.anyValue(key) as? RawValue
    if let value = raw.flatMap({ Self(rawValue: $0) }) { return value }
    return object.substitute(for: key, KnownRawValues.first(of: Self.self))
  }

  /// Sets an attribute that stores raw values.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self) {
    object.writeValue(value.rawValue, forKey: key.name)
  }
}

extension Optional where Wrapped: RawRepresentable {
  /// Reads an attribute that stores raw values; nil for a null and for a raw value without a case.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Wrapped? {
    (object.anyValue(key) as? Wrapped.RawValue).flatMap { Wrapped(rawValue: $0) }
  }

  /// Sets an attribute that stores raw values.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Wrapped?) {
    object.writeValue(value?.rawValue, forKey: key.name)
  }
}

/// Finds a value of a type over raw values, for attributes whose value is none of the type's.
private enum KnownRawValues {
  /// The value for zero or an empty text, else the first case; nil for a type that is neither and has no such value.
  static func first<Known: RawRepresentable>(of type: Known.Type) -> Known? {
    let plain = NSNumber(value: 0) as? Known.RawValue ?? "" as? Known.RawValue
    if let known = plain.flatMap({ Known(rawValue: $0) }) { return known }
    // Zero bytes are the first case of an enumeration without associated values.
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(of: type, capacity: 1) { room in
      let bytes = UnsafeMutableRawBufferPointer(room)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return room.first
    }
  }
}
