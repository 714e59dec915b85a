internal import Foundation

// Executing groups, and notifying observers and contexts.

extension UndoManager {
  /// Returns whether no undo or redo is being executed. If the result is false, the method logs the
  /// call as misuse.
  ///
  /// - Parameter call: The name of the called method, for the log.
  final func isIdle(_ call: String) -> Bool {
    if activity == .none { return true }
    GraphLog.error(
      "UndoManager: \(call) was called by an operation that is being undone or redone.")
    return false
  }

  final func undoLastGroup() {
    if let open = openGroups.last, !open.endsWithNested {
      return GraphLog.error(
        "UndoManager: the last operation of the open group is not a closed nested group.")
    }
    guard !openGroups.isEmpty || !undoStack.isEmpty else { return }
    post(.NSUndoManagerWillUndoChange)
    if let group = takeLastGroup() {
      let opposite = perform(group, as: .undoing)
      if !opposite.actions.isEmpty { redoStack.append(opposite) }
    }
    post(.NSUndoManagerDidUndoChange)
  }

  private final func takeLastGroup() -> UndoGroup? {
    guard let last = openGroups.indices.last else { return undoStack.popLast() }
    return openGroups[last].takeNested()
  }

  final func redoLastGroup() {
    guard !redoStack.isEmpty else { return }
    post(.NSUndoManagerWillRedoChange)
    if let group = redoStack.popLast() { keep(perform(group, as: .redoing)) }
    post(.NSUndoManagerDidRedoChange)
  }

  /// Performs the operations of a group in reverse order.
  ///
  /// - Returns: A group with the operations that were registered during the execution, and with the
  ///   action name and user info of the performed group.
  private final func perform(_ group: UndoGroup, as running: Activity) -> UndoGroup {
    let outside = (level: openGroups.count, protected: protectedGroups)
    openGroups.append(UndoGroup(isEventGroup: false))
    protectedGroups = outside.level + 1
    activity = running
    for action in group.actions.reversed() { action.perform() }
    // Contexts register the changes that the operations made to their objects.
    postCheckpoint()
    // Operations may have left groups open.
    while openGroups.count > outside.level + 1 { closeGroup() }
    activity = .none
    protectedGroups = outside.protected
    var opposite = openGroups.popLast() ?? UndoGroup(isEventGroup: false)
    opposite.takeLabels(of: group)
    return opposite
  }

  // MARK: Notifying

  /// Posts a checkpoint notification, and then asks the contexts to register their pending changes.
  final func postCheckpoint() {
    post(.NSUndoManagerCheckpoint)
    for client in clients.all() { client.registerPendingUndo() }
  }

  final func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }

  /// Whether a context has changes that the next checkpoint would register.
  final var hasUnregisteredChanges: Bool {
    isUndoRegistrationEnabled && clients.all().contains { $0.hasPendingUndo }
  }
}

/// An object that registers operations when its undo manager reaches a checkpoint.
protocol UndoClient: AnyObject {
  /// Whether there are changes that are not yet registered.
  var hasPendingUndo: Bool { get }
  /// Registers the pending changes.
  func registerPendingUndo()
}

/// The clients of an undo manager, held as weak references.
struct UndoClients {
  private struct Reference {
    weak var client: (any UndoClient)?
  }

  private var references: [Reference] = []

  func all() -> [any UndoClient] { references.compactMap(\.client) }

  mutating func add(_ client: any UndoClient) {
    remove(client)
    references.append(Reference(client: client))
  }

  /// Removes a client, and all clients that were deallocated.
  mutating func remove(_ client: any UndoClient) {
    references.removeAll { $0.client == nil || $0.client === client }
  }
}
