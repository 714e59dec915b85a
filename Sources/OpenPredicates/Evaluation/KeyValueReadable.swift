public import Foundation

/// An object whose properties can be read by name, as key paths need it.
public protocol KeyValueReadable {
  /// The value of a property; nil when it has none or there is no such property.
  func readValue(forKey key: String) -> Any?
}

extension Dictionary: KeyValueReadable where Key == String {
  /// The value stored under a key.
  public func readValue(forKey key: String) -> Any? {
    self[key]
  }
}

extension NSDictionary: KeyValueReadable {
  /// The value stored under a key.
  public func readValue(forKey key: String) -> Any? {
    self[key]
  }
}
