// The state of an object, for the application. Observation tracks these reads like reads of
// properties.

extension NSManagedObject {
  /// Whether the object was inserted and is not yet saved.
  public final var isInserted: Bool {
    noteStandingRead()
    return registration == .inserted
  }

  /// Whether a saved object has unsaved changes.
  public final var isUpdated: Bool {
    noteStandingRead()
    return isMarkedUpdated
  }

  /// Whether the next save deletes the object.
  public final var isDeleted: Bool {
    noteStandingRead()
    return registration == .deleted
  }

  /// Whether the object was inserted, updated or deleted since the last save.
  public final var hasChanges: Bool { isInserted || isUpdated || isDeleted }
  /// Whether the object's values are not loaded; reading this property does not load them.
  public final var isFault: Bool {
    noteStandingRead()
    return !contents.hasValues
  }

  /// The faulting state: 1 for a fault, 0 for an object whose values are loaded.
  public final var faultingState: Int { isFault ? 1 : 0 }

  /// Whether a saved object has unsaved changes; this read is never tracked.
  @inline(__always)
  final var isMarkedUpdated: Bool { registration == .persistent && flags.contains(.updated) }
}
