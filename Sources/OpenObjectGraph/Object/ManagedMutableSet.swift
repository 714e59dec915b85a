public import Foundation
internal import OpenObjectModel

/// The live members of a to-many relationship: changing the set changes the relationship and its inverse, and the set
/// reflects the current members of the relationship.
///
/// It has the methods of `NSMutableSet`, but is not a subclass: Foundation on this platform converts every subclass
/// of `NSSet` to an empty Swift set. `allObjects as? [T]` and `copy()` return the members.
///
/// > Concurrency: Confined to the queue of the object's context.
/// > Reference: Apple, NSMutableSet as mutableSetValue(forKey:) returns it. Differs: D-026.
public final class ManagedMutableSet: NSObject, Sequence {
  private let object: NSManagedObject
  /// The relationship; nil where the object has none of the name, which is a misuse already.
  private let ordinal: Int?

  init(_ object: NSManagedObject, _ ordinal: Int?) {
    self.object = object
    self.ordinal = ordinal
  }

  private var members: [NSManagedObject] { state?.members?.objects ?? [] }
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
  /// One of the members; nil when there is none.
  ///
  /// - Returns: One of the members; nil when there is none.
  public func anyObject() -> Any? { members.first }
  /// The member that equals an object; nil when there is none.
  ///
  /// - Returns: The member that equals an object; nil when there is none.
  public func member(_ object: Any) -> Any? { current.member(object) }
  /// Whether an object is a member.
  ///
  /// - Returns: `true` if an object is a member.
  public func contains(_ object: Any) -> Bool { current.contains(object) }
  /// An enumerator of the current members.
  ///
  /// - Returns: The enumerator.
  public func objectEnumerator() -> NSEnumerator { current.objectEnumerator() }
  /// An enumerator of the current members.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> IndexingIterator<[Any]> { allObjects.makeIterator() }
  /// Whether any of the objects is a member.
  ///
  /// - Returns: `true` if any of the objects is a member.
  public func intersects(_ other: Set<AnyHashable>) -> Bool { current.intersects(other) }
  /// Whether the objects include all members.
  ///
  /// - Returns: `true` if the objects include all members.
  public func isSubset(of other: Set<AnyHashable>) -> Bool { current.isSubset(of: other) }
  /// Whether the objects are the members.
  ///
  /// - Returns: `true` if the objects are the members.
  public func isEqual(to other: Set<AnyHashable>) -> Bool { current.isEqual(to: other) }
  /// The members that satisfy a predicate.
  ///
  /// - Returns: The members that satisfy a predicate.
  public func filtered(using predicate: NSPredicate) -> Set<AnyHashable> {
    current.filtered(using: predicate)
  }
  /// The members in an order.
  ///
  /// - Returns: The members in an order.
  public func sortedArray(using descriptors: [NSSortDescriptor]) -> [Any] {
    current.sortedArray(using: descriptors)
  }
  /// Calls a block with each current member, until the block sets its pointer to true.
  public func enumerateObjects(_ block: (Any, UnsafeMutablePointer<ObjCBool>) -> Void) {
    current.enumerateObjects(block)
  }
  /// The members as an immutable `NSSet`.
  ///
  /// - Returns: The copy.
  public override func copy() -> Any { NSSet(array: members) }
  /// The members as an independent `NSMutableSet`.
  ///
  /// - Returns: The copy.
  public override func mutableCopy() -> Any { NSMutableSet(array: members) }

  public override func isEqual(_ other: Any?) -> Bool {
    if let other = other as? ManagedMutableSet { return current.isEqual(other.current) }
    return current.isEqual(other)
  }
  public override var hash: Int { current.hash }
  public override var description: String { current.description }

  // MARK: Changing

  /// Adds an object and sets the inverse.
  public func add(_ object: Any) { addAll([object]) }
  /// Adds objects and sets the inverse.
  public func addObjects(from array: [Any]) { addAll(array) }
  /// Adds objects and sets the inverse.
  public func union(_ other: Set<AnyHashable>) { addAll(other.map(\.base)) }
  /// Removes an object and clears the inverse.
  public func remove(_ object: Any) { removeAll([object]) }
  /// Removes all members.
  public func removeAllObjects() { removeAll(members) }
  /// Removes objects.
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
    forEach(objects) { object.addMember($0, $1) }
  }

  private func removeAll(_ objects: [Any]) {
    forEach(objects) { object.removeMember($0, $1) }
  }

  private func forEach(_ objects: [Any], _ change: (NSManagedObject, Int) -> Void) {
    guard let ordinal else { return }
    for given in objects {
      guard let member = given as? NSManagedObject else {
        object.reportMisuse(
          "A value of type \(type(of: given)) cannot be a member of a relationship. Give it managed objects.",
          object.compiledEntity.properties[ordinal].name)
        continue
      }
      change(member, ordinal)
    }
  }
}

extension NSManagedObject {
  /// The members of a to-many relationship as a mutable set that changes the relationship.
  ///
  /// - Parameter key: The name of the relationship; for another name the set is empty, and the next save throws.
  /// - Returns: The members of a to-many relationship as a mutable set that changes the relationship.
  /// > Concurrency: On the context's queue, as the set.
  /// > Reference: Apple, mutableSetValue(forKey:). Differs: D-026.
  public final func mutableSetValue(forKey key: String) -> ManagedMutableSet {
    ManagedMutableSet(self, toManyOrdinal(key, isOrdered: false))
  }

  /// The members of an ordered relationship as a mutable set that changes the relationship.
  ///
  /// - Parameter key: The name of the relationship; for another name the set is empty and does nothing, and the next
  ///   save throws.
  /// - Returns: The members of an ordered relationship as a mutable set that changes the relationship.
  /// > Concurrency: On the context's queue, as the set.
  /// > Reference: Apple, mutableOrderedSetValue(forKey:). Differs: D-026.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard let ordinal = toManyOrdinal(key, isOrdered: true) else { return NSMutableOrderedSet() }
    return ManagedOrderedSet.of(self, ordinal)
  }

  /// The ordinal of a to-many relationship; nil, and a misuse, for another property.
  private final func toManyOrdinal(_ key: String, isOrdered: Bool) -> Int? {
    guard let ordinal = compiledEntity.ordinal(of: key),
      let relationship = compiledEntity.properties[ordinal].relationship, relationship.isToMany,
      relationship.isOrdered || !isOrdered
    else {
      let kind = isOrdered ? "ordered" : "to-many"
      reportMisuse("The entity has no \(kind) relationship of this name.", key)
      return nil
    }
    return ordinal
  }
}

extension Set where Element: NSManagedObject {
  /// The current members of a set that ``NSManagedObject/mutableSetValue(forKey:)`` returned; nil if a member has
  /// another class, or for another value.
  ///
  /// The plug-in generates calls of it instead of casts. Do not call it directly.
  public static func __recast(_ value: Any?) -> Set<Element>? {
    guard let members = (value as? ManagedMutableSet)?.allObjects else { return nil }
    let typed = members.compactMap { $0 as? Element }
    return typed.count == members.count ? Set(typed) : nil
  }
}
