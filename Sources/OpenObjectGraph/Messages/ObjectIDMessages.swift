public import Foundation

// Messages that identify objects by id, for main-queue contexts and for other contexts.

/// The ids, the history token and the query generation in a notification of a save or a merge.
struct ObjectIDContent: Sendable {
  let inserted: Set<NSManagedObjectID>
  let updated: Set<NSManagedObjectID>
  let deleted: Set<NSManagedObjectID>
  let refreshed: Set<NSManagedObjectID>
  let invalidated: Set<NSManagedObjectID>
  let historyToken: NSPersistentHistoryToken?
  let queryGeneration: NSQueryGenerationToken?

  init(_ notification: Notification) {
    inserted = notification.set(NSInsertedObjectIDsKey)
    updated = notification.set(NSUpdatedObjectIDsKey)
    deleted = notification.set(NSDeletedObjectIDsKey)
    refreshed = notification.set(NSRefreshedObjectIDsKey)
    invalidated = notification.set(NSInvalidatedObjectIDsKey)
    historyToken = notification.userInfo?[HistoryName.changeToken] as? NSPersistentHistoryToken
    queryGeneration =
      notification.userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken
  }

  func notification(_ name: Notification.Name, of context: NSManagedObjectContext) -> Notification {
    var userInfo: [AnyHashable: Any] = [
      NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated,
      NSDeletedObjectIDsKey: deleted, NSRefreshedObjectIDsKey: refreshed,
      NSInvalidatedObjectIDsKey: invalidated,
    ]
    userInfo[HistoryName.changeToken] = historyToken
    userInfo[NSManagedObjectContextQueryGenerationKey] = queryGeneration
    return Notification(name: name, object: context, userInfo: userInfo)
  }
}

extension NSManagedObjectContext {
  /// A message that a main-queue context posts after a save, with the ids of the saved objects.
  ///
  /// Add observers with the identifier `.didSaveObjectIDs`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the main actor.
  /// > Reference: Apple, NSManagedObjectContext.DidSaveObjectIDsMessage.
  public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage {
    /// The type of the message's subject: the context.
    public typealias Subject = NSManagedObjectContext

    /// The context that saved its changes.
    public let context: NSManagedObjectContext
    let content: ObjectIDContent

    /// The ids of the objects that the save inserted.
    public var insertedIDs: Set<NSManagedObjectID> { content.inserted }
    /// The ids of the objects that the save updated.
    public var updatedIDs: Set<NSManagedObjectID> { content.updated }
    /// The ids of the objects that the save deleted.
    public var deletedIDs: Set<NSManagedObjectID> { content.deleted }
    /// The ids of refreshed objects; always empty, because a save does not refresh objects.
    public var refreshedIDs: Set<NSManagedObjectID> { content.refreshed }
    /// The ids of invalidated objects; always empty, because a save does not invalidate objects.
    public var invalidatedIDs: Set<NSManagedObjectID> { content.invalidated }
    /// The position in the history after the save; nil if no store records history.
    public var historyToken: NSPersistentHistoryToken? { content.historyToken }
    /// The query generation that a pinned context reads after the save; nil if the
    /// context is not pinned.
    public var queryGeneration: NSQueryGenerationToken? { content.queryGeneration }

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.savedIDs.noteObserver()
      return didSaveObjectIDsNotification
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a context.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return Self(context: context, content: ObjectIDContent(notification))
    }

    /// Creates a notification from a message.
    ///
    /// - Returns: The notification.
    @MainActor
    public static func makeNotification(_ message: Self) -> Notification {
      message.content.notification(name, of: message.context)
    }
  }

  /// A message that a background context posts after a save, with the ids of the saved objects.
  ///
  /// A main-queue context posts ``DidSaveObjectIDsMessage`` instead.
  ///
  /// ```swift
  /// for await message in NotificationCenter.default.messages(of: context, for: .didSaveObjectIDsAsync) {
  ///   await show(message.insertedIDs)
  /// }
  /// ```
  ///
  /// Add observers with the identifier `.didSaveObjectIDsAsync`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the context's queue. Observers receive the message later, on any
  /// > thread.
  /// > Reference: Apple, NSManagedObjectContext.DidSaveObjectIDsAsyncMessage.
  public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage {
    /// The type of the message's subject: the context.
    public typealias Subject = NSManagedObjectContext

    /// The context that saved its changes.
    public let context: NSManagedObjectContext
    let content: ObjectIDContent

    /// The ids of the objects that the save inserted.
    public var insertedIDs: Set<NSManagedObjectID> { content.inserted }
    /// The ids of the objects that the save updated.
    public var updatedIDs: Set<NSManagedObjectID> { content.updated }
    /// The ids of the objects that the save deleted.
    public var deletedIDs: Set<NSManagedObjectID> { content.deleted }
    /// The ids of refreshed objects; always empty, because a save does not refresh objects.
    public var refreshedIDs: Set<NSManagedObjectID> { content.refreshed }
    /// The ids of invalidated objects; always empty, because a save does not invalidate objects.
    public var invalidatedIDs: Set<NSManagedObjectID> { content.invalidated }
    /// The position in the history after the save; nil if no store records history.
    public var historyToken: NSPersistentHistoryToken? { content.historyToken }
    /// The query generation that a pinned context reads after the save; nil if the
    /// context is not pinned.
    public var queryGeneration: NSQueryGenerationToken? { content.queryGeneration }

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.savedIDs.noteObserver()
      return didSaveObjectIDsNotification
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a context.
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return Self(context: context, content: ObjectIDContent(notification))
    }

    /// Creates a notification from a message.
    ///
    /// - Returns: The notification.
    public static func makeNotification(_ message: Self) -> Notification {
      message.content.notification(name, of: message.context)
    }
  }

  /// A message that a main-queue context posts after a merge, with the ids of the changed objects.
  ///
  /// Add observers with the identifier `.didMergeChanges`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the main actor.
  /// > Reference: Apple, NSManagedObjectContext.DidMergeChangesMessage.
  public struct DidMergeChangesMessage: NotificationCenter.MainActorMessage {
    /// The type of the message's subject: the context.
    public typealias Subject = NSManagedObjectContext

    /// The context that merged the changes.
    public let context: NSManagedObjectContext
    let content: ObjectIDContent

    /// The ids of the objects that the merge inserted.
    public var insertedIDs: Set<NSManagedObjectID> { content.inserted }
    /// The ids of the objects that the merge updated.
    public var updatedIDs: Set<NSManagedObjectID> { content.updated }
    /// The ids of the objects that the merge deleted.
    public var deletedIDs: Set<NSManagedObjectID> { content.deleted }
    /// The ids of the refreshed objects, which are the same as ``updatedIDs``.
    public var refreshedIDs: Set<NSManagedObjectID> { content.refreshed }
    /// The ids of invalidated objects; always empty, because a merge does not invalidate objects.
    public var invalidatedIDs: Set<NSManagedObjectID> { content.invalidated }
    /// The history token; always nil, because a context can merge several saves at a time.
    public var historyToken: NSPersistentHistoryToken? { content.historyToken }
    /// The query generation; always nil, because a pinned context moves to a newer generation only
    /// at its next read.
    public var queryGeneration: NSQueryGenerationToken? { content.queryGeneration }

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.mergedIDs.noteObserver()
      return didMergeChangesObjectIDsNotification
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a context.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return Self(context: context, content: ObjectIDContent(notification))
    }

    /// Creates a notification from a message.
    ///
    /// - Returns: The notification.
    @MainActor
    public static func makeNotification(_ message: Self) -> Notification {
      message.content.notification(name, of: message.context)
    }
  }

  /// A message that a background context posts after a merge, with the ids of the changed objects.
  ///
  /// A main-queue context posts ``DidMergeChangesMessage`` instead.
  ///
  /// Add observers with the identifier `.didMergeChangesAsync`. Until the program first uses this
  /// identifier, the library does not post the message, and observers that were added with the
  /// message type receive nothing (D-430).
  ///
  /// > Concurrency: Posted on the context's queue. Observers receive the message later, on any
  /// > thread.
  /// > Reference: Apple, NSManagedObjectContext.DidMergeChangesAsyncMessage.
  public struct DidMergeChangesAsyncMessage: NotificationCenter.AsyncMessage {
    /// The type of the message's subject: the context.
    public typealias Subject = NSManagedObjectContext

    /// The context that merged the changes.
    public let context: NSManagedObjectContext
    let content: ObjectIDContent

    /// The ids of the objects that the merge inserted.
    public var insertedIDs: Set<NSManagedObjectID> { content.inserted }
    /// The ids of the objects that the merge updated.
    public var updatedIDs: Set<NSManagedObjectID> { content.updated }
    /// The ids of the objects that the merge deleted.
    public var deletedIDs: Set<NSManagedObjectID> { content.deleted }
    /// The ids of the refreshed objects, which are the same as ``updatedIDs``.
    public var refreshedIDs: Set<NSManagedObjectID> { content.refreshed }
    /// The ids of invalidated objects; always empty, because a merge does not invalidate objects.
    public var invalidatedIDs: Set<NSManagedObjectID> { content.invalidated }
    /// The history token; always nil, because a context can merge several saves at a time.
    public var historyToken: NSPersistentHistoryToken? { content.historyToken }
    /// The query generation; always nil, because a pinned context moves to a newer generation only
    /// at its next read.
    public var queryGeneration: NSQueryGenerationToken? { content.queryGeneration }

    /// The name of the notification that is posted together with this message.
    public static var name: Notification.Name {
      Announced.mergedIDs.noteObserver()
      return didMergeChangesObjectIDsNotification
    }

    /// Creates a message from a notification.
    ///
    /// - Parameter notification: A notification with this message's name.
    /// - Returns: The message; nil if the notification's object is not a context.
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return Self(context: context, content: ObjectIDContent(notification))
    }

    /// Creates a notification from a message.
    ///
    /// - Returns: The notification.
    public static func makeNotification(_ message: Self) -> Notification {
      message.content.notification(name, of: message.context)
    }
  }
}
