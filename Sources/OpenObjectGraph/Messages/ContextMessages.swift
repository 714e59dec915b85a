public import Foundation

// Messages of main-queue contexts, with their objects.

extension NSManagedObjectContext {
  /// A message that a main-queue context posts before a save.
  ///
  /// Add observers with the identifier `.willSave`. Until the program first uses this identifier,
  /// the library does not post the message, and observers that were added with the message type
  /// receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the main actor.
  /// > Reference: Apple, NSManagedObjectContext.WillSaveMessage.
  public struct WillSaveMessage: NotificationCenter.MainActorMessage {
    /// The type of the message's subject: the context.
    public typealias Subject = NSManagedObjectContext

    /// The context that is about to save its changes.
    public let context: NSManagedObjectContext

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.willSave.noteObserver()
      return .NSManagedObjectContextWillSave
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a context.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return Self(context: context)
    }

    /// Creates a notification from a message.
    ///
    /// - Returns: The notification.
    @MainActor
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.context)
    }
  }

  /// A message that a main-queue context posts after a save, with the saved objects.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(of: context, for: .didSave) { message in
  ///   show(message.inserted)
  /// }
  /// ```
  ///
  /// Add observers with the identifier `.didSave`. Until the program first uses this identifier,
  /// the library does not post the message, and observers that were added with the message type
  /// receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the main actor.
  /// > Reference: Apple, NSManagedObjectContext.DidSaveMessage.
  public struct DidSaveMessage: NotificationCenter.MainActorMessage {
    /// The type of the message's subject: the context.
    public typealias Subject = NSManagedObjectContext

    /// The context that saved its changes.
    public let context: NSManagedObjectContext
    /// The objects that the save inserted.
    public let inserted: Set<NSManagedObject>
    /// The objects that the save updated.
    public let updated: Set<NSManagedObject>
    /// The objects that the save deleted.
    public let deleted: Set<NSManagedObject>
    /// The position in the history after the save; nil if no store records history.
    public let historyToken: NSPersistentHistoryToken?
    /// The query generation that a pinned context reads after the save; nil if the context is not
    /// pinned.
    public let queryGeneration: NSQueryGenerationToken?

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.didSave.noteObserver()
      return .NSManagedObjectContextDidSave
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a context.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return Self(
        context: context,
        inserted: notification.set(NSInsertedObjectsKey),
        updated: notification.set(NSUpdatedObjectsKey),
        deleted: notification.set(NSDeletedObjectsKey),
        historyToken: notification.userInfo?[HistoryName.changeToken] as? NSPersistentHistoryToken,
        queryGeneration: notification.userInfo?[NSManagedObjectContextQueryGenerationKey]
          as? NSQueryGenerationToken)
    }

    /// Creates a notification from a message.
    ///
    /// - Returns: The notification.
    @MainActor
    public static func makeNotification(_ message: Self) -> Notification {
      var userInfo: [AnyHashable: Any] = [
        NSInsertedObjectsKey: message.inserted, NSUpdatedObjectsKey: message.updated,
        NSDeletedObjectsKey: message.deleted,
      ]
      userInfo[HistoryName.changeToken] = message.historyToken
      userInfo[NSManagedObjectContextQueryGenerationKey] = message.queryGeneration
      return Notification(name: name, object: message.context, userInfo: userInfo)
    }
  }

  /// A message that a main-queue context posts after some of its objects have changed.
  ///
  /// The objects were inserted, updated, deleted or refreshed, or all objects of the context were
  /// invalidated.
  ///
  /// Add observers with the identifier `.objectsDidChange`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the main actor.
  /// > Reference: Apple, NSManagedObjectContext.ObjectsDidChangeMessage.
  public struct ObjectsDidChangeMessage: NotificationCenter.MainActorMessage {
    /// The type of the message's subject: the context.
    public typealias Subject = NSManagedObjectContext

    /// The context whose objects have changed.
    public let context: NSManagedObjectContext
    /// The objects whose insertion the message reports.
    public let inserted: Set<NSManagedObject>
    /// The objects whose update the message reports.
    public let updated: Set<NSManagedObject>
    /// The objects whose deletion the message reports.
    public let deleted: Set<NSManagedObject>
    /// The objects whose values were replaced by a merge, a refresh or a similar operation.
    public let refreshed: Set<NSManagedObject>
    /// The invalidated objects; always empty, because a context never invalidates single objects.
    public let invalidated: Set<NSManagedObject>
    /// `true` if all objects of the context were invalidated, for example by a reset; otherwise
    /// nil.
    public let invalidatedAll: Bool?

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.objects.noteObserver()
      return .NSManagedObjectContextObjectsDidChange
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a context.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return Self(
        context: context,
        inserted: notification.set(NSInsertedObjectsKey),
        updated: notification.set(NSUpdatedObjectsKey),
        deleted: notification.set(NSDeletedObjectsKey),
        refreshed: notification.set(NSRefreshedObjectsKey),
        invalidated: notification.set(NSInvalidatedObjectsKey),
        invalidatedAll: notification.userInfo?[NSInvalidatedAllObjectsKey].map { _ in true })
    }

    /// Creates a notification from a message.
    ///
    /// The notification does not contain the ids of objects that a reset invalidated.
    ///
    /// - Returns: The notification.
    @MainActor
    public static func makeNotification(_ message: Self) -> Notification {
      var userInfo: [AnyHashable: Any] = [:]
      let sets = [
        NSInsertedObjectsKey: message.inserted, NSUpdatedObjectsKey: message.updated,
        NSDeletedObjectsKey: message.deleted, NSRefreshedObjectsKey: message.refreshed,
        NSInvalidatedObjectsKey: message.invalidated,
      ]
      for (key, objects) in sets where !objects.isEmpty { userInfo[key] = objects }
      if message.invalidatedAll == true {
        userInfo[NSInvalidatedAllObjectsKey] = [NSManagedObjectID]()
      }
      return Notification(name: name, object: message.context, userInfo: userInfo)
    }
  }
}

extension Notification {
  /// The objects or ids under a key of the user info; empty if there are none.
  func set<Element: Hashable>(_ key: String) -> Set<Element> {
    userInfo?[key] as? Set<Element> ?? []
  }
}
