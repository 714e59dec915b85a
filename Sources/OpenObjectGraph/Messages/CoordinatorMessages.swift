public import Foundation

// Messages of coordinators.

extension NSPersistentStoreCoordinator {
  /// A message that is posted on the main thread after a coordinator's stores have changed.
  ///
  /// If the stores change on another thread, ``StoresDidChangeAsyncMessage`` is posted instead.
  ///
  /// Add observers with the identifier `.storesDidChange`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the main actor.
  /// > Reference: Apple, NSPersistentStoreCoordinator.StoresDidChangeMessage.
  public struct StoresDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The type of the message's subject: the coordinator.
    public typealias Subject = NSPersistentStoreCoordinator

    /// The coordinator whose stores have changed.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    let changes: StoreChanges

    /// The stores that were added.
    public var addedStores: [NSPersistentStore] { changes.added }
    /// The stores that were removed.
    public var removedStores: [NSPersistentStore] { changes.removed }
    /// The replaced store and its replacement; nil if no store was replaced.
    ///
    /// For example, `migratePersistentStore` replaces a store with the store at the new location.
    public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? {
      changes.exchanged
    }

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.stores.noteObserver()
      return .NSPersistentStoreCoordinatorStoresDidChange
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a coordinator.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let coordinator = notification.object as? NSPersistentStoreCoordinator else {
        return nil
      }
      return Self(persistentStoreCoordinator: coordinator, changes: StoreChanges(notification))
    }

    /// Creates a notification from a message.
    ///
    /// The notification does not contain the old and new ids of objects whose store was moved.
    ///
    /// - Returns: The notification.
    @MainActor
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(
        name: name, object: message.persistentStoreCoordinator, userInfo: message.changes.userInfo)
    }
  }

  /// A message that is posted after a coordinator's stores have changed on a thread other than the
  /// main thread.
  ///
  /// If the stores change on the main thread, ``StoresDidChangeMessage`` is posted instead.
  ///
  /// Add observers with the identifier `.storesDidChangeAsync`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the thread that changed the stores. Observers receive the message
  /// > later, on any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage.
  public struct StoresDidChangeAsyncMessage: NotificationCenter.AsyncMessage {
    /// The type of the message's subject: the coordinator.
    public typealias Subject = NSPersistentStoreCoordinator

    /// The coordinator whose stores have changed.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    let changes: StoreChanges

    /// The stores that were added.
    public var addedStores: [NSPersistentStore] { changes.added }
    /// The stores that were removed.
    public var removedStores: [NSPersistentStore] { changes.removed }
    /// The replaced store and its replacement; nil if no store was replaced.
    ///
    /// For example, `migratePersistentStore` replaces a store with the store at the new location.
    public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? {
      changes.exchanged
    }

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.stores.noteObserver()
      return .NSPersistentStoreCoordinatorStoresDidChange
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a coordinator.
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let coordinator = notification.object as? NSPersistentStoreCoordinator else {
        return nil
      }
      return Self(persistentStoreCoordinator: coordinator, changes: StoreChanges(notification))
    }

    /// Creates a notification from a message.
    ///
    /// The notification does not contain the old and new ids of objects whose store was moved.
    ///
    /// - Returns: The notification.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(
        name: name, object: message.persistentStoreCoordinator, userInfo: message.changes.userInfo)
    }
  }

  /// A message that is posted after this process or another process has committed changes to a
  /// store.
  ///
  /// To receive the message, open the store with `NSPersistentHistoryTrackingKey` and
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
  ///
  /// ```swift
  /// for await message in NotificationCenter.default.messages(of: coordinator, for: .remoteChange) {
  ///   await readHistory(upTo: message.historyToken)
  /// }
  /// ```
  ///
  /// Add observers with the identifier `.remoteChange`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on any thread. Observers receive the message later, on any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator.RemoteChangeMessage.
  public struct RemoteChangeMessage: NotificationCenter.AsyncMessage {
    /// The type of the message's subject: the coordinator.
    public typealias Subject = NSPersistentStoreCoordinator

    /// The coordinator that has the store open.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The position in the history after the commit; nil if the notification contains no token.
    public let historyToken: NSPersistentHistoryToken?
    /// The URL of the store; `/dev/null` for a store without a URL.
    public let storeURL: URL
    /// The UUID of the store.
    public let storeUUID: String

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.remoteChange.noteObserver()
      return .NSPersistentStoreRemoteChange
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a coordinator, or if the
    ///   notification contains no store URL or store UUID.
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let coordinator = notification.object as? NSPersistentStoreCoordinator,
        let url = notification.userInfo?[NSPersistentStoreURLKey] as? URL,
        let uuid = notification.userInfo?[NSStoreUUIDKey] as? String
      else { return nil }
      return Self(
        persistentStoreCoordinator: coordinator,
        historyToken: notification.userInfo?[NSPersistentHistoryTokenKey]
          as? NSPersistentHistoryToken, storeURL: url, storeUUID: uuid)
    }

    /// Creates a notification from a message.
    ///
    /// - Returns: The notification.
    public static func makeNotification(_ message: Self) -> Notification {
      var userInfo: [AnyHashable: Any] = [
        NSPersistentStoreURLKey: message.storeURL, NSStoreUUIDKey: message.storeUUID,
      ]
      userInfo[NSPersistentHistoryTokenKey] = message.historyToken
      return Notification(
        name: name, object: message.persistentStoreCoordinator, userInfo: userInfo)
    }
  }
}

/// The stores that a coordinator has added, removed or replaced.
struct StoreChanges: Sendable {
  let added: [NSPersistentStore]
  let removed: [NSPersistentStore]
  let exchanged: (oldValue: NSPersistentStore, newValue: NSPersistentStore)?

  init(_ notification: Notification) {
    let stores = { notification.userInfo?[$0] as? [NSPersistentStore] ?? [] }
    added = stores(NSAddedPersistentStoresKey)
    removed = stores(NSRemovedPersistentStoresKey)
    let exchange = notification.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any] ?? []
    exchanged =
      if exchange.count > 1, let old = exchange[0] as? NSPersistentStore,
        let new = exchange[1] as? NSPersistentStore
      {
        (old, new)
      } else {
        nil
      }
  }

  var userInfo: [AnyHashable: Any] {
    var userInfo: [AnyHashable: Any] = [:]
    if !added.isEmpty { userInfo[NSAddedPersistentStoresKey] = added }
    if !removed.isEmpty { userInfo[NSRemovedPersistentStoresKey] = removed }
    if let exchanged {
      let none: [NSManagedObjectID] = []
      userInfo[NSUUIDChangedPersistentStoresKey] = [exchanged.oldValue, exchanged.newValue, none]
    }
    return userInfo
  }
}
