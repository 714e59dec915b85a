internal import Foundation
internal import OpenPredicates

// The state of an object, for the application. Observation tracks these reads like reads of
// properties.

extension NSManagedObject {
  /// Whether the object was inserted and is not yet saved.
  public final var isInserted: Bool {
    noteStandingRead()
    return registration == .inserted
  }

  /// Whether the object was saved before, is not deleted, and has unsaved changes.
  public final var isUpdated: Bool {
    noteStandingRead()
    return isMarkedUpdated
  }

  /// Whether the next save deletes the object.
  ///
  /// The value is also true in `prepareForDeletion()`, and in `didSave()` after a deletion.
  public final var isDeleted: Bool {
    noteStandingRead()
    return registration == .deleted || flags.contains(.deleting)
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

  /// Returns the value of a key that every managed object has in key-value coding, such as
  /// `isDeleted`; `NoSuchKey.marker` for any other key.
  final func stateValue(forKey key: String) -> Any? {
    switch key {
    case "isInserted", "inserted": NSNumber(value: isInserted)
    case "isUpdated", "updated": NSNumber(value: isUpdated)
    case "isDeleted", "deleted": NSNumber(value: isDeleted)
    case "isFault", "fault": NSNumber(value: isFault)
    case "faultingState": NSNumber(value: faultingState)
    case "hasChanges": NSNumber(value: hasChanges)
    case "hasPersistentChangedValues": NSNumber(value: hasPersistentChangedValues)
    case "changedValues": changedValues()
    case "managedObjectContext": managedObjectContext
    case "description": description
    default: NoSuchKey.marker
    }
  }

  /// Whether a saved object has unsaved changes; this read is never tracked.
  @inline(__always)
  final var isMarkedUpdated: Bool { registration == .persistent && flags.contains(.updated) }
}
