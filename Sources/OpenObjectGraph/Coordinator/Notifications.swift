public import Foundation

extension Notification.Name {
  /// The name of the notification that a context posts after a save.
  ///
  /// The object of the notification is the context. The user info contains sets of the saved
  /// objects under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`. A set
  /// may be empty.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// The name of the notification that a context posts before a save.
  ///
  /// The object of the notification is the context.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// The name of the notification that a context posts after its objects change.
  ///
  /// The object of the notification is the context. The user info contains sets of the changed
  /// objects under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and
  /// `NSRefreshedObjectsKey`, without keys for empty sets. The sets contain the changes since the
  /// previous notification: a new object that changes again before it is saved is reported as
  /// updated. After a reset of the context, the user info contains only
  /// `NSInvalidatedAllObjectsKey`.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// The name of the notification that a coordinator posts after it adds, removes or replaces a
  /// store.
  ///
  /// The object of the notification is the coordinator. The user info contains an array under
  /// `NSAddedPersistentStoresKey`, `NSRemovedPersistentStoresKey` or
  /// `NSUUIDChangedPersistentStoresKey`.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// The name of the notification that a coordinator posts before it removes a store.
  ///
  /// The object of the notification is the store.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// The name of a notification about iCloud stores; this library never posts the notification.
  ///
  /// > Reference: Apple, NSPersistentStoreCoordinatorStoresWillChange.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// The name of the notification that a context posts after a save, with object ids in the user
  /// info.
  ///
  /// See ``NSManagedObjectContext/didSaveObjectIDsNotification``.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidSaveObjectIDs.
  public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
    NSManagedObjectContext.didSaveObjectIDsNotification
  }
  /// The name of the notification that a context posts after merging changes from other contexts,
  /// with object ids in the user info.
  ///
  /// See ``NSManagedObjectContext/didMergeChangesObjectIDsNotification``.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidMergeChangesObjectIDs.
  public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name {
    NSManagedObjectContext.didMergeChangesObjectIDsNotification
  }
}

extension NSManagedObjectContext {
  /// The name of the notification that a context posts before a save; equal to
  /// `NSManagedObjectContextWillSave`.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// The name of the notification that a context posts after a save; equal to
  /// `NSManagedObjectContextDidSave`.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// The name of the notification that a context posts after its objects change.
  ///
  /// The name is equal to `NSManagedObjectContextObjectsDidChange`.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange
  /// The name of the notification that a context posts after a save, with sets of object ids in the
  /// user info.
  ///
  /// The user info contains the sets under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and
  /// `NSDeletedObjectIDsKey`. A set may be empty. Contexts post the notification only after the
  /// program has read this property.
  ///
  /// > Reference: Apple, didSaveObjectIDsNotification.
  public static var didSaveObjectIDsNotification: Notification.Name {
    IDNotifications.wantSaves()
    return IDNotifications.saveName
  }
  /// The name of the notification that a context posts after merging changes from other contexts,
  /// with sets of object ids in the user info.
  ///
  /// The user info contains the sets under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey`,
  /// `NSRefreshedObjectIDsKey` and `NSDeletedObjectIDsKey`. The updated ids and the refreshed ids
  /// are the same.
  ///
  /// Contexts post the notification only after the program has read this property.
  ///
  /// > Reference: Apple, didMergeChangesObjectIDsNotification.
  public static var didMergeChangesObjectIDsNotification: Notification.Name {
    IDNotifications.wantMerges()
    return IDNotifications.mergeName
  }

  /// The keys in the user info of a context's notifications.
  ///
  /// > Reference: Apple, NSManagedObjectContext.NotificationKey.
  public enum NotificationKey: String, Sendable {
    /// The query generation of the context; equal to `NSManagedObjectContextQueryGenerationKey`.
    case queryGeneration = "NSManagedObjectContextQueryGenerationKey"
    /// The ids of all objects that a reset invalidated; equal to `NSInvalidatedAllObjectsKey`.
    case invalidatedAllObjects = "invalidatedAll"
    /// The inserted objects; equal to `NSInsertedObjectsKey`.
    case insertedObjects = "inserted"
    /// The updated objects; equal to `NSUpdatedObjectsKey`.
    case updatedObjects = "updated"
    /// The deleted objects; equal to `NSDeletedObjectsKey`.
    case deletedObjects = "deleted"
    /// The refreshed objects; equal to `NSRefreshedObjectsKey`.
    case refreshedObjects = "refreshed"
    /// The invalidated objects; equal to `NSInvalidatedObjectsKey`.
    case invalidatedObjects = "invalidated"
    /// The ids of inserted objects; equal to `NSInsertedObjectIDsKey`.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The ids of updated objects; equal to `NSUpdatedObjectIDsKey`.
    case updatedObjectIDs = "updated_objectIDs"
    /// The ids of deleted objects; equal to `NSDeletedObjectIDsKey`.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The ids of refreshed objects; equal to `NSRefreshedObjectIDsKey`.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The ids of invalidated objects; equal to `NSInvalidatedObjectIDsKey`.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}

/// The key for the set of ids of inserted objects, in the user info of a notification with object
/// ids.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The key for the set of ids of updated objects, in the user info of a notification with object
/// ids.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The key for the set of ids of deleted objects, in the user info of a notification with object
/// ids.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The key for the set of ids of refreshed objects, in the user info of a notification with object
/// ids.
///
/// Refreshed objects have new values from the store.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The key for the set of ids of invalidated objects, in the user info of a notification with
/// object ids.
///
/// Contexts of this library do not use this key.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

/// The key for the set of inserted objects in the user info of a context's notification.
public let NSInsertedObjectsKey = "inserted"
/// The key for the set of updated objects in the user info of a context's notification.
public let NSUpdatedObjectsKey = "updated"
/// The key for the set of deleted objects in the user info of a context's notification.
public let NSDeletedObjectsKey = "deleted"
/// The key for the set of refreshed objects in the user info of a context's notification.
///
/// Refreshed objects have new values from the store.
public let NSRefreshedObjectsKey = "refreshed"
/// The key for the set of invalidated objects in the user info of a context's notification.
///
/// Contexts of this library do not use this key. After a reset, the user info contains
/// `NSInvalidatedAllObjectsKey`.
public let NSInvalidatedObjectsKey = "invalidated"
/// The key for an array of the ids of all objects that a reset invalidated, in the user info of a
/// context's notification.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The key for the array of added stores in the user info of a coordinator's notification.
public let NSAddedPersistentStoresKey = "added"
/// The key for the array of removed stores in the user info of a coordinator's notification.
public let NSRemovedPersistentStoresKey = "removed"
/// The key for a replaced store in the user info of a coordinator's notification.
///
/// The value is an array of three elements: the old store, the new store, and an array with
/// alternating old and new object ids.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"
