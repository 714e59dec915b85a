public import Foundation

/// An object or value whose properties can be read by name in key paths.
///
/// With an Objective-C runtime, Foundation reads any property of a class by name. On this platform,
/// a type must conform to this protocol, by hand or with a macro. Classes and structures may
/// conform. Dictionaries with string keys, `NSDictionary` and managed objects already conform.
/// Arrays, sets and ordered sets need not conform, because a step from a collection applies to each
/// member.
///
/// ```swift
/// struct Track: KeyValueReadable {
///   var title: String
///   var album: Album?
///
///   func readableValue(forKey key: String) -> Any? {
///     switch key {
///     case "title": title
///     case "album": album
///     default: NoSuchKey.marker
///     }
///   }
/// }
/// ```
///
/// > Concurrency: Called on the thread on which the predicate or sort descriptor is evaluated.
/// > Reference: Apple, NSKeyValueCoding, value(forKey:).
public protocol KeyValueReadable {
  /// Returns the value of a property.
  ///
  /// - Parameter key: The name of one property, without dots.
  /// - Returns: The value; nil if the property has no value, or `NoSuchKey.marker` if there is no
  ///   such property.
  func readableValue(forKey key: String) -> Any?

  /// Returns the value that a step of a key path reads.
  ///
  /// The default implementation calls ``readableValue(forKey:)``. Managed objects call
  /// `value(forKey:)`, which subclasses can override.
  func __stepValue(forKey key: String) -> Any?
}

/// The result of ``KeyValueReadable/readableValue(forKey:)`` for a name that is not a property.
///
/// An evaluation treats this result as nil; a throwing evaluation throws an error with the key.
public struct NoSuchKey: Sendable, Hashable {
  /// The only value of the type.
  public static let marker = NoSuchKey()

  private init() {}
}

extension KeyValueReadable {
  /// Returns the value of a property by calling ``readableValue(forKey:)``.
  public func __stepValue(forKey key: String) -> Any? { readableValue(forKey: key) }

  /// Returns the value at a key path.
  ///
  /// A step from a collection applies to each member, and collection operators such as `@count` and
  /// `@sum` reduce collections.
  ///
  /// - Parameter keyPath: Keys and operators, separated by dots.
  /// - Returns: The value; nil if a step has no value or is not a property.
  public func readableValue(forKeyPath keyPath: String) -> Any? {
    KeyPathReader.value(atPath: keyPath, of: self)
  }
}

extension Dictionary: KeyValueReadable where Key == String {
  /// Returns the value for a key; nil if there is none.
  public func readableValue(forKey key: String) -> Any? {
    self[key]
  }
}

extension NSDictionary: KeyValueReadable {
  /// Returns the value for a key; nil if there is none.
  public func readableValue(forKey key: String) -> Any? {
    self[key]
  }
}
