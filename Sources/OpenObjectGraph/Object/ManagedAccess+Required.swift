public import Foundation
internal import OpenObjectModel

// Accessors of `@Managed` for properties whose Swift type is an object and not optional, while the value may be nil. On
// Apple platforms such a getter returns a reference to nothing; here it returns an empty value, and the next save throws.

/// The requirements of the class of a managed property; only `NSObject` conforms. For use by `@Managed` only.
public protocol __ManagedObjectValue: AnyObject {}

extension NSObject: __ManagedObjectValue {}

extension __ManagedObjectValue where Self: NSObject {
  /// Reads a property whose value is an object: NSNumber, NSDate, NSDecimalNumber, or one of a class of the application.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    if let value = object.anyValue(key) as? Self { return value }
    return object.substitute(for: key, EmptyValue.value(of: Self.self))
  }

  /// Sets a property whose value is an object.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self) {
    object.writeValue(value, forKey: key.name)
  }
}

extension __ManagedObjectValue where Self: NSManagedObject {
  /// Reads a to-one relationship whose property is not optional.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    if let destination = Self?.__read(object, key) { return destination }
    object.reportMissingValue(key)
    return Self.init(__materializing: object.destinationEntity(of: key))
  }

  /// Sets a to-one relationship and its inverse.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self) {
    RelationshipEdit.setDestination(of: object, key, to: value)
  }
}

extension __ManagedObjectValue where Self: NSMutableSet {
  /// Refused: Foundation's sets cannot follow a relationship.
  @available(
    *, unavailable,
    message: "declare the property as NSSet, and change it through mutableSetValue(forKey:)"
  )
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    Self(capacity: 0)
  }
}

extension __ManagedObjectValue where Self == NSMutableOrderedSet {
  /// Reads an ordered to-many relationship as a mutable set that changes the relationship.
  public static func __read(
    _ object: NSManagedObject, _ key: __ManagedKey
  ) -> NSMutableOrderedSet {
    if KeyRecorder.records(key.name, on: object) { return NSMutableOrderedSet() }
    return object.mutableOrderedSetValue(forKey: key.name)
  }

  /// Sets all members of an ordered to-many relationship and their inverses.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: NSMutableOrderedSet
  ) {
    object.writeValue(NSOrderedSet(array: value.array), forKey: key.name)
  }
}

extension Optional where Wrapped == NSMutableOrderedSet {
  /// Reads an ordered to-many relationship as a mutable set that changes the relationship.
  public static func __read(
    _ object: NSManagedObject, _ key: __ManagedKey
  ) -> NSMutableOrderedSet? {
    if KeyRecorder.records(key.name, on: object) { return nil }
    return object.mutableOrderedSetValue(forKey: key.name)
  }

  /// Sets all members of an ordered to-many relationship and their inverses.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: NSMutableOrderedSet?
  ) {
    object.writeValue(value.map { NSOrderedSet(array: $0.array) }, forKey: key.name)
  }
}

extension Optional {
  /// Reads a to-many relationship that may be nil in Swift; it never is.
  public static func __read<Member: NSManagedObject>(
    _ object: NSManagedObject, _ key: __ManagedKey
  ) -> Set<Member>? where Wrapped == Set<Member> {
    Set<Member>.__read(object, key)
  }

  /// Sets all members of a to-many relationship and their inverses; nil removes all members.
  public static func __write<Member: NSManagedObject>(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Set<Member>?
  ) where Wrapped == Set<Member> {
    Set<Member>.__write(object, key, value ?? [])
  }
}

extension Array {
  /// Reads a transformable attribute with an array; empty for a null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> [Element] {
    object.value(key, orEmpty: [])
  }

  /// Sets a transformable attribute with an array.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: [Element]) {
    object.writeValue(value, forKey: key.name)
  }
}

extension Dictionary {
  /// Reads a transformable or composite attribute with a dictionary; empty for a null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> [Key: Value] {
    object.value(key, orEmpty: [:])
  }

  /// Sets a transformable or composite attribute with a dictionary.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: [Key: Value]
  ) {
    object.writeValue(value, forKey: key.name)
  }
}

extension NSManagedObject {
  /// The value of a property, or an empty one for a null. A value of another type makes the next save throw.
  fileprivate final func value<Value>(_ key: __ManagedKey, orEmpty empty: Value) -> Value {
    guard let value = anyValue(key) else { return empty }
    if let value = value as? Value { return value }
    reportMissingValue(key)
    return empty
  }

  /// The placeholder for a missing value; the next save throws. Without anything to stand for it, the program stops.
  final func substitute<Value>(for key: __ManagedKey, _ value: Value?) -> Value {
    reportMissingValue(key)
    if let value { return value }
    preconditionFailure(
      "\(compiledEntity.name).\(key.name) has no value of the type \(Value.self), and its Swift type is not optional. "
        + "Make it optional, or set the property before it is read.")
  }

  /// Notes that a property without optional type was read while it had no value.
  final func reportMissingValue(_ key: __ManagedKey) {
    // A probe of a key path belongs to no entity.
    guard entityToken != EmptyEntity.shared.token else { return }
    reportMisuse(
      "The property was read while it had no value of its Swift type, which is not optional. Set it first, or make "
        + "the type optional.", key.name)
  }

  /// The entity of a relationship's destination; an empty description for any other property.
  fileprivate final func destinationEntity(of key: __ManagedKey) -> NSEntityDescription {
    let ordinal = compiledEntity.ordinal(of: key.name)
    let relationship = ordinal.flatMap { compiledEntity.properties[$0].relationship }
    return relationship?.destination.entityDescription ?? NSEntityDescription()
  }
}

/// What a property without value reads as, where its Swift type is a class of Foundation and not optional.
private enum EmptyValue {
  /// The value; nil for a class of the application, which only the application can make.
  static func value<Object: NSObject>(of type: Object.Type) -> Object? {
    values.lazy.compactMap { $0() as? Object }.first
  }

  /// The most special classes come last, so that a property of a general one gets the plainest value.
  private static var values: [() -> NSObject] {
    [
      { NSNumber(value: 0) }, { NSString() }, { NSDate(timeIntervalSinceReferenceDate: 0) },
      { NSData() }, { NSArray() }, { NSDictionary() }, { NSSet() }, { NSOrderedSet(array: []) },
      { NSURL(fileURLWithPath: "/") }, { UUID(uuid: zeros) as NSUUID },
      { NSDecimalNumber.zero }, { NSMutableString(capacity: 0) }, { NSMutableData() },
      { NSMutableArray() },
      { NSMutableDictionary() },
    ]
  }

  private static let zeros: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}
