public import Foundation
internal import OpenObjectModel

// Accessors of `@Managed` for properties of a non-optional class type whose value may be null. On
// Apple platforms such a getter returns an invalid reference. Here the getter returns an empty
// value, and the next save throws.

/// The protocol of the classes that can be the type of a managed property; only `NSObject` and its
/// subclasses conform.
///
/// Do not use this protocol directly. The code that `@Managed` generates uses it.
public protocol __ManagedObjectValue: AnyObject {}

extension NSObject: __ManagedObjectValue {}

extension __ManagedObjectValue where Self: NSObject {
  /// Returns the value of a property whose type is a class, such as `NSNumber`.
  ///
  /// If the property has no value or a value of another class, the accessor returns an empty value
  /// of the class, and the next save throws `ObjectError`. The accessor traps if the class has no
  /// empty value.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    if let value = object.anyValue(key) as? Self { return value }
    return AccessorMisuse.substitute(for: key, of: object, EmptyValue.value(of: Self.self))
  }

  /// Sets the value of a property whose type is a class.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self) {
    object.writeValue(value, forKey: key.name)
  }
}

extension __ManagedObjectValue where Self: NSManagedObject {
  /// Returns the destination of a non-optional to-one relationship.
  ///
  /// If there is no destination, or if the destination has another class, the accessor returns an
  /// object without values and without a context. The next save then throws `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    if let destination = Self?.__read(object, key) { return destination }
    AccessorMisuse.reportMissingValue(key, of: object)
    return Self.init(__materializing: object.compiledEntity.destinationDescription(of: key))
  }

  /// Sets the destination of a to-one relationship and updates the inverse relationship.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Self) {
    RelationshipEdit.setDestination(of: object, key, to: value)
  }
}

extension __ManagedObjectValue where Self: NSMutableSet {
  /// Unavailable, because Foundation's sets cannot reflect the changes of a relationship.
  @available(
    *, unavailable,
    message: "declare the property as NSSet, and change it through mutableSetValue(forKey:)"
  )
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Self {
    Self(capacity: 0)
  }
}

extension __ManagedObjectValue where Self == NSMutableOrderedSet {
  /// Returns a live set of the members of an ordered relationship; changing the set changes the
  /// relationship.
  ///
  /// If the relationship is not ordered, the set is empty, changes to the set do not affect the
  /// object, and the next save throws `ObjectError`.
  public static func __read(
    _ object: NSManagedObject, _ key: __ManagedKey
  ) -> NSMutableOrderedSet {
    if KeyRecorder.records(key.name, on: object) { return NSMutableOrderedSet() }
    return object.mutableOrderedSetValue(forKey: key.name)
  }

  /// Replaces all members of an ordered to-many relationship and updates the inverse relationship.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: NSMutableOrderedSet
  ) {
    object.writeValue(NSOrderedSet(array: value.array), forKey: key.name)
  }
}

extension Optional where Wrapped == NSMutableOrderedSet {
  /// Returns a live set of the members of an ordered relationship; changing the set changes the
  /// relationship.
  ///
  /// The result is nil only while the library records which properties a key path reads. If the
  /// relationship is not ordered, the set is empty, changes to the set do not affect the object,
  /// and the next save throws `ObjectError`.
  public static func __read(
    _ object: NSManagedObject, _ key: __ManagedKey
  ) -> NSMutableOrderedSet? {
    if KeyRecorder.records(key.name, on: object) { return nil }
    return object.mutableOrderedSetValue(forKey: key.name)
  }

  /// Replaces all members of an ordered to-many relationship and updates the inverse relationship;
  /// nil removes all members.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: NSMutableOrderedSet?
  ) {
    object.writeValue(value.map { NSOrderedSet(array: $0.array) }, forKey: key.name)
  }
}

extension Optional {
  /// Returns the members of a to-many relationship; never nil.
  ///
  /// If a member has another class, the accessor omits the member, and the next save throws
  /// `ObjectError`.
  public static func __read<Member: NSManagedObject>(
    _ object: NSManagedObject, _ key: __ManagedKey
  ) -> Set<Member>? where Wrapped == Set<Member> {
    Set<Member>.__read(object, key)
  }

  /// Replaces all members of a to-many relationship and updates the inverse relationship; nil
  /// removes all members.
  public static func __write<Member: NSManagedObject>(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: Set<Member>?
  ) where Wrapped == Set<Member> {
    Set<Member>.__write(object, key, value ?? [])
  }
}

extension Array {
  /// Returns the array in a transformable attribute; an empty array for null.
  ///
  /// For a value of another type, the accessor returns an empty array, and the next save throws
  /// `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> [Element] {
    object.typedValue(key) ?? []
  }

  /// Sets a transformable attribute to an array.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: [Element]) {
    object.writeValue(value, forKey: key.name)
  }
}

extension Dictionary {
  /// Returns the dictionary in a transformable or composite attribute; an empty dictionary for
  /// null.
  ///
  /// For a value of another type, the accessor returns an empty dictionary, and the next save
  /// throws `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> [Key: Value] {
    object.typedValue(key) ?? [:]
  }

  /// Sets a transformable or composite attribute to a dictionary.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: [Key: Value]
  ) {
    object.writeValue(value, forKey: key.name)
  }
}

extension NSManagedObject {
  /// Returns a value with the Swift type of its property.
  ///
  /// For a value of another type, the method returns nil and makes the next save throw.
  @inline(__always)
  final func typed<Value>(_ value: Any, _ key: __ManagedKey) -> Value? {
    if let value = value as? Value { return value }
    AccessorMisuse.reportOtherType(key, of: self)
    return nil
  }
}

/// Reports reads of properties whose values do not have the Swift types of the properties.
///
/// > Concurrency: Confined to the context's queue.
enum AccessorMisuse {
  /// Reports the read of a property whose value does not have the property's Swift type.
  @inline(never)
  static func reportOtherType(_ key: __ManagedKey, of object: NSManagedObject) {
    guard object.entityToken != EmptyEntity.shared.token else { return }
    object.reportMisuse(
      "The property has a value that is not of its Swift type. Declare the property with the type of its values.",
      key.name, isRead: true)
  }

  /// Reports that a non-optional property was read while it had no value.
  static func reportMissingValue(_ key: __ManagedKey, of object: NSManagedObject) {
    // A probe of a key path belongs to no entity.
    guard object.entityToken != EmptyEntity.shared.token else { return }
    object.reportMisuse(
      "The property is not optional, but it was read while it had no value of its Swift type. Set the property first, "
        + "or make it optional.", key.name, isRead: true)
  }

  /// Returns the substitute for a missing value and makes the next save throw.
  ///
  /// Traps if there is no substitute.
  static func substitute<Value>(
    for key: __ManagedKey, of object: NSManagedObject, _ value: Value?
  ) -> Value {
    reportMissingValue(key, of: object)
    if let value { return value }
    preconditionFailure(
      "\(object.compiledEntity.name).\(key.name) has no value of the type \(Value.self), and the property is not optional. "
        + "Make it optional, or set it before you read it.")
  }
}

extension CompiledEntity {
  /// Returns the entity of a relationship's destination; an empty description for any other
  /// property.
  fileprivate func destinationDescription(of key: __ManagedKey) -> NSEntityDescription {
    let relationship = ordinal(of: key.name).flatMap { properties[$0].relationship }
    return relationship?.destination.entityDescription ?? NSEntityDescription()
  }
}

/// The empty values of Foundation classes, for non-optional properties without a value.
package enum EmptyValue {
  /// Returns the empty value of a class; nil for a class that only the application can create.
  ///
  /// - Parameter type: The class.
  package static func value<Object>(of type: Object.Type) -> Object? {
    values.lazy.compactMap { $0() as? Object }.first
  }

  /// The most specific classes come last, so that a property of a general class receives a plain
  /// value.
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
