extension Standing {
  /// An object's relation to its context and its store.
  enum State: UInt8 {
    /// In no context.
    case detached
    /// Inserted, not yet saved.
    case inserted
    /// Has, or had when last seen, a row in the store.
    case persistent
    /// Inserted and deleted without a save in between; leaves the context when its delete rules are applied.
    case withdrawn
    /// Deleted by the program, not yet saved.
    case deleted
    /// Deleted by the program, and its row was deleted as well: there is nothing to write.
    case deletedTwice
    /// Its row does not exist, or another context deleted it: there is nothing to write.
    case missing

    /// Whether the object is among the deleted ones of the next save.
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

/// What can happen to an object's place in its context.
///
/// `UnitOfWork` carries transitions out; the table of the legal ones is ``destination(from:)``. Fetching, which makes
/// objects in their first state, and editing, which leaves it, are none.
enum Transition {
  /// Is inserted by the program, by a child's save, or by an undo.
  case insert
  /// Is deleted by the program or by a delete rule.
  case delete
  /// The program or an undo reverts its deletion.
  case undelete
  /// Has no row in the store any more.
  case findMissing
  /// Has a row again, or has one although it was inserted: another context inserted the same object before.
  case comeBack
  /// Is saved.
  case save
  /// Loses its unsaved changes.
  case rollBack
  /// Leaves its context.
  case leave

  /// The state after the transition; nil where it is not legal.
  func destination(from state: Standing.State) -> Standing.State? {
    switch (self, state) {
    case (.insert, .detached): .inserted
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
    case (.insert, _), (.delete, _), (.undelete, _), (.findMissing, _), (.comeBack, _), (.save, _),
      (.rollBack, _):
      nil
    }
  }
}
