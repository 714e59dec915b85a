public import Foundation

/// An object or value whose properties can be read by name in key paths.
///
/// With an Objective-C runtime, Foundation reads any property of a class by name. On this platform,
/// a type must conform to this protocol. A program can implement the conformance, or generate the
/// conformance with the macro `@ReadableByKey`. Classes and structures can conform. Dictionaries
/// with string keys, `NSDictionary` and managed objects already conform. Arrays, sets and ordered
/// sets do not need to conform, because a key applied to a collection is read from each member.
/// Dictionaries with keys of another type do not need to conform either.
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
/// > Concurrency: The library calls the methods on the thread that evaluates the predicate or sort
/// > descriptor.
/// > Reference: Apple, NSKeyValueCoding, value(forKey:).
public protocol KeyValueReadable {
  /// Returns the value of a property.
  ///
  /// - Parameter key: The name of one property, without dots.
  /// - Returns: The value of the property; nil if the property has no value; `NoSuchKey.marker` if
  ///   the type has no property with the name.
  func readableValue(forKey key: String) -> Any?

  /// Returns the value that a step of a key path reads; nil if the property has no value.
  ///
  /// The default implementation calls ``readableValue(forKey:)``. Managed objects call
  /// `value(forKey:)`, which subclasses can override.
  func __stepValue(forKey key: String) -> Any?
}

/// The result of ``KeyValueReadable/readableValue(forKey:)`` for a name that is not a property.
///
/// `evaluate(with:)` treats this result as nil. Throwing evaluation methods throw
/// ``PredicateEvaluationError`` with code `.unknownKey` and the name of the key.
public struct NoSuchKey: Sendable, Hashable {
  /// The only value of the type.
  public static let marker = NoSuchKey()

  private init() {}
}

extension KeyValueReadable {
  /// Returns the result of ``readableValue(forKey:)``; nil if the property has no value.
  public func __stepValue(forKey key: String) -> Any? { readableValue(forKey: key) }

  /// Returns the value at a key path.
  ///
  /// A key applied to a collection is read from each member. Collection operators such as `@count`
  /// and `@sum` compute one value from a collection.
  ///
  /// - Parameter keyPath: Keys and operators, separated by dots, such as `album.tracks.@count`.
  /// - Returns: The value at the key path; nil if a step has no value or does not name a property.
  public func readableValue(forKeyPath keyPath: String) -> Any? {
    KeyPathReader.value(atPath: keyPath, of: self)
  }
}

extension Dictionary: KeyValueReadable where Key == String {
  /// Returns the dictionary's value for a key; nil if the dictionary has no value for the key.
  public func readableValue(forKey key: String) -> Any? {
    self[key]
  }
}

extension NSDictionary: KeyValueReadable {
  /// Returns the dictionary's value for a key; nil if the dictionary has no value for the key.
  public func readableValue(forKey key: String) -> Any? {
    self[key]
  }
}

/// An object that distinguishes its to-many relationships from its other properties. A set in any
/// other property is a plain value.
package protocol RelationshipReadable {
  /// Returns whether a path ends at a to-many relationship.
  ///
  /// - Parameter path: The keys of relationships, starting at the object.
  func isToMany(_ path: [String]) -> Bool
}
