import Foundation

/// Walks key paths over readable objects, dictionaries and collections.
package enum KeyPathReader {
  /// The value at the end of a path.
  ///
  /// A step over a collection is taken by each member. `@` operators reduce the collection before
  /// them, after their members took the steps behind the operator.
  static func value(at path: ArraySlice<String>, of object: Any?) -> Any? {
    var current = object
    var rest = path
    while let key = rest.popFirst() {
      if key.hasPrefix("@") { return reduced(current, by: key, rest) }
      current = step(key, from: current)
      if current == nil, !rest.contains("@count") { return nil }
    }
    return current
  }

  /// A value at the end of a path written with dots.
  package static func value(atPath path: String, of object: Any?) -> Any? {
    guard path.contains(".") else { return step(path, from: object) }
    return value(at: path.split(separator: ".").map(String.init)[...], of: object)
  }

  private static func step(_ key: String, from object: Any?) -> Any? {
    guard let object else { return nil }
    if key == "self" || key == "SELF" { return object }
    if type(of: object) == [String: Any].self {  // Much cheaper than the cast to a protocol.
      return (object as? [String: Any])?[key]
    }
    if let readable = object as? any KeyValueReadable { return readable.readValue(forKey: key) }
    if let optional = object as? any OptionalWrapping { return step(key, from: optional.wrapped) }
    return Collections.members(of: object)?.map { step(key, from: $0) }
  }

  private static func reduced(
    _ object: Any?, by key: String, _ rest: ArraySlice<String>
  ) -> Any? {
    guard let object, let operation = CollectionOperator(rawValue: key),
      let members = Collections.members(of: object)
    else { return nil }
    if operation == .count || rest.isEmpty { return operation.apply(to: members) }
    return operation.apply(to: members.map { value(at: rest, of: $0) })
  }
}
