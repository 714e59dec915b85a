internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

// The state of an object in its context, as the unit of work sets it.

extension NSManagedObject {
  /// The object's relation to the store.
  enum Registration: UInt8 {
    /// The object does not belong to a context.
    case detached
    /// The object was inserted and not yet saved.
    case inserted
    /// The object has a row in the store, or had one when the row was last read.
    case persistent
    /// The object was deleted, but the deletion is not yet saved.
    case deleted
  }

  /// The cause of a deletion, and whether a row must be deleted.
  enum Deletion: UInt8 {
    /// The object is not deleted.
    case none
    /// The program deleted an object that was never saved.
    case withdrawal
    /// The program deleted the object.
    case own
    /// The program deleted the object, and another context or process has already deleted the row.
    case ownOfMissingRow
    /// Another context or process deleted the row; the program did not delete the object.
    case missingRow
  }

  /// Flags that the unit of work uses.
  struct Flags: OptionSet {
    let rawValue: UInt16
    /// Has unsaved changes over a saved row.
    static let updated = Flags(rawValue: 1)
    /// Is in the unit of work's list of updated objects.
    static let listedUpdated = Flags(rawValue: 2)
    static let listedInserted = Flags(rawValue: 4)
    static let listedDeleted = Flags(rawValue: 8)
    /// Changed since the last change notification.
    static let announced = Flags(rawValue: 16)
    /// Runs `awakeFromFetch`, during which changes are not tracked.
    static let untracked = Flags(rawValue: 32)
    /// Is deleted, and the delete rules of its relationships were applied.
    static let propagated = Flags(rawValue: 64)
    /// The running save called the object's will-save hook.
    static let askedWillSave = Flags(rawValue: 128)
    /// Was encountered in the list that is being read.
    static let met = Flags(rawValue: 256)
    /// Was inserted since the last change notification, which did not contain the object.
    static let newlyInserted = Flags(rawValue: 512)
    /// Is among the destinations of the save that is being packed.
    static let referenced = Flags(rawValue: 1024)
    /// Was assigned to its store by the application.
    static let assigned = Flags(rawValue: 2048)
    /// Runs `willSave()`, which a save by the hook must not call again.
    static let runsWillSave = Flags(rawValue: 4096)
    /// Runs `prepareForDeletion()`, or `didSave()` after its deletion.
    static let deleting = Flags(rawValue: 8192)
  }

  /// The object's relation to the store.
  final var registration: Registration { @inline(__always) get { standing.registration } }
  /// The cause of the deletion of a deleted object.
  final var deletion: Deletion { @inline(__always) get { standing.deletion } }
  final var flags: Flags { @inline(__always) get { standing.flags } }

  /// Whether the object has unsaved values, or unsaved changes to its to-many relationships.
  final var hasEdits: Bool { !edits.isEmpty || extras?.hasToManyEdits == true }

  /// Whether the object and its row are both deleted, so that a save writes nothing.
  final var isRowMissing: Bool { deletion == .missingRow || deletion == .ownOfMissingRow }

  /// The object's relation to the store, for the application. Observation tracks this read like the
  /// read of a property.
  final var observedRegistration: Registration {
    noteStandingRead()
    return registration
  }

  /// Whether a saved object has unsaved changes; this read is never tracked.
  @inline(__always)
  final var isMarkedUpdated: Bool { registration == .persistent && flags.contains(.updated) }
}

// MARK: Changes

extension NSManagedObject {
  /// Whether the unit of work and the next change notification already include the object, and the
  /// running save has not called the object's will-save hook since the last change.
  @inline(__always)
  final var isNotedAsChanged: Bool {
    flags.intersection([.announced, .askedWillSave]) == .announced
      && (registration == .inserted || flags.contains(.updated))
  }

  /// Adds the object to the unit of work and to the next change notification.
  final func markChanged() {
    if flags.contains(.untracked) || (registration == .deleted && !isRowMissing) { return }
    var isNoted = false
    if registration == .persistent || registration == .inserted {
      withContext {
        $0.checkQueue("an object was changed")
        $0.unitOfWork.update(self)
        isNoted = true
      }
    }
    if !isNoted { noteLostChange() }
  }

  /// Logs that no save will write a change, because the object has lost its row or its context.
  private final func noteLostChange() {
    guard registration != .detached || key > 0 else { return }
    GraphLog.warning(
      "A change to \(currentID) will not be saved because the object was deleted, or because its context was "
        + "reset or released, or because a save merged it into another object. Fetch the object again, or "
        + "insert a new one.")
  }
}

// MARK: Leaving the context

extension NSManagedObject {
  /// Removes the object from its context permanently.
  final func detach() {
    guard registry != nil else { return }
    leaveContext()
    releaseObjects()
  }

  /// Removes the object from its context permanently. Its id still names the store.
  final func detachKeepingID() {
    cachedID = currentID
    detach()
  }

  /// Removes the object from its context; the object keeps its values.
  final func leaveContext() {
    guard let registry else { return }
    registry.withContext { context in
      if registration != .detached { context.unitOfWork.move(self, by: .leave) }
      if context.retainsRegisteredObjects { context.retained[ObjectIdentifier(self)] = nil }
    }
    registry.remove(self)
    self.registry = nil
  }

  /// Drops the destinations and members of the object, which no longer has a context. The object
  /// keeps its values, including those of transient attributes.
  final func releaseObjects() {
    let values = extras?.values ?? [:]
    forgetLoaded()
    if !values.isEmpty { extras?.values = values }
    edits.removeObjects()
  }

  /// Removes the object from its context, which is being deallocated.
  ///
  /// The object keeps the registry, so that its id still identifies its store.
  final func outliveContext() {
    registry?.remove(self)
    releaseObjects()
  }
}
