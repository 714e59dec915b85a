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
      ? insertedList : distinctInserted
  }
  var updated: [NSManagedObject] {
    updatedCount == updatedList.count ? updatedList : updatedList.filter(\.isUpdated)
  }
  var deleted: [NSManagedObject] {
    deletedCount == deletedList.count
      ? deletedList : deletedList.filter { $0.registration == .deleted }
  }

  /// The inserted objects, each once: one that left the context and came back stands on its list twice.
  private var distinctInserted: [NSManagedObject] {
    var objects: [NSManagedObject] = []
    objects.reserveCapacity(insertedCount)
    insertedList.forEachBorrowed { object in
      guard object.registration == .inserted, !object.flags.contains(.met) else { return }
      object.flags.insert(.met)
      objects.append(object)
    }
    objects.forEachBorrowed { $0.flags.remove(.met) }
    return objects
  }

  mutating func insert(_ object: NSManagedObject) {
    insertedCount += 1
    listings &+= 1
    if object.flags.contains(.listedInserted) {
      object.flags.insert(.newlyInserted)
      return announce(object)
    }
    beginAnnouncing()
    insertedList.append(object)
    object.flags.insert([.listedInserted, .announced, .newlyInserted])
  }

  @inline(__always)
  mutating func update(_ object: NSManagedObject) {
    guard object.registration == .persistent, !object.flags.contains(.updated) else {
      return announce(object)
    }
    object.flags.insert(.updated)
    updatedCount += 1
    listings &+= 1
    if object.flags.contains(.listedUpdated) { return announce(object) }
    beginAnnouncing()
    updatedList.append(object)
    object.flags.insert([.listedUpdated, .announced])
  }

  /// Lets an object be in the next change notification that is on a list already, or on none.
  @inline(__always)
  private mutating func announce(_ object: NSManagedObject) {
    if object.flags.contains(.announced) { return }
    beginAnnouncing()
    object.flags.insert(.announced)
    changedAgain.append(object)
  }

  @inline(__always)
  private func beginAnnouncing() {
    if unannouncedCount == 0 { willAnnounceFirst?() }
  }

  /// Notes that a merge policy gave an object other values.
  mutating func noteResolution(of object: NSManagedObject) { announce(object) }

  /// Moves an object to the deleted ones; one that was never saved is simply forgotten.
  mutating func delete(_ object: NSManagedObject) {
    if object.registration == .inserted {
      insertedCount -= 1
      object.flags.insert(.wasInserted)
      // A later change of the object may wait for the next notification: that says nothing of its insertion.
      if !object.flags.contains(.newlyInserted) { withdrawn.append(object) }
    } else {
      if object.flags.contains(.updated) {
        object.flags.remove(.updated)
        updatedCount -= 1
      }
      deletedCount += 1
      listings &+= 1
      if !object.flags.contains(.listedDeleted) {
        object.flags.insert(.listedDeleted)
        deletedList.append(object)
      }
    }
    announce(object)
    unpropagated.append(object)
  }

  /// Takes back a pending deletion.
  mutating func undelete(_ object: NSManagedObject) {
    deletedCount -= 1
    unpropagated.removeAll { $0 === object }
  }

  /// Takes an updated object off its list: its edits were dropped.
  mutating func discardUpdate(of object: NSManagedObject) {
    guard object.flags.contains(.updated) else { return }
    object.flags.remove(.updated)
    updatedCount -= 1
  }

  /// Takes an object out of those whose delete rules are due.
  mutating func discardPropagation(of object: NSManagedObject) {
    if unpropagated.last === object {
      unpropagated.removeLast()
    } else {
      unpropagated.removeAll { $0 === object }
    }
  }

  /// Notes that the delete rules of an object are still due.
  mutating func deferPropagation(of object: NSManagedObject) { unpropagated.append(object) }

  /// Hands out the objects whose delete rules are due.
  mutating func takeUnpropagated() -> [NSManagedObject] {
    defer { unpropagated.removeAll() }
    return unpropagated
  }

  /// Hands out the announced objects that were deleted before they were saved.
  mutating func takeWithdrawn() -> [NSManagedObject] {
    defer { withdrawn.removeAll() }
    return withdrawn
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
        objects.append(object)
      }
    }
    return objects
  }

  /// Hands out the objects that changed since the last notification.
  mutating func takeUnannounced() -> [NSManagedObject] {
    let objects = unannounced
    objects.forEachBorrowed { $0.flags.remove([.announced, .newlyInserted]) }
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
      list.forEachBorrowed { $0.flags.remove([.announced, .newlyInserted]) }
    }
    noteAnnouncement()
    return (insertedList, updatedList)
  }

  private mutating func noteAnnouncement() {
    announcedInsertedCount = insertedList.count
    announcedUpdatedCount = updatedList.count
    changedAgain.removeAll(keepingCapacity: changedAgain.count < 4096)
  }

  /// Hands out all objects on lists, whose marks are to be cleared, and forgets everything.
  mutating func takeAll() -> [[NSManagedObject]] {
    let lists = [insertedList, updatedList, deletedList, changedAgain]
    var empty = UnitOfWork()
    empty.willAnnounceFirst = willAnnounceFirst
    empty.listings = listings
    self = empty
    return lists
  }

  /// Hands out the objects of one store, whose marks are to be cleared, and forgets them; those of other stores stay.
  ///
  /// Nothing may be unannounced.
  mutating func take(at position: Int) -> [[NSManagedObject]] {
    let lists = [insertedList, updatedList, deletedList]
    func isTaken(_ object: NSManagedObject) -> Bool { Int(object.storePosition) == position }
    if lists.allSatisfy({ $0.allSatisfy(isTaken) }) { return takeAll() }
    let (stayInserted, stayUpdated, stayDeleted) = (inserted, updated, deleted)
    insertedList = stayInserted.filter { !isTaken($0) }
    updatedList = stayUpdated.filter { !isTaken($0) }
    deletedList = stayDeleted.filter { !isTaken($0) }
    (insertedCount, updatedCount) = (insertedList.count, updatedList.count)
    deletedCount = deletedList.count
    noteAnnouncement()
    let left = Set([insertedList, updatedList, deletedList].joined().map(ObjectIdentifier.init))
    return lists.map { $0.filter { !left.contains(ObjectIdentifier($0)) } }
  }
}

extension NSManagedObjectContext {
  /// Forgets all changes, and clears the objects' marks.
  ///
  /// - Parameter body: Called with each inserted or updated object before. What it lets go of may run code of others,
  ///   which finds nothing changed.
  func clearUnitOfWork(_ body: (NSManagedObject) -> Void = { _ in }) {
    for list in unitOfWork.takeAll() {
      list.forEachBorrowed { object in
        if object.registration == .inserted || object.isUpdated { body(object) }
        object.flags = []
      }
    }
  }

  /// Makes saved objects unchanged ones; deleted ones leave the context.
  ///
  /// - Parameters:
  ///   - saved: What was saved.
  ///   - position: The store that was written; nil for all changes of the context.
  func acceptChanges(of saved: SaveSet, at position: Int? = nil) {
    for list in position.map({ unitOfWork.take(at: $0) }) ?? unitOfWork.takeAll() {
      list.forEachBorrowed { object in
        if object.registration == .inserted || object.isUpdated { object.acceptChanges() }
        object.flags = []
      }
    }
    for object in saved.deleted {
      // The id must still name the store when notifications are read.
      object.cachedID = object.objectID
      object.detach()
    }
  }
}
