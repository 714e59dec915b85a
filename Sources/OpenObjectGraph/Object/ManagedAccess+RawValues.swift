internal import Foundation
internal import OpenObjectModel

// Accessors of `@Managed` for enumerations and other types with a raw value that the attribute
// stores.

extension RawRepresentable {
  /// Returns the value of an attribute that stores raw values.
  ///
  /// If the attribute is null or no case has the stored raw value, the accessor returns a
  /// substitute, and the next save throws `ObjectError`. The substitute is the case whose raw value
  /// is zero or an empty string. If there is no such case, the substitute is the first case of the
  /// enumeration. If the type is not an enumeration and has no such case, the accessor traps.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    let raw = object.anyValue(key) as? RawValue
    if let value = raw.flatMap({ Self(rawValue: $0) }) { return value }
    return AccessorMisuse.substitute(for: key, of: object, KnownRawValues.first(of: Self.self))
  }

  /// Sets an attribute to the raw value of the given value.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self) {
    object.writeValue(value.rawValue, forKey: key.name)
  }
}

extension Optional where Wrapped: RawRepresentable {
  /// Returns the value of an attribute that stores raw values; nil for null.
  ///
  /// If no case has the stored raw value, the accessor returns nil, and the next save throws
  /// `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Wrapped? {
    guard let stored = object.anyValue(key) else { return nil }
    if let raw = stored as? Wrapped.RawValue, let value = Wrapped(rawValue: raw) { return value }
    AccessorMisuse.reportOtherType(key, of: object)
    return nil
  }

  /// Sets an attribute to the raw value of the given value; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Wrapped?) {
    object.writeValue(value?.rawValue, forKey: key.name)
  }
}

/// Finds a substitute for a raw value that does not exist in its type.
private enum KnownRawValues {
  /// Returns the case for zero or an empty string, or else the first case; nil if neither exists.
  static func first<Known: RawRepresentable>(of type: Known.Type) -> Known? {
    let plain = NSNumber(value: 0) as? Known.RawValue ?? "" as? Known.RawValue
    if let known = plain.flatMap({ Known(rawValue: $0) }) { return known }
    // Zero bytes represent the first case of an enumeration without associated values.
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(of: type, capacity: 1) { room in
      let bytes = UnsafeMutableRawBufferPointer(room)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return room.first
    }
  }
}
