public import Foundation

/// A collection class of Foundation whose members can be read by key.
///
/// On this platform, Foundation's collections lack the methods of Apple's key-value coding. This
/// protocol adds these methods to `NSArray`, `NSSet` and `NSOrderedSet`.
///
/// > Concurrency: Call the methods on a thread on which the members may be read.
/// > Reference: Apple, NSKeyValueCoding.
public protocol KeyValueCollection: NSObject {}

extension KeyValueCollection {
  /// Returns each member's value for a key, in a collection of the same kind.
  ///
  /// An array contains `NSNull` for a member whose value is nil. A set or an ordered set contains
  /// each distinct value once, and omits nil. A member without the key is treated like a member
  /// whose value is nil.
  ///
  /// - Parameter key: The name of a property, or a collection operator such as `@count`.
  /// - Returns: The values, or the result of the operator; `NSNull` if the operator has no result.
  /// > Reference: Apple, NSArray, value(forKey:). Differs: D-006.
  public func value(forKey key: String) -> Any { value(forKeyPath: key) ?? NSNull() }

  /// Returns each member's value for a key path, in a collection of the same kind, or the result of
  /// a collection operator.
  ///
  /// Values that are nil, and members without a key of the path, are treated as in
  /// ``value(forKey:)``.
  ///
  /// - Parameter keyPath: The keys and collection operators, separated by dots, such as
  ///   `@sum.price`.
  /// - Returns: The values in a collection of the same kind, or the result of an operator, which is
  ///   nil if the operator has no result.
  /// > Reference: Apple, NSObject, value(forKeyPath:). Differs: D-006.
  public func value(forKeyPath keyPath: String) -> Any? {
    KeyPathReader.value(atPath: keyPath, of: self, by: .keyValueCoding)
  }
}

extension NSArray: KeyValueCollection {}
extension NSSet: KeyValueCollection {}
extension NSOrderedSet: KeyValueCollection {}
