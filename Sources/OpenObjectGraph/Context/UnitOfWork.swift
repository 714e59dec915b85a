/// An object's relation to its context and its store, and the lists of the unit of work that contain it.
///
/// Only this file writes it: what changes an object's place is a ``Transition``.
struct Standing {
  fileprivate(set) var flags = NSManagedObject.Flags()
  fileprivate(set) var registration = NSManagedObject.Registration.detached
  fileprivate(set) var deletion = NSManagedObject.Deletion.none

  /// The standing of an object in no context.
  init() {}

  fileprivate init(_ state: State) { enter(state) }

  /// The standing of an object that was made for a row.
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

/// A context's inserted, updated and deleted objects since the last save; keeps them alive.
///
/// Confined to the context's queue. Code of the application never runs while it changes.
struct UnitOfWork {
  private var insertions = ChangeList(.inserted)
  private var updates = ChangeList(.updated)
  private var deletions = ChangeList(.deleted)
  /// How often an object became an inserted, updated or deleted one.
  private(set) var listings = 0
  /// How many change notifications there were.
  private(set) var event = 0
  /// The change notification that is being posted.
  var announcement: ChangeAnnouncement?
  /// Objects that changed since the last change notification without coming onto a list by that.
  private var changedAgain: [NSManagedObject] = []
  /// Objects deleted whose delete rules were not yet applied.
  private(set) var unpropagated: [NSManagedObject] = []
  /// Why the rules of the first of `unpropagated` could not be applied; nil when none was tried.
  private(set) var propagationFailure: (any Error)?
  /// Called at the first change after a notification.
  var willAnnounceFirst: (() -> Void)?
  /// Objects deleted before they were ever saved, but after they were announced as inserted.
  private var withdrawn: [NSManagedObject] = []
  /// Whether an object left the context that may still be on a list here, and in another context by now.
  private var hasLeavers = false
  /// Whose objects the lists have.
  var registry: ContextRegistry?
  /// Requested transitions that are not allowed; the next save throws the first.
  private(set) var refusals: [ObjectError] = []

  var hasChanges: Bool {
    insertions.memberCount + updates.memberCount + deletions.memberCount > 0
  }
  var hasUnprocessedChanges: Bool { unprocessedCount > 0 }
  /// How much happened since the last change notification.
  var unprocessedCount: Int { unannouncedCount + unpropagated.count }

  @inline(__always)
  private var unannouncedCount: Int {
    insertions.unannouncedCount + updates.unannouncedCount + changedAgain.count
  }

  @inline(__always)
  var inserted: [NSManagedObject] { insertions.members(of: registry) }
  @inline(__always)
  var updated: [NSManagedObject] { updates.members(of: registry) }
  @inline(__always)
  var deleted: [NSManagedObject] { deletions.members(of: registry) }
  /// All changed objects, as the lists stand now.
  @inline(__always)
  var changes: SaveSet { SaveSet(inserted: inserted, updated: updated, deleted: deleted) }
  /// The lists, to be compared with the marks of the objects.
  var lists: [ChangeList] { [insertions, updates, deletions] }

  // MARK: Transitions

  /// Takes an object of no context in as an insertion.
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
    if object.flags.contains(.listedInserted) { return announce(object) }
    beginAnnouncing()
    insertions.append(object)
    object.standing.flags.insert([.listedInserted, .announced, .newlyInserted])
  }

  /// Carries out a transition other than an insertion, and keeps lists, counts and flags in step with it.
  ///
  /// - Returns: Whether the transition is legal; if it is not, nothing changed and the next save throws.
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
    // A later change of the object may wait for the next notification: that says nothing of its insertion.
    if !object.flags.contains(.newlyInserted) { withdrawn.append(object) }
    announce(object)
  }

  private mutating func refuse(_ transition: Transition, _ object: NSManagedObject) -> Bool {
    refusals.append(
      object.misuse("An object that is \(object.standing.state) cannot be \(transition).", nil))
    return false
  }

  /// Returns the requested transitions that are not allowed.
  mutating func takeRefusals() -> [ObjectError] {
    defer { refusals.removeAll() }
    return refusals
  }

  /// Notes that the delete rules of a deleted object were applied, or are not to be.
  ///
  /// - Returns: false when that was the case already, or the object is not deleted any more.
  @discardableResult
  func notePropagation(of object: NSManagedObject) -> Bool {
    guard object.registration == .deleted, !object.flags.contains(.propagated) else { return false }
    object.standing.flags.insert(.propagated)
    return true
  }

  @inline(__always)
  mutating func update(_ object: NSManagedObject) {
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

  /// Adds an object to the next change notification; the object is in a list already, or in none.
  @inline(__always)
  private mutating func announce(_ object: NSManagedObject) {
    if object.flags.contains(.announced) { return }
    beginAnnouncing()
    object.standing.flags.insert(.announced)
    changedAgain.append(object)
  }

  @inline(__always)
  private func beginAnnouncing() {
    if unannouncedCount == 0 { willAnnounceFirst?() }
  }

  /// Notes that a merge policy gave an object other values.
  mutating func noteResolution(of object: NSManagedObject) { announce(object) }

  /// Takes an updated object off its list: its edits were dropped.
  mutating func discardUpdate(of object: NSManagedObject) {
    guard object.flags.contains(.updated) else { return }
    object.standing.flags.remove(.updated)
    updates.discountMember()
  }

  /// Notes that the delete rules of an object are still due, because they could not be applied.
  mutating func deferPropagation(of object: NSManagedObject, because error: any Error) {
    object.standing.flags.remove(.propagated)
    unpropagated.append(object)
    propagationFailure = propagationFailure ?? error
  }

  /// Hands out the objects whose delete rules are due.
  mutating func takeUnpropagated() -> [NSManagedObject] {
    defer { unpropagated.removeAll() }
    propagationFailure = nil
    return unpropagated
  }

  /// Hands out the announced objects that were deleted before they were saved.
  mutating func takeWithdrawn() -> [NSManagedObject] {
    defer { withdrawn.removeAll() }
    // Some may have been taken back since.
    return withdrawn.filter { !$0.isPresent || $0.registry !== registry }
  }

  /// The objects that changed since the last notification; those that left the context are among them.
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

  /// Hands out the objects that changed since the last notification.
  mutating func takeUnannounced() -> [NSManagedObject] {
    let objects = unannounced
    objects.forEachBorrowed { $0.standing.flags.remove([.announced, .newlyInserted]) }
    noteAnnouncement()
    return objects
  }

  /// Hands out the inserted and the updated objects where just these changed since the last notification: as in a save
  /// that nothing was announced before, whose own notification has the same lists.
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

  /// Ends the changes of one store, or all, in one of the ways that end them.
  ///
  /// - Parameters:
  ///   - transition: What becomes of each object: it is saved, or has no unsaved changes.
  ///   - position: The store whose objects are concerned, when nothing is unannounced; nil for all.
  /// - Returns: The objects that were on the lists, which have still to make the transition.
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

  /// Keeps some of the objects on the lists, and removes the other objects.
  private mutating func keep(_ stays: (NSManagedObject) -> Bool) {
    insertions.keep(of: registry, where: stays)
    updates.keep(of: registry, where: stays)
    deletions.keep(of: registry, where: stays)
    unpropagated = unpropagated.filter(stays)
    noteAnnouncement()
  }
}

/// The objects of changes that end: they are on no list of the unit of work any more. Used at once.
struct EndedChanges {
  fileprivate let lists: [[NSManagedObject]]
  /// Whose objects they are, if some are not; nil when all are the context's.
  fileprivate let registry: ContextRegistry?
  fileprivate let transition: Transition

  /// Lets each object make the transition.
  ///
  /// - Parameter body: Called with each inserted or updated object that stays, and its former state. Releasing
  ///   objects may run application code, which finds nothing changed.
  /// - Returns: The objects that leave the context; they are still in its identity map.
  @discardableResult
  func settle(
    _ body: (NSManagedObject, Standing.State) -> Void = { _, _ in }
  ) -> [NSManagedObject] {
    var leaving: [NSManagedObject] = []
    for list in lists {
      list.forEachBorrowed { object in
        if let registry, object.registry !== registry { return }
        let former = object.standing.state
        let hadValues = former == .inserted || object.isMarkedUpdated
        guard former != .detached, let state = transition.destination(from: former) else { return }
        object.standing = Standing(state)
        if state == .detached { return leaving.append(object) }
        if hadValues { body(object, former) }
      }
    }
    return leaving
  }
}

extension NSManagedObject {
  /// Begins or ends changes that are not tracked.
  final func setTracked(_ isTracked: Bool) { standing.set(.untracked, !isTracked) }

  /// Notes that the application assigned the object to its store.
  final func noteAssigned() { standing.flags.insert(.assigned) }

  /// Records whether the running save called the object's will-save hook.
  final func setAsked(_ isAsked: Bool) { standing.set(.askedWillSave, isAsked) }

  /// Marks the object as one that was met on the list that is being read.
  @inline(__always)
  final func setMet(_ isMet: Bool) { standing.set(.met, isMet) }

  /// Marks the object as a destination of the save that is being packed.
  @inline(__always)
  final func setReferenced(_ isReferenced: Bool) { standing.set(.referenced, isReferenced) }

  /// Makes the object one of no context, which the unit of work does not have.
  final func becomeDetached() { standing = Standing() }
}
