/// Records the changes of a context as operations of its undo manager, and performs them.
///
/// A context with an undo manager has one recorder. Between two registrations, the recorder keeps
/// the information that the objects have lost: what deletions removed, and which insertions were
/// undone.
///
/// > Concurrency: Confined to the context's queue.
final class UndoRecorder {
  private unowned let context: NSManagedObjectContext
  private let undoManager: UndoManager
  /// What unregistered deletions remove, by object.
  private var deletions: [ObjectIdentifier: ObjectDelta] = [:]
  /// Objects whose insertion was undone and that are to be announced as deleted.
  private var withdrawn: [NSManagedObject] = []
  /// Whether a step is being executed. Its changes are not registered as new changes.
  private(set) var isCarryingOut = false
  /// Whether a save is running. Changes made by its hooks belong to the same step as the saved
  /// changes.
  private var isSaving = false

  /// Begins recording. The next changes are relative to the current state.
  init(of context: NSManagedObjectContext, in undoManager: UndoManager) {
    self.context = context
    self.undoManager = undoManager
    forgetBaselines()
    changedObjects.forEach(UndoBaseline.take)
    undoManager.clients.add(context)
  }

  /// Ends recording before another recorder replaces this one.
  func end() {
    undoManager.clients.remove(context)
    forgetBaselines()
  }

  /// Removes all steps, after the changes that they build on were dropped.
  func forgetSteps() {
    deletions.removeAll()
    undoManager.removeOperations()
  }

  private var changedObjects: [NSManagedObject] {
    context.unitOfWork.inserted + context.unitOfWork.updated + context.unitOfWork.deleted
  }

  private func forgetBaselines() {
    for object in changedObjects { object.extras?.undoBaseline = nil }
  }

  /// Makes the current state of an object its baseline, so that its earlier changes do not become a
  /// step.
  func takeBaseline(of object: NSManagedObject) { UndoBaseline.take(of: object) }

  // MARK: Registering

  /// Records what the deletion of an object removes. Call this method before the deletion takes
  /// effect.
  func noteDeletion(of object: NSManagedObject) {
    deletions[ObjectIdentifier(object)] = UndoComparison(of: object).deltaOfDeletion()
  }

  /// Registers the changes since the last registration as operations of one step, after delete
  /// rules were applied.
  func registerPendingChanges() {
    let isRegistering = undoManager.isUndoRegistrationEnabled && !isCarryingOut
    var deltas: [ObjectDelta] = []
    for object in context.unitOfWork.unannounced {
      if isRegistering, let delta = delta(of: object) { deltas.append(delta) }
      UndoBaseline.take(of: object)
    }
    deletions.removeAll()
    if !deltas.isEmpty { register(deltas) }
    if !isSaving { undoManager.closeEventGroup() }
  }

  private func delta(of object: NSManagedObject) -> ObjectDelta? {
    if object.isPresent { return UndoComparison(of: object).delta() }
    guard var delta = deletions.removeValue(forKey: ObjectIdentifier(object)) else { return nil }
    delta.areRulesDue = object.registration == .deleted && !object.flags.contains(.propagated)
    return delta
  }

  private func register(_ deltas: [ObjectDelta]) {
    if undoManager.openGroups.isEmpty { undoManager.openGroup(isEventGroup: true) }
    register(deltas, .backward)
  }

  private func register(_ deltas: [ObjectDelta], _ direction: UndoDirection) {
    undoManager.registerUndo(withTarget: context) { $0.undoRecorder?.carryOut(deltas, direction) }
  }

  // MARK: Saving

  /// Keeps the step open, so that changes made by hooks of the save belong to it.
  func beginSave() { isSaving = true }

  /// Closes the step of the saved changes.
  func endSave() {
    isSaving = false
    undoManager.closeEventGroup()
  }

  // MARK: Carrying out

  /// Performs a recorded step and registers the opposite step.
  private func carryOut(_ deltas: [ObjectDelta], _ direction: UndoDirection) {
    // Steps of an undo manager that the context had before do nothing.
    guard undoManager.activity != .none else { return }
    isCarryingOut = true
    defer { isCarryingOut = false }
    context.loadingFreely {
      register(deltas, direction.opposite)
      UndoStep(deltas, direction, in: context).run()
      context.processPendingChanges()
    }
  }

  /// Records that a step removed an object from the context that was never saved.
  func noteWithdrawal(of object: NSManagedObject) { withdrawn.append(object) }

  /// Returns the withdrawn objects and removes them from the recorder.
  func takeWithdrawn() -> [NSManagedObject] {
    defer { withdrawn.removeAll() }
    return withdrawn
  }
}
