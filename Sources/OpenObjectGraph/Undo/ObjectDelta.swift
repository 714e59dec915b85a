/// The direction in which a step is executed.
enum UndoDirection {
  case backward
  case forward

  var opposite: UndoDirection { self == .backward ? .forward : .backward }
}

/// The changes of one object between two registrations, which can be applied in both directions.
struct ObjectDelta {
  /// Whether the object was added to the context, removed from it, or present throughout.
  enum Presence {
    case appears
    case disappears
    case stays
  }

  /// A value before and after the change; nil if a transient attribute had no value.
  struct ValueChange {
    let ordinal: Int
    let before: EditValue?
    let after: EditValue?

    func value(_ direction: UndoDirection) -> EditValue? { direction == .backward ? before : after }
  }

  /// The members added to and removed from a to-many relationship, and all members in order before
  /// and after the change.
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

  /// All values and members of an object, which are restored when the object is inserted again.
  struct Contents {
    var values: [(ordinal: Int, value: EditValue)] = []
    var members: [(ordinal: Int, objects: [NSManagedObject])] = []
  }

  let object: NSManagedObject
  let presence: Presence
  var values: [ValueChange] = []
  var members: [MemberChange] = []
  /// The object's contents when it was added or removed; empty if it was present throughout.
  var contents = Contents()
  /// Whether the object was deleted before its delete rules were applied, so that the step contains
  /// the deletion only.
  var areRulesDue = false

  /// Returns whether executing the step adds the object to the context.
  func appears(_ direction: UndoDirection) -> Bool {
    presence == (direction == .forward ? .appears : .disappears)
  }

  /// Returns whether executing the step removes the object from the context.
  func disappears(_ direction: UndoDirection) -> Bool { appears(direction.opposite) }
}
