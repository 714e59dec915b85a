/// Which way a step is executed.
enum UndoDirection {
  case backward
  case forward

  var opposite: UndoDirection { self == .backward ? .forward : .backward }
}

/// What changed of one object between two registrations; leads both ways.
struct ObjectDelta {
  /// Whether the object came into the context, left it, or was there all the time.
  enum Presence {
    case appears
    case disappears
    case stays
  }

  /// A value before and after; nil where a transient attribute had none.
  struct ValueChange {
    let ordinal: Int
    let before: EditValue?
    let after: EditValue?

    func value(_ direction: UndoDirection) -> EditValue? { direction == .backward ? before : after }
  }

  /// Members of a to-many relationship that came and went, and all in their order before and after.
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

  /// All values and members of an object, to be given to it when it comes into the context again.
  struct Contents {
    var values: [(ordinal: Int, value: EditValue)] = []
    var members: [(ordinal: Int, objects: [NSManagedObject])] = []
  }

  let object: NSManagedObject
  let presence: Presence
  var values: [ValueChange] = []
  var members: [MemberChange] = []
  /// The object as it was when it came or went; empty when it stays.
  var contents = Contents()
  /// Whether the object was deleted and its delete rules were not yet applied: the step has the deletion alone.
  var areRulesDue = false

  /// Whether the object comes into the context when the step is executed.
  func appears(_ direction: UndoDirection) -> Bool {
    presence == (direction == .forward ? .appears : .disappears)
  }

  /// Whether the object leaves the context when the step is executed.
  func disappears(_ direction: UndoDirection) -> Bool { appears(direction.opposite) }
}
