public import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// Taking over what another context saved: new rows under this context's unsaved changes, deletions, and lists
// that have to be read again. The work is in proportion to the change, not to the registered objects.

extension NSManagedObjectContext {
  /// Takes over the changes that a save of another context announced.
  ///
  /// Registered objects have the saved values afterwards, under this context's own unsaved changes. Deleted ones
  /// are among `deletedObjects` until the next save, which writes nothing for them. Notifications of objects and
  /// those of ids are understood, also of another coordinator of the same store; what names no object of a store
  /// of this context is ignored.
  ///
  /// > Reference: Apple, mergeChanges(fromContextDidSave:).
  public func mergeChanges(fromContextDidSave notification: Notification) {
    let source = notification.object as? NSManagedObjectContext
    let isShared =
      source != nil && source?.persistentStoreCoordinator === persistentStoreCoordinator
    performAndWait {
      merge(IDChanges(notification.userInfo ?? [:], for: self, areStored: !isShared))
    }
  }

  /// Takes over changes given by id, in several contexts.
  ///
  /// The rows are read again, because another process, or a batch request, may have written them.
  ///
  /// - Parameters:
  ///   - changes: Arrays or sets of object ids, of their URIs or of objects under the keys of a save notification.
  ///   - contexts: The contexts; each merges on its own queue.
  /// > Reference: Apple, mergeChanges(fromRemoteContextSave:into:).
  public class func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts {
      context.performAndWait {
        context.merge(IDChanges(changes, for: context, areStored: true))
      }
    }
  }

  /// Takes over changes of objects named by their ids.
  func merge(_ changes: IDChanges) { loadingFreely { takeOver(changes) } }

  private func takeOver(_ changes: IDChanges) {
    guard persistentStoreCoordinator != nil else { return }
    advanceGeneration()
    adoptRenames()
    // Keeps the rows alive until the objects have them.
    let chunks = readAgain(changes)
    defer { withExtendedLifetime(chunks) {} }
    var merged = MergedObjects()
    acceptDeletions(
      of: changes.deleted.compactMap { registeredObject(for: $0) ?? observedDeletion(of: $0) })
    var pairs = PairSettlement(.unsaved, in: self)
    for id in changes.updated {
      guard let object = registeredObject(for: id) ?? observedObject(for: id) else { continue }
      guard object.registration == .persistent else {
        // A pending deletion takes over newer values as well, for the case that it is taken back.
        if object.registration == .deleted { refreshRow(of: object) }
        continue
      }
      let wasFault = object.isFault
      if object.contents == .unresolved { merged.unread.append(object) }
      notePairs(of: object, in: &pairs)
      refresh(object)
      if !(changes.skipsFaults && wasFault) || isObserved(object.compiledEntity) {
        merged.refreshed.append(object)
      }
    }
    for id in changes.inserted {
      let known = registeredObject(for: id)
      if let known {
        if takeBack(known) { merged.unread.append(known) }
        refreshRow(of: known)
      }
      let object = known ?? object(with: id)
      guard object.registration == .persistent else { continue }
      if let store = object.store,
        let row = knownRow(root: object.compiledEntity.rootIndex, key: object.key, in: store)
      {
        dropMemberships(from: nil, to: row, at: Int(object.storePosition))
      }
      merged.inserted.append(object)
    }
    unloadListsWithoutInverse(
      ofOwners: Set((changes.updated + changes.inserted).map(\.compiledEntity.index)))
    pairs.settle()
    announce(merged)
  }

  /// Takes over a save of another context on the same coordinator.
  func merge(_ changes: SavedChanges) { loadingFreely { takeOver(changes) } }

  private func takeOver(_ changes: SavedChanges) {
    refreshStores()
    guard registry.isAttached(changes.position) else { return }
    advanceGeneration()
    acceptDeletions(
      of: changes.deleted.compactMap { id in
        let entity = model.entities[Int(id.entityIndex)]
        return registry.identityMap.object(
          store: changes.position, root: entity.rootIndex, key: id.key)
          ?? observedDeletion(of: entity, key: id.key, store: changes.position)
      })
    var merged = MergedObjects()
    var pairs = PairSettlement(.unsaved, in: self)
    for row in changes.updated + changes.recomputed {
      let root = model.entities[row.entityIndex].rootIndex
      let known = registry.identityMap.object(store: changes.position, root: root, key: row.key)
      guard let object = known ?? observedObject(of: row, store: changes.position),
        object.registration == .persistent
      else {
        if let known, known.registration == .deleted { take(row, known) }
        dropMemberships(from: nil, to: row, at: changes.position)
        continue
      }
      let wasFault = object.isFault
      if object.contents == .unresolved { merged.unread.append(object) }
      notePairs(of: object, in: &pairs)
      take(row, object)
      if !wasFault || isObserved(object.compiledEntity) { merged.refreshed.append(object) }
    }
    for row in changes.inserted {
      let object = registered(
        model.entities[row.entityIndex], key: row.key, store: changes.position)
      if takeBack(object) { merged.unread.append(object) }
      if object.contents == .unresolved {
        FaultResolver.attach(row, to: object)
        dropMemberships(from: nil, to: row, at: changes.position)
      } else if object.registration != .inserted {
        // It was deleted and inserted again.
        take(row, object)
      }
      merged.inserted.append(object)
    }
    dropMembers(of: changes)
    pairs.settle()
    announce(merged)
  }

  /// Notes an object that gets a new row; without unsaved changes nothing can contradict the row.
  private func notePairs(of object: NSManagedObject, in pairs: inout PairSettlement) {
    if unitOfWork.hasChanges { pairs.note(object) }
  }

  /// Reads the rows of changed objects that are not at hand, or that another process may have written.
  private func readAgain(_ changes: IDChanges) -> [RowChunk] {
    var wanted: [Int: [Int: [Int64]]] = [:]
    let known = changes.updated.filter { registeredObject(for: $0) != nil }
    for id in known + changes.inserted {
      guard let position = storePosition(of: id), let store = registry.store(at: position),
        isUnread(id, in: store, areStored: changes.areStored)
      else { continue }
      wanted[position, default: [:]][id.compiledEntity.rootIndex, default: []].append(id.key)
    }
    var chunks: [RowChunk] = []
    for (position, roots) in wanted {
      guard let store = registry.store(at: position) else { continue }
      for (root, keys) in roots {
        do {
          let read = try rows(of: model.entities[root], keys: keys, in: store)
          publish(read, in: store)
          chunks += read
        } catch {
          GraphLog.error("Changed rows could not be read to be merged: \(error)")
        }
      }
    }
    return chunks
  }

  private func isUnread(
    _ id: NSManagedObjectID, in store: NSPersistentStore, areStored: Bool
  ) -> Bool {
    guard parentContext == nil else { return false }
    guard id.key > 0 else { return false }
    return areStored || generation != nil
      || store.rowCache.row(root: id.compiledEntity.rootIndex, key: id.key) == nil
  }

  /// A new row under the object's unsaved changes.
  func take(_ row: Row, _ object: NSManagedObject) {
    guard object.contents == .unresolved || row.version >= object.row.version else { return }
    let wasResolved = object.contents != .unresolved
    let old = wasResolved ? object.row : nil
    dropMemberships(from: old, to: row, at: Int(object.storePosition))
    object.row = row
    if !wasResolved { object.contents = .fault }
    object.forgetDestinations()
    object.extras?.values.removeAll()
    keepUnsavedMemberships(of: object, insteadOf: old)
  }

  /// Takes the newest row, and lets lists of members be read again.
  private func refresh(_ object: NSManagedObject) {
    refreshRow(of: object)
    object.extras?.forEachMembers { unload($0, of: object) }
  }

  /// Takes objects whose rows are gone out of all lists; unsaved objects stay.
  func acceptDeletions(of objects: [NSManagedObject]) {
    let present = objects.filter { $0.registration == .persistent }
    dropFromLists(present)
    for object in objects { noteMissingRow(of: object) }
    // What the rules do to other objects comes with the merge.
    for object in present { unitOfWork.notePropagation(of: object) }
  }

  /// Takes an object out whose row is gone; unsaved objects stay.
  func noteMissingRow(of object: NSManagedObject) {
    switch object.standing.state {
    case .persistent, .deleted, .deletedTwice, .missing:
      unitOfWork.move(object, by: .findMissing)
    case .detached, .inserted, .withdrawn: return
    }
  }

  /// Takes an object back whose row was gone and is there again, unless the program deleted it as well.
  ///
  /// - Returns: Whether it came back.
  private func takeBack(_ object: NSManagedObject) -> Bool {
    guard object.isRowMissing else { return false }
    unitOfWork.move(object, by: .comeBack)
    guard object.registration == .persistent else { return false }
    if !object.edits.isEmpty || object.extras?.hasToManyEdits == true { unitOfWork.update(object) }
    // Nothing of it is a step of this context.
    undoRecorder?.takeBaseline(of: object)
    return true
  }

  private func announce(_ merged: MergedObjects) {
    dropLists(of: merged.unread)
    let deleted = unitOfWork.deleted.filter(\.isRowMissing)
    processPendingChanges(merging: merged)
    announceMerge(merged, deleted)
    announceToChildren(inserted: merged.inserted, updated: merged.refreshed, deleted: deleted)
  }

  /// Tells the children that merge by themselves what is new here.
  func announceToChildren(
    inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject],
    except source: NSManagedObjectContext? = nil
  ) {
    let listeners = children.all.filter {
      $0 !== source && $0.automaticallyMergesChangesFromParent
    }
    guard !listeners.isEmpty else { return }
    let changes = IDChanges(
      inserted: inserted.map(\.objectID), updated: updated.map(\.objectID),
      deleted: deleted.map(\.objectID))
    for child in listeners { child.perform { [link = child.link] in link.target?.merge(changes) } }
  }
}

/// What a merge brought into a context, for its notifications.
struct MergedObjects {
  var inserted: [NSManagedObject] = []
  var refreshed: [NSManagedObject] = []
  /// Objects of which no row says which lists they were in: their former row is not known, or they came back.
  var unread: [NSManagedObject] = []

  var isEmpty: Bool { inserted.isEmpty && refreshed.isEmpty }
}
