/// Where an object stands towards its context and its store, and on which lists of the unit of work it is.
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

  var state: State {
    switch registration {
    case .detached: .detached
    case .inserted: .inserted
    case .persistent: .persistent
    case .deleted:
      switch deletion {
      case .withdrawal: .withdrawn
      case .ownOfMissingRow: .deletedTwice
      case .missingRow: .missing
      case .none, .own: .deleted
      }
    }
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
/// Adding is O(1): each object carries a mark that says on which lists it stands. An object that leaves a
/// list is only unmarked, and dropped when the list is read.
struct UnitOfWork {
  private var insertedList: [NSManagedObject] = []
  private var updatedList: [NSManagedObject] = []
  private var deletedList: [NSManagedObject] = []
  private var insertedCount = 0
  private var updatedCount = 0
  private var deletedCount = 0
  /// How often an object became an inserted, updated or deleted one.
  private(set) var listings = 0
  /// How many of the inserted, and of the updated objects were on their list at the last change notification.
  private var announcedInsertedCount = 0
  private var announcedUpdatedCount = 0
  /// Objects that changed since the last change notification without coming onto a list by that.
  private var changedAgain: [NSManagedObject] = []
  /// Objects deleted whose delete rules were not yet applied.
  private(set) var unpropagated: [NSManagedObject] = []
  /// Called at the first change after a notification.
  var willAnnounceFirst: (() -> Void)?
  /// Objects deleted before they were ever saved, but after they were announced as inserted.
  private var withdrawn: [NSManagedObject] = []
  /// Whether an object left the context that may still be on a list here, and in another context by now.
  private var hasLeavers = false
  /// Whose objects the lists have.
  var registry: ContextRegistry?
  /// Transitions that were asked for and are not legal; the next save throws the first.
  private(set) var refusals: [ObjectError] = []

  var hasChanges: Bool { insertedCount + updatedCount + deletedCount > 0 }
  var hasUnprocessedChanges: Bool { unprocessedCount > 0 }
  /// How much happened since the last change notification.
  var unprocessedCount: Int { unannouncedCount + unpropagated.count }

  private var unannouncedCount: Int {
    insertedList.count - announcedInsertedCount + updatedList.count - announcedUpdatedCount
      + changedAgain.count
  }

  var inserted: [NSManagedObject] {
    insertedCount == insertedList.count
      ? insertedList : distinct(insertedList, insertedCount, where: \.isInserted)
  }
  var updated: [NSManagedObject] {
    updatedCount == updatedList.count
      ? updatedList : distinct(updatedList, updatedCount, where: \.isUpdated)
  }
  var deleted: [NSManagedObject] {
    deletedCount == deletedList.count
      ? deletedList : distinct(deletedList, deletedCount) { $0.standing.state.isPendingDeletion }
  }

  /// The objects of a list that still belong on it, each once: one that left and came back stands on it twice.
  private func distinct(
    _ list: [NSManagedObject], _ count: Int, where belongs: (NSManagedObject) -> Bool
  ) -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(count)
    list.forEachBorrowed { object in
      guard object.registry === registry, belongs(object), !object.flags.contains(.met) else {
        return
      }
      object.standing.flags.insert(.met)
      objects.append(object)
    }
    objects.forEachBorrowed { $0.standing.flags.remove(.met) }
    return objects
  }

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
    insertedCount += 1
    listings &+= 1
    if object.flags.contains(.listedInserted) { return announce(object) }
    beginAnnouncing()
    insertedList.append(object)
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
    case .inserted: insertedCount -= 1
    case .persistent: discardUpdate(of: object)
    case .deleted, .deletedTwice, .missing: deletedCount -= 1
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
      deletedCount += 1
      if former != .persistent { return }
      listings &+= 1
      if !object.flags.contains(.listedDeleted) {
        object.standing.flags.insert(.listedDeleted)
        deletedList.append(object)
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

  /// Hands out the illegal transitions that were asked for.
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
    updatedCount += 1
    listings &+= 1
    if object.flags.contains(.listedUpdated) { return announce(object) }
    beginAnnouncing()
    updatedList.append(object)
    object.standing.flags.insert([.listedUpdated, .announced])
  }

  /// Lets an object be in the next change notification that is on a list already, or on none.
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
    updatedCount -= 1
  }

  /// Notes that the delete rules of an object are still due.
  mutating func deferPropagation(of object: NSManagedObject) {
    object.standing.flags.remove(.propagated)
    unpropagated.append(object)
  }

  /// Hands out the objects whose delete rules are due.
  mutating func takeUnpropagated() -> [NSManagedObject] {
    defer { unpropagated.removeAll() }
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
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(unannouncedCount)
    for list in [
      insertedList[announcedInsertedCount...], updatedList[announcedUpdatedCount...],
      changedAgain[...],
    ] {
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
    guard deletedCount == 0, changedAgain.isEmpty,
      announcedInsertedCount + announcedUpdatedCount == 0,
      insertedCount == insertedList.count, updatedCount == updatedList.count
    else { return nil }
    for list in [insertedList, updatedList] {
      list.forEachBorrowed { $0.standing.flags.remove([.announced, .newlyInserted]) }
    }
    noteAnnouncement()
    return (insertedList, updatedList)
  }

  private mutating func noteAnnouncement() {
    announcedInsertedCount = insertedList.count
    announcedUpdatedCount = updatedList.count
    changedAgain.removeAll(keepingCapacity: changedAgain.count < 4096)
  }

  /// Ends the changes of one store, or all, in one of the ways that end them.
  ///
  /// - Parameters:
  ///   - transition: What becomes of each object.
  ///   - position: The store, when nothing is unannounced; nil for all.
  /// - Returns: The objects that were on the lists.
  fileprivate mutating func end(_ transition: Transition, at position: Int?) -> Ended {
    var lists = [insertedList, updatedList, deletedList, changedAgain]
    if !unpropagated.isEmpty { lists.append(unpropagated) }
    let owner = hasLeavers ? registry : nil
    if let position {
      func ends(_ object: NSManagedObject) -> Bool { Int(object.storePosition) == position }
      if !lists.allSatisfy({ $0.allSatisfy(ends) }) {
        keep { !ends($0) }
        return Ended(lists: lists.map { $0.filter(ends) }, registry: owner, transition: transition)
      }
    }
    var empty = UnitOfWork()
    empty.willAnnounceFirst = willAnnounceFirst
    empty.listings = listings
    empty.registry = registry
    empty.refusals = refusals
    self = empty
    return Ended(lists: lists, registry: owner, transition: transition)
  }

  /// Keeps some of the objects on the lists, and forgets the others.
  private mutating func keep(_ stays: (NSManagedObject) -> Bool) {
    insertedCount = inserted.count(where: stays)
    updatedCount = updated.count(where: stays)
    deletedCount = deleted.count(where: stays)
    insertedList = insertedList.filter(stays)
    updatedList = updatedList.filter(stays)
    deletedList = deletedList.filter(stays)
    unpropagated = unpropagated.filter(stays)
    noteAnnouncement()
  }

  /// What of the lists contradicts what their objects say of themselves; empty when all agree.
  ///
  /// - Parameter objects: All objects of the context.
  func contradictions(among objects: [NSManagedObject]) -> [String] {
    var found = refusals.map(\.message)
    let known = Set(objects.map(ObjectIdentifier.init))
    let lists = [
      ("inserted", insertedList, inserted, insertedCount, NSManagedObject.Flags.listedInserted),
      ("updated", updatedList, updated, updatedCount, .listedUpdated),
      ("deleted", deletedList, deleted, deletedCount, .listedDeleted),
    ]
    for (name, list, members, count, flag) in lists {
      if members.count != count {
        found.append("\(count) objects are counted as \(name), \(members.count) are.")
      }
      for object in members where !known.contains(ObjectIdentifier(object)) {
        found.append("The \(name) object \(object.key) is not in the identity map.")
      }
      let listed = Set(list.map(ObjectIdentifier.init))
      for object in objects
      where object.flags.contains(flag) != listed.contains(ObjectIdentifier(object)) {
        found.append("The mark of the object \(object.key) contradicts the \(name) list.")
      }
    }
    let members = Set((inserted + updated + deleted).map(ObjectIdentifier.init))
    let due = Set(unpropagated.map(ObjectIdentifier.init))
    let unannounced = Set(unannounced.map(ObjectIdentifier.init))
    for object in objects {
      if object.hasChanges, object.deletion != .withdrawal,
        !members.contains(ObjectIdentifier(object))
      {
        found.append("The \(object.standing.state) object \(object.key) is on no list.")
      }
      if object.registration == .deleted, !object.flags.contains(.propagated),
        !due.contains(ObjectIdentifier(object))
      {
        found.append("The delete rules of the object \(object.key) are never applied.")
      }
      if object.flags.contains(.announced) != unannounced.contains(ObjectIdentifier(object)) {
        found.append("Whether the object \(object.key) is to be announced is contradictory.")
      }
    }
    return found
  }

  /// The objects of ended changes.
  struct Ended {
    fileprivate let lists: [[NSManagedObject]]
    /// Whose objects they are, if some are not; nil when all are the context's.
    fileprivate let registry: ContextRegistry?
    fileprivate let transition: Transition
  }

}

extension NSManagedObjectContext {
  /// Ends all changes in one of the ways that end them, and leaves the lists empty.
  ///
  /// - Parameters:
  ///   - transition: What becomes of each object: it is saved, or has no unsaved changes.
  ///   - position: The store whose objects are concerned, when nothing is unannounced; nil for all.
  ///   - body: Called with each inserted or updated object that stays, and its former state. What it lets go of may
  ///     run code of the application, which finds nothing changed.
  /// - Returns: The objects that leave the context; they are still in its identity map.
  @discardableResult
  func endChanges(
    _ transition: Transition, at position: Int? = nil,
    _ body: (NSManagedObject, Standing.State) -> Void = { _, _ in }
  ) -> [NSManagedObject] {
    let ended = unitOfWork.end(transition, at: position)
    var leaving: [NSManagedObject] = []
    for list in ended.lists {
      list.forEachBorrowed { object in
        if let owner = ended.registry, object.registry !== owner { return }
        let former = object.standing.state
        let hadValues = former == .inserted || object.isUpdated
        guard former != .detached, let state = transition.destination(from: former) else { return }
        object.standing = Standing(state)
        if state == .detached { return leaving.append(object) }
        if hadValues { body(object, former) }
      }
    }
    return leaving
  }

  /// Throws the next error of a call that could not throw, illegal transitions among them.
  func throwDeferred() throws {
    for refusal in unitOfWork.takeRefusals() { deferred.note(refusal) }
    try deferred.throwNext()
  }

  /// Makes saved objects unchanged ones; deleted ones leave the context.
  ///
  /// - Parameter position: The store that was written; nil for all changes of the context.
  func acceptChanges(at position: Int? = nil) {
    let leaving = endChanges(.save, at: position) { $0.acceptChanges(after: $1) }
    for object in leaving {
      // The id must still name the store when notifications are read.
      object.cachedID = object.objectID
      object.detach()
    }
  }
}

extension NSManagedObject {
  /// Begins or ends changes that are not tracked.
  final func setTracked(_ isTracked: Bool) {
    if isTracked {
      standing.flags.remove(.untracked)
    } else {
      standing.flags.insert(.untracked)
    }
  }

  /// Notes that the application assigned the object to its store.
  final func noteAssigned() { standing.flags.insert(.assigned) }

  /// Notes that the running save asked the object whether it wants to change.
  final func noteAsked() { standing.flags.insert(.askedWillSave) }

  /// Ends what ``noteAsked()`` noted.
  final func forgetAsked() { standing.flags.remove(.askedWillSave) }

  /// Marks the object as a destination of the save that is being packed.
  @inline(__always)
  final func setReferenced(_ isReferenced: Bool) {
    if isReferenced {
      standing.flags.insert(.referenced)
    } else {
      standing.flags.remove(.referenced)
    }
  }

  /// Makes the object one of no context, which the unit of work does not have.
  final func becomeDetached() { standing = Standing() }
}
