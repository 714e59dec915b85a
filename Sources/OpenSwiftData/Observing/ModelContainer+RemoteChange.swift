public import Foundation
internal import OpenObjectGraph
internal import Synchronization

extension ModelContainer {
  /// The name of the notification that a container posts after a context or another process saves
  /// to a store of the container.
  ///
  /// The object of the notification is the container. The user info contains the identifier of the
  /// store under the key `storeIdentifier`, and a ``DefaultHistoryToken`` for the position after
  /// the save under the key `historyToken`. Containers post the notification on any thread.
  /// Containers do not post the notification until the program reads this property for the first
  /// time.
  ///
  /// > Reference: Apple, remoteChange.
  public static var remoteChange: Notification.Name {
    RemoteAnnouncement.isWanted.store(true, ordering: .relaxed)
    return RemoteAnnouncement.name
  }
}

/// Posts notifications about saves to the stores of a container.
enum RemoteAnnouncement {
  static let name = Notification.Name("SwiftDataModelContainerRemoteChange")
  /// Whether the program has read the name of the notification.
  static let isWanted = Atomic<Bool>(false)

  /// Posts notifications until the returned token is deallocated.
  static func begin(
    for container: ModelContainer, _ coordinator: NSPersistentStoreCoordinator
  ) -> NotificationToken {
    NotificationToken(.NSPersistentStoreRemoteChange, coordinator) { [weak container] note in
      guard isWanted.load(ordering: .relaxed), let container else { return }
      var information: [String: Any] = [:]
      information["storeIdentifier"] = note.userInfo?[NSStoreUUIDKey]
      if let token = note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken {
        information["historyToken"] = DefaultHistoryToken(token.numbers)
      }
      NotificationCenter.default.post(name: name, object: container, userInfo: information)
    }
  }
}
