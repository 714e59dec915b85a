import Foundation

/// Reads values at key paths of readable objects, dictionaries and collections.
package enum KeyPathReader {
  /// Returns the value at the end of a path.
  ///
  /// A step from a collection applies to each member. An `@` operator reduces the preceding
  /// collection, after the later steps have been applied to each member.
  static func value(
    at path: ArraySlice<String>, of object: Any?, _ failures: EvaluationFailures? = nil
  ) -> Any? {
    var current = object
    var rest = path
    while let key = rest.popFirst() {
      if key.hasPrefix("@") { return reduced(current, by: key, rest, failures) }
      current = step(key, from: current, failures)
      if current == nil, !rest.contains("@count") { return nil }
    }
    return current
  }

  /// Returns the value at the end of a path.
  ///
  /// - Parameters:
  ///   - path: Keys and operators, separated by dots.
  ///   - object: The object at which the path starts.
  /// - Returns: The value; nil if a step has no value or is not a property.
  /// > Concurrency: Call on a thread on which the object may be read.
  package static func value(atPath path: String, of object: Any?) -> Any? {
    guard path.contains(".") || path.hasPrefix("@") else { return step(path, from: object, nil) }
    return value(at: path.split(separator: ".").map(String.init)[...], of: object)
  }

  private static func step(
    _ key: String, from object: Any?, _ failures: EvaluationFailures?
  ) -> Any? {
    guard let object else { return nil }
    if key == "self" || key == "SELF" { return object }
    if type(of: object) == [String: Any].self {  // Much cheaper than the cast to a protocol.
      return (object as? [String: Any])?[key]
    }
    if let readable = object as? any KeyValueReadable {
      return known(readable.__stepValue(forKey: key), key, of: object, failures)
    }
    if let optional = object as? any OptionalWrapping {
      return step(key, from: optional.wrapped, failures)
    }
    if let members = Collections.members(of: object) {
      return members.map { step(key, from: $0, failures) }
    }
    if key == "length", let length = length(of: object) { return length }
    if !(object is NSNull) { failures?.add(.unknownKey(key, of: object)) }
    return nil
  }

  /// Returns the value of the key `length` of strings and data, for conditions on values.
  private static func length(of object: Any) -> Int? {
    (object as? String)?.utf16.count ?? (object as? Data)?.count
  }

  /// Returns a value that was read; records an error if the object has no such property.
  private static func known(
    _ value: Any?, _ key: String, of object: Any, _ failures: EvaluationFailures?
  ) -> Any? {
    guard let value, type(of: value) == NoSuchKey.self else { return value }
    failures?.add(.unknownKey(key, of: object))
    return nil
  }

  private static func reduced(
    _ object: Any?, by key: String, _ rest: ArraySlice<String>, _ failures: EvaluationFailures?
  ) -> Any? {
    guard let operation = CollectionOperator(rawValue: key) else {
      failures?.add(.unknownKey(key, of: object))
      return nil
    }
    guard let object, !(object is NSNull) else { return nil }
    guard let members = Collections.members(of: object) else {
      failures?.add(.noCollection(key, object))
      return nil
    }
    if operation == .count || rest.isEmpty { return operation.apply(to: members) }
    // A union is a collection, which the next operator reduces; a number is a single value.
    let end =
      operation.isUnion ? rest.firstIndex { $0.hasPrefix("@") } ?? rest.endIndex : rest.endIndex
    let steps = rest[..<end]
    let reached = steps.isEmpty ? members : members.map { value(at: steps, of: $0, failures) }
    return value(at: rest[end...], of: operation.apply(to: reached), failures)
  }
}
