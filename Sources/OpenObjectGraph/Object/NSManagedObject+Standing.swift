// The state of an object, for the application. Observation tracks these reads like reads of
// properties.

extension NSManagedObject {
  /// Whether the object was inserted and not yet saved.
  public final var isInserted: Bool {
    noteStandingRead()
    return registration == .inserted
  }

  /// Whether the object has unsaved changes over a saved row.
  public final var isUpdated: Bool {
    noteStandingRead()
    return isMarkedUpdated
  }

  /// Whether the next save deletes the object.
  public final var isDeleted: Bool {
    noteStandingRead()
    return registration == .deleted
  }

  /// Whether the object is inserted, updated or deleted.
  public final var hasChanges: Bool { isInserted || isUpdated || isDeleted }
  /// Whether the object's values are not loaded; reading this property does not load them.
  public final var isFault: Bool {
    noteStandingRead()
    return !contents.hasValues
  }

  /// The faulting state: 1 for a fault, 0 for an object whose values are loaded.
  public final var faultingState: Int { isFault ? 1 : 0 }

  /// Whether the object has unsaved changes over a saved row; this read is never tracked.
  @inline(__always)
  final var isMarkedUpdated: Bool { registration == .persistent && flags.contains(.updated) }
}
