public import Foundation

/// Records operations that undo changes in groups, and executes them.
///
/// Foundation has this class on Apple platforms only. Targets are weak references; an operation whose target was
/// deallocated does nothing. A group without operations is discarded when it is closed, so it is not an undo step.
///
/// While `groupsByEvent` is set, the first registration opens a group. No run loop event closes it. It is closed by
/// `undo()`, `redo()`, `endUndoGrouping()`, and when a context with this undo manager processes its pending changes.
///
/// Mistakes do not raise exceptions: unless documented otherwise, they change nothing and are logged.
///
/// > Concurrency: Not isolated and not Sendable: use it where it was created, or on the queue of its context. Apple's
/// > is isolated to the main actor.
/// > Reference: Apple, UndoManager. Differs: D-070 to D-074.
open class UndoManager: NSObject {
  /// What the undo manager is executing.
  enum Activity {
    case none
    case undoing
    case redoing
  }

  final var undoStack: [UndoGroup] = []
  final var redoStack: [UndoGroup] = []
  /// The open groups, outermost first; while undoing or redoing, the group that records the opposite is among them.
  final var openGroups: [UndoGroup] = []
  /// The number of open groups of the caller of the running undo or redo; they must not be closed during it.
  final var protectedGroups = 0
  final var activity = Activity.none
  final var clients = UndoClients()
  private var disableCount = 0

  /// Creates an undo manager without operations.
  public override init() { super.init() }

  // MARK: Registering

  /// Registers the operation that undoes a change.
  ///
  /// While undoing, the operation goes to the redo stack; otherwise it empties the redo stack.
  ///
  /// - Parameters:
  ///   - target: The target of the operation; not retained.
  ///   - handler: The operation. It runs where `undo()` is called.
  /// > Reference: Apple, registerUndo(withTarget:handler:). Differs: outside of all groups while `groupsByEvent` is not
  /// > set, the operation becomes a separate step, which is logged; Apple's raises an exception.
  open func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) {
    register(UndoAction(target, handler))
  }

  /// Whether operations are registered; false while there are more calls to disable than to enable.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Disables registration until `enableUndoRegistration()` has been called the same number of times.
  open func disableUndoRegistration() { disableCount += 1 }

  /// Balances one call of `disableUndoRegistration()`; calling it more often is an error.
  open func enableUndoRegistration() {
    guard disableCount > 0 else {
      return GraphLog.error("UndoManager: registration was enabled more often than disabled.")
    }
    disableCount -= 1
  }

  // MARK: Groups

  /// Whether the first registration outside of all groups opens one; true at first.
  open var groupsByEvent = true
  /// The maximum number of undo steps, 0 for no limit; the oldest steps are discarded first.
  open var levelsOfUndo = 0 {
    didSet { trimUndoStack() }
  }
  /// Has no effect, because no run loop closes groups.
  open var runLoopModes: [RunLoop.Mode] = [.default]
  /// The number of open groups.
  open var groupingLevel: Int { openGroups.count }

  /// Opens a group, nested in the open group if there is one.
  open func beginUndoGrouping() {
    if activity == .none { postCheckpoint() }
    openGroup(isEventGroup: false)
  }

  /// Closes the most recently opened group; calling it without an open group is an error.
  open func endUndoGrouping() {
    let level = openGroups.count
    if activity == .none { postCheckpoint() }
    // A context may have closed the group at the checkpoint already.
    guard openGroups.count == level else { return }
    guard level > protectedGroups else {
      return GraphLog.error("UndoManager: endUndoGrouping() without beginUndoGrouping().")
    }
    closeGroup()
  }

  // MARK: Undoing and redoing

  /// Closes the open group and undoes it; without an open group, undoes the last step.
  ///
  /// Does nothing if several groups are open: close the inner groups first.
  open func undo() {
    guard isIdle("undo()") else { return }
    postCheckpoint()
    if openGroups.count == 1 { endUndoGrouping() }
    guard openGroups.isEmpty else {
      return GraphLog.error("UndoManager: undo() with open inner groups. Close them first.")
    }
    undoNestedGroup()
  }

  /// Undoes the most recently closed group, even if it is nested in an open group.
  ///
  /// Does nothing if operations were registered in the open group since an inner group was closed.
  open func undoNestedGroup() {
    guard isIdle("undoNestedGroup()") else { return }
    postCheckpoint()
    undoLastGroup()
  }

  /// Redoes the last undone group.
  open func redo() {
    guard isIdle("redo()") else { return }
    postCheckpoint()
    closeEventGroup()
    redoLastGroup()
  }

  /// Whether there is a step to undo, registered or pending in a context; open groups may have to be closed first.
  open var canUndo: Bool {
    !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } || hasUnregisteredChanges
  }

  /// Whether there is anything to redo; a change that a context has not yet registered ends redoing.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !redoStack.isEmpty && !hasUnregisteredChanges
  }

  /// The number of steps that can be undone.
  open var undoCount: Int {
    undoStack.count + (openGroups.contains { !$0.actions.isEmpty } ? 1 : 0)
  }
  /// The number of steps that can be redone.
  open var redoCount: Int { redoStack.count }
  /// Whether an undo is being executed.
  open var isUndoing: Bool { activity == .undoing }
  /// Whether a redo is being executed.
  open var isRedoing: Bool { activity == .redoing }

  // MARK: Removing

  /// Removes all operations, and enables registration. Groups stay open.
  open func removeAllActions() {
    disableCount = 0
    removeOperations()
  }

  /// Removes the operations on a target; steps without further operations are removed.
  open func removeAllActions(withTarget target: Any) {
    removeOperations(on: ObjectIdentifier(target as AnyObject))
  }

  // MARK: What users see

  /// Sets the action name of the current step: the open group, the changes that contexts have not yet registered, or
  /// otherwise the last step.
  open func setActionName(_ actionName: String) { changeCurrentGroup { $0.name = actionName } }

  /// The name of the action that `undo()` would undo; empty without one.
  open var undoActionName: String { nextUndo?.name ?? "" }
  /// The name of the action that `redo()` would redo; empty without one.
  open var redoActionName: String { redoStack.last?.name ?? "" }
  /// Title of a menu item for undoing.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// Title of a menu item for redoing.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// Title of a menu item for undoing a named action, in English; override it for other languages.
  ///
  /// - Returns: The title of a menu item for undoing a named action, in English.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// Title of a menu item for redoing a named action, in English; override it for other languages.
  ///
  /// - Returns: The title of a menu item for redoing a named action, in English.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Sets whether the last registered operation may be discarded if a document cannot be saved.
  open func setActionIsDiscardable(_ discardable: Bool) {
    changeCurrentGroup { group in
      guard let last = group.actions.indices.last else { return }
      group.actions[last].isDiscardable = discardable
    }
  }

  /// Whether the action that `undo()` would undo is discardable.
  open var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }
  /// Whether the action that `redo()` would redo is discardable.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  /// Stores a value with the current step; nil removes it.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    changeCurrentGroup { $0.userInfo[key] = info }
  }

  /// A value stored with the action that `undo()` would undo.
  ///
  /// - Returns: A value stored with the action that `undo()` would undo; nil if there is none.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }

  /// A value stored with the action that `redo()` would redo.
  ///
  /// - Returns: A value stored with the action that `redo()` would redo; nil if there is none.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    redoStack.last?.userInfo[key]
  }
}
