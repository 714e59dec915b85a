import Foundation

/// The rules by which a key path reads the members of a collection.
package enum KeyPathRules {
  /// The rules of predicates: the result is an array of the members' values, some of which may be
  /// nil. If the key names a to-many relationship, the array contains the destinations of all
  /// members in one list, without nil.
  case predicate
  /// The rules of Apple's key-value coding: the result is a collection of the same kind.
  case keyValueCoding
}

/// Reads values at key paths of readable objects, dictionaries and collections.
package enum KeyPathReader {
  /// Returns the value at the end of a path.
  ///
  /// A step from a collection applies to each member. An `@` operator reduces the preceding
  /// collection, after the later steps have been applied to each member.
  static func value(
    at path: ArraySlice<String>, of object: Any?, _ failures: EvaluationFailures? = nil,
    by rules: KeyPathRules = .predicate
  ) -> Any? {
    var current = object
    var rest = path
    var trail = Trail()
    while let key = rest.popFirst() {
      if key.hasPrefix("@") { return reduced(current, by: key, rest, failures, rules) }
      current = step(key, from: current, failures, rules, &trail)
      if current == nil, !rest.contains("@count") { return nil }
    }
    return current
  }

  /// Returns the value at the end of a path.
  ///
  /// - Parameters:
  ///   - path: Keys and operators, separated by dots.
  ///   - object: The object at which the path starts; nil for no object.
  ///   - rules: The rules for the members of collections.
  /// - Returns: The value; nil if a step has no value or is not a property.
  /// > Concurrency: Call on a thread on which the object may be read.
  package static func value(
    atPath path: String, of object: Any?, by rules: KeyPathRules = .predicate
  ) -> Any? {
    guard path.contains(".") || path.hasPrefix("@") else {
      var trail = Trail()
      return step(path, from: object, nil, rules, &trail)
    }
    return value(at: path.split(separator: ".").map(String.init)[...], of: object, by: rules)
  }

  private static func step(
    _ key: String, from object: Any?, _ failures: EvaluationFailures?, _ rules: KeyPathRules,
    _ trail: inout Trail
  ) -> Any? {
    guard let object else { return nil }
    if key == "self" || key == "SELF" { return object }
    if type(of: object) == [String: Any].self {  // Much cheaper than the cast to a protocol.
      return (object as? [String: Any])?[key]
    }
    if let readable = object as? any KeyValueReadable {
      return known(readable.__stepValue(forKey: key), key, of: object, failures)
    }
    if let dictionary = object as? any DictionaryReading { return dictionary.content(forName: key) }
    if let optional = object as? any OptionalWrapping {
      return step(key, from: optional.wrapped, failures, rules, &trail)
    }
    if let members = Collections.members(of: object) {
      var inner = Trail()
      let values = members.map { step(key, from: $0, failures, rules, &inner) }
      guard rules == .keyValueCoding else { return joined(values, key, of: members, &trail) }
      return collection(of: values, like: object)
    }
    if let value = FoundationKeys.value(forKey: key, of: object) { return value }
    if !(object is NSNull) { failures?.add(.unknownKey(key, of: object)) }
    return nil
  }

  /// Returns each member's value for a key; for a to-many relationship, the destinations of all
  /// members in one list, without nil.
  private static func joined(
    _ values: [Any?], _ key: String, of members: [Any?], _ trail: inout Trail
  ) -> [Any?] {
    guard let first = values.firstIndex(where: { $0 != nil }) else {
      return trail.isToMany(key, of: members) ? [] : values
    }
    let place = values[first...].firstIndex(where: isSet)
    guard let place, isRelationship(values[place], key, of: members[place]) else { return values }
    return values.flatMap { (value: Any?) -> [Any?] in
      guard let value else { return [] }
      return Collections.members(of: value) ?? [value]
    }
  }

  /// The keys that lead to values which are all nil. Only the owner of these keys shows whether the
  /// last key is a to-many relationship, which has no destinations, or a property without values.
  private struct Trail {
    private var owner: (any RelationshipReadable)?
    private var path: [String] = []

    /// Follows a key whose values are all nil; returns whether the key is a to-many relationship.
    mutating func isToMany(_ key: String, of members: [Any?]) -> Bool {
      if let member = members.first(where: { $0 != nil }) {
        owner = member as? any RelationshipReadable
        path = []
      }
      path.append(key)
      return owner?.isToMany(path) ?? false
    }
  }

  /// Returns whether a value is the value of a to-many relationship.
  ///
  /// A set in a transformable attribute remains one value. For objects that do not name their
  /// relationships, every set is the value of a relationship.
  static func isRelationship(_ value: Any?, _ key: String, of owner: Any?) -> Bool {
    isSet(value) && (owner as? any RelationshipReadable)?.isToMany([key]) ?? true
  }

  private static func isSet(_ value: Any?) -> Bool {
    guard let value else { return false }
    // A cast to a class would convert a Swift value with all its contents.
    guard type(of: value) is AnyObject.Type else { return value is Set<AnyHashable> }
    return value is NSSet || value is NSOrderedSet
  }

  /// Returns values as a collection of the same kind as the collection of their objects.
  ///
  /// A set omits nil, and an array contains `NSNull` instead.
  private static func collection(of values: [Any?], like objects: Any) -> Any {
    let present: [Any] = values.compactMap { $0 }
    switch objects {
    case is NSOrderedSet: return orderedSet(of: present)
    case is NSSet, is Set<AnyHashable>: return NSSet(array: present)
    default: return values.map { $0 ?? NSNull() }
    }
  }

  /// Returns an ordered set of the distinct values.
  ///
  /// On this platform, Foundation's initializer keeps equal values.
  private static func orderedSet(of values: [Any]) -> NSOrderedSet {
    let known = NSMutableSet()
    let distinct = values.filter { value in
      guard !known.contains(value) else { return false }
      known.add(value)
      return true
    }
    return NSOrderedSet(array: distinct)
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
    _ object: Any?, by key: String, _ rest: ArraySlice<String>, _ failures: EvaluationFailures?,
    _ rules: KeyPathRules
  ) -> Any? {
    guard let operation = CollectionOperator(rawValue: key) else {
      failures?.add(.unknownKey(key, of: object))
      return nil
    }
    guard let object, !(object is NSNull) else { return nil }
    func entries() -> [Any?]? { operation == .count ? Collections.values(of: object) : nil }
    guard let members = Collections.members(of: object) ?? entries() else {
      failures?.add(.noCollection(key, object))
      return nil
    }
    if operation == .count || rest.isEmpty { return operation.apply(to: members, by: rules) }
    // A union is a collection, which the next operator reduces; a number is a single value.
    let end =
      operation.isUnion ? rest.firstIndex { $0.hasPrefix("@") } ?? rest.endIndex : rest.endIndex
    let reached = reached(from: members, by: rest[..<end], failures, rules)
    return value(
      at: rest[end...], of: operation.apply(to: reached, by: rules), failures, by: rules)
  }

  /// Returns the values to which steps lead from the members of a collection.
  private static func reached(
    from members: [Any?], by steps: ArraySlice<String>, _ failures: EvaluationFailures?,
    _ rules: KeyPathRules
  ) -> [Any?] {
    if steps.isEmpty { return members }
    if rules == .predicate, !steps.contains(where: { $0.hasPrefix("@") }) {
      // Steps from the whole collection join the destinations of relationships.
      return value(at: steps, of: members, failures).flatMap(Collections.members) ?? []
    }
    return members.map { value(at: steps, of: $0, failures, by: rules) }
  }
}
