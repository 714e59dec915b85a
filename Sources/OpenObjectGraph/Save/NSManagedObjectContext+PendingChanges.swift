internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// Processing changes that are not saved yet, and dropping them.

extension NSManagedObjectContext {
  /// Processes pending changes at the end of each turn of the main queue in which there was a
  /// change.
  final func processChangesEachTurn() {
    unitOfWork.willAnnounceFirst = { [queue, weakReference] in
      queue.enqueue { weakReference.target?.processPendingChanges() }
    }
  }

  /// Applies delete rules, then posts one notification with the context's changes and with merged
  /// changes.
  ///
  /// - Parameter merged: The changes that the context has merged.
  func processPendingChanges(merging merged: ChangeAnnouncement) {
    guard unitOfWork.hasUnprocessedChanges || !merged.isEmpty else { return }
    loadingFreely {
      if propagatesDeletesAtEndOfEvent || runningSave != nil { DeleteRules(in: self).apply() }
      undoRecorder?.registerPendingChanges()
      observation.compare(in: registry)
      var announcement = merged
      announcement.takeChanges(of: self)
      announcement.post(from: self)
    }
  }

  /// Clears the deferred errors.
  func forgetErrors() {
    deferredErrors.removeAll()
    _ = unitOfWork.takeRefusals()
  }

  /// Implements `reset()`.
  final func forgetAll() {
    let known = registry.identityMap.all()
    let realized = known.filter { $0.contents.hasValues }
    for object in realized { object.willTurnIntoFault() }
    // The hooks may register further objects.
    let objects = realized.isEmpty ? known : registry.identityMap.all()
    source.advanceGeneration()
    unitOfWork.end(.leave).settle()
    forgetErrors()
    guardedObjects.removeAll()
    memberships.forgetOrders()
    faults.removeAll()
    retained.removeAll()
    registry.identityMap.removeAll()
    registry.loadedLists.removeAll()
    let ids = objects.map(\.currentID)
    for object in objects { object.forget() }
    undoRecorder?.forgetSteps()
    observation.compare(in: registry)
    for object in realized where object.contents == .fault { object.didTurnIntoFault() }
    Notification(
      name: .NSManagedObjectContextObjectsDidChange, object: self,
      userInfo: [NSInvalidatedAllObjectsKey: ids]
    ).announce(.objects)
  }

  /// Implements `refresh(_:mergeChanges:)`.
  final func renew(_ object: NSManagedObject, mergeChanges flag: Bool) {
    guard object.registry === registry else {
      guard object.registration != .detached else { return }
      return noteMisuse(
        "An NSManagedObjectContext cannot refresh objects in other contexts.", of: object)
    }
    // An unsaved object has no row with new values.
    guard object.registration == .persistent || object.registration == .inserted && !flag else {
      return
    }
    deferredErrors.forgetFailedReads(of: object)
    source.adoptRenames(in: self)
    if flag {
      renewKeepingChanges(of: object)
    } else {
      dropChanges(of: object)
      // The notification of the refresh reports the object.
      if object.registration == .persistent { unitOfWork.withdrawAnnouncement(of: object) }
      object.turnIntoFault()
      // Undo still reverses the insertion, because the object remains in the context.
      if object.registration == .inserted { undoRecorder?.takeBaseline(of: object) }
    }
    observation.compare(in: registry)
    ChangeAnnouncement(refreshed: [object]).post(from: self)
  }

  /// Implements `refreshAllObjects()`.
  final func renewAll() {
    source.adoptRenames(in: self)
    let objects = registry.identityMap.all().filter { $0.registration == .persistent }
    for object in objects {
      deferredErrors.forgetFailedReads(of: object)
      if object.isMarkedUpdated {
        renewKeepingChanges(of: object)
      } else {
        object.turnIntoFault()
      }
    }
    observation.compare(in: registry)
    ChangeAnnouncement(refreshed: objects).post(from: self)
  }

  /// Replaces an object's values with the newest values and unloads its to-many relationships, so
  /// that they are read again; unsaved changes stay.
  ///
  /// If the values cannot be read or the store was removed, the relationships stay loaded, because
  /// their members could not be read again.
  private func renewKeepingChanges(of object: NSManagedObject) {
    object.extras?.fetched.removeAll()
    guard refreshRow(of: object), registry.isAttached(Int(object.storePosition)) else { return }
    memberships.unloadLists(of: object)
  }

  /// Drops all unsaved changes of an object and marks it as unchanged.
  func dropChanges(of object: NSManagedObject) {
    memberships.dropEdits(of: object)
    object.forgetLoaded()
    unitOfWork.discardUpdate(of: object)
  }
}

extension NSManagedObject {
  /// Turns the object into a fault and drops its unsaved changes. The next access to a property
  /// reads the row.
  final func turnIntoFault() {
    let wasRealized = contents.hasValues
    if wasRealized { willTurnIntoFault() }
    edits.removeAll()
    forgetLoaded()
    contents = .fault
    dropRow()
    if wasRealized { didTurnIntoFault() }
  }

  /// Drops unsaved changes and keeps the committed values.
  final func restoreCommittedValues() {
    edits.removeAll()
    forgetLoaded()
  }

  /// Removes the object from its context and turns it into a fault without a row.
  final func forget() {
    becomeDetached()
    registry = nil
    edits.removeAll()
    forgetLoaded()
    contents = .fault
  }
}
