public import Foundation
public import OpenCoreData

/// A value that identifies an object of an entity in a ``KeyedUpsertBatch``.
///
/// Strings, integers and UUIDs conform to the protocol. A custom type can also conform, for example
/// a structure that wraps a number.
///
/// This is an addition to Apple's API.
public protocol UpsertKey: Hashable, Sendable {
  /// The types of attributes that can contain keys of this type.
  static var attributeTypes: Set<NSAttributeType> { get }

  /// The attribute values that a store may contain for this key.
  ///
  /// A new object receives the first value. The array must not be empty.
  var storedValues: [Any] { get }

  /// Creates a key from a value of the attribute; returns nil if the value is not a valid key.
  ///
  /// - Parameter storedValue: The value of an object's attribute, which is never nil.
  init?(storedValue: Any)

  /// Returns whether a stored value has exactly the form of this key.
  ///
  /// Different stored values can be equal as keys, for example two Unicode forms of a string.
  ///
  /// - Parameter storedValue: A stored value that is equal to this key.
  func isExactly(_ storedValue: Any) -> Bool
}

extension UpsertKey {
  /// Returns true. This default implementation is for types whose keys have only one stored form.
  public func isExactly(_ storedValue: Any) -> Bool { true }
}

extension String: UpsertKey {
  /// A set that contains only the type of string attributes.
  public static var attributeTypes: Set<NSAttributeType> { [.stringAttributeType] }

  /// The string and its composed and decomposed Unicode forms, without duplicates.
  ///
  /// Stores compare strings by their bytes, and a stored key may have any of these forms.
  public var storedValues: [Any] {
    if utf8.allSatisfy({ $0 < 0x80 }) { return [self] }
    var forms = [self]
    for form in [precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping]
    where !forms.contains(where: { $0.utf8.elementsEqual(form.utf8) }) {
      forms.append(form)
    }
    return forms
  }

  /// Creates a key from a string; returns nil for any other value.
  public init?(storedValue: Any) {
    guard let text = storedValue as? String else { return nil }
    self = text
  }

  /// Returns whether a stored string has the same bytes as this string.
  public func isExactly(_ storedValue: Any) -> Bool {
    (storedValue as? String).map { utf8.elementsEqual($0.utf8) } ?? false
  }
}

extension UUID: UpsertKey {
  /// A set that contains only the type of UUID attributes.
  public static var attributeTypes: Set<NSAttributeType> { [.UUIDAttributeType] }

  /// An array that contains only this UUID.
  public var storedValues: [Any] { [self] }

  /// Creates a key from a UUID; returns nil for any other value.
  public init?(storedValue: Any) {
    guard let identifier = storedValue as? UUID else { return nil }
    self = identifier
  }
}

extension UpsertKey where Self: FixedWidthInteger {
  /// The types of integer attributes.
  public static var attributeTypes: Set<NSAttributeType> {
    [.integer16AttributeType, .integer32AttributeType, .integer64AttributeType]
  }

  /// An array that contains only this number.
  ///
  /// An attribute cannot contain a number outside the range of `Int64`, so a save of a new object
  /// with such a key throws `ObjectError`.
  public var storedValues: [Any] {
    guard let number = Int64(exactly: self) else { return [self] }
    return [NSNumber(value: number)]
  }

  /// Creates a key from a number; returns nil if the value is not a number, or if the number is
  /// outside the range of this type.
  public init?(storedValue: Any) {
    guard let number = storedValue as? NSNumber else { return nil }
    self.init(exactly: number.int64Value)
  }
}

extension Int: UpsertKey {}
extension Int16: UpsertKey {}
extension Int32: UpsertKey {}
extension Int64: UpsertKey {}
