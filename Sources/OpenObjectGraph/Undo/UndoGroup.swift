/// An operation that was registered with an undo manager: a closure and its target.
struct UndoAction {
  /// The identity of the target for `removeAllActions(withTarget:)`. The target is not retained.
  let target: ObjectIdentifier
  /// A closure that performs the operation, unless the target was deallocated.
  let perform: () -> Void
  /// Whether the operation may be discarded if a document cannot be saved.
  var isDiscardable = false

  init<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target) -> Void) {
    self.target = ObjectIdentifier(target)
    perform = { [weak target] in
      if let target { handler(target) }
    }
  }
}

/// Operations that are undone together.
///
/// One list contains the operations of the group and of its closed inner groups in the order of
/// registration, so nesting requires no recursion.
struct UndoGroup {
  var actions: [UndoAction] = []
  /// The ranges of closed inner groups in ``actions``, while the group is open.
  private var nested: [Range<Int>] = []
  var name = ""
  var userInfo: [UndoManager.UserInfoKey: Any] = [:]
  /// Whether the first registration outside all groups opened the group. The next checkpoint then
  /// closes the group.
  let isEventGroup: Bool
  /// Whether the group that this group reverses was discardable.
  private var wasDiscardable = false

  init(isEventGroup: Bool) { self.isEventGroup = isEventGroup }

  /// Whether all operations are discardable.
  var isDiscardable: Bool {
    wasDiscardable || !actions.isEmpty && actions.allSatisfy(\.isDiscardable)
  }

  /// Appends the operations of a closed inner group.
  mutating func append(_ inner: UndoGroup) {
    guard !inner.actions.isEmpty else { return }
    nested.append(actions.count..<(actions.count + inner.actions.count))
    actions += inner.actions
    if name.isEmpty { name = inner.name }
    userInfo.merge(inner.userInfo) { mine, _ in mine }
  }

  /// Whether the group ends with a closed inner group.
  var endsWithNested: Bool { nested.last?.upperBound == actions.count && !actions.isEmpty }

  /// Removes and returns the inner group that was closed last; nil if operations were registered
  /// after the inner group was closed.
  mutating func takeNested() -> UndoGroup? {
    guard endsWithNested, let range = nested.popLast() else { return nil }
    var group = UndoGroup(isEventGroup: false)
    group.actions = Array(actions[range])
    group.name = name
    actions.removeSubrange(range)
    return group
  }

  /// Copies the action name, the user info and the discardable state of the group that this group
  /// reverses.
  mutating func takeLabels(of group: UndoGroup) {
    if name.isEmpty { name = group.name }
    userInfo.merge(group.userInfo) { mine, _ in mine }
    wasDiscardable = group.isDiscardable
  }

  /// Returns the group without the operations on a target.
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

  /// Returns an empty group of the same kind.
  func emptied() -> UndoGroup { UndoGroup(isEventGroup: isEventGroup) }
}
