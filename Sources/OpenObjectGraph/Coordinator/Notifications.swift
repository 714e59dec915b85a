public import Foundation

extension Notification.Name {
  /// The name of the notification that a context posts after a save.
  ///
  /// The object of the notification is the context. The user info contains sets of the saved objects under
  /// `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// The name of the notification that a context posts before a save. The object of the notification is the context.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// The name of the notification that a context posts after its objects changed.
  ///
  /// The object of the notification is the context. The user info contains sets of the changed objects under
  /// `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and `NSRefreshedObjectsKey`, without keys for
  /// empty sets. After a reset of the context, the user info contains only `NSInvalidatedAllObjectsKey`.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// The name of the notification that a coordinator posts after a store was added, removed or replaced.
  ///
  /// The object of the notification is the coordinator. The user info contains an array under
  /// `NSAddedPersistentStoresKey`, `NSRemovedPersistentStoresKey` or `NSUUIDChangedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// The name of the notification that a coordinator posts before it removes a store.
  ///
  /// The object of the notification is the store.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// The name of a notification about stores in iCloud on Apple platforms; this library never posts the notification.
  ///
  /// > Reference: Apple, NSPersistentStoreCoordinatorStoresWillChange.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// The name of the notification with object ids that a context posts after a save.
  ///
  /// See ``NSManagedObjectContext/didSaveObjectIDsNotification``.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidSaveObjectIDs.
  public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
    NSManagedObjectContext.didSaveObjectIDsNotification
  }
  /// The name of the notification with object ids that a context posts after merging changes of other contexts.
  ///
  /// See ``NSManagedObjectContext/didMergeChangesObjectIDsNotification``.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidMergeChangesObjectIDs.
  public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name {
    NSManagedObjectContext.didMergeChangesObjectIDsNotification
  }
}

extension NSManagedObjectContext {
  /// The name of the notification that a context posts before a save, as `NSManagedObjectContextWillSave`.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// The name of the notification that a context posts after a save, as `NSManagedObjectContextDidSave`.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// The name of the notification that a context posts after its objects changed.
  ///
  /// This is the name `NSManagedObjectContextObjectsDidChange`.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange
  /// The name of the notification with sets of object ids that a context posts after a save.
  ///
  /// The user info contains the sets under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and
  /// `NSDeletedObjectIDsKey`. Contexts post the notification only after the program has read this property.
  ///
  /// > Reference: Apple, didSaveObjectIDsNotification.
  public static var didSaveObjectIDsNotification: Notification.Name {
    IDNotifications.wantSaves()
    return IDNotifications.saveName
  }
  /// The name of the notification with sets of object ids that a context posts after merging changes of other contexts.
  ///
  /// Contexts post the notification only after the program has read this property.
  ///
  /// > Reference: Apple, didMergeChangesObjectIDsNotification.
  public static var didMergeChangesObjectIDsNotification: Notification.Name {
    IDNotifications.wantMerges()
    return IDNotifications.mergeName
  }

  /// The keys of the user info in notifications of a context.
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

/// The user info key of the ids of inserted objects in notifications with object ids.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The user info key of the ids of updated objects in notifications with object ids.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The user info key of the ids of deleted objects in notifications with object ids.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The user info key of the ids of refreshed objects in notifications with object ids.
///
/// Refreshed objects have new values from the store.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The user info key of the ids of invalidated objects in notifications with object ids.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

/// The user info key of the inserted objects in notifications of a context.
public let NSInsertedObjectsKey = "inserted"
/// The user info key of the updated objects in notifications of a context.
public let NSUpdatedObjectsKey = "updated"
/// The user info key of the deleted objects in notifications of a context.
public let NSDeletedObjectsKey = "deleted"
/// The user info key of the refreshed objects in notifications of a context.
///
/// Refreshed objects have new values from the store.
public let NSRefreshedObjectsKey = "refreshed"
/// The user info key of the invalidated objects in notifications of a context.
public let NSInvalidatedObjectsKey = "invalidated"
/// The user info key of the ids of all objects that a reset of the context invalidated.
public let NSInvalidatedAllObjectsKey = "invalidatedAllObjects"
/// The user info key of the added stores in notifications of a coordinator.
public let NSAddedPersistentStoresKey = "added"
/// The user info key of the removed stores in notifications of a coordinator.
public let NSRemovedPersistentStoresKey = "removed"
/// The user info key of a replaced store in notifications of a coordinator.
///
/// The value is an array of the old store, the new store, and an array with alternating old and new object ids.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"
