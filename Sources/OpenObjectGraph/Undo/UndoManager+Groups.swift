internal import Foundation

// Opening and closing groups, and registering operations in them.

extension UndoManager {
  final func register(_ action: UndoAction) {
    guard isUndoRegistrationEnabled else { return }
    if openGroups.isEmpty {
      guard groupsByEvent else {
        GraphLog.error("UndoManager: an operation was registered outside an undo group.")
        openGroup(isEventGroup: false)
        add(action)
        return closeGroup()
      }
      openGroup(isEventGroup: true)
    }
    add(action)
  }

  private final func add(_ action: UndoAction) {
    guard let last = openGroups.indices.last else { return }
    openGroups[last].actions.append(action)
    if activity == .none { empty(\.redoStack) }
  }

  final func openGroup(isEventGroup: Bool) {
    openGroups.append(UndoGroup(isEventGroup: isEventGroup))
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Closes the innermost group and adds the group to the enclosing group or to the undo stack.
  final func closeGroup() {
    post(.NSUndoManagerWillCloseUndoGroup)
    guard let group = openGroups.popLast() else { return }
    keep(group)
    post(
      .NSUndoManagerDidCloseUndoGroup,
      group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil)
  }

  /// Adds a closed group to the enclosing group, or to the undo stack.
  final func keep(_ group: UndoGroup) {
    guard !group.actions.isEmpty else { return }
    if let last = openGroups.indices.last { return openGroups[last].append(group) }
    undoStack.append(group)
    trimUndoStack()
  }

  /// Closes the group that the first registration opened, if no other group is open.
  final func closeEventGroup() {
    if activity == .none, openGroups.count == 1, openGroups[0].isEventGroup { closeGroup() }
  }

  final func trimUndoStack() {
    let surplus = undoStack.count - max(levelsOfUndo, 0)
    guard levelsOfUndo > 0, surplus > 0 else { return }
    let dropped = Array(undoStack[..<surplus])
    undoStack.removeFirst(surplus)
    // Only now are objects released, whose deinitializers may call back.
    withExtendedLifetime(dropped) {}
  }

  /// The group that `undo()` would reverse, or nil if there is none.
  final var nextUndo: UndoGroup? {
    if let open = openGroups.first, !open.actions.isEmpty || open.name != "" { return open }
    return undoStack.last
  }

  /// Passes the current group to a closure.
  ///
  /// The current group is the innermost open group. If no group is open and contexts have
  /// unregistered changes, a new group is opened for these changes. Otherwise, the current group is
  /// the last undo step, if there is one.
  final func changeCurrentGroup(_ change: (inout UndoGroup) -> Void) {
    if openGroups.isEmpty, hasUnregisteredChanges { openGroup(isEventGroup: true) }
    if let last = openGroups.indices.last { return change(&openGroups[last]) }
    if let last = undoStack.indices.last { change(&undoStack[last]) }
  }

  // MARK: Removing

  /// Removes all groups from a stack. Retained objects are released after the stack is empty,
  /// because their deinitializers may call the undo manager.
  private final func empty(_ stack: ReferenceWritableKeyPath<UndoManager, [UndoGroup]>) {
    let dropped = self[keyPath: stack]
    self[keyPath: stack] = []
    withExtendedLifetime(dropped) {}
  }

  final func removeOperations() {
    let dropped = (undoStack, redoStack, openGroups)
    undoStack = []
    redoStack = []
    openGroups = dropped.2.map { $0.emptied() }
    withExtendedLifetime(dropped) {}
  }

  final func removeOperations(on target: ObjectIdentifier) {
    let dropped = (undoStack, redoStack, openGroups)
    undoStack = dropped.0.map { $0.removing(target) }.filter { !$0.actions.isEmpty }
    redoStack = dropped.1.map { $0.removing(target) }.filter { !$0.actions.isEmpty }
    openGroups = dropped.2.map { $0.removing(target) }
    withExtendedLifetime(dropped) {}
  }
}
