internal import Foundation

/// What one change notification says of a context's objects.
struct ChangeAnnouncement {
  /// Objects that were inserted, or came back.
  var inserted: [NSManagedObject] = []
  var updated: [NSManagedObject] = []
  /// Objects that were deleted, or left.
  var deleted: [NSManagedObject] = []
  /// Objects that have other values than before, not by a change of the program.
  var refreshed: [NSManagedObject] = []

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  /// Whether it says that the program changed an object.
  func hasChanged(_ object: NSManagedObject) -> Bool {
    updated.contains { $0 === object } || inserted.contains { $0 === object }
  }

  /// Adds what changed in a context since the last notification; the next one does not name it again.
  mutating func takeChanges(of context: NSManagedObjectContext) {
    let lists = inserted.isEmpty ? context.unitOfWork.takeUnannouncedLists() : nil
    deleted = context.unitOfWork.takeWithdrawn() + (context.undoRecorder?.takeWithdrawn() ?? [])
    if let lists { return (inserted, updated) = lists }
    context.unitOfWork.takeUnannounced().forEachBorrowed { object in
      switch object.registration {
      case .inserted: inserted.append(object)
      case .persistent: updated.append(object)
      case .deleted: deleted.append(object)
      case .detached: break
      }
    }
  }

  /// Posts the notification, if it says anything.
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
