internal import Foundation

/// What a context with an undo manager keeps between two registrations.
///
/// > Concurrency: Confined to the context's queue.
final class UndoTracking {
  /// What deletions take away that were not registered yet, by object.
  var deletions: [ObjectIdentifier: ObjectDelta] = [:]
  /// Whether a step is being carried out; the changes that this makes are not registered as new ones.
  var isCarryingOut = false
  /// Whether a save is running; its hooks' changes belong to the step of the changes that it saves.
  var isSaving = false
  /// Objects whose insertion was undone, to be announced as deleted.
  var withdrawn: [NSManagedObject] = []

  /// Hands out the withdrawn objects.
  func takeWithdrawn() -> [NSManagedObject] {
    defer { withdrawn.removeAll() }
    return withdrawn
  }
}

extension NSManagedObjectContext: UndoClient {
  /// Takes back the last step of the undo manager; without one nothing happens.
  ///
  /// > Reference: Apple, undo().
  public func undo() { undoManager?.undo() }

  /// Brings back what the last undo took back; without an undo manager nothing happens.
  ///
  /// > Reference: Apple, redo().
  public func redo() { undoManager?.redo() }

  var hasPendingUndo: Bool {
    unitOfWork.hasUnprocessedChanges && undoTracking?.isCarryingOut == false
  }

  func registerPendingUndo() {
    if undoTracking?.isCarryingOut == false { processPendingChanges() }
  }

  // MARK: Changing the undo manager

  /// Takes the present state as the one that the next changes start from.
  func undoManagerDidChange(from old: UndoManager?) {
    guard old !== undoManager else { return }
    old?.clients.remove(self)
    for object in unitOfWork.inserted + unitOfWork.updated + unitOfWork.deleted {
      object.extras?.undoBaseline = nil
      if undoManager != nil { object.takeUndoBaseline() }
    }
    undoTracking = undoManager == nil ? nil : UndoTracking()
    undoManager?.clients.add(self)
  }

  /// Forgets all steps, after changes were dropped that they build on.
  func forgetUndo() {
    undoTracking?.deletions.removeAll()
    undoManager?.removeOperations()
  }

  // MARK: Registering

  /// Notes what the deletion of an object takes away; to be called before it takes effect.
  func noteUndoOfDeletion(of object: NSManagedObject) {
    guard let undoTracking else { return }
    undoTracking.deletions[ObjectIdentifier(object)] = object.undoDeltaOfDeletion()
  }

  /// Registers what changed since the last time as operations of one step; delete rules were applied.
  func registerUndoOfPendingChanges() {
    guard let undoTracking, let undoManager else { return }
    let isRegistering = undoManager.isUndoRegistrationEnabled && !undoTracking.isCarryingOut
    var deltas: [ObjectDelta] = []
    for object in unitOfWork.unannounced {
      if isRegistering, let delta = undoDelta(of: object) { deltas.append(delta) }
      object.takeUndoBaseline()
    }
    undoTracking.deletions.removeAll()
    if !deltas.isEmpty { register(deltas, undoManager) }
    if !undoTracking.isSaving { undoManager.closeEventGroup() }
  }

  private func undoDelta(of object: NSManagedObject) -> ObjectDelta? {
    if object.isPresent { return object.undoDelta() }
    guard var delta = undoTracking?.deletions.removeValue(forKey: ObjectIdentifier(object)) else {
      return nil
    }
    delta.areRulesDue = object.registration == .deleted && !object.flags.contains(.propagated)
    return delta
  }

  private func register(_ deltas: [ObjectDelta], _ undoManager: UndoManager) {
    if undoManager.openGroups.isEmpty { undoManager.openGroup(isEventGroup: true) }
    undoManager.registerUndo(withTarget: self) { $0.carryOut(deltas, .backward) }
  }

  // MARK: Saving

  /// Keeps the step open, so that what hooks of the save change belongs to it.
  func beginUndoOfSave() { undoTracking?.isSaving = true }

  func endUndoOfSave() {
    guard let undoTracking else { return }
    undoTracking.isSaving = false
    undoManager?.closeEventGroup()
  }
}
