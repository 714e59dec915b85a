public import Foundation

/// An object or value whose properties can be read by name in key paths.
///
/// With an Objective-C runtime, Foundation reads any property of a class by name. On this platform a type conforms,
/// by hand or with a macro. Classes and structures may conform; dictionaries with string keys, `NSDictionary` and
/// managed objects do. Arrays, sets and ordered sets need not conform: a step over them applies to each member.
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
/// > Concurrency: Called where the predicate or sort descriptor is evaluated.
/// > Reference: Apple, NSKeyValueCoding, value(forKey:).
public protocol KeyValueReadable {
  /// The value of a property.
  ///
  /// - Parameter key: The name of one property, without dots.
  /// - Returns: nil when the property has no value, `NoSuchKey.marker` when there is no such property.
  func readableValue(forKey key: String) -> Any?

  /// The value that a step of a key path reads.
  ///
  /// By default, calls ``readableValue(forKey:)``. Managed objects call `value(forKey:)`, which subclasses override.
  func __stepValue(forKey key: String) -> Any?
}

/// The result of ``KeyValueReadable`` for a name that is not a property.
///
/// An evaluation reads it as nil; a throwing evaluation throws an error with the key.
public struct NoSuchKey: Sendable, Hashable {
  /// The one value of the type.
  public static let marker = NoSuchKey()

  private init() {}
}

extension KeyValueReadable {
  /// The value of a property.
  public func __stepValue(forKey key: String) -> Any? { readableValue(forKey: key) }

  /// The value at the end of a path of keys with dots between.
  ///
  /// A step from a collection applies to each member, and collection operators such as `@count` and `@sum` reduce collections.
  ///
  /// - Parameter keyPath: The path.
  /// - Returns: nil if a step has no value or is not a property.
  public func readableValue(forKeyPath keyPath: String) -> Any? {
    KeyPathReader.value(atPath: keyPath, of: self)
  }
}

extension Dictionary: KeyValueReadable where Key == String {
  /// The value stored under a key; nil when there is none.
  ///
  /// - Returns: The value stored under a key; nil when there is none.
  public func readableValue(forKey key: String) -> Any? {
    self[key]
  }
}

extension NSDictionary: KeyValueReadable {
  /// The value stored under a key; nil when there is none.
  ///
  /// - Returns: The value stored under a key; nil when there is none.
  public func readableValue(forKey key: String) -> Any? {
    self[key]
  }
}
