public import Foundation

extension Notification.Name {
  /// Posted after a context saved.
  ///
  /// The object of the notification is the context. The user info contains sets of objects under
  /// `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// Posted before a context saves.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// Posted after objects of a context changed.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// Posted after the stores of a coordinator changed.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// Posted before a coordinator removes a store. The object of the notification is the store.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// The name of a notification that only stores in iCloud post on Apple platforms; this library never posts it.
  ///
  /// > Reference: Apple, NSPersistentStoreCoordinatorStoresWillChange.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// Posted after a context saved, with object ids; see `NSManagedObjectContext.didSaveObjectIDsNotification`.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidSaveObjectIDs.
  public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
    NSManagedObjectContext.didSaveObjectIDsNotification
  }
  /// Posted after a context merged changes of other contexts, with object ids.
  ///
  /// See `NSManagedObjectContext.didMergeChangesObjectIDsNotification`.
  ///
  /// > Reference: Apple, NSManagedObjectContextDidMergeChangesObjectIDs.
  public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name {
    NSManagedObjectContext.didMergeChangesObjectIDsNotification
  }
}

extension NSManagedObjectContext {
  /// Posted before a context saves.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// Posted after a context saved.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// Posted after objects of a context changed.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange
  /// Posted after a context saved, with sets of object ids.
  ///
  /// The user info contains the sets under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and
  /// `NSDeletedObjectIDsKey`. To observe the notification, read this property: contexts post it only after the
  /// program has read the property.
  ///
  /// > Reference: Apple, didSaveObjectIDsNotification.
  public static var didSaveObjectIDsNotification: Notification.Name {
    IDNotifications.wantSaves()
    return IDNotifications.saveName
  }
  /// Posted after a context merged changes of other contexts, with sets of object ids.
  ///
  /// To observe the notification, read this property: contexts post it only after the program has read the property.
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
