public import Foundation

extension Notification.Name {
  /// A context saved; `object` is the context, the sets are under `NSInsertedObjectsKey` and its siblings.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// A context is about to save.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// Objects of a context changed.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// A coordinator's stores changed.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// A coordinator is about to remove a store, which is the notification's object.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// A coordinator's stores are about to change. Only stores in iCloud post this notification; the library never posts it.
  ///
  /// > Reference: Apple, NSPersistentStoreCoordinatorStoresWillChange.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// A context saved; the notification contains object ids: `NSManagedObjectContext.didSaveObjectIDsNotification`.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidSaveObjectIDs.
  public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
    NSManagedObjectContext.didSaveObjectIDsNotification
  }
  /// A context merged changes of other contexts; the notification contains object ids:
  /// `NSManagedObjectContext.didMergeChangesObjectIDsNotification`.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidMergeChangesObjectIDs.
  public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name {
    NSManagedObjectContext.didMergeChangesObjectIDsNotification
  }
}

extension NSManagedObjectContext {
  /// Posted before a save.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// Posted after a save.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// Posted when objects changed.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange
  /// Posted after a save, with ids under `NSInsertedObjectIDsKey` and similar keys.
  ///
  /// Use this name to observe it: the sets are created only after a program has read this property.
  ///
  /// > Reference: Apple, didSaveObjectIDsNotification.
  public static var didSaveObjectIDsNotification: Notification.Name {
    IDNotifications.wantSaves()
    return IDNotifications.saveName
  }
  /// Posted after changes of other contexts were merged, with ids.
  ///
  /// Use this name to observe it: the sets are created only after a program has read this property.
  ///
  /// > Reference: Apple, didMergeChangesObjectIDsNotification.
  public static var didMergeChangesObjectIDsNotification: Notification.Name {
    IDNotifications.wantMerges()
    return IDNotifications.mergeName
  }

  /// Keys of the user info of a context's notifications.
  ///
  /// > Reference: Apple, NSManagedObjectContext.NotificationKey.
  public enum NotificationKey: String, Sendable {
    case queryGeneration = "NSManagedObjectContextQueryGenerationKey"
    case invalidatedAllObjects = "invalidatedAllObjects"
    case insertedObjects = "inserted"
    case updatedObjects = "updated"
    case deletedObjects = "deleted"
    case refreshedObjects = "refreshed"
    case invalidatedObjects = "invalidated"
    case insertedObjectIDs = "inserted_objectIDs"
    case updatedObjectIDs = "updated_objectIDs"
    case deletedObjectIDs = "deleted_objectIDs"
    case refreshedObjectIDs = "refreshed_objectIDs"
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}

/// The key of the ids of inserted objects in notifications with ids.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The key of the ids of updated objects in notifications with ids.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The key of the ids of deleted objects in notifications with ids.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The key of the ids of objects with new values from the store in notifications with ids.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The key of the ids of invalidated objects in notifications with ids.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

/// The key of the inserted objects in context notifications.
public let NSInsertedObjectsKey = "inserted"
/// The key of the updated objects in context notifications.
public let NSUpdatedObjectsKey = "updated"
/// The key of the deleted objects in context notifications.
public let NSDeletedObjectsKey = "deleted"
/// The key of the objects with new values from the store in context notifications.
public let NSRefreshedObjectsKey = "refreshed"
/// The key of the invalidated objects in context notifications.
public let NSInvalidatedObjectsKey = "invalidated"
/// The key of the ids of all objects that a reset invalidated.
public let NSInvalidatedAllObjectsKey = "invalidatedAllObjects"
/// The key of the added stores in coordinator notifications.
public let NSAddedPersistentStoresKey = "added"
/// The key of the removed stores in coordinator notifications.
public let NSRemovedPersistentStoresKey = "removed"
/// The key of a replaced store in coordinator notifications: an array of the old store, the new
/// one, and the old and new ids of the objects in turn.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"
