/// The direction in which an undo step is executed.
enum UndoDirection {
  /// The step is undone.
  case backward
  /// The step is redone.
  case forward

  var opposite: UndoDirection { self == .backward ? .forward : .backward }
}

/// The changes of one object between two registrations, which can be undone and redone.
struct ObjectDelta {
  /// Whether the changes add the object to the context or remove it from the context.
  enum Presence {
    /// The object was added.
    case appears
    /// The object was removed.
    case disappears
    /// The object was in the context before and after the changes.
    case stays
  }

  /// The values of a property before and after the change; nil for a transient attribute without a
  /// value, and for a committed value that cannot be decoded.
  struct ValueChange {
    let ordinal: Int
    let before: EditValue?
    let after: EditValue?

    func value(_ direction: UndoDirection) -> EditValue? { direction == .backward ? before : after }
  }

  /// A change of a to-many relationship: the added and removed members, and, if the order changed,
  /// all members in order before and after the change.
  struct MemberChange {
    let ordinal: Int
    var gained: [NSManagedObject] = []
    var lost: [NSManagedObject] = []
    var before: [NSManagedObject]?
    var after: [NSManagedObject]?

    var isEmpty: Bool { gained.isEmpty && lost.isEmpty && before == nil }

    func order(_ direction: UndoDirection) -> [NSManagedObject]? {
      direction == .backward ? before : after
    }
  }

  /// The values and members of an object, which are restored when the object is inserted again.
  struct Contents {
    var values: [(ordinal: Int, value: EditValue)] = []
    var members: [(ordinal: Int, objects: [NSManagedObject])] = []
  }

  let object: NSManagedObject
  let presence: Presence
  var values: [ValueChange] = []
  var members: [MemberChange] = []
  /// The object's contents when the object was added or removed; empty if ``presence`` is `.stays`.
  var contents = Contents()
  /// Whether the delete rules of a deleted object were not yet applied at the registration. The
  /// step then contains only the deletion, without the effects of the rules.
  var areRulesDue = false

  /// Returns whether executing the step adds the object to the context.
  func appears(_ direction: UndoDirection) -> Bool {
    presence == (direction == .forward ? .appears : .disappears)
  }

  /// Returns whether executing the step removes the object from the context.
  func disappears(_ direction: UndoDirection) -> Bool { appears(direction.opposite) }
}
