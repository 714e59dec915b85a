internal import OpenStoreContract

/// A rollback of a context, which restores committed values and removes inserted objects from the
/// context.
///
/// The rollback retains the objects with unsaved changes until it has announced them. Confined to
/// the context's queue.
struct Rollback {
  private let context: NSManagedObjectContext
  private let inserted: [NSManagedObject]
  private let updated: [NSManagedObject]
  private let deleted: [NSManagedObject]
  /// Inserted objects that were deleted before they were saved.
  private let withdrawn: [NSManagedObject]

  init(of context: NSManagedObjectContext) {
    self.context = context
    inserted = context.unitOfWork.inserted
    updated = context.unitOfWork.updated
    deleted = context.unitOfWork.deleted.filter { !$0.isRowMissing }
    withdrawn = context.unitOfWork.takeWithdrawn()
  }

  /// Drops the unsaved changes and announces the affected objects.
  func run() {
    ContextReset.forgetErrors(of: context)
    for object in context.unitOfWork.end(.rollBack).settle() { object.detach() }
    for object in updated + deleted { object.restoreCommittedValues() }
    restoreLists()
    context.undoRecorder?.forgetSteps()
    SnapshotEvents.announce(.rollback, to: updated + deleted)
    context.observation.compare(in: context.registry)
    let announcement = ChangeAnnouncement(
      inserted: deleted, deleted: inserted + withdrawn, refreshed: updated)
    announcement.post(from: context)
  }

  /// Unloads the members of to-many relationships that contain the objects, so that the members are
  /// read again.
  private func restoreLists() {
    let memberships = context.memberships
    memberships.forgetChanges()
    memberships.unloadLists(admitting: deleted)
    for object in updated where object.contents != .fault {
      // A merge may have replaced the row under the dropped changes.
      memberships.unloadLists(leftBy: nil, joinedBy: object.row, at: Int(object.storePosition))
    }
  }
}
