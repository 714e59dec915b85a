internal import Foundation

/// The objects that a change notification of a context reports.
struct ChangeAnnouncement {
  /// Objects that were inserted or restored since the last notification.
  var inserted: [NSManagedObject] = []
  /// Objects that changed, including unsaved objects whose insertion was already reported.
  var updated: [NSManagedObject] = []
  /// Objects that were deleted or removed from the context.
  var deleted: [NSManagedObject] = []
  /// Objects whose values were replaced by a refresh or a merge, not by the program.
  var refreshed: [NSManagedObject] = []

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  /// Returns whether the announcement reports an object as inserted or updated.
  func hasChanged(_ object: NSManagedObject) -> Bool {
    updated.contains { $0 === object } || inserted.contains { $0 === object }
  }

  /// Adds the changes of a context since the last notification and marks the changes as reported.
  mutating func takeChanges(of context: NSManagedObjectContext) {
    let lists = inserted.isEmpty ? context.unitOfWork.takeUnannouncedLists() : nil
    deleted = context.unitOfWork.takeWithdrawn() + (context.undoRecorder?.takeWithdrawn() ?? [])
    if let lists { return (inserted, updated) = lists }
    let changes = context.unitOfWork.takeUnannounced()
    inserted += changes.inserted
    changes.others.forEachBorrowed { object in
      switch object.registration {
      case .inserted, .persistent: updated.append(object)
      case .deleted: deleted.append(object)
      case .detached: break
      }
    }
  }

  /// Posts the notification unless it contains no objects.
  func post(from context: NSManagedObjectContext) {
    if isEmpty { return }
    var userInfo: [AnyHashable: Any] = [:]
    func put(_ objects: [NSManagedObject], _ key: String) {
      if objects.isEmpty { return }
      userInfo[key] = context.runningSave?.set(of: objects) ?? Set(objects)
    }
    put(inserted, NSInsertedObjectsKey)
    put(updated, NSUpdatedObjectsKey)
    put(deleted, NSDeletedObjectsKey)
    put(refreshed, NSRefreshedObjectsKey)
    let outer = context.unitOfWork.announcement
    context.unitOfWork.announcement = self
    defer { context.unitOfWork.announcement = outer }
    Notification(
      name: .NSManagedObjectContextObjectsDidChange, object: context, userInfo: userInfo
    ).announce(.objects)
  }
}
