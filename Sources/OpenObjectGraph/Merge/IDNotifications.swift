internal import Foundation
internal import Synchronization

/// Notifications with ids, and whether anybody may listen to them.
///
/// They are built only in programs that have read their names: sets of ids of every save would cost as much as a good
/// part of the save.
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

  /// Announces a save by ids.
  static func announceSave(of changes: SaveSet, in context: NSManagedObjectContext) {
    guard areSavesWanted else { return }
    NotificationCenter.default.post(
      name: saveName, object: context,
      userInfo: [
        NSInsertedObjectIDsKey: Set(changes.inserted.map(\.objectID)),
        NSUpdatedObjectIDsKey: Set(changes.updated.map(\.objectID)),
        NSDeletedObjectIDsKey: Set(changes.deleted.map(\.objectID)),
      ])
  }

  /// Announces a merge by ids.
  static func announceMerge(
    _ merged: ChangeAnnouncement, _ deleted: [NSManagedObject], in context: NSManagedObjectContext
  ) {
    guard areMergesWanted else { return }
    let refreshed = Set(merged.refreshed.map(\.objectID))
    NotificationCenter.default.post(
      name: mergeName, object: context,
      userInfo: [
        NSInsertedObjectIDsKey: Set(merged.inserted.map(\.objectID)),
        NSUpdatedObjectIDsKey: refreshed, NSRefreshedObjectIDsKey: refreshed,
        NSDeletedObjectIDsKey: Set(deleted.map(\.objectID)),
      ])
  }
}
