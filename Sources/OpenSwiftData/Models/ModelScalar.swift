public import Foundation
public import OpenObjectGraph
internal import OpenObjectModel

/// A type whose values are stored directly in one attribute.
///
/// The generic accessors of models use this protocol. The compiler specializes the accessors in the
/// module of the model.
public protocol __ModelScalar: Codable, Equatable {
  /// Returns the value of a property; `nil` if the property has no value.
  ///
  /// - Parameters:
  ///   - object: The managed object of the model.
  ///   - key: The key of the property.
  static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Self?
  /// Sets the value of a property.
  ///
  /// - Parameters:
  ///   - object: The managed object of the model.
  ///   - key: The key of the property.
  ///   - value: The new value; `nil` to remove the value.
  static func __writeOptional(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self?)
  /// The value that a property of this type returns if the property has no stored value.
  ///
  /// A property of the optional type returns `nil` instead.
  static var __empty: Self { get }
}

extension __ModelScalar {
  /// Sets the initial value of a new model's property, unless the property already has exactly this
  /// value.
  @inlinable
  static func initialize(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self?) {
    if !isSame(__readOptional(object, key), value) { __writeOptional(object, key, value) }
  }

  /// Returns whether two values are equal and have the same stored form.
  ///
  /// Equal values can have different forms: 0.0 and -0.0, composed and decomposed strings, and
  /// decimal numbers with different exponents.
  @inlinable
  static func isSame(_ one: Self?, _ other: Self?) -> Bool {
    guard one == other else { return false }
    if Self.self == String.self, let one = one as? String, let other = other as? String {
      return one.utf8.elementsEqual(other.utf8)
    }
    if Self.self == Double.self, let one = one as? Double, let other = other as? Double {
      return one.sign == other.sign
    }
    if Self.self == Float.self, let one = one as? Float, let other = other as? Float {
      return one.sign == other.sign
    }
    if Self.self == Decimal.self, let one = one as? Decimal, let other = other as? Decimal {
      return one.exponent == other.exponent
    }
    return true
  }
}

extension Int: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Int? {
    Int?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Int?
  ) { Int?.__write(object, key, value) }
  @inlinable public static var __empty: Int { 0 }
}

extension Int16: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Int16? {
    Int16?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Int16?
  ) { Int16?.__write(object, key, value) }
  @inlinable public static var __empty: Int16 { 0 }
}

extension Int32: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Int32? {
    Int32?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Int32?
  ) { Int32?.__write(object, key, value) }
  @inlinable public static var __empty: Int32 { 0 }
}

extension Int64: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Int64? {
    Int64?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Int64?
  ) { Int64?.__write(object, key, value) }
  @inlinable public static var __empty: Int64 { 0 }
}

extension Bool: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Bool? {
    Bool?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Bool?
  ) { Bool?.__write(object, key, value) }
  @inlinable public static var __empty: Bool { false }
}

extension Double: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Double? {
    Double?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Double?
  ) { Double?.__write(object, key, value) }
  @inlinable public static var __empty: Double { 0 }
}

extension Float: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Float? {
    Float?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Float?
  ) { Float?.__write(object, key, value) }
  @inlinable public static var __empty: Float { 0 }
}

extension Date: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Date? {
    Date?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Date?
  ) { Date?.__write(object, key, value) }
  @inlinable public static var __empty: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension String: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> String? {
    String?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: String?
  ) { String?.__write(object, key, value) }
  @inlinable public static var __empty: String { "" }
}

extension Data: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Data? {
    Data?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Data?
  ) { Data?.__write(object, key, value) }
  @inlinable public static var __empty: Data { Data() }
}

extension UUID: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> UUID? {
    UUID?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: UUID?
  ) { UUID?.__write(object, key, value) }
  @inlinable public static var __empty: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}

extension URL: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> URL? {
    URL?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: URL?
  ) { URL?.__write(object, key, value) }
  @inlinable public static var __empty: URL { URL(fileURLWithPath: "/") }
}

extension Decimal: __ModelScalar {
  @inlinable
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Decimal? {
    Decimal?.__read(object, key)
  }
  @inlinable
  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Decimal?
  ) { Decimal?.__write(object, key, value) }
  @inlinable public static var __empty: Decimal { 0 }
}

/// Integers without a matching attribute type are stored in an attribute of 64 bits.
extension __ModelScalar where Self: FixedWidthInteger {
  public static func __readOptional(_ object: NSManagedObject, _ key: __ManagedKey) -> Self? {
    guard let stored = Int64?.__read(object, key) else { return nil }
    if let value = Self(exactly: stored) { return value }
    object.deferFailedRead(
      ModelValueError(.outOfRange, "A stored integer is outside the range of \(Self.self).")
        .located(entity: object.modelEntity.name, property: key.name))
    return nil
  }

  public static func __writeOptional(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Self?
  ) {
    var stored: Int64?
    if let value {
      do throws(ModelValueError) {
        stored = try ScalarForm.wide(value)
      } catch {
        let located = error.located(entity: object.modelEntity.name, property: key.name)
        return FailedWrites.note(located, to: key.name, of: object)
      }
    }
    Int64?.__write(object, key, stored)
    FailedWrites.forget(key.name, of: object)
  }

  public static var __empty: Self { 0 }
}

extension Int8: __ModelScalar {}
extension UInt8: __ModelScalar {}
extension UInt16: __ModelScalar {}
extension UInt32: __ModelScalar {}
extension UInt: __ModelScalar {}
extension UInt64: __ModelScalar {}
