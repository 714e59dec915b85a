internal import Foundation
internal import Synchronization

// Notifications with ids. They are built only in programs that asked for their names: sets of ids of every save
// would cost as much as a good part of the save.

/// Which notifications with ids anybody may listen to.
enum IDNotifications {
  private static let saves = Atomic<Bool>(false)
  private static let merges = Atomic<Bool>(false)

  static let saveName = Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
  static let mergeName = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  static var areSavesWanted: Bool { saves.load(ordering: .relaxed) }
  static var areMergesWanted: Bool { merges.load(ordering: .relaxed) }
  static func wantSaves() { saves.store(true, ordering: .relaxed) }
  static func wantMerges() { merges.store(true, ordering: .relaxed) }
}

extension NSManagedObjectContext {
  /// Announces a save by ids.
  func announceSavedIDs(of changes: SaveSet) {
    guard IDNotifications.areSavesWanted else { return }
    NotificationCenter.default.post(
      name: IDNotifications.saveName, object: self,
      userInfo: [
        NSInsertedObjectIDsKey: Set(changes.inserted.map(\.objectID)),
        NSUpdatedObjectIDsKey: Set(changes.updated.map(\.objectID)),
        NSDeletedObjectIDsKey: Set(changes.deleted.map(\.objectID)),
      ])
  }

  /// Announces a merge by ids.
  func announceMerge(_ merged: MergedObjects, _ deleted: [NSManagedObject]) {
    guard IDNotifications.areMergesWanted else { return }
    let refreshed = Set(merged.refreshed.map(\.objectID))
    NotificationCenter.default.post(
      name: IDNotifications.mergeName, object: self,
      userInfo: [
        NSInsertedObjectIDsKey: Set(merged.inserted.map(\.objectID)),
        NSUpdatedObjectIDsKey: refreshed, NSRefreshedObjectIDsKey: refreshed,
        NSDeletedObjectIDsKey: Set(deleted.map(\.objectID)),
      ])
  }
}
