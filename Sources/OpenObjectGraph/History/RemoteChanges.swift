internal import Foundation
internal import OpenStoreContract
internal import Synchronization

/// Notifies the coordinators of this process that a store has changed.
///
/// > Concurrency: Any thread; notifications are posted on the calling thread.
enum RemoteChanges {
  private struct Listener: Sendable {
    weak let store: NSPersistentStore?
  }

  private static let listeners = Mutex<[Listener]>([])

  /// Registers a store for notifications, if the store was opened with the option for remote
  /// changes.
  static func register(_ store: NSPersistentStore) {
    let option = store.options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey]
    guard store.keepsHistory, (option as? NSNumber)?.boolValue == true else { return }
    listeners.withLock { listeners in
      listeners.removeAll { $0.store == nil }
      listeners.append(Listener(store: store))
    }
    watchOthers(store)
  }

  /// Notifies the store's coordinator of commits by other processes, until the store is closed.
  private static func watchOthers(_ store: NSPersistentStore) {
    guard let backend = store.backend as? any ChangeWatching else { return }
    do throws(StoreError) {
      _ = try backend.watchChanges { [weak store] number in
        if let store { post(number, of: store) }
      }
    } catch {
      GraphLog.error("No notifications will be posted for changes by other processes: \(error)")
    }
  }

  /// Posts the notification of a commit by this process to every coordinator that has the store
  /// open.
  ///
  /// - Parameters:
  ///   - identifier: The store's UUID.
  ///   - transaction: The number of the newest transaction in the history; nil if nothing changed.
  static func storeChanged(_ identifier: String, at transaction: Int64?) {
    guard let transaction else { return }
    let stores = listeners.withLock { $0.compactMap(\.store) }
    for store in stores where store.identifier == identifier { post(transaction, of: store) }
  }

  private static func post(_ transaction: Int64, of store: NSPersistentStore) {
    guard let identifier = store.identifier, let coordinator = store.persistentStoreCoordinator,
      coordinator.persistentStores.contains(where: { $0 === store })
    else { return }
    Notification(
      name: .NSPersistentStoreRemoteChange, object: coordinator,
      userInfo: [
        NSStoreUUIDKey: identifier,
        NSPersistentStoreURLKey: store.url ?? URL(fileURLWithPath: "/dev/null"),
        NSPersistentHistoryTokenKey: NSPersistentHistoryToken([identifier: transaction]),
      ]
    ).announce(.remoteChange)
  }
}
