/// A request to write a context's changed objects to an incremental store.
///
/// > Concurrency: Use a request only on the queue of the saving context.
/// > Reference: Apple, NSSaveChangesRequest.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The new objects, with permanent ids; nil if the request writes only metadata.
  public let insertedObjects: Set<NSManagedObject>?
  /// The objects with changed properties; nil if the request writes only metadata.
  public let updatedObjects: Set<NSManagedObject>?
  /// The objects to delete; nil if the request writes only metadata.
  public let deletedObjects: Set<NSManagedObject>?
  /// The objects without unsaved changes that the store must check for conflicts; nil if the
  /// request writes only metadata. The save fails if the row of one of these objects has changed.
  ///
  /// The set contains the objects that the program passed to
  /// ``NSManagedObjectContext/detectConflicts(for:)``.
  public let lockedObjects: Set<NSManagedObject>?

  /// Creates a request with sets of objects.
  ///
  /// For a request that writes only metadata, all sets are nil.
  ///
  /// - Parameters:
  ///   - insertedObjects: The new objects.
  ///   - updatedObjects: The objects with changed properties.
  ///   - deletedObjects: The objects to delete.
  ///   - lockedObjects: The objects without unsaved changes that the store must check for
  ///     conflicts.
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

  /// The type of the request: a save.
  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }
}
