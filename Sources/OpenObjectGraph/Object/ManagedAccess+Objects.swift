public import Foundation
internal import OpenObjectModel

// Accessors of `@Managed` for properties whose values are objects: objects of Foundation's classes,
// managed objects, collections of managed objects, and values of transformable attributes.

extension Optional where Wrapped: NSManagedObject {
  /// Returns the destination of a to-one relationship; nil if there is no destination.
  ///
  /// For a destination of another class, the accessor returns nil, and the next save throws
  /// `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Wrapped? {
    if KeyRecorder.records(key.name, on: object) {
      return KeyRecorder.destination(of: object, key.name, as: Wrapped.self)
    }
    guard let destination = object.destination(key) else { return nil }
    return object.typed(destination, key)
  }

  /// Sets the destination of a to-one relationship and updates the inverse; nil removes the
  /// destination.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Wrapped?) {
    RelationshipEdit.setDestination(of: object, key, to: value)
  }
}

extension Optional where Wrapped: NSObject {
  /// Returns the value of a property whose type is a Foundation class; nil for null.
  ///
  /// For a value of another class, the accessor returns nil, and the next save throws
  /// `ObjectError`.
  @_disfavoredOverload
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Wrapped? {
    object.typedValue(key)
  }

  /// Sets the value of a property whose type is a Foundation class; nil stores null.
  @_disfavoredOverload
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Wrapped?) {
    object.writeValue(value, forKey: key.name)
  }
}

extension NSSet {
  /// Returns the members of a to-many relationship.
  ///
  /// For an ordered relationship, the accessor returns an empty set, and the next save throws
  /// `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> NSSet {
    object.typedValue(key) ?? NSSet()
  }

  /// Replaces all members of a to-many relationship with the objects in the given set, and updates
  /// the inverse relationship.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: NSSet) {
    object.writeValue(value, forKey: key.name)
  }
}

extension NSOrderedSet {
  /// Returns the members of an ordered to-many relationship.
  ///
  /// For a relationship that is not ordered, the accessor returns an empty set, and the next save
  /// throws `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> NSOrderedSet {
    object.typedValue(key) ?? NSOrderedSet()
  }

  /// Replaces all members of an ordered to-many relationship and updates the inverse relationship.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: NSOrderedSet)
  {
    object.writeValue(value, forKey: key.name)
  }
}

extension Set where Element: NSManagedObject {
  /// Returns the members of a to-many relationship.
  ///
  /// If a member has another class, the accessor omits the member, and the next save throws
  /// `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Set<Element> {
    Set(object.members(key).compactMap { object.typed($0, key) })
  }

  /// Replaces all members of a to-many relationship and updates the inverse relationship.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Set<Element>)
  {
    object.writeValue(NSSet(array: Array(value)), forKey: key.name)
  }
}

extension Optional {
  /// Returns the value of a property whose type has no dedicated accessor, such as a transformable
  /// attribute; nil for null.
  ///
  /// For a value of another type, the accessor returns nil, and the next save throws `ObjectError`.
  @_disfavoredOverload
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Wrapped? {
    object.typedValue(key)
  }

  /// Sets the value of a property whose type has no dedicated accessor, such as a transformable
  /// attribute; nil stores null.
  @_disfavoredOverload
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Wrapped?) {
    object.writeValue(value, forKey: key.name)
  }
}

extension NSManagedObject {
  /// Runs a closure. Changes that the closure makes to the object neither mark the object as
  /// changed nor notify observers. Calls can be nested.
  @inline(__always)
  package final func untracked(_ change: () -> Void) {
    let isTracked = !flags.contains(.untracked)
    setTracked(false)
    change()
    if isTracked { setTracked(true) }
  }

  /// Adds an object to a to-many relationship; generated `addTo…(_:)` methods call this method.
  ///
  /// If no to-many relationship has the name `key`, nothing changes, and the next save throws
  /// `ObjectError`.
  public final func __addMember(_ member: NSManagedObject, _ key: String) {
    RelationshipEdit(toManyNamed: key, of: self)?.add(member)
  }

  /// Removes an object from a to-many relationship; generated `removeFrom…(_:)` methods call this
  /// method.
  ///
  /// If no to-many relationship has the name `key`, nothing changes, and the next save throws
  /// `ObjectError`.
  public final func __removeMember(_ member: NSManagedObject, _ key: String) {
    RelationshipEdit(toManyNamed: key, of: self)?.remove(member)
  }

  /// Adds objects to a to-many relationship; generated `addTo…(_:)` methods for collections call
  /// this method.
  ///
  /// The method ignores elements that are not managed objects. If no to-many relationship has the
  /// name `key`, nothing changes, and the next save throws `ObjectError`.
  public final func __addMembers(_ members: some Sequence, _ key: String) {
    for case let member as NSManagedObject in members { __addMember(member, key) }
  }

  /// Removes objects from a to-many relationship; generated `removeFrom…(_:)` methods for
  /// collections call this method.
  ///
  /// The method ignores elements that are not managed objects. If no to-many relationship has the
  /// name `key`, nothing changes, and the next save throws `ObjectError`.
  public final func __removeMembers(_ members: some Sequence, _ key: String) {
    for case let member as NSManagedObject in members { __removeMember(member, key) }
  }
}
