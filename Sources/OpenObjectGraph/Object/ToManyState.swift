internal import Foundation

/// The members of one object's to-many relationship: the stored members and the unsaved changes.
///
/// The stored members are loaded on demand. Adding or removing a member costs the same whether or
/// not they were read.
final class ToManyState {
  let ordinal: Int
  /// The state of another relationship of the same object, in a linked list.
  @exclusivity(unchecked) var next: ToManyState?
  /// The stored members with the unsaved changes applied; nil if they are not loaded.
  @exclusivity(unchecked) private(set) var members: MemberList?
  /// The members added since the last save.
  @exclusivity(unchecked) private(set) var added = MemberList()
  /// Whether the members have an order that a save stores.
  let isOrdered: Bool
  /// Whether members have changed positions since the last save.
  @exclusivity(unchecked) private(set) var isReordered = false
  /// Whether the store may already contain the same changes, because it was written since.
  @exclusivity(unchecked) private var mayRepeatStored = false
  /// Whether the context's table of loaded lists contains this list.
  @exclusivity(unchecked) var isNoted = false
  /// The unsaved order while the members must be read again; it may contain former members.
  @exclusivity(unchecked) private var keptOrder: [NSManagedObject]?
  /// The members removed since the last save.
  @exclusivity(unchecked) private(set) var removed = MemberList()
  @exclusivity(unchecked) private var cachedSet: NSSet?
  @exclusivity(unchecked) private var cachedOrderedSet: NSOrderedSet?
  /// The typed models of the members, as a layer of typed models last requested them.
  @exclusivity(unchecked) var models: AnyObject?
  /// The live set of the members; while the set is in use, ``cachedOrderedSet`` is not nil.
  @exclusivity(unchecked) weak var live: ManagedOrderedSet?

  init(ordinal: Int, isOrdered: Bool, next: ToManyState?) {
    self.ordinal = ordinal
    self.isOrdered = isOrdered
    self.next = next
  }

  var isLoaded: Bool { members != nil }
  var isEdited: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// Returns the members in their order; empty if they are not loaded.
  func objects() -> [NSManagedObject] {
    members?.closeGaps()
    return members?.objects ?? []
  }

  /// Returns the members as `NSSet`; empty if they are not loaded.
  func set() -> NSSet {
    if let cachedSet { return cachedSet }
    let set = NSSet(array: objects())
    cachedSet = set
    return set
  }

  func orderedSet() -> NSOrderedSet {
    if let cachedOrderedSet { return cachedOrderedSet }
    let set = NSOrderedSet(array: objects())
    cachedOrderedSet = set
    return set
  }

  /// Sets the stored members and applies the unsaved changes.
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

  /// Drops the unsaved additions of stored members and the unsaved removals of objects that are not
  /// stored members.
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

  /// Returns whether the unsaved change of a member may repeat what the store contains. Only the
  /// stored members show whether the change is still necessary.
  func mayRepeatStored(_ object: NSManagedObject) -> Bool {
    mayRepeatStored && (added.contains(object) || removed.contains(object))
  }

  /// Prepares the opposite of an unsaved change of a list that is not loaded.
  ///
  /// The earlier change may have added a stored member, or removed an object that is not a stored
  /// member. It is therefore not a change that the opposite change cancels.
  func expectRepeats() {
    if !isLoaded { mayRepeatStored = true }
  }

  /// Adds a member.
  ///
  /// - Returns: `false` if the object is already a member.
  @discardableResult
  func add(_ object: NSManagedObject) -> Bool {
    if members?.contains(object) ?? added.contains(object) { return false }
    if removed.isEmpty {
      // If the members are not loaded, the added members were searched just now.
      if members == nil { added.append(object) } else { added.insert(object) }
    } else if !removed.remove(object) {
      added.insert(object)
    } else if isOrdered, isLoaded {
      // The member had another position in the store.
      isReordered = true
    }
    members?.insert(object)
    dropCaches()
    return true
  }

  /// Removes a member.
  ///
  /// - Returns: `false` if the object is known not to be a member.
  @discardableResult
  func remove(_ object: NSManagedObject) -> Bool {
    if let members, !members.contains(object) { return false }
    if !isLoaded, removed.contains(object) { return false }
    if !added.remove(object, keepingOrder: isOrdered) { removed.insert(object) }
    members?.remove(object, keepingOrder: isOrdered)
    dropCaches()
    return true
  }

  /// Reorders the loaded members; members that are missing in the order come last.
  ///
  /// - Returns: Whether any member has moved.
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

  /// Removes a deleted object from the members and from the unsaved changes.
  func forget(_ object: NSManagedObject) {
    added.remove(object, keepingOrder: isOrdered)
    removed.remove(object)
    members?.remove(object, keepingOrder: isOrdered)
    dropCaches()
  }

  /// Records an object as added, regardless of the stored members.
  func keepAdded(_ object: NSManagedObject) {
    removed.remove(object)
    added.insert(object)
    members?.insert(object)
    dropCaches()
  }

  /// Forgets the removal of an object that is no longer among the stored members.
  func forgetRemoval(of object: NSManagedObject) { removed.remove(object) }

  /// Unloads the stored members so that they are read again.
  ///
  /// Unsaved additions and removals remain. An unsaved order also remains and is applied when the
  /// members are read.
  ///
  /// - Parameter isSentAsPairs: Whether the rows of the members do not identify their list. Then
  ///   only the stored members show whether an addition or removal is still a change.
  func unload(isSentAsPairs: Bool = false) {
    mayRepeatStored = isSentAsPairs && (!added.isEmpty || !removed.isEmpty)
    if isReordered, let members { keptOrder = members.objects }
    members = nil
    dropCaches()
  }

  /// Forgets the unsaved order. After the members are unloaded, they have the stored order.
  func forgetOrder() {
    isReordered = false
    keptOrder = nil
  }

  /// Whether the members must be read before the unsaved order can be saved.
  var needsMembers: Bool { isReordered && members == nil }

  /// Marks the unsaved changes as saved.
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
    // Unloaded members are read again at the next use.
    if isLoaded { live?.renew() }
  }
}

/// Distinct objects in insertion order, with lookups and changes in O(1) even in long lists.
struct MemberList {
  /// The objects in their order. A long list may have gaps, where objects were removed.
  ///
  /// A gap contains an object that has another position, or that is no longer in the list. The
  /// number of gaps never exceeds the number of objects.
  private var places: [NSManagedObject] = []
  /// The positions by object, only for lists that are too long to search.
  private var positions: [ObjectIdentifier: Int]?
  private static let searchLimit = 32

  var isEmpty: Bool { count == 0 }
  var count: Int { positions?.count ?? places.count }
  /// The objects; O(*n*) if the list has gaps.
  var objects: [NSManagedObject] { hasGaps ? present : places }

  private var hasGaps: Bool { count < places.count }

  private var present: [NSManagedObject] {
    var present: [NSManagedObject] = []
    present.reserveCapacity(count)
    for (place, object) in places.enumerated() where position(of: object) == place {
      present.append(object)
    }
    return present
  }

  /// Closes the gaps, so that reading the objects copies nothing.
  mutating func closeGaps() {
    guard hasGaps else { return }
    places = present
    index()
  }

  func contains(_ object: NSManagedObject) -> Bool { position(of: object) != nil }

  private func position(of object: NSManagedObject) -> Int? {
    if let positions { return positions[ObjectIdentifier(object)] }
    for position in places.indices where places[position] === object { return position }
    return nil
  }

  /// Returns the same objects in another order; objects missing in that order come last.
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
    // The capacity of one allocation of 64 bytes: most lists of unsaved members never need another
    // allocation.
    if places.capacity == 0 { places.reserveCapacity(3) }
    places.append(object)
    if positions != nil {
      positions?[ObjectIdentifier(object)] = places.count - 1
    } else if places.count > Self.searchLimit {
      index()
    }
  }

  private mutating func index() {
    var positions: [ObjectIdentifier: Int] = [:]
    positions.reserveCapacity(places.count)
    for (position, object) in places.enumerated() {
      positions[ObjectIdentifier(object)] = position
    }
    self.positions = positions
  }

  /// Removes an object.
  ///
  /// - Returns: `false` if the object is not in the list.
  @discardableResult
  mutating func remove(_ object: NSManagedObject, keepingOrder: Bool = false) -> Bool {
    guard let position = position(of: object) else { return false }
    let last = places.count - 1
    guard positions != nil else {
      if !keepingOrder { places.swapAt(position, last) }
      places.remove(at: keepingOrder ? position : last)
      return true
    }
    let leavesGap = position != last && (keepingOrder || hasGaps)
    positions?[ObjectIdentifier(object)] = nil
    // Another object takes the place, so that this place no longer retains the removed object.
    places[position] = places[last]
    if !leavesGap {
      places.removeLast()
      if position != last { positions?[ObjectIdentifier(places[position])] = position }
    }
    if places.count > 2 * count { closeGaps() }
    return true
  }
}
