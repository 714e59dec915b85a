/// One registered operation of an undo manager: a closure, and whom it acts on.
struct UndoAction {
  /// Names the target for `removeAllActions(withTarget:)`; the target is not kept alive.
  let target: ObjectIdentifier
  /// Does nothing after the target was deallocated.
  let perform: () -> Void
  /// Whether losing the operation loses nothing that a user would miss.
  var isDiscardable = false

  init<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target) -> Void) {
    self.target = ObjectIdentifier(target)
    perform = { [weak target] in
      if let target { handler(target) }
    }
  }
}

/// Operations that are undone together, in the order of their registration.
///
/// The operations of closed inner groups are stored in the same flat list, so nesting requires no recursion.
struct UndoGroup {
  var actions: [UndoAction] = []
  /// Where closed inner groups begin and end, as long as the group is open.
  private var nested: [Range<Int>] = []
  var name = ""
  var userInfo: [UndoManager.UserInfoKey: Any] = [:]
  /// Whether the group was opened by the first registration, and is closed by the next closing point.
  let isEventGroup: Bool
  /// Whether all operations of the group that this one takes back were discardable.
  private var wasDiscardable = false

  init(isEventGroup: Bool) { self.isEventGroup = isEventGroup }

  /// Whether every operation may be lost.
  var isDiscardable: Bool {
    wasDiscardable || !actions.isEmpty && actions.allSatisfy(\.isDiscardable)
  }

  /// Takes the operations of an inner group that was closed.
  mutating func append(_ inner: UndoGroup) {
    guard !inner.actions.isEmpty else { return }
    nested.append(actions.count..<(actions.count + inner.actions.count))
    actions += inner.actions
    if name.isEmpty { name = inner.name }
    userInfo.merge(inner.userInfo) { mine, _ in mine }
  }

  /// Whether the last thing registered is a closed inner group.
  var endsWithNested: Bool { nested.last?.upperBound == actions.count && !actions.isEmpty }

  /// Removes and returns the inner group that was closed last; nil when operations were registered after it.
  mutating func takeNested() -> UndoGroup? {
    guard endsWithNested, let range = nested.popLast() else { return nil }
    var group = UndoGroup(isEventGroup: false)
    group.actions = Array(actions[range])
    group.name = name
    actions.removeSubrange(range)
    return group
  }

  /// Takes over what a user sees of the group that this one takes back.
  mutating func takeLabels(of group: UndoGroup) {
    if name.isEmpty { name = group.name }
    userInfo.merge(group.userInfo) { mine, _ in mine }
    wasDiscardable = group.isDiscardable
  }

  /// The group without the operations on a target.
  func removing(_ target: ObjectIdentifier) -> UndoGroup {
    guard actions.contains(where: { $0.target == target }) else { return self }
    var group = self
    group.actions = actions.filter { $0.target != target }
    group.nested = nested.compactMap { range in
      let before = actions[..<range.lowerBound].count { $0.target != target }
      let inside = actions[range].count { $0.target != target }
      return inside == 0 ? nil : before..<(before + inside)
    }
    return group
  }

  /// The group without any operation.
  func emptied() -> UndoGroup { UndoGroup(isEventGroup: isEventGroup) }
}
