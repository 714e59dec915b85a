internal import Foundation
internal import OpenObjectModel

/// A live set of the members of an ordered relationship.
///
/// Changing the set changes the relationship and its inverse. Foundation reads some members without
/// calling the set's methods. Therefore the set contains a copy of the members, which the
/// relationship renews after each change.
///
/// > Concurrency: Confined to the queue of the object's context.
final class ManagedOrderedSet: NSMutableOrderedSet {
  private let object: NSManagedObject
  private let ordinal: Int
  /// The members in the copy.
  private var shown: NSOrderedSet?
  private var isChanging = false

  /// Returns the live set of a relationship: the set in use, or a new set.
  static func of(_ object: NSManagedObject, _ ordinal: Int) -> ManagedOrderedSet {
    let set = object.loadedMembers(ordinal).live ?? ManagedOrderedSet(object, ordinal)
    set.renew()
    return set
  }

  private init(_ object: NSManagedObject, _ ordinal: Int) {
    self.object = object
    self.ordinal = ordinal
    super.init(capacity: 0)
  }

  /// Returns nil, because a relationship cannot be decoded from an archive.
  required init?(coder: NSCoder) { nil }

  /// Creates a set without a relationship, as Foundation requires.
  required convenience init(arrayLiteral elements: Any...) {
    self.init(NSManagedObject(), -1)
  }

  /// Copies the relationship's members if they have changed.
  func renew() {
    guard ordinal >= 0, !isChanging else { return }
    let state = object.loadedMembers(ordinal)
    object.noteRead(.property(ordinal))
    state.live = self
    let members = state.orderedSet()
    guard members !== shown else { return }
    shown = members
    isChanging = true
    super.removeAllObjects()
    for member in members.array { super.insert(member, at: super.count) }
    isChanging = false
  }

  // MARK: Reading

  override var count: Int {
    renew()
    return super.count
  }

  override func object(at index: Int) -> Any {
    renew()
    return super.object(at: index)
  }

  override func index(of object: Any) -> Int {
    renew()
    return super.index(of: object)
  }

  override func contains(_ object: Any) -> Bool {
    renew()
    return super.contains(object)
  }

  // MARK: Changing

  override func insert(_ object: Any, at index: Int) {
    rearrange([object]) { order, given in
      let isMember = order.members.contains { $0 === given[0] }
      return isMember || order.insert(given, at: [index])
    }
  }

  override func removeObject(at index: Int) {
    rearrange([]) { order, _ in order.remove(at: [index]) }
  }

  override func replaceObject(at index: Int, with object: Any) {
    rearrange([object]) { order, given in
      order.replace(at: index, with: given[0])
    }
  }

  // Foundation's implementations replace the members one by one, so that a permutation of members
  // would have duplicates after the first replacement.

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    rearrange(objects) { order, given in
      order.replace(at: Array(indexes), with: given)
    }
  }

  override func replaceObjects(
    in range: NSRange, with objects: UnsafePointer<AnyObject>?, count: Int
  ) {
    rearrange(Self.array(objects, count)) { order, given in order.replace(range, with: given) }
  }

  private static func array(_ start: UnsafePointer<AnyObject>?, _ count: Int) -> [AnyObject] {
    let length = start == nil ? 0 : Swift.max(0, count)
    return Array(UnsafeBufferPointer(start: start, count: length))
  }

  override func add(_ object: Any) { addObjects(from: [object]) }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    addObjects(from: Self.array(objects, count))
  }

  override func addObjects(from array: [Any]) {
    change(array) { members, given in
      members += given
      return true
    }
  }

  override func remove(_ object: Any) { removeObjects(in: [object]) }

  override func removeObjects(in array: [Any]) {
    change(array) { members, given in
      let removed = Set(given.map(ObjectIdentifier.init))
      members.removeAll { removed.contains(ObjectIdentifier($0)) }
      return true
    }
  }

  override func removeAllObjects() {
    change([]) { members, _ in
      members = []
      return true
    }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    change([]) { members, _ in
      guard members.indices.contains(first), members.indices.contains(second) else { return false }
      members.swapAt(first, second)
      return true
    }
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    rearrange([]) { order, _ in
      let members = order.members
      guard order.remove(at: Array(indexes)) else { return false }
      return order.replace(
        NSRange(location: index, length: 0), with: indexes.map { members[$0] })
    }
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    rearrange(objects) { order, given in
      guard given.count == indexes.count else { return false }
      var known = Set(order.members.map(ObjectIdentifier.init))
      let new = zip(given, indexes).filter { known.insert(ObjectIdentifier($0.0)).inserted }
      return order.insert(new.map { $0.0 }, at: new.map { $0.1 })
    }
  }

  // Foundation's implementations of the following methods change the members one by one. Each of
  // these changes would copy all members.

  override func removeObjects(at indexes: IndexSet) {
    rearrange([]) { order, _ in order.remove(at: Array(indexes)) }
  }

  override func removeObjects(in range: NSRange) {
    rearrange([]) { order, _ in order.replace(range, with: []) }
  }

  override func intersect(_ other: NSOrderedSet) {
    removeObjects(in: array.filter { !other.contains($0) })
  }

  override func minus(_ other: NSOrderedSet) {
    removeObjects(in: array.filter { other.contains($0) })
  }

  override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }

  override func intersectSet(_ other: Set<AnyHashable>) { intersect(NSOrderedSet(set: other)) }

  override func minusSet(_ other: Set<AnyHashable>) { minus(NSOrderedSet(set: other)) }

  override func unionSet(_ other: Set<AnyHashable>) { union(NSOrderedSet(set: other)) }

  override func sortRange(
    _ range: NSRange, options: NSSortOptions = [],
    usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    let members = array
    guard (0...members.count).contains(range.length), range.location >= 0,
      range.location <= members.count - range.length
    else { return change([]) { _, _ in false } }
    let part = NSArray(array: Array(members.dropFirst(range.location).prefix(range.length)))
    order(range.location, part.sortedArray(options: options, usingComparator: comparator))
  }

  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    order(0, NSArray(array: array).sortedArray(using: sortDescriptors))
  }

  /// Replaces the members from an index on with the given sorted members.
  private func order(_ start: Int, _ sorted: [Any]) {
    change(sorted) { members, given in
      guard start >= 0, start + given.count <= members.count else { return false }
      members.replaceSubrange(start..<start + given.count, with: given)
      return true
    }
  }

  /// Replaces members of the relationship.
  ///
  /// `body` returns whether the indexes that it uses exist.
  private func rearrange(
    _ given: [Any], _ body: (inout MemberOrder, [NSManagedObject]) -> Bool
  ) {
    change(given) { members, objects in
      var order = MemberOrder(members)
      guard body(&order, objects) else { return false }
      members = order.members
      return true
    }
  }

  /// Changes the relationship.
  ///
  /// `body` returns whether the indexes that it uses exist.
  private func change(
    _ given: [Any], _ body: (inout [NSManagedObject], [NSManagedObject]) -> Bool
  ) {
    guard ordinal >= 0 else { return }
    let name = object.compiledEntity.properties[ordinal].name
    let objects = given.compactMap { $0 as? NSManagedObject }
    guard objects.count == given.count else {
      return object.reportMisuse(
        "Only managed objects can be members of a relationship.", name)
    }
    var members = object.members(ordinal)
    guard body(&members, objects) else {
      return object.reportMisuse(
        "The indexes are out of range for the ordered relationship, or do not match the objects.",
        name)
    }
    // Copies once at the end instead of after each member.
    isChanging = true
    RelationshipEdit(object, ordinal)?.rearrange(to: members)
    isChanging = false
    renew()
  }
}
