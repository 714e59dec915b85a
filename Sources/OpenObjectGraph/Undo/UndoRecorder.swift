/// Records what changes in a context as operations of its undo manager, and carries them out.
///
/// A context has one as long as it has an undo manager. Between two registrations it keeps what the objects themselves
/// no longer know: what deletions took away, and which insertions were undone.
///
/// > Concurrency: Confined to the context's queue.
final class UndoRecorder {
  private unowned let context: NSManagedObjectContext
  private let undoManager: UndoManager
  /// What deletions take away that were not registered yet, by object.
  private var deletions: [ObjectIdentifier: ObjectDelta] = [:]
  /// Objects whose insertion was undone, to be announced as deleted.
  private var withdrawn: [NSManagedObject] = []
  /// Whether a step is being executed; the changes that this makes are not registered as new ones.
  private(set) var isCarryingOut = false
  /// Whether a save is running; its hooks' changes belong to the step of the changes that it saves.
  private var isSaving = false

  /// Begins to record: the next changes start from the present state.
  init(of context: NSManagedObjectContext, in undoManager: UndoManager) {
    self.context = context
    self.undoManager = undoManager
    forgetBaselines()
    changedObjects.forEach(UndoBaseline.take)
    undoManager.clients.add(context)
  }

  /// Ends recording, before another recorder takes over.
  func end() {
    undoManager.clients.remove(context)
    forgetBaselines()
  }

  /// Forgets all steps, after changes were dropped that they build on.
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

  /// Takes the current state of an object as its baseline: its earlier changes are not a step.
  func takeBaseline(of object: NSManagedObject) { UndoBaseline.take(of: object) }

  // MARK: Registering

  /// Notes what the deletion of an object takes away; to be called before it takes effect.
  func noteDeletion(of object: NSManagedObject) {
    deletions[ObjectIdentifier(object)] = UndoComparison(of: object).deltaOfDeletion()
  }

  /// Registers what changed since the last time as operations of one step; delete rules were applied.
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

  /// Keeps the step open, so that what hooks of the save change belongs to it.
  func beginSave() { isSaving = true }

  /// Closes the step of the changes that were saved.
  func endSave() {
    isSaving = false
    undoManager.closeEventGroup()
  }

  // MARK: Carrying out

  /// Carries out what a registration recorded, and registers the opposite.
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

  /// Notes that a step took an object out of the context that was never saved.
  func noteWithdrawal(of object: NSManagedObject) { withdrawn.append(object) }

  /// Hands out the withdrawn objects.
  func takeWithdrawn() -> [NSManagedObject] {
    defer { withdrawn.removeAll() }
    return withdrawn
  }
}
