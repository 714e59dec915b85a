/// An object's state in its context and its store, and marks for the lists of the unit of work that contain the object.
///
/// Only this file and ``EndedChanges`` change a standing. Each change of the state is a ``Transition``.
struct Standing {
  fileprivate(set) var flags = NSManagedObject.Flags()
  fileprivate(set) var registration = NSManagedObject.Registration.detached
  fileprivate(set) var deletion = NSManagedObject.Deletion.none

  /// Creates the standing of an object that is not in a context.
  init() {}

  /// Creates the standing of an object in a state, without marks.
  init(_ state: State) { enter(state) }

  /// The standing of an object that was created for a row.
  @inline(__always)
  static var fetched: Standing {
    var standing = Standing()
    standing.registration = .persistent
    return standing
  }

  @inline(__always)
  fileprivate mutating func set(_ flag: NSManagedObject.Flags, _ isSet: Bool) {
    if isSet { flags.insert(flag) } else { flags.remove(flag) }
  }

  fileprivate mutating func enter(_ state: State) {
    switch state {
    case .detached: (registration, deletion) = (.detached, .none)
    case .inserted: (registration, deletion) = (.inserted, .none)
    case .persistent: (registration, deletion) = (.persistent, .none)
    case .withdrawn: (registration, deletion) = (.deleted, .withdrawal)
    case .deleted: (registration, deletion) = (.deleted, .own)
    case .deletedTwice: (registration, deletion) = (.deleted, .ownOfMissingRow)
    case .missing: (registration, deletion) = (.deleted, .missingRow)
    }
  }
}

/// A context's inserted, updated and deleted objects since the last save.
///
/// The unit of work retains the objects. Confined to the context's queue. No application code runs
/// during a change of the unit of work.
struct UnitOfWork {
  private var insertions = ChangeList(.inserted)
  private var updates = ChangeList(.updated)
  private var deletions = ChangeList(.deleted)
  /// The number of times that an object became an inserted, updated or deleted object, or changed
  /// after its will-save hook was called.
  private(set) var listings = 0
  /// Whether an object changed after its will-save hook was called.
  private var hasLateChanges = false
  /// The number of change notifications so far.
  private(set) var event = 0
  /// The change notification that is being posted.
  var announcement: ChangeAnnouncement?
  /// Objects that changed since the last change notification, but were not added to a list.
  private var changedAgain: [NSManagedObject] = []
  /// Deleted objects whose delete rules are not yet applied.
  private(set) var unpropagated: [NSManagedObject] = []
  /// The error that prevented the first delete rule; nil if no delete rule has failed.
  private(set) var propagationFailure: (any Error)?
  /// Called at the first change after a notification.
  var willAnnounceFirst: (() -> Void)?
  /// Objects that were deleted before a save, but after a notification announced the objects as inserted.
  private var withdrawn: [NSManagedObject] = []
  /// Whether an object that left the context may still be on a list.
  private var hasLeavers = false
  /// The registry of the context.
  var registry: ContextRegistry?
  /// The errors of transitions that are not allowed; the next save throws the first error.
  private(set) var refusals: [ObjectError] = []

  var hasChanges: Bool {
    insertions.memberCount + updates.memberCount + deletions.memberCount > 0
  }
  var hasUnprocessedChanges: Bool { unprocessedCount > 0 }
  /// The number of changes and unapplied delete rules since the last change notification.
  var unprocessedCount: Int { unannouncedCount + unpropagated.count }

  @inline(__always)
  private var unannouncedCount: Int {
    insertions.unannouncedCount + updates.unannouncedCount + changedAgain.count
  }

  @inline(__always) var inserted: [NSManagedObject] { insertions.members(of: registry) }
  @inline(__always) var updated: [NSManagedObject] { updates.members(of: registry) }
  @inline(__always) var deleted: [NSManagedObject] { deletions.members(of: registry) }
  /// All inserted, updated and deleted objects.
  @inline(__always)
  var changes: SaveSet { SaveSet(inserted: inserted, updated: updated, deleted: deleted) }
  /// The lists, for comparison with the marks of the objects.
  var lists: [ChangeList] { [insertions, updates, deletions] }

  // MARK: Transitions

  /// Adds an object that is not in a context as an inserted object.
  @discardableResult
  mutating func insert(_ object: NSManagedObject) -> Bool {
    guard object.registration == .detached else { return refuse(.insert, object) }
    object.standing.registration = .inserted
    enterInserted(object)
    return true
  }

  private mutating func enterInserted(_ object: NSManagedObject) {
    insertions.countMember()
    listings &+= 1
    if object.flags.contains(.listedInserted) {
      // The last notification may have reported that the object was deleted.
      if !object.flags.contains(.announced) { object.standing.flags.insert(.newlyInserted) }
      return announce(object)
    }
    beginAnnouncing()
    insertions.append(object)
    object.standing.flags.insert([.listedInserted, .announced, .newlyInserted])
  }

  /// Performs a transition other than an insertion, and updates lists, counts and flags.
  ///
  /// - Returns: Whether the transition is legal. An illegal transition changes nothing, and the next save throws.
  @discardableResult
  mutating func move(_ object: NSManagedObject, by transition: Transition) -> Bool {
    let former = object.standing.state
    guard let state = transition.destination(from: former) else {
      return refuse(transition, object)
    }
    if former == state {
      if state == .persistent { discardUpdate(of: object) }
      return true
    }
    leave(former, object)
    object.standing.enter(state)
    enter(state, from: former, object)
    return true
  }

  private mutating func leave(_ state: Standing.State, _ object: NSManagedObject) {
    switch state {
    case .inserted: insertions.discountMember()
    case .persistent: discardUpdate(of: object)
    case .deleted, .deletedTwice, .missing: deletions.discountMember()
    case .withdrawn, .detached: break
    }
  }

  private mutating func enter(
    _ state: Standing.State, from former: Standing.State, _ object: NSManagedObject
  ) {
    switch state {
    case .inserted:
      object.standing.flags.remove(.propagated)
      enterInserted(object)
    case .persistent:
      object.standing.flags.remove(.propagated)
    case .withdrawn:
      noteWithdrawal(of: object)
      unpropagated.append(object)
    case .deleted, .deletedTwice, .missing:
      deletions.countMember()
      if former != .persistent { return }
      listings &+= 1
      if !object.flags.contains(.listedDeleted) {
        object.standing.flags.insert(.listedDeleted)
        deletions.append(object)
      }
      announce(object)
      unpropagated.append(object)
    case .detached:
      if former == .inserted { noteWithdrawal(of: object) }
      object.standing = Standing()
      hasLeavers = true
    }
  }

  private mutating func noteWithdrawal(of object: NSManagedObject) {
    // The mark for a pending announcement does not show whether the insertion was announced.
    if !object.flags.contains(.newlyInserted) { withdrawn.append(object) }
    announce(object)
  }

  private mutating func refuse(_ transition: Transition, _ object: NSManagedObject) -> Bool {
    refusals.append(
      object.misuse("Invalid transition from \(object.standing.state): \(transition).", nil))
    return false
  }

  /// Returns and removes the errors of the refused transitions.
  mutating func takeRefusals() -> [ObjectError] {
    defer { refusals.removeAll() }
    return refusals
  }

  /// Notes that the delete rules of a deleted object were applied or must not be applied.
  ///
  /// - Returns: false if the delete rules were already noted, or if the object is no longer deleted.
  @discardableResult
  func notePropagation(of object: NSManagedObject) -> Bool {
    guard object.registration == .deleted, !object.flags.contains(.propagated) else { return false }
    object.standing.flags.insert(.propagated)
    return true
  }

  @inline(__always)
  mutating func update(_ object: NSManagedObject) {
    if object.flags.contains(.askedWillSave) { noteLateChange(of: object) }
    guard object.registration == .persistent, !object.flags.contains(.updated) else {
      return announce(object)
    }
    object.standing.flags.insert(.updated)
    updates.countMember()
    listings &+= 1
    if object.flags.contains(.listedUpdated) { return announce(object) }
    beginAnnouncing()
    updates.append(object)
    object.standing.flags.insert([.listedUpdated, .announced])
  }

  /// Notes that the running save must call the object's will-save hook again.
  private mutating func noteLateChange(of object: NSManagedObject) {
    object.standing.flags.remove(.askedWillSave)
    listings &+= 1
    hasLateChanges = true
  }

  /// Returns whether an object changed after its will-save hook was called, and clears the flag.
  mutating func takeLateChanges() -> Bool {
    defer { hasLateChanges = false }
    return hasLateChanges
  }

  /// Adds an object to the next change notification without adding it to a list.
  @inline(__always)
  mutating func announce(_ object: NSManagedObject) {
    if object.flags.contains(.announced) { return }
    beginAnnouncing()
    object.standing.flags.insert(.announced)
    changedAgain.append(object)
  }

  @inline(__always)
  private func beginAnnouncing() { if unannouncedCount == 0 { willAnnounceFirst?() } }

  /// Notes that a merge policy changed the values of an object.
  mutating func noteResolution(of object: NSManagedObject) { announce(object) }

  /// Removes an object from the updated objects, because its edits were dropped.
  mutating func discardUpdate(of object: NSManagedObject) {
    guard object.flags.contains(.updated) else { return }
    object.standing.flags.remove(.updated)
    updates.discountMember()
  }

  /// Removes an object from the next change notification, because its changes were dropped.
  func withdrawAnnouncement(of object: NSManagedObject) { object.standing.flags.remove(.announced) }

  /// Notes that the delete rules of an object are still due, because they could not be applied.
  mutating func deferPropagation(of object: NSManagedObject, because error: any Error) {
    object.standing.flags.remove(.propagated)
    unpropagated.append(object)
    propagationFailure = propagationFailure ?? error
  }

  /// Returns the objects whose delete rules are due, and empties the list.
  mutating func takeUnpropagated() -> [NSManagedObject] {
    defer { unpropagated.removeAll() }
    propagationFailure = nil
    return unpropagated
  }

  /// Returns the announced objects that were deleted before they were saved, and empties the list.
  mutating func takeWithdrawn() -> [NSManagedObject] {
    defer { withdrawn.removeAll() }
    // Some deletions may have been undone since.
    return withdrawn.filter { !$0.isPresent || $0.registry !== registry }
  }

  /// The objects that changed since the last notification, including objects that left the context.
  var unannounced: [NSManagedObject] {
    if unannouncedCount == 0 { return [] }
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(unannouncedCount)
    for list in [insertions.unannounced, updates.unannounced, changedAgain[...]] {
      for object in list
      where object.flags.contains(.announced) || object.registration == .detached {
        if hasLeavers, object.registration != .detached, object.registry !== registry { continue }
        objects.append(object)
      }
    }
    return objects
  }

  /// Returns the objects that changed since the last notification, and marks them as announced.
  ///
  /// - Returns: The objects that were inserted since the last notification, and all other objects.
  mutating func takeUnannounced() -> (inserted: [NSManagedObject], others: [NSManagedObject]) {
    var taken: (inserted: [NSManagedObject], others: [NSManagedObject]) = ([], [])
    unannounced.forEachBorrowed { object in
      let isNew = object.registration == .inserted && object.flags.contains(.newlyInserted)
      if isNew { taken.inserted.append(object) } else { taken.others.append(object) }
      object.standing.flags.remove([.announced, .newlyInserted])
    }
    noteAnnouncement()
    return taken
  }

  /// Returns the inserted and updated objects, and marks the objects as announced; nil if other
  /// changes are unannounced.
  ///
  /// In a save without an earlier notification, no other changes are unannounced, and the save
  /// notification contains the same lists.
  mutating func takeUnannouncedLists() -> (
    inserted: [NSManagedObject], updated: [NSManagedObject]
  )? {
    guard deletions.memberCount == 0, changedAgain.isEmpty, insertions.isUntouched,
      updates.isUntouched
    else { return nil }
    for list in [insertions.listed, updates.listed] {
      list.forEachBorrowed { $0.standing.flags.remove([.announced, .newlyInserted]) }
    }
    noteAnnouncement()
    return (insertions.listed, updates.listed)
  }

  private mutating func noteAnnouncement() {
    event &+= 1
    insertions.noteAnnouncement()
    updates.noteAnnouncement()
    changedAgain.removeAll(keepingCapacity: changedAgain.count < 4096)
  }

  // MARK: The end of changes

  /// Removes the changes of one store, or of all stores, from the lists.
  ///
  /// - Parameters:
  ///   - transition: The transition that ends the changes: a save or a rollback.
  ///   - position: The position of a store, for which all changes must be announced; nil for all stores.
  /// - Returns: The objects that were on the lists, for which the transition is still to be carried out.
  mutating func end(_ transition: Transition, at position: Int? = nil) -> EndedChanges {
    var lists = [insertions.listed, updates.listed, deletions.listed, changedAgain]
    if !unpropagated.isEmpty { lists.append(unpropagated) }
    let owner = hasLeavers ? registry : nil
    if let position {
      func ends(_ object: NSManagedObject) -> Bool { Int(object.storePosition) == position }
      if !lists.allSatisfy({ $0.allSatisfy(ends) }) {
        keep { !ends($0) }
        return EndedChanges(
          lists: lists.map { $0.filter(ends) }, registry: owner, transition: transition)
      }
    }
    insertions = ChangeList(.inserted)
    updates = ChangeList(.updated)
    deletions = ChangeList(.deleted)
    changedAgain = []
    unpropagated = []
    propagationFailure = nil
    withdrawn = []
    hasLeavers = false
    return EndedChanges(lists: lists, registry: owner, transition: transition)
  }

  /// Removes all objects from the lists except those for which `stays` returns true.
  private mutating func keep(_ stays: (NSManagedObject) -> Bool) {
    insertions.keep(of: registry, where: stays)
    updates.keep(of: registry, where: stays)
    deletions.keep(of: registry, where: stays)
    unpropagated = unpropagated.filter(stays)
    noteAnnouncement()
  }
}

extension NSManagedObject {
  /// Turns the tracking of the object's changes on or off.
  final func setTracked(_ isTracked: Bool) { standing.set(.untracked, !isTracked) }

  /// Notes that the application assigned the object to its store.
  final func noteAssigned() { standing.flags.insert(.assigned) }

  /// Records whether the running save called the object's will-save hook.
  final func setAsked(_ isAsked: Bool) { standing.set(.askedWillSave, isAsked) }

  /// Records whether the object's will-save hook is running.
  final func setRunsWillSave(_ isRunning: Bool) { standing.set(.runsWillSave, isRunning) }

  /// Records whether the object counts as deleted, although its registration does not show it.
  final func setDeleting(_ isDeleting: Bool) { standing.set(.deleting, isDeleting) }

  /// Marks the object as already found in the list that is being read.
  @inline(__always)
  final func setMet(_ isMet: Bool) { standing.set(.met, isMet) }

  /// Marks the object as a destination of an object in the save that is being packed.
  @inline(__always)
  final func setReferenced(_ isReferenced: Bool) { standing.set(.referenced, isReferenced) }

  /// Detaches an object that is not in the unit of work from its context.
  final func becomeDetached() { standing = Standing() }
}
