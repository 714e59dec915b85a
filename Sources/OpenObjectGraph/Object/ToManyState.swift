internal import Foundation

/// The members of one object's to-many relationship: those in the store, once loaded, and the unsaved changes.
///
/// Adding or removing costs the same whether or not the members in the store were ever read.
final class ToManyState {
  let ordinal: Int
  /// The state of another relationship of the same object.
  @exclusivity(unchecked) var next: ToManyState?
  /// Members in the store with the unsaved changes applied; nil while not loaded.
  @exclusivity(unchecked) private(set) var members: MemberList?
  /// Members added since the last save.
  @exclusivity(unchecked) private(set) var added = MemberList()
  /// Whether the members have an order that a save keeps.
  let isOrdered: Bool
  /// Whether members changed places since the last save.
  @exclusivity(unchecked) private(set) var isReordered = false
  /// Whether the store may already contain the same changes, because it was written after they were made here.
  @exclusivity(unchecked) private var mayRepeatStored = false
  /// Whether the context's table of loaded lists has this one.
  @exclusivity(unchecked) var isNoted = false
  /// The unsaved order, while the members must be read again; it may name objects that are no members any more.
  @exclusivity(unchecked) private var keptOrder: [NSManagedObject]?
  /// Members removed since the last save.
  @exclusivity(unchecked) private(set) var removed = MemberList()
  @exclusivity(unchecked) private var cachedSet: NSSet?
  @exclusivity(unchecked) private var cachedOrderedSet: NSOrderedSet?
  /// The models of the members as they were when a layer of typed models asked for them last.
  @exclusivity(unchecked) var models: AnyObject?
  /// The live set that shows the members, if one is in use; it keeps ``cachedOrderedSet`` filled.
  @exclusivity(unchecked) weak var live: ManagedOrderedSet?

  init(ordinal: Int, isOrdered: Bool, next: ToManyState?) {
    self.ordinal = ordinal
    self.isOrdered = isOrdered
    self.next = next
  }

  var isLoaded: Bool { members != nil }
  var isEdited: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// The members as `NSSet`; empty while not loaded.
  func set() -> NSSet {
    if let cachedSet { return cachedSet }
    let set = NSSet(array: members?.objects ?? [])
    cachedSet = set
    return set
  }

  func orderedSet() -> NSOrderedSet {
    if let cachedOrderedSet { return cachedOrderedSet }
    let set = NSOrderedSet(array: members?.objects ?? [])
    cachedOrderedSet = set
    return set
  }

  /// Takes the members that the store and the pending changes of other objects name.
  func load(_ objects: [NSManagedObject]) {
    if mayRepeatStored { dropRepeated(by: objects) }
    var list = MemberList()
    for object in objects where !removed.contains(object) { list.insert(object) }
    for object in added.objects { list.insert(object) }
    if let order = keptOrder { list = list.ordered(like: order) }
    keptOrder = nil
    members = list
    dropCaches()
  }

  /// Drops what the members in the store say as well: additions of existing members, removals of missing ones.
  private func dropRepeated(by stored: [NSManagedObject]) {
    for object in stored { added.remove(object, keepingOrder: isOrdered) }
    if !removed.isEmpty {
      let present = Set(stored.map(ObjectIdentifier.init))
      for object in removed.objects where !present.contains(ObjectIdentifier(object)) {
        removed.remove(object)
      }
    }
    mayRepeatStored = false
  }

  /// Whether only the store knows if the unsaved change of a member is still a change.
  func mayRepeatStored(_ object: NSManagedObject) -> Bool {
    mayRepeatStored && (added.contains(object) || removed.contains(object))
  }

  /// - Returns: false when the object is a member already.
  @discardableResult
  func add(_ object: NSManagedObject) -> Bool {
    if members?.contains(object) ?? added.contains(object) { return false }
    if removed.isEmpty {
      // Without members at hand the object was looked for among the added ones just now.
      if members == nil { added.append(object) } else { added.insert(object) }
    } else if !removed.remove(object) {
      added.insert(object)
    } else if isOrdered, isLoaded {
      // It had another place in the store.
      isReordered = true
    }
    members?.insert(object)
    dropCaches()
    return true
  }

  /// - Returns: false when the object is known not to be a member.
  @discardableResult
  func remove(_ object: NSManagedObject) -> Bool {
    if let members, !members.contains(object) { return false }
    if !isLoaded, removed.contains(object) { return false }
    if !added.remove(object) { removed.insert(object) }
    members?.remove(object, keepingOrder: isOrdered)
    dropCaches()
    return true
  }

  /// Gives the loaded members another order; those that are missing in it come last.
  ///
  /// - Returns: Whether anything changed its place.
  @discardableResult
  func reorder(_ objects: [NSManagedObject]) -> Bool {
    guard let members else { return false }
    let list = members.ordered(like: objects)
    let isSame = zip(list.objects, members.objects).allSatisfy { $0 === $1 }
    if isSame { return false }
    self.members = list
    isReordered = true
    dropCaches()
    return true
  }

  /// Removes a deleted object from the members, including unsaved changes.
  func forget(_ object: NSManagedObject) {
    added.remove(object, keepingOrder: isOrdered)
    removed.remove(object)
    members?.remove(object, keepingOrder: isOrdered)
    dropCaches()
  }

  /// Counts an object as added, whatever the store says of it by now.
  func keepAdded(_ object: NSManagedObject) {
    removed.remove(object)
    added.insert(object)
    members?.insert(object)
    dropCaches()
  }

  /// Forgets that an object was removed: the store does not have it among the members any more.
  func forgetRemoval(of object: NSManagedObject) { removed.remove(object) }

  /// Unloads the members in the store so that they are read again. Unsaved additions and removals stay. An unsaved
  /// order stays too, and applies to the members when they are read.
  ///
  /// - Parameter isSentAsPairs: Whether no row of a member says which list it is in, so that only the members in the
  ///   store tell whether an addition or removal is still one.
  func unload(isSentAsPairs: Bool = false) {
    mayRepeatStored = isSentAsPairs && (!added.isEmpty || !removed.isEmpty)
    if isReordered, let members { keptOrder = members.objects }
    members = nil
    dropCaches()
  }

  /// Whether the members must be read before the unsaved order can be saved.
  var needsMembers: Bool { isReordered && members == nil }

  /// Takes the unsaved changes as saved.
  func adoptChanges() {
    added = MemberList()
    removed = MemberList()
    isReordered = false
    mayRepeatStored = false
    keptOrder = nil
  }

  private func dropCaches() {
    if cachedSet != nil { cachedSet = nil }
    if cachedOrderedSet != nil { dropOrderedSet() }
  }

  private func dropOrderedSet() {
    cachedOrderedSet = nil
    // While the members are unloaded they are read again at the next use.
    if isLoaded { live?.renew() }
  }
}

/// Distinct objects in the order of insertion; finding one is O(1) also in long lists.
struct MemberList {
  private(set) var objects: [NSManagedObject] = []
  /// Positions by object, kept only for lists that are too long to search.
  private var positions: [ObjectIdentifier: Int]?
  private static let searchLimit = 32

  var isEmpty: Bool { objects.isEmpty }
  var count: Int { objects.count }

  func contains(_ object: NSManagedObject) -> Bool { position(of: object) != nil }

  private func position(of object: NSManagedObject) -> Int? {
    if let positions { return positions[ObjectIdentifier(object)] }
    for position in objects.indices where objects[position] === object { return position }
    return nil
  }

  /// The same objects in another order; those that are missing there come last.
  func ordered(like order: [NSManagedObject]) -> MemberList {
    var list = MemberList()
    for object in order where contains(object) { list.insert(object) }
    for object in objects { list.insert(object) }
    return list
  }

  mutating func insert(_ object: NSManagedObject) {
    if position(of: object) == nil { append(object) }
  }

  /// Adds an object that is not in the list.
  mutating func append(_ object: NSManagedObject) {
    // As many as one allocation of 64 bytes holds: most lists of unsaved members never need another one.
    if objects.capacity == 0 { objects.reserveCapacity(3) }
    objects.append(object)
    if positions != nil {
      positions?[ObjectIdentifier(object)] = objects.count - 1
    } else if objects.count > Self.searchLimit {
      index()
    }
  }

  private mutating func index() {
    var positions: [ObjectIdentifier: Int] = [:]
    positions.reserveCapacity(objects.count)
    for (position, object) in objects.enumerated() {
      positions[ObjectIdentifier(object)] = position
    }
    self.positions = positions
  }

  /// - Returns: false when the object is not in the list.
  @discardableResult
  mutating func remove(_ object: NSManagedObject, keepingOrder: Bool = false) -> Bool {
    guard let position = position(of: object) else { return false }
    if keepingOrder {
      objects.remove(at: position)
      positions = nil
      if objects.count > Self.searchLimit { index() }
      return true
    }
    let last = objects.count - 1
    if positions != nil {
      positions?[ObjectIdentifier(object)] = nil
      if position != last { positions?[ObjectIdentifier(objects[last])] = position }
    }
    objects.swapAt(position, last)
    objects.removeLast()
    return true
  }
}
