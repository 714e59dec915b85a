public import Foundation
internal import OpenObjectGraph
internal import Synchronization

extension ModelContainer {
  /// Posted after a context or another process has saved to a store of a container; the object is the container.
  ///
  /// The user info contains the store's identifier under `storeIdentifier`, and the ``DefaultHistoryToken`` after the
  /// save under `historyToken`. It is posted on any thread, after a program has read this name.
  ///
  /// > Reference: Apple, remoteChange.
  public static var remoteChange: Notification.Name {
    RemoteAnnouncement.isWanted.store(true, ordering: .relaxed)
    return RemoteAnnouncement.name
  }
}

/// Reports saves to the stores of a container.
enum RemoteAnnouncement {
  static let name = Notification.Name("SwiftDataModelContainerRemoteChange")
  /// Whether anything in the process has requested the name.
  static let isWanted = Atomic<Bool>(false)

  /// Reports saves as long as the result is retained.
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
