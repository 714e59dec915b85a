public import Foundation

/// An object that records operations in groups, and executes the operations to undo and redo
/// changes.
///
/// Foundation provides this class on Apple platforms only. The undo manager holds weak references
/// to the targets of operations, and an operation whose target was deallocated does nothing. A
/// group without operations is discarded when the group is closed, and does not become an undo
/// step.
///
/// While ``groupsByEvent`` is true, the first registration outside all groups opens a group. Unlike
/// on Apple platforms, no run loop event closes this group. A call to ``undo()``, ``redo()`` or
/// ``endUndoGrouping()`` closes the group. A context with this undo manager also closes the group
/// when the context processes pending changes.
///
/// An invalid call does not raise an exception. Unless the documentation of the method states
/// otherwise, an invalid call changes nothing and logs an error.
///
/// > Concurrency: Not isolated and not `Sendable`. Use an undo manager on the thread that created
/// > it, or on the queue of its context. On Apple platforms, the class is isolated to the main
/// > actor.
/// > Reference: Apple, UndoManager. Differs: D-070 to D-074.
open class UndoManager: NSObject {
  /// The activity of the undo manager.
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
  /// The number of outer groups that must not be closed during the running undo or redo.
  final var protectedGroups = 0
  final var activity = Activity.none
  final var clients = UndoClients()
  private var disableCount = 0

  /// Creates an undo manager without operations.
  public override init() { super.init() }

  // MARK: Registering

  /// Registers an operation that undoes a change.
  ///
  /// During an undo, the undo manager adds the operation to the redo stack. At any other time, the
  /// undo manager adds the operation to the undo stack. Registering an operation outside an undo or
  /// redo also empties the redo stack. If registration is disabled, the method does nothing.
  ///
  /// - Parameters:
  ///   - target: The target of the operation. The undo manager holds a weak reference to the
  ///     target.
  ///   - handler: A closure that performs the operation and receives the target. The closure runs
  ///     on the thread that calls `undo()` or `redo()`.
  /// > Reference: Apple, registerUndo(withTarget:handler:). Differs: if no group is open and
  /// > `groupsByEvent` is false, the operation becomes a separate step and an error is logged. On
  /// > Apple platforms, the call raises an exception.
  open func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) {
    register(UndoAction(target, handler))
  }

  /// Whether the undo manager registers operations.
  ///
  /// The value is false while there have been more calls to ``disableUndoRegistration()`` than to
  /// ``enableUndoRegistration()``.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Disables registration until `enableUndoRegistration()` has been called the same number of
  /// times.
  open func disableUndoRegistration() { disableCount += 1 }

  /// Cancels the effect of one call to ``disableUndoRegistration()``.
  ///
  /// A call without a matching call to ``disableUndoRegistration()`` logs an error.
  open func enableUndoRegistration() {
    guard disableCount > 0 else {
      return GraphLog.error(
        "UndoManager: enableUndoRegistration() was called without disableUndoRegistration().")
    }
    disableCount -= 1
  }

  // MARK: Groups

  /// Whether the first registration outside all groups opens a group; true by default.
  open var groupsByEvent = true
  /// The maximum number of undo steps; 0, the default, or a negative number means no limit.
  ///
  /// If the limit is exceeded, the oldest steps are discarded first.
  open var levelsOfUndo = 0 {
    didSet { trimUndoStack() }
  }
  /// The run loop modes in which groups are closed on Apple platforms; no effect in this library.
  open var runLoopModes: [RunLoop.Mode] = [.default]
  /// The number of open groups.
  open var groupingLevel: Int { openGroups.count }

  /// Opens a group.
  ///
  /// If a group is already open, the new group is nested in the innermost open group.
  open func beginUndoGrouping() {
    if activity == .none { postCheckpoint() }
    openGroup(isEventGroup: false)
  }

  /// Closes the innermost open group.
  ///
  /// A call without an open group logs an error. During an undo or redo, only groups that were
  /// opened during the undo or redo can be closed.
  open func endUndoGrouping() {
    let level = openGroups.count
    if activity == .none { postCheckpoint() }
    // A context may have closed the group at the checkpoint already.
    guard openGroups.count == level else { return }
    guard level > protectedGroups else {
      return GraphLog.error(
        "UndoManager: endUndoGrouping() was called without beginUndoGrouping().")
    }
    closeGroup()
  }

  // MARK: Undoing and redoing

  /// Undoes the last step; does nothing if there is no step to undo.
  ///
  /// If exactly one group is open, the method first closes this group.
  ///
  /// If several groups are open, the method changes nothing and logs an error. Close the inner
  /// groups first.
  open func undo() {
    guard isIdle("undo()") else { return }
    postCheckpoint()
    if openGroups.count == 1 { endUndoGrouping() }
    guard openGroups.isEmpty else {
      return GraphLog.error(
        "UndoManager: undo() was called while nested groups are open. Close them first.")
    }
    undoNestedGroup()
  }

  /// Undoes the most recently closed group, even if the group is nested in an open group; does
  /// nothing if there is no group to undo.
  ///
  /// If a group is open, and its last operation does not belong to a closed inner group, the method
  /// undoes nothing and logs an error.
  open func undoNestedGroup() {
    guard isIdle("undoNestedGroup()") else { return }
    postCheckpoint()
    undoLastGroup()
  }

  /// Redoes the most recently undone group; does nothing if there is no group to redo.
  open func redo() {
    guard isIdle("redo()") else { return }
    postCheckpoint()
    closeEventGroup()
    redoLastGroup()
  }

  /// Whether there are operations to undo, including changes that a context has not yet registered.
  ///
  /// The value can be true while inner groups are open. ``undo()`` requires that all inner groups
  /// are closed.
  open var canUndo: Bool {
    !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } || hasUnregisteredChanges
  }

  /// Whether there is a step to redo.
  ///
  /// The value is false if a context has changes that it has not yet registered, because
  /// registering changes empties the redo stack.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !redoStack.isEmpty && !hasUnregisteredChanges
  }

  /// The number of steps that can be undone; an open group with operations counts as one step.
  open var undoCount: Int {
    undoStack.count + (openGroups.contains { !$0.actions.isEmpty } ? 1 : 0)
  }
  /// The number of steps that can be redone.
  open var redoCount: Int { redoStack.count }
  /// Whether the undo manager is executing an undo.
  open var isUndoing: Bool { activity == .undoing }
  /// Whether the undo manager is executing a redo.
  open var isRedoing: Bool { activity == .redoing }

  // MARK: Removing

  /// Removes all operations and enables registration.
  ///
  /// Open groups stay open.
  open func removeAllActions() {
    disableCount = 0
    removeOperations()
  }

  /// Removes all operations that were registered with a target.
  ///
  /// Steps without other operations are also removed.
  ///
  /// - Parameter target: The target that was passed at registration.
  open func removeAllActions(withTarget target: Any) {
    removeOperations(on: ObjectIdentifier(target as AnyObject))
  }

  // MARK: What users see

  /// Sets the action name of the current step.
  ///
  /// The current step is the innermost open group. If no group is open, the current step consists
  /// of the changes that contexts have not yet registered. If there are no such changes, the
  /// current step is the last undo step. If there is no undo step either, the method does nothing.
  ///
  /// - Parameter actionName: The name, which appears in the titles of menu items.
  open func setActionName(_ actionName: String) { changeCurrentGroup { $0.name = actionName } }

  /// The name of the action that `undo()` would undo; empty if the action has no name or there is
  /// nothing to undo.
  open var undoActionName: String { nextUndo?.name ?? "" }
  /// The name of the action that `redo()` would redo; empty if the action has no name or there is
  /// nothing to redo.
  open var redoActionName: String { redoStack.last?.name ?? "" }
  /// The title of a menu item that calls `undo()`.
  ///
  /// The title includes ``undoActionName`` if the action has a name, such as "Undo Typing".
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// The title of a menu item that calls `redo()`.
  ///
  /// The title includes ``redoActionName`` if the action has a name, such as "Redo Typing".
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// Returns the English title of a menu item for undoing a named action.
  ///
  /// Override the method to return titles in other languages.
  ///
  /// - Parameter actionName: The name of the action, or an empty string.
  /// - Returns: The title, such as "Undo Typing"; "Undo" for an empty name.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// Returns the English title of a menu item for redoing a named action.
  ///
  /// Override the method to return titles in other languages.
  ///
  /// - Parameter actionName: The name of the action, or an empty string.
  /// - Returns: The title, such as "Redo Typing"; "Redo" for an empty name.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  /// Sets whether the last operation of the current step may be discarded if a document cannot be
  /// saved.
  ///
  /// See ``setActionName(_:)`` for the definition of the current step.
  ///
  /// - Parameter discardable: Whether the operation may be discarded.
  open func setActionIsDiscardable(_ discardable: Bool) {
    changeCurrentGroup { group in
      guard let last = group.actions.indices.last else { return }
      group.actions[last].isDiscardable = discardable
    }
  }

  /// Whether the action that `undo()` would undo is discardable; false if there is nothing to undo.
  open var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }
  /// Whether the action that `redo()` would redo is discardable; false if there is nothing to redo.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  /// Stores a value with the current step.
  ///
  /// See ``setActionName(_:)`` for the definition of the current step.
  ///
  /// - Parameters:
  ///   - info: The value, or nil to remove the stored value.
  ///   - key: The key of the value.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    changeCurrentGroup { $0.userInfo[key] = info }
  }

  /// Returns a value that was stored with the step that `undo()` would undo.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The value, or nil if there is no step or no value for the key.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }

  /// Returns a value that was stored with the step that `redo()` would redo.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The value, or nil if there is no step or no value for the key.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    redoStack.last?.userInfo[key]
  }
}
