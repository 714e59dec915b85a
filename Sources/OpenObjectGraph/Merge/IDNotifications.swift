internal import Foundation
internal import Synchronization

/// Notifications with object ids, and whether any program code may observe them.
///
/// The notifications are created only in programs that have read their names, because creating sets
/// of ids for every save would take a considerable part of the time of a save.
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

  /// Posts the notification of a save with object ids.
  ///
  /// - Parameter other: The user info of the notification with objects; its token and query
  ///   generation are copied.
  static func announceSave(
    of changes: SaveSet, in context: NSManagedObjectContext, _ other: [AnyHashable: Any]
  ) {
    guard areSavesWanted else { return }
    var userInfo: [AnyHashable: Any] = [
      NSInsertedObjectIDsKey: Set(changes.inserted.map(\.currentID)),
      NSUpdatedObjectIDsKey: Set(changes.updated.map(\.currentID)),
      NSDeletedObjectIDsKey: Set(changes.deleted.map(\.currentID)),
    ]
    for key in [HistoryName.changeToken, NSManagedObjectContextQueryGenerationKey] {
      userInfo[key] = other[key]
    }
    Notification(name: saveName, object: context, userInfo: userInfo).announce(.savedIDs)
  }

  /// Posts the notification of a merge with object ids.
  static func announceMerge(
    _ merged: ChangeAnnouncement, _ deleted: [NSManagedObject], in context: NSManagedObjectContext
  ) {
    guard areMergesWanted else { return }
    let refreshed = Set(merged.refreshed.map(\.currentID))
    Notification(
      name: mergeName, object: context,
      userInfo: [
        NSInsertedObjectIDsKey: Set(merged.inserted.map(\.currentID)),
        NSUpdatedObjectIDsKey: refreshed, NSRefreshedObjectIDsKey: refreshed,
        NSDeletedObjectIDsKey: Set(deleted.map(\.currentID)),
      ]
    ).announce(.mergedIDs)
  }
}
