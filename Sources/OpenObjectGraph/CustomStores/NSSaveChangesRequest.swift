/// The changed objects of a context that an incremental store must write.
///
/// > Concurrency: Used on the queue of the context that saves.
/// > Reference: Apple, NSSaveChangesRequest.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// New objects, with permanent ids; nil when the request writes metadata only.
  public let insertedObjects: Set<NSManagedObject>?
  /// Objects with changed properties.
  public let updatedObjects: Set<NSManagedObject>?
  /// Objects to delete.
  public let deletedObjects: Set<NSManagedObject>?
  /// Objects that are not changed, but must not have changed in the store: those of `detectConflicts(for:)`.
  public let lockedObjects: Set<NSManagedObject>?

  /// Creates a request.
  ///
  /// > Reference: Apple, init(inserted:updated:deleted:locked:).
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
  }

  /// The kind of request: `saveRequestType`.
  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }
}
