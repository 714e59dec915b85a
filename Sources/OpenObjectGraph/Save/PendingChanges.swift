internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// Delete rules, and the notification of what changed.

extension NSManagedObjectContext {
  /// Applies delete rules and announces what changed since the last time.
  ///
  /// > Reference: Apple, processPendingChanges().
  public func processPendingChanges() { processPendingChanges(merging: MergedObjects()) }

  /// Applies delete rules and announces, in one notification, what changed and what a merge brought.
  func processPendingChanges(merging merged: MergedObjects) {
    guard unitOfWork.hasUnprocessedChanges || !merged.isEmpty else { return }
    loadingFreely {
      if propagatesDeletesAtEndOfEvent || runningSave != nil { propagateDeletions() }
      undoRecorder?.registerPendingChanges()
      announceChanges(merged)
    }
  }

  /// Applies the delete rules of deleted objects, and of those that a cascade deletes in turn.
  ///
  /// An object whose relationships cannot be read is left for the next time, and keeps saves from succeeding until then.
  func propagateDeletions() {
    var unread: [NSManagedObject] = []
    ruleFailure = nil
    var pending = unitOfWork.takeUnpropagated()
    while !pending.isEmpty {
      for object in pending {
        do {
          try loadForDeleteRules(object)
          applyDeleteRules(of: object)
        } catch {
          GraphLog.error("The delete rules of \(object.objectID) are not applied: \(error)")
          ruleFailure = ruleFailure ?? error
          unread.append(object)
        }
      }
      pending = unitOfWork.takeUnpropagated()
    }
    for object in unread { unitOfWork.deferPropagation(of: object) }
  }

  /// Reads the members that the delete rules of an object concern.
  private func loadForDeleteRules(_ object: NSManagedObject) throws {
    guard object.registration == .deleted, !object.flags.contains(.propagated) else { return }
    for property in object.compiledEntity.properties {
      guard let relationship = property.relationship, relationship.isToMany,
        relationship.deleteRule == .cascade || relationship.deleteRule == .nullify
      else { continue }
      try object.loadMembers(property.ordinal)
    }
  }

  private func applyDeleteRules(of object: NSManagedObject) {
    guard unitOfWork.notePropagation(of: object) else { return }
    for property in object.compiledEntity.properties {
      guard let relationship = property.relationship else { continue }
      apply(relationship, property, of: object)
    }
    if object.deletion == .withdrawal { object.detach() }
  }

  private func apply(
    _ relationship: CompiledRelationship, _ property: CompiledProperty, of object: NSManagedObject
  ) {
    let destinations =
      relationship.isToMany
      ? object.members(property.ordinal)
      : object.destination(property.ordinal).map { [$0] } ?? []
    switch relationship.deleteRule {
    case .noAction, .deny: return
    case .cascade:
      for destination in destinations where destination.registration != .deleted {
        delete(destination)
      }
    case .nullify:
      guard let inverse = relationship.inverseOrdinal else { return }
      for destination in destinations where destination.registration != .deleted {
        destination.removeInverse(object, inverse)
      }
    }
  }

  private func announceChanges(_ merged: MergedObjects) {
    let lists = merged.inserted.isEmpty ? unitOfWork.takeUnannouncedLists() : nil
    var inserted = lists?.inserted ?? merged.inserted
    var updated = lists?.updated ?? []
    var deleted = unitOfWork.takeWithdrawn() + (undoRecorder?.takeWithdrawn() ?? [])
    if lists == nil {
      unitOfWork.takeUnannounced().forEachBorrowed { object in
        switch object.registration {
        case .inserted: inserted.append(object)
        case .persistent: updated.append(object)
        case .deleted: deleted.append(object)
        case .detached: break
        }
      }
    }
    guard !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty || !merged.isEmpty else {
      return
    }
    var userInfo: [AnyHashable: Any] = [:]
    if !inserted.isEmpty { userInfo[NSInsertedObjectsKey] = set(of: inserted) }
    if !updated.isEmpty { userInfo[NSUpdatedObjectsKey] = set(of: updated) }
    if !deleted.isEmpty { userInfo[NSDeletedObjectsKey] = set(of: deleted) }
    if !merged.refreshed.isEmpty { userInfo[NSRefreshedObjectsKey] = Set(merged.refreshed) }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: userInfo)
  }

  /// Announces what merge policies made of objects during a save, once it is done.
  ///
  /// Insertions and updates that were given up, and objects whose row was found deleted, are told as deleted; objects
  /// with other values as refreshed.
  func announce(resolved objects: [NSManagedObject]) {
    guard !objects.isEmpty else { return }
    let gone = objects.filter { $0.registration == .detached }
    // Objects that overwrite show what they did before.
    let overwrites = (mergePolicy as? NSMergePolicy)?.mergeType == .overwriteMergePolicyType
    let kept = overwrites ? [] : objects.filter { $0.registration == .persistent }
    announce(gone: gone, refreshed: kept)
  }

  /// Objects as a set for a notification.
  func set(of objects: [NSManagedObject]) -> Set<NSManagedObject> {
    runningSave?.set(of: objects) ?? Set(objects)
  }

  // MARK: Dropping changes

  /// Drops all unsaved changes: objects have their committed values again, inserted ones leave the context.
  ///
  /// > Reference: Apple, rollback().
  public func rollback() {
    let inserted = unitOfWork.inserted
    let updated = unitOfWork.updated
    let deleted = unitOfWork.deleted.filter { !$0.isRowMissing }
    let withdrawn = unitOfWork.takeWithdrawn()
    deferred.removeAll()
    _ = unitOfWork.takeRefusals()
    for object in endChanges(.rollBack) { object.detach() }
    for object in updated + deleted { object.restoreCommittedValues() }
    dropLists(of: deleted)
    for object in updated where object.contents != .unresolved {
      // The row may be one that a merge put under the dropped changes.
      dropMemberships(from: nil, to: object.row, at: Int(object.storePosition))
    }
    undoRecorder?.forgetSteps()
    announce(back: deleted, gone: inserted + withdrawn, refreshed: updated)
  }

  /// Announces what became of objects other than by a change of the program: came back, left, have other values.
  private func announce(
    back: [NSManagedObject] = [], gone: [NSManagedObject] = [], refreshed: [NSManagedObject] = []
  ) {
    var userInfo: [AnyHashable: Any] = [:]
    if !back.isEmpty { userInfo[NSInsertedObjectsKey] = set(of: back) }
    if !gone.isEmpty { userInfo[NSDeletedObjectsKey] = set(of: gone) }
    if !refreshed.isEmpty { userInfo[NSRefreshedObjectsKey] = set(of: refreshed) }
    guard !userInfo.isEmpty else { return }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: userInfo)
  }

  /// Forgets all objects and all unsaved changes.
  ///
  /// > Reference: Apple, reset().
  public func reset() {
    let objects = registry.identityMap.all()
    advanceGeneration()
    endChanges(.leave)
    deferred.removeAll()
    _ = unitOfWork.takeRefusals()
    guardedObjects.removeAll()
    recentRows.removeAll()
    lastGroup = nil
    retained.removeAll()
    registry.identityMap.removeAll()
    registry.loadedLists.removeAll()
    let ids = objects.map(\.objectID)
    for object in objects { object.forget() }
    undoRecorder?.forgetSteps()
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self,
      userInfo: [NSInvalidatedAllObjectsKey: ids])
  }

  /// Gives an object the values of its row anew.
  ///
  /// - Parameters:
  ///   - object: A registered object.
  ///   - flag: true keeps unsaved changes over the new values; false drops them and makes it a fault. An inserted
  ///     object becomes a fault too, loses its values, and has the model's defaults when it is used again.
  /// > Reference: Apple, refresh(_:mergeChanges:). Differs: D-160.
  public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    guard object.registry === registry else {
      guard object.registration != .detached else { return }
      return noteMisuse(
        "An NSManagedObjectContext cannot refresh objects in other contexts.", of: object)
    }
    // An unsaved object has no row to take new values from.
    guard object.registration == .persistent || object.registration == .inserted && !flag else {
      return
    }
    deferred.forgetFailedReads(of: object)
    if flag {
      object.extras?.fetched.removeAll()
      refreshRow(of: object)
    } else {
      dropChanges(of: object)
      object.turnIntoFault()
      // What is undone is the insertion: the object itself is still there.
      if object.isInserted { undoRecorder?.takeBaseline(of: object) }
    }
    announce(refreshed: [object])
  }

  /// Makes all objects without unsaved changes faults.
  ///
  /// > Reference: Apple, refreshAllObjects().
  public func refreshAllObjects() {
    let objects = registry.identityMap.all()
    for object in objects where object.registration == .persistent && !object.isUpdated {
      object.turnIntoFault()
    }
    announce(refreshed: objects)
  }

  /// Takes the newest row that the coordinator knows; unsaved changes stay.
  func refreshRow(of object: NSManagedObject) {
    refreshStores()
    guard let store = object.store else { return }
    let root = object.compiledEntity.rootIndex
    if let row = knownRow(root: root, key: object.key, in: store) { return take(row, object) }
    // Another row took the place of the object's own, and nobody holds it any more.
    do {
      for chunk in try rows(of: model.entities[root], keys: [object.key], in: store) {
        publish(chunk, in: store)
        chunk.forEachRow { take($0, object) }
      }
    } catch {
      GraphLog.error("The object \(object.objectID) cannot be refreshed: \(error)")
    }
  }
}

extension NSManagedObject {
  /// Drops values and unsaved changes; the next access reads the row.
  final func turnIntoFault() {
    willTurnIntoFault()
    edits.removeAll()
    forgetLoaded()
    contents = .unresolved
    dropRow()
    didTurnIntoFault()
  }

  /// Drops unsaved changes, keeps the committed values.
  final func restoreCommittedValues() {
    edits.removeAll()
    forgetLoaded()
  }

  /// Becomes an object of no context, a fault without row.
  final func forget() {
    becomeDetached()
    registry = nil
    edits.removeAll()
    forgetLoaded()
    contents = .unresolved
  }
}
