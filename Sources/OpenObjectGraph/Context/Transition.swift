extension Standing {
  /// The state of an object in its context and its store.
  enum State: UInt8 {
    /// The object is not in a context.
    case detached
    /// The object was inserted and is not yet saved.
    case inserted
    /// The object has a row in the store, or had one when the context last read it.
    case persistent
    /// The object was inserted and deleted without a save; applying its delete rules removes the
    /// object from the context.
    case withdrawn
    /// The application deleted the object, and the deletion is not yet saved.
    case deleted
    /// The application deleted the object, and another context or process deleted the row; a save
    /// writes nothing.
    case deletedTwice
    /// The object's row does not exist, or another context or process deleted it; a save writes
    /// nothing.
    case missing

    /// Whether the object is among the deleted objects of the next save.
    var isPendingDeletion: Bool { self == .deleted || self == .deletedTwice || self == .missing }
  }

  var state: State {
    switch registration {
    case .detached: .detached
    case .inserted: .inserted
    case .persistent: .persistent
    case .deleted:
      switch deletion {
      case .withdrawal: .withdrawn
      case .ownOfMissingRow: .deletedTwice
      case .missingRow: .missing
      case .none, .own: .deleted
      }
    }
  }
}

/// A change of an object's state in its context.
///
/// `UnitOfWork` performs transitions; ``destination(from:)`` defines the allowed transitions.
/// Fetching creates objects in the persistent state, and editing does not change the state, so
/// neither is a transition.
enum Transition {
  /// The application, a child's save or an undo inserts the object.
  case insert
  /// A child's save inserts an object that the context knew only by its id.
  case appear
  /// The application or a delete rule deletes the object.
  case delete
  /// The application or an undo reverts the deletion of the object.
  case undelete
  /// The context finds that the object no longer has a row in the store.
  case findMissing
  /// The object has a row again, or an inserted object has a row because another context inserted
  /// the object earlier.
  case comeBack
  /// The object is saved.
  case save
  /// The object loses its unsaved changes.
  case rollBack
  /// The object leaves its context.
  case leave

  /// The state after the transition; nil if the transition is not legal.
  func destination(from state: Standing.State) -> Standing.State? {
    switch (self, state) {
    case (.insert, .detached), (.appear, .persistent): .inserted
    case (.delete, .inserted): .withdrawn
    case (.delete, .persistent): .deleted
    case (.undelete, .withdrawn): .inserted
    case (.undelete, .deleted): .persistent
    case (.findMissing, .persistent), (.findMissing, .missing): .missing
    case (.findMissing, .deleted), (.findMissing, .deletedTwice): .deletedTwice
    case (.comeBack, .missing), (.comeBack, .inserted): .persistent
    case (.comeBack, .deletedTwice): .deleted
    case (.save, .inserted), (.save, .persistent): .persistent
    case (.save, .withdrawn), (.save, .deleted), (.save, .deletedTwice), (.save, .missing):
      .detached
    case (.rollBack, .persistent), (.rollBack, .deleted): .persistent
    case (.rollBack, .inserted), (.rollBack, .withdrawn), (.rollBack, .deletedTwice),
      (.rollBack, .missing):
      .detached
    case (.leave, _): .detached
    case (.insert, _), (.appear, _), (.delete, _), (.undelete, _), (.findMissing, _),
      (.comeBack, _), (.save, _), (.rollBack, _):
      nil
    }
  }
}
