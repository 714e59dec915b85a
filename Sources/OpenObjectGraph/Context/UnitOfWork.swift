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
  /// Objects changed since the last change notification.
  private(set) var unannounced: [NSManagedObject] = []
  /// Objects deleted whose delete rules were not yet applied.
  private(set) var unpropagated: [NSManagedObject] = []
  /// Called at the first change after a notification.
  var willAnnounceFirst: (() -> Void)?
  /// Objects deleted before they were ever saved, but after they were announced as inserted.
  private var withdrawn: [NSManagedObject] = []

  var hasChanges: Bool { insertedCount + updatedCount + deletedCount > 0 }
  var hasUnprocessedChanges: Bool { !unannounced.isEmpty || !unpropagated.isEmpty }
  var unprocessedCount: Int { unannounced.count + unpropagated.count }

  var inserted: [NSManagedObject] {
    insertedCount == insertedList.count
      ? insertedList : distinct(insertedList) { $0.registration == .inserted }
  }
  var updated: [NSManagedObject] {
    updatedCount == updatedList.count ? updatedList : updatedList.filter(\.isUpdated)
  }
  var deleted: [NSManagedObject] {
    deletedCount == deletedList.count
      ? deletedList : deletedList.filter { $0.registration == .deleted }
  }

  /// The objects that fit, each once: one that left the context and came back stands on its list twice.
  private func distinct(
    _ list: [NSManagedObject], _ fits: (NSManagedObject) -> Bool
  ) -> [NSManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return list.filter { fits($0) && seen.insert(ObjectIdentifier($0)).inserted }
  }

  mutating func insert(_ object: NSManagedObject) {
    if !object.flags.contains(.listedInserted) {
      insertedList.append(object)
      object.flags.insert(.listedInserted)
    }
    insertedCount += 1
    listings &+= 1
    announce(object)
  }

  @inline(__always)
  mutating func update(_ object: NSManagedObject) {
    if object.registration == .persistent, !object.flags.contains(.updated) {
      object.flags.insert(.updated)
      updatedCount += 1
      listings &+= 1
      if !object.flags.contains(.listedUpdated) {
        object.flags.insert(.listedUpdated)
        updatedList.append(object)
      }
    }
    announce(object)
  }

  @inline(__always)
  private mutating func announce(_ object: NSManagedObject) {
    if !object.flags.contains(.announced) {
      object.flags.insert(.announced)
      if unannounced.isEmpty { willAnnounceFirst?() }
      unannounced.append(object)
    }
  }

  /// Notes that a merge policy gave an object other values.
  mutating func noteResolution(of object: NSManagedObject) { announce(object) }

  /// Moves an object to the deleted ones; one that was never saved is simply forgotten.
  mutating func delete(_ object: NSManagedObject) {
    if object.registration == .inserted {
      insertedCount -= 1
      object.flags.insert(.wasInserted)
      if !object.flags.contains(.announced) { withdrawn.append(object) }
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

  /// The inserted and the updated objects, where just these changed since the last notification: as in a save that
  /// nothing was announced before, whose own notification has the same lists.
  var unannouncedLists: (inserted: [NSManagedObject], updated: [NSManagedObject])? {
    guard deletedCount == 0, unannounced.count == insertedCount + updatedCount else { return nil }
    let lists = (inserted, updated)
    var areUnannounced = true
    for list in [lists.0, lists.1] {
      list.forEachBorrowed { if !$0.flags.contains(.announced) { areUnannounced = false } }
    }
    return areUnannounced ? lists : nil
  }

  /// Hands out the objects that changed since the last notification.
  mutating func takeUnannounced() -> [NSManagedObject] {
    let objects = unannounced
    unannounced.removeAll(keepingCapacity: objects.count < 4096)
    objects.forEachBorrowed { $0.flags.remove(.announced) }
    return objects
  }

  /// Forgets everything; the objects' marks are cleared.
  mutating func removeAll() {
    for list in [insertedList, updatedList, deletedList, unannounced] {
      list.forEachBorrowed { $0.flags = [] }
    }
    var empty = UnitOfWork()
    empty.willAnnounceFirst = willAnnounceFirst
    empty.listings = listings
    self = empty
  }
}
