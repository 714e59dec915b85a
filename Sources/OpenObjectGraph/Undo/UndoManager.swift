public import Foundation

/// Records operations that undo changes in groups, and executes them.
///
/// Foundation provides this class on Apple platforms only. Targets are weak references, and an
/// operation whose target was deallocated does nothing. A group without operations is discarded
/// when it is closed, so it does not become an undo step.
///
/// While `groupsByEvent` is true, the first registration opens a group. No run loop event closes
/// this group. The group is closed by `undo()`, by `redo()`, by `endUndoGrouping()`, and when a
/// context with this undo manager processes its pending changes.
///
/// Misuse does not raise an exception. Unless documented otherwise, a misused call changes nothing
/// and logs an error.
///
/// > Concurrency: Not isolated and not Sendable. Use an undo manager where it was created, or on
/// > the queue of its context. On Apple platforms, the class is isolated to the main actor.
/// > Reference: Apple, UndoManager. Differs: D-070 to D-074.
open class UndoManager: NSObject {
  /// The operation that the undo manager is executing.
  enum Activity {
    case none
    case undoing
    case redoing
  }

  final var undoStack: [UndoGroup] = []
  final var redoStack: [UndoGroup] = []
  /// The open groups, outermost first. During an undo or redo, they include the group that records
  /// the opposite operations.
  final var openGroups: [UndoGroup] = []
  /// The number of groups that were open when the running undo or redo began. They must not be
  /// closed during it.
  final var protectedGroups = 0
  final var activity = Activity.none
  final var clients = UndoClients()
  private var disableCount = 0

  /// Creates an undo manager without operations.
  public override init() { super.init() }

  // MARK: Registering

  /// Registers an operation that undoes a change.
  ///
  /// During an undo, the operation is added to the redo stack, otherwise to the undo stack. An
  /// operation that is registered outside an undo or redo also empties the redo stack.
  ///
  /// - Parameters:
  ///   - target: The target of the operation, which is not retained.
  ///   - handler: The operation. It runs on the thread that calls `undo()` or `redo()`, and
  ///     receives the target.
  /// > Reference: Apple, registerUndo(withTarget:handler:). Differs: if no group is open and
  /// > `groupsByEvent` is false, the operation becomes a separate step and an error is logged. On
  /// > Apple platforms, the call raises an exception.
  open func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) {
    register(UndoAction(target, handler))
  }

  /// Whether operations are registered: false until each call of `disableUndoRegistration()` is
  /// balanced.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Disables registration until `enableUndoRegistration()` has been called the same number of times.
  open func disableUndoRegistration() { disableCount += 1 }

  /// Balances one call of `disableUndoRegistration()`. An unbalanced call logs an error.
  open func enableUndoRegistration() {
    guard disableCount > 0 else {
      return GraphLog.error("UndoManager: registration was enabled more often than disabled.")
    }
    disableCount -= 1
  }

  // MARK: Groups

  /// Whether the first registration outside all groups opens a group. The default is true.
  open var groupsByEvent = true
  /// The maximum number of undo steps, or 0 for no limit. The oldest steps are discarded first.
  open var levelsOfUndo = 0 {
    didSet { trimUndoStack() }
  }
  /// The run loop modes. The property has no effect, because no run loop closes groups.
  open var runLoopModes: [RunLoop.Mode] = [.default]
  /// The number of open groups.
  open var groupingLevel: Int { openGroups.count }

  /// Opens a group, nested in the open group if there is one.
  open func beginUndoGrouping() {
    if activity == .none { postCheckpoint() }
    openGroup(isEventGroup: false)
  }

  /// Closes the innermost open group. A call without an open group logs an error.
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

  /// Undoes the last step, after closing the open group if there is one.
  ///
  /// If several groups are open, the method changes nothing and logs an error. Close the inner
  /// groups first.
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
  /// The method does nothing if operations were registered in the open group after the last inner
  /// group was closed.
  open func undoNestedGroup() {
    guard isIdle("undoNestedGroup()") else { return }
    postCheckpoint()
    undoLastGroup()
  }

  /// Redoes the group that was undone last.
  open func redo() {
    guard isIdle("redo()") else { return }
    postCheckpoint()
    closeEventGroup()
    redoLastGroup()
  }

  /// Whether there is a step to undo, registered or pending in a context. Open groups may have to
  /// be closed first.
  open var canUndo: Bool {
    !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } || hasUnregisteredChanges
  }

  /// Whether there is a step to redo. Changes that a context has not yet registered make redoing
  /// impossible.
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

  /// Removes all operations and enables registration. Open groups stay open.
  open func removeAllActions() {
    disableCount = 0
    removeOperations()
  }

  /// Removes the operations on a target. Steps without further operations are removed.
  ///
  /// - Parameter target: The target that was passed at registration.
  open func removeAllActions(withTarget target: Any) {
    removeOperations(on: ObjectIdentifier(target as AnyObject))
  }

  // MARK: What users see

  /// Sets the action name of the current step.
  ///
  /// The current step is the open group, otherwise the changes that contexts have not yet
  /// registered, otherwise the last step.
  ///
  /// - Parameter actionName: The name, which appears in titles of menu items.
  open func setActionName(_ actionName: String) { changeCurrentGroup { $0.name = actionName } }

  /// The name of the action that `undo()` would undo; empty if there is none.
  open var undoActionName: String { nextUndo?.name ?? "" }
  /// The name of the action that `redo()` would redo; empty if there is none.
  open var redoActionName: String { redoStack.last?.name ?? "" }
  /// The title of the menu item for undoing the next action.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// The title of the menu item for redoing the next action.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// Returns the English title of a menu item for undoing a named action. Override the method for
  /// other languages.
  ///
  /// - Parameter actionName: The name of the action, or an empty string.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// Returns the English title of a menu item for redoing a named action. Override the method for
  /// other languages.
  ///
  /// - Parameter actionName: The name of the action, or an empty string.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Sets whether the last registered operation may be discarded if a document cannot be saved.
  ///
  /// - Parameter discardable: Whether the operation may be discarded.
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

  /// Stores a value with the current step.
  ///
  /// - Parameters:
  ///   - info: The value, or nil to remove the stored value.
  ///   - key: The key of the value.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    changeCurrentGroup { $0.userInfo[key] = info }
  }

  /// Returns a value that was stored with the action that `undo()` would undo, or nil if there is
  /// none.
  ///
  /// - Parameter key: The key of the value.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }

  /// Returns a value that was stored with the action that `redo()` would redo, or nil if there is
  /// none.
  ///
  /// - Parameter key: The key of the value.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    redoStack.last?.userInfo[key]
  }
}
