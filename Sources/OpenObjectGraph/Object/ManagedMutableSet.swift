public import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// A live set of the members of a to-many relationship.
///
/// Changing the set changes the relationship and its inverse. The set always contains the current
/// members of the relationship. Adding or removing a value that is not a managed object has no
/// effect, and the next save throws `ObjectError`.
///
/// The class has the methods of `NSMutableSet` but is not a subclass of `NSMutableSet`, because
/// Foundation on Linux converts every subclass of `NSSet` to an empty Swift set. To get the
/// members, use `allObjects as? [T]` or `copy()`.
///
/// > Concurrency: Confined to the queue of the object's context.
/// > Reference: Apple, NSMutableSet, as returned by mutableSetValue(forKey:). Differs: D-026.
public final class ManagedMutableSet: NSObject, Sequence {
  private let object: NSManagedObject
  /// The relationship; nil if the object has none with the name, which was reported as misuse.
  private let ordinal: Int?

  init(_ object: NSManagedObject, _ ordinal: Int?) {
    self.object = object
    self.ordinal = ordinal
  }

  private var members: [NSManagedObject] { state?.objects() ?? [] }
  private var current: NSSet { state?.set() ?? NSSet() }

  private var state: ToManyState? {
    guard let ordinal else { return nil }
    defer { object.noteRead(.property(ordinal)) }
    return object.loadedMembers(ordinal)
  }

  // MARK: Reading

  /// The number of members.
  public var count: Int { members.count }
  /// The members, in no particular order.
  public var allObjects: [Any] { members }
  /// Returns one of the members.
  ///
  /// - Returns: A member; nil if the set is empty.
  public func anyObject() -> Any? { members.first }
  /// Returns the member that is equal to an object.
  ///
  /// - Returns: The member; nil if no member is equal to the object.
  public func member(_ object: Any) -> Any? { current.member(object) }
  /// Returns whether an object is a member.
  ///
  /// - Returns: `true` if the object is a member.
  public func contains(_ object: Any) -> Bool { current.contains(object) }
  /// Returns an enumerator over the current members.
  ///
  /// - Returns: The enumerator.
  public func objectEnumerator() -> NSEnumerator { current.objectEnumerator() }
  /// Returns an iterator over the current members.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> IndexingIterator<[Any]> { allObjects.makeIterator() }
  /// Returns whether any of the given objects is a member.
  ///
  /// - Returns: `true` if at least one object is a member.
  public func intersects(_ other: Set<AnyHashable>) -> Bool { current.intersects(other) }
  /// Returns whether all members are among the given objects.
  ///
  /// - Returns: `true` if every member is among the objects.
  public func isSubset(of other: Set<AnyHashable>) -> Bool { current.isSubset(of: other) }
  /// Returns whether the members are exactly the given objects.
  ///
  /// - Returns: `true` if every member is among the objects, and every object is a member.
  public func isEqual(to other: Set<AnyHashable>) -> Bool { current.isEqual(to: other) }
  /// Returns the members that satisfy a predicate.
  ///
  /// - Returns: The matching members, as a set that is independent of the relationship.
  public func filtered(using predicate: NSPredicate) -> Set<AnyHashable> {
    current.filtered(using: predicate)
  }
  /// Returns the members sorted by sort descriptors.
  ///
  /// - Returns: A sorted array of all members.
  public func sortedArray(using descriptors: [NSSortDescriptor]) -> [Any] {
    current.sortedArray(using: descriptors)
  }
  /// Calls a block with each current member, until the block sets its second argument to true.
  public func enumerateObjects(_ block: (Any, UnsafeMutablePointer<ObjCBool>) -> Void) {
    current.enumerateObjects(block)
  }
  /// Returns the members as an immutable `NSSet`.
  ///
  /// - Returns: A set that does not reflect later changes to the relationship.
  public override func copy() -> Any { NSSet(array: members) }
  /// Returns the members as an `NSMutableSet`.
  ///
  /// - Returns: A set that is independent of the relationship.
  public override func mutableCopy() -> Any { NSMutableSet(array: members) }

  /// Returns whether another set has the same members.
  ///
  /// - Parameter other: A ``ManagedMutableSet`` or a set.
  /// - Returns: `true` if every member of each set is a member of the other set.
  public override func isEqual(_ other: Any?) -> Bool {
    if let other = other as? ManagedMutableSet { return current.isEqual(other.current) }
    return current.isEqual(other)
  }
  /// A hash value of the current members.
  public override var hash: Int { current.hash }
  /// A description of the current members.
  public override var description: String { current.description }

  // MARK: Changing

  /// Adds an object and updates the inverse relationship; does nothing if the object is already a
  /// member.
  public func add(_ object: Any) { addAll([object]) }
  /// Adds the objects of an array to the relationship and updates the inverse relationships.
  public func addObjects(from array: [Any]) { addAll(array) }
  /// Adds the objects of a set to the relationship and updates the inverse relationships.
  public func union(_ other: Set<AnyHashable>) { addAll(other.map(\.base)) }
  /// Removes an object from the relationship and updates the inverse relationship; does nothing if
  /// the object is not a member.
  public func remove(_ object: Any) { removeAll([object]) }
  /// Removes all members from the relationship and updates the inverse relationships.
  public func removeAllObjects() { removeAll(members) }
  /// Removes the objects of a set from the relationship and updates the inverse relationships.
  public func minus(_ other: Set<AnyHashable>) { removeAll(other.map(\.base)) }
  /// Removes all members except the given objects.
  public func intersect(_ other: Set<AnyHashable>) {
    removeAll(members.filter { !other.contains($0) })
  }
  /// Removes the members that do not satisfy a predicate.
  public func filter(using predicate: NSPredicate) {
    removeAll(members.filter { !predicate.evaluate(with: $0) })
  }
  /// Replaces all members with the given objects.
  public func setSet(_ other: Set<AnyHashable>) {
    intersect(other)
    union(other)
  }

  private func addAll(_ objects: [Any]) {
    forEach(objects) { RelationshipEdit(toMany: $1, of: object)?.add($0) }
  }

  private func removeAll(_ objects: [Any]) {
    forEach(objects) { RelationshipEdit(toMany: $1, of: object)?.remove($0) }
  }

  private func forEach(_ objects: [Any], _ change: (NSManagedObject, Int) -> Void) {
    guard let ordinal else { return }
    for given in objects {
      guard let member = given as? NSManagedObject else {
        object.reportMisuse(
          "A value of type \(type(of: given)) cannot be a member of a relationship. Use managed objects.",
          object.compiledEntity.properties[ordinal].name)
        continue
      }
      change(member, ordinal)
    }
  }
}

extension ManagedMutableSet: MemberReading {
  package var readMembers: [Any?] { members }
}

extension NSManagedObject {
  /// Returns a live set of the members of a to-many relationship; changing the set changes the
  /// relationship.
  ///
  /// - Parameter key: The name of a to-many relationship. For any other name, the set is empty,
  ///   changes to the set have no effect, and the next save throws `ObjectError`.
  /// - Returns: A live set of the members.
  /// > Concurrency: Confined to the context's queue, as is the returned set.
  /// > Reference: Apple, mutableSetValue(forKey:). Differs: D-026.
  public final func mutableSetValue(forKey key: String) -> ManagedMutableSet {
    ManagedMutableSet(self, MemberPath.ordinal(of: key, in: self, isOrdered: false))
  }

  /// Returns a live set of the members of an ordered relationship; changing the set changes the
  /// relationship.
  ///
  /// - Parameter key: The name of an ordered relationship. For any other name, the set is empty,
  ///   changes to the set do not affect the object, and the next save throws `ObjectError`.
  /// - Returns: A live set of the members, in their order.
  /// > Concurrency: Confined to the context's queue, as is the returned set.
  /// > Reference: Apple, mutableOrderedSetValue(forKey:). Differs: D-026.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard let ordinal = MemberPath.ordinal(of: key, in: self, isOrdered: true) else {
      return NSMutableOrderedSet()
    }
    return ManagedOrderedSet.of(self, ordinal)
  }

  /// Returns a live set of the members of the to-many relationship at the end of a key path.
  ///
  /// - Parameter keyPath: The names of to-one relationships and of a to-many relationship,
  ///   separated by dots, such as `author.books`. If the keys before the last key lead to nil, the
  ///   set is empty, and changes to the set have no effect. If these keys lead to a value that is
  ///   not a managed object, the next save also throws `ObjectError`.
  /// - Returns: A live set of the members.
  /// > Concurrency: Confined to the context's queue, as is the returned set.
  /// > Reference: Apple, NSObject, mutableSetValue(forKeyPath:). Differs: D-026.
  public final func mutableSetValue(forKeyPath keyPath: String) -> ManagedMutableSet {
    guard let path = MemberPath(keyPath, from: self) else { return ManagedMutableSet(self, nil) }
    return path.owner.mutableSetValue(forKey: path.key)
  }

  /// Returns a live set of the members of the ordered relationship at the end of a key path.
  ///
  /// - Parameter keyPath: The names of to-one relationships and of an ordered relationship,
  ///   separated by dots, such as `chapter.pages`. If the keys before the last key lead to nil, the
  ///   set is empty, and changes to the set do not affect any object. If these keys lead to a value
  ///   that is not a managed object, the next save also throws `ObjectError`.
  /// - Returns: A live set of the members, in their order.
  /// > Concurrency: Confined to the context's queue, as is the returned set.
  /// > Reference: Apple, NSObject, mutableOrderedSetValue(forKeyPath:). Differs: D-026.
  public final func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    guard let path = MemberPath(keyPath, from: self) else { return NSMutableOrderedSet() }
    return path.owner.mutableOrderedSetValue(forKey: path.key)
  }
}

/// The to-many relationship at the end of a key path.
private struct MemberPath {
  /// The object to which all keys except the last lead.
  let owner: NSManagedObject
  let key: String

  /// Creates the path; returns nil if the keys lead to nil or to another value, and reports another
  /// value as misuse.
  init?(_ keyPath: String, from object: NSManagedObject) {
    guard let dot = keyPath.lastIndex(of: ".") else {
      owner = object
      key = keyPath
      return
    }
    let value = object.value(forKeyPath: String(keyPath[..<dot]))
    guard let owner = value as? NSManagedObject else {
      if value != nil {
        object.reportMisuse(
          "The key path \(keyPath) leads through a value that is not an object.", nil)
      }
      return nil
    }
    self.owner = owner
    key = String(keyPath[keyPath.index(after: dot)...])
  }

  /// Returns the ordinal of a to-many relationship; reports misuse and returns nil otherwise.
  static func ordinal(of key: String, in object: NSManagedObject, isOrdered: Bool) -> Int? {
    guard let ordinal = object.compiledEntity.ordinal(of: key),
      let relationship = object.compiledEntity.properties[ordinal].relationship,
      relationship.isToMany, relationship.isOrdered || !isOrdered
    else {
      let kind = isOrdered ? "ordered" : "to-many"
      object.reportMisuse("The entity has no \(kind) relationship with this name.", key)
      return nil
    }
    return ordinal
  }
}

extension Set where Element: NSManagedObject {
  /// Returns the members of a set that ``NSManagedObject/mutableSetValue(forKey:)`` returned.
  ///
  /// The build plug-in generates calls to this method instead of casts. Do not call this method
  /// directly.
  ///
  /// - Parameter value: The set.
  /// - Returns: The current members; nil if a member is not of the type `Element`, or if `value` is
  ///   not a ``ManagedMutableSet``.
  public static func __recast(_ value: Any?) -> Set<Element>? {
    guard let members = (value as? ManagedMutableSet)?.allObjects else { return nil }
    let typed = members.compactMap { $0 as? Element }
    return typed.count == members.count ? Set(typed) : nil
  }
}
