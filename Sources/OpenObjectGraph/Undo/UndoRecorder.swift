/// A recorder that registers the changes of a context as operations of its undo manager, and
/// performs these operations.
///
/// A context with an undo manager has one recorder. Between two registrations, the recorder keeps
/// information that the objects no longer contain: the values that deletions removed, and the
/// objects whose insertion was undone.
///
/// > Concurrency: Confined to the context's queue.
final class UndoRecorder {
  private unowned let context: NSManagedObjectContext
  private let undoManager: UndoManager
  /// The changes that unregistered deletions make, by deleted object.
  private var deletions: [ObjectIdentifier: ObjectDelta] = [:]
  /// Objects whose insertion was undone. The next notification reports the objects as deleted.
  private var withdrawn: [NSManagedObject] = []
  /// Whether a step is being executed. The changes of the step are not registered as new changes.
  private(set) var isCarryingOut = false
  /// Whether a save is running. Changes that hooks make during the save belong to the step of the
  /// saved changes.
  private var isSaving = false

  /// Begins recording. The next registration compares objects with their current state.
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

  /// Removes all steps. Call this method after the unsaved changes of the context were dropped.
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

  /// Stores the current state of an object as its baseline, so that earlier changes of the object
  /// are not registered.
  func takeBaseline(of object: NSManagedObject) { UndoBaseline.take(of: object) }

  // MARK: Registering

  /// Records the values and members of an object that is being deleted. Call this method before the
  /// deletion takes effect.
  func noteDeletion(of object: NSManagedObject) {
    deletions[ObjectIdentifier(object)] = UndoComparison(of: object).deltaOfDeletion()
  }

  /// Registers the changes since the last registration as one operation of the current step. Call
  /// this method after delete rules were applied.
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

  /// Keeps the step open during a save, so that the step also contains the changes that hooks make.
  func beginSave() { isSaving = true }

  /// Closes the step of the saved changes.
  func endSave() {
    isSaving = false
    undoManager.closeEventGroup()
  }

  // MARK: Performing

  /// Performs a recorded operation and registers the opposite operation.
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

  /// Records that a step removed a never-saved object from the context.
  func noteWithdrawal(of object: NSManagedObject) { withdrawn.append(object) }

  /// Returns the withdrawn objects and removes them from the recorder.
  func takeWithdrawn() -> [NSManagedObject] {
    defer { withdrawn.removeAll() }
    return withdrawn
  }
}
