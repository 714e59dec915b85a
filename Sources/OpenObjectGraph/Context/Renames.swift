internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The stores and keys that the ancestors of a context assigned to their unsaved objects.
///
/// A row in the context can contain a temporary key as long as the row's object exists. All other
/// temporary keys are needed only by work that began before the rename. Therefore, when there are
/// many renames, the context removes the renames of keys that none of its rows contains.
///
/// > Concurrency: Confined to the lock of the registry that owns the instance.
struct Renames {
  private struct Entry {
    var store: Int
    var key: Int64
    /// The position of the entry in the order in which the entries were noted.
    var number: Int
  }

  private static let smallestLimit = 4096
  /// The current stores and keys, by temporary key.
  private var entries: [Int64: Entry] = [:]
  /// The renames of registered objects that are not yet in the identity map at their new place, by
  /// temporary key.
  private var due: [Int64: ObjectRename] = [:]
  private var lastNumber = 0
  private var limit = Renames.smallestLimit
  /// The number of the last entry that the requested removal may remove; nil if no removal was
  /// requested.
  private var lastRemovable: Int?

  /// The number of temporary keys with a known place.
  var count: Int { entries.count }

  /// Returns the current store and key for a temporary key; nil if they are not known.
  func place(ofKey key: Int64) -> (store: Int, key: Int64)? {
    entries[key].map { current($0) }.map { ($0.store, $0.key) }
  }

  /// Returns the entry with the current place of an entry's object.
  ///
  /// If a save that failed merged two unsaved objects, the entry leads to the temporary key of the
  /// other object, which a later entry may replace.
  private func current(_ known: Entry) -> Entry {
    var entry = known
    while entry.key < 0, let next = entries[entry.key], next.number > entry.number { entry = next }
    return entry
  }

  /// Adds a rename.
  ///
  /// - Parameter isRegistered: Whether the object is registered under its temporary key.
  mutating func note(_ rename: ObjectRename, isRegistered: Bool) {
    lastNumber += 1
    entries[rename.temporaryKey] = Entry(store: rename.store, key: rename.key, number: lastNumber)
    if isRegistered { due[rename.temporaryKey] = rename }
  }

  /// Adds the places that another context knows.
  mutating func take(_ others: Renames) {
    guard !entries.isEmpty else {
      // A requested removal waits only while there are entries, so it cannot remove these.
      entries = others.entries
      lastNumber = max(lastNumber, others.lastNumber)
      return
    }
    lastNumber += 1
    for (key, entry) in others.entries where entries[key] == nil {
      let place = others.current(entry)
      entries[key] = Entry(store: place.store, key: place.key, number: lastNumber)
    }
  }

  /// Returns the renames of registered objects that are still to be carried out, and forgets that
  /// they are due.
  mutating func takeDue() -> [ObjectRename] {
    defer { due = [:] }
    return Array(due.values)
  }

  // MARK: Removal

  /// Requests a removal if there are many entries.
  ///
  /// - Returns: Whether the context must remove entries; false while an earlier request waits.
  mutating func requestRemoval() -> Bool {
    guard lastRemovable == nil, entries.count >= limit else { return false }
    lastRemovable = lastNumber
    return true
  }

  /// Removes the entries that existed when the removal was requested.
  ///
  /// - Parameter needed: The temporary keys whose entries must stay.
  mutating func remove(except needed: Set<Int64>) {
    guard let last = lastRemovable else { return }
    let kept = entries.filter { key, entry in
      entry.number > last || needed.contains(key) || due[key] != nil
    }
    // The current place may come from an entry that is removed.
    entries = kept.mapValues { current($0) }
    lastRemovable = nil
    limit = max(Self.smallestLimit, 2 * entries.count)
  }
}

/// The new place of an unsaved object in the identity map: the permanent key that replaced the
/// temporary key, another store, or both.
struct ObjectRename: Sendable {
  var store: Int
  var root: Int
  var temporaryKey: Int64
  var key: Int64
  /// Whether the place is that of another object, into which a save merged the unsaved object.
  var isMerge = false
}

extension ObjectRename {
  /// Creates the rename of an object that has its new place.
  init(of object: NSManagedObject, from temporaryKey: Int64) {
    self.init(
      store: Int(object.storePosition), root: object.compiledEntity.rootIndex,
      temporaryKey: temporaryKey, key: object.key)
  }

  /// Creates the rename of an unsaved object that a save merged into another object; nil if the
  /// object had a permanent id or another entity.
  ///
  /// If the save failed, the other object may also have a temporary id.
  init?(ofMerged object: NSManagedObject) {
    guard object.key < 0, let survivor = object.presentSurvivor, survivor.registry != nil,
      survivor.compiledEntity === object.compiledEntity
    else { return nil }
    self.init(of: survivor, from: object.key)
    isMerge = true
  }
}

extension NSManagedObjectContext {
  /// Removes an object that the parent merged into another registered object.
  ///
  /// The next save throws if the object has unsaved changes.
  func removeMerged(_ object: NSManagedObject) {
    if object.registration == .deleted || object.isMarkedUpdated {
      deferredErrors.note(
        CocoaError.make(
          .managedObjectReferentialIntegrity,
          "The changes to \(object.currentID) were discarded because a save of the parent "
            + "context merged the object into another object. Change the other object instead.",
          userInfo: [NSAffectedObjectsErrorKey: [object]]))
    }
    object.detachKeepingID()
  }
}

// MARK: Removal

extension NSManagedObjectContext {
  /// Starts to remove the renames that the context no longer needs, if there are many.
  ///
  /// The removal is a separate block of the queue. When it runs, all merges of changes that were
  /// announced before the renames have ended, and no read is in progress.
  ///
  /// > Concurrency: Any thread.
  func removeUnneededRenames() {
    guard registry.requestsRemovalOfRenames() else { return }
    queue.enqueue { [reference = weakReference] in
      guard let context = reference.target else { return }
      context.source.adoptRenames(in: context)
      context.registry.removeRenames(except: context.temporaryKeysInRows())
    }
  }

  /// Returns the temporary keys that the rows of the registered objects contain.
  private func temporaryKeysInRows() -> Set<Int64> {
    var keys: Set<Int64> = []
    for object in registry.identityMap.all() where object.chunk != nil {
      let row = object.row
      if row.key < 0 { keys.insert(row.key) }
      for property in model.entities[row.entityIndex].properties {
        guard let relationship = property.relationship, !relationship.isToMany,
          let slot = property.slot, !row.isNull(slot)
        else { continue }
        let key = row.integer(at: property.byteOffset)
        if key < 0 { keys.insert(key) }
      }
    }
    return keys
  }
}
