public import Foundation
public import OpenObjectModel
internal import OpenStoreContract

/// A custom store that answers requests: it fetches, reads single objects and saves in whatever way it likes.
///
/// A subclass sets `metadata` in ``NSPersistentStore/loadMetadata()``, answers fetch and save requests in ``execute(_:with:)``, and gives
/// the values of single objects in ``newValuesForObject(with:with:)`` and
/// ``newValue(forRelationship:forObjectWith:with:)``. What its methods throw reaches the caller as it is; the error of a fault,
/// which cannot throw, is in the error of the next save.
///
/// > Concurrency: The methods run on the queue of the context that they are given, several of different contexts at a time.
/// > Reference: Apple, NSIncrementalStore.
// Invariant of the unchecked conformance: the table of references is shared, and `deinit` ends the weak reference.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  private let table = ReferenceTable()
  private let weakReference = WeakReference<NSIncrementalStore>()

  deinit { weakReference.end() }

  // MARK: For subclasses to override

  /// Executes a request.
  ///
  /// - Parameters:
  ///   - request: An `NSFetchRequest<any NSFetchRequestResult>` with its entity, or an `NSSaveChangesRequest`, which
  ///     changes only the store's metadata if all its sets are nil.
  ///   - context: The requesting context.
  /// - Returns: For a fetch, depending on the request's `resultType`, an array of objects (from
  ///   `context.object(with:)`), ids or dictionaries, or an array with one number. For a save, an empty array. Ids
  ///   may be returned instead of objects.
  /// - Throws: The error of the fetch or the save.
  /// > Reference: Apple, NSIncrementalStore, execute(_:with:).
  open func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    throw unimplemented("execute(_:with:)")
  }

  /// Returns the values of an object whose fault fires.
  ///
  /// - Returns: The attributes, and the to-one relationships that the store has already read; others are requested
  ///   with ``newValue(forRelationship:forObjectWith:with:)``.
  /// - Throws: An error, including if the store does not contain the object.
  /// > Reference: Apple, NSIncrementalStore, newValuesForObject(with:with:).
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    throw unimplemented("newValuesForObject(with:with:)")
  }

  /// Returns the destinations of a relationship.
  ///
  /// - Returns: An id or `NSNull` for a to-one relationship, a collection of ids for a to-many relationship.
  /// - Throws: An error, which the next save of the context throws.
  /// > Reference: Apple, NSIncrementalStore, newValue(forRelationship:forObjectWith:with:).
  open func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    throw unimplemented("newValue(forRelationship:forObjectWith:with:)")
  }

  /// Returns permanent ids for new objects, in the same order.
  ///
  /// - Returns: The ids.
  /// - Throws: An error, which makes the save fail.
  /// > Reference: Apple, NSIncrementalStore, obtainPermanentIDs(for:).
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    throw unimplemented("obtainPermanentIDs(for:)")
  }

  /// Creates the identifier of a new store.
  ///
  /// - Returns: The identifier.
  /// > Reference: Apple, NSIncrementalStore, identifierForNewStore(at:).
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Never called.
  ///
  /// > Reference: Apple, NSIncrementalStore, managedObjectContextDidRegisterObjects(with:). Differs: D-266.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Never called.
  ///
  /// > Reference: Apple, NSIncrementalStore, managedObjectContextDidUnregisterObjects(with:). Differs: D-266.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  // MARK: For subclasses to call

  /// The id of the object that a reference names.
  ///
  /// - Parameters:
  ///   - entity: The object's actual entity, one of the coordinator's model.
  ///   - data: A number or a string.
  /// - Returns: The id of the object that a reference names.
  /// > Reference: Apple, NSIncrementalStore, newObjectID(for:referenceObject:).
  open func newObjectID(
    for entity: NSEntityDescription, referenceObject data: Any
  ) -> NSManagedObjectID {
    makeObjectID(entity, data, table)
  }

  /// The reference of an object of the store; the id's number where there is none.
  ///
  /// - Returns: The reference of an object of the store.
  /// > Reference: Apple, NSIncrementalStore, referenceObject(for:).
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    table.reference(of: objectID)
  }

  // MARK: Opening

  override func makeBackend(
    _ settings: StoreConfiguration, for coordinator: NSPersistentStoreCoordinator
  ) throws -> any StoreBackend {
    weakReference.begin(self)
    try loadMetadata()
    var given = metadata.compactMapValues(PropertyListValue.plain)
    let location = settings.url ?? URL(fileURLWithPath: "/dev/null")
    let identifier =
      given[NSStoreUUIDKey] as? String
      ?? "\(Swift.type(of: self).identifierForNewStore(at: location))"
    given[NSStoreUUIDKey] = identifier
    given[NSStoreTypeKey] = type
    return RequestBackend(weakReference, coordinator, identifier: identifier, metadata: given)
  }

  override var references: ReferenceTable? { table }

  // MARK: Saving

  override var namesObjectsItself: Bool { true }

  override func permanentKeys(for objects: [NSManagedObject]) throws -> [Int64]? {
    let ids = try obtainPermanentIDs(for: objects)
    let areFit = zip(ids, objects).allSatisfy { id, object in
      !id.isTemporaryID && id.store === self
        && id.compiledEntity.rootIndex == object.compiledEntity.rootIndex
    }
    guard areFit, ids.count == objects.count, Set(ids.map(\.key)).count == ids.count else {
      throw CocoaError.make(
        .persistentStoreOperation,
        "obtainPermanentIDs(for:) of \(Swift.type(of: self)) must return one id of the store for each object, in the same "
          + "order, all of them different.")
    }
    return ids.map(\.key)
  }

  override func commit(
    _ changes: inout ChangeSet, of share: SaveSet, in context: NSManagedObjectContext
  ) throws(StoreError) -> CommitOutcome {
    let conflicts = conflicts(with: changes)
    guard conflicts.isEmpty else { return .conflicts(conflicts) }
    let locked = context.guardedObjects.unchanged(at: position)
    let isEmpty = share.isEmpty && locked.isEmpty
    let request = NSSaveChangesRequest(
      inserted: isEmpty ? nil : Set(share.inserted), updated: isEmpty ? nil : Set(share.updated),
      deleted: isEmpty ? nil : Set(share.deleted), locked: isEmpty ? nil : Set(locked))
    do { _ = try execute(request, with: context) } catch { throw .thrown(by: self, error) }
    if let metadata = changes.metadata { requests?.adopt(metadata) }
    return .committed()
  }

  /// Conflicts with the rows that other contexts of the coordinator have read or saved since.
  private func conflicts(with changes: ChangeSet) -> [StoreConflict] {
    let expectations =
      changes.updated.map { ($0.row.entityIndex, $0.row.key, $0.expectedVersion) }
      + changes.deleted.map { (Int($0.id.entityIndex), $0.id.key, $0.expectedVersion) }
      + changes.unchanged.map { (Int($0.id.entityIndex), $0.id.key, $0.version) }
    let entities = persistentStoreCoordinator?.model.entities ?? []
    return expectations.compactMap { entityIndex, key, expected in
      guard let known = rowCache.row(root: entities[entityIndex].rootIndex, key: key),
        known.version != expected
      else { return nil }
      return .version(
        id: ObjectKey(entityIndex: entityIndex, key: key), expected: expected,
        stored: .found(known))
    }
  }
}

extension StoreError {
  /// The error of a custom store, which callers of contexts see as it is.
  static func thrown(by store: NSPersistentStore, _ error: any Error) -> StoreError {
    StoreError(
      .application, "The store \(store.name) threw: \(error)", path: store.url?.path,
      underlying: error)
  }
}
