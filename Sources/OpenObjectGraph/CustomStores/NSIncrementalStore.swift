public import Foundation
public import OpenObjectModel
internal import OpenStoreContract

/// A custom store that reads objects on demand and implements fetches and saves itself.
///
/// A subclass overrides the following methods:
///
/// - ``NSPersistentStore/loadMetadata()`` sets `metadata`.
/// - ``execute(_:with:)`` executes fetch and save requests.
/// - ``newValuesForObject(with:with:)`` and ``newValue(forRelationship:forObjectWith:with:)``
///   return the values of single objects.
/// - ``obtainPermanentIDs(for:)`` returns ids for new objects.
///
/// Callers receive the errors of the overridden methods unchanged. If a fault cannot fire, saves of
/// the fault's context throw a `CocoaError` with the code of the store's error. If the store's
/// error is not a `CocoaError`, the code is 134060, and the user info contains the store's error
/// under `NSUnderlyingErrorKey`.
///
/// > Concurrency: A method with a context parameter runs on the queue of this context. A store
/// > executes one call at a time, so a subclass does not need locks. A method must not wait for
/// > another thread that uses the store.
/// > Reference: Apple, NSIncrementalStore. Differs: D-413.
// Invariant of the unchecked conformance: the table of references is shared, and `deinit` ends the
// weak reference.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  private let table = ReferenceTable()
  private let weakReference = WeakReference<NSIncrementalStore>()

  deinit { weakReference.end() }

  // MARK: For subclasses to override

  /// Executes a fetch request or a save request.
  ///
  /// Subclasses must override this method.
  ///
  /// - Parameters:
  ///   - request: An `NSFetchRequest<any NSFetchRequestResult>` whose entity is set, or an
  ///     `NSSaveChangesRequest`. A save request whose sets are all nil changes only the store's
  ///     metadata.
  ///   - context: The context that executes the request; never nil.
  /// - Returns: For a fetch, an array whose elements depend on the request's `resultType`: ids,
  ///   objects that `context.object(with:)` returned, dictionaries, or one number. Each object must
  ///   have the entity of the request or one of its subentities; otherwise, the fetch throws
  ///   `CocoaError` 134091. For a save, an empty array.
  /// - Throws: An error if the fetch or the save fails. The default implementation throws
  ///   `CocoaError` 134091.
  /// > Reference: Apple, NSIncrementalStore, execute(_:with:).
  open func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    throw unimplemented("execute(_:with:)")
  }

  /// Returns the values of an object when the object's fault fires.
  ///
  /// Subclasses must override this method.
  ///
  /// - Parameters:
  ///   - objectID: The id of the object.
  ///   - context: The context that fires the fault.
  /// - Returns: A node with the values of all attributes. The node may also contain the ids of
  ///   to-one destinations. If the node omits a destination, the library calls
  ///   ``newValue(forRelationship:forObjectWith:with:)``.
  /// - Throws: An error if the values cannot be read or the store does not contain the object. The
  ///   default implementation throws `CocoaError` 134091.
  /// > Reference: Apple, NSIncrementalStore, newValuesForObject(with:with:).
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    throw unimplemented("newValuesForObject(with:with:)")
  }

  /// Returns the destinations of a relationship.
  ///
  /// Subclasses must override this method.
  ///
  /// - Parameters:
  ///   - relationship: The relationship.
  ///   - objectID: The id of the object that has the relationship.
  ///   - context: The context that reads the relationship; never nil.
  /// - Returns: An id or `NSNull` for a to-one relationship; a collection of ids for a to-many
  ///   relationship. The entity of each id must be the destination entity or one of its
  ///   subentities. Otherwise, the relationship cannot be read, and saves of the context throw
  ///   `CocoaError` 134091.
  /// - Throws: An error if the destinations cannot be read. Saves of the context then throw an
  ///   error, as for a fault that cannot fire. The default implementation throws `CocoaError`
  ///   134091.
  /// > Reference: Apple, NSIncrementalStore, newValue(forRelationship:forObjectWith:with:).
  open func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    throw unimplemented("newValue(forRelationship:forObjectWith:with:)")
  }

  /// Returns permanent ids for new objects.
  ///
  /// Subclasses must override this method.
  ///
  /// Create the ids with ``newObjectID(for:referenceObject:)``.
  ///
  /// - Parameter array: The new objects.
  /// - Returns: The ids, in the order of the objects. The ids must be different permanent ids of
  ///   this store, and each id must have the root entity of its object. Otherwise, the save throws
  ///   `CocoaError` 134070.
  /// - Throws: An error if the ids cannot be created; the save then throws this error. The default
  ///   implementation throws `CocoaError` 134091.
  /// > Reference: Apple, NSIncrementalStore, obtainPermanentIDs(for:).
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    throw unimplemented("obtainPermanentIDs(for:)")
  }

  /// Returns the identifier for a new store, whose metadata does not contain an identifier yet.
  ///
  /// The library calls this method after `loadMetadata()` if the metadata has no string under
  /// `NSStoreUUIDKey`. The default implementation returns a new UUID string.
  ///
  /// - Parameter storeURL: The URL of the store; `/dev/null` for a store without a URL.
  /// - Returns: The identifier. The library uses its string description.
  /// > Reference: Apple, NSIncrementalStore, identifierForNewStore(at:).
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Does nothing; the library never calls this method.
  ///
  /// On Apple platforms, the framework calls this method when a context registers objects (D-266).
  ///
  /// > Reference: Apple, NSIncrementalStore, managedObjectContextDidRegisterObjects(with:).
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Does nothing; the library never calls this method.
  ///
  /// On Apple platforms, the framework calls this method when a context no longer needs objects
  /// (D-266).
  ///
  /// > Reference: Apple, NSIncrementalStore, managedObjectContextDidUnregisterObjects(with:).
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  // MARK: For subclasses to call

  /// Returns the id of the object that a reference object identifies.
  ///
  /// If the coordinator's model does not have the entity, the method logs an error, and returns an
  /// id that does not belong to any object.
  ///
  /// - Parameters:
  ///   - entity: The object's own entity, not a superentity. The entity must belong to the
  ///     coordinator's model.
  ///   - data: The reference object: a number or a string that identifies the object in the store.
  /// - Returns: The id.
  /// > Reference: Apple, NSIncrementalStore, newObjectID(for:referenceObject:).
  open func newObjectID(
    for entity: NSEntityDescription, referenceObject data: Any
  ) -> NSManagedObjectID {
    makeObjectID(entity, data, table)
  }

  /// Returns the reference object of an object in the store.
  ///
  /// - Parameter objectID: The id of the object.
  /// - Returns: The reference object. If the store has no reference object for the id, the method
  ///   returns the numeric key in the id, as an `NSNumber`.
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

  override func serially(_ calls: () -> Void) {
    if let requests { requests.serially(calls) } else { calls() }
  }

  // MARK: Saving

  override var namesObjectsItself: Bool { true }

  /// The number of rows whose newest versions the store keeps to find conflicts.
  package final var knownVersionCount: Int { requests?.written.count ?? 0 }

  override func permanentKeys(for objects: [NSManagedObject]) throws -> [Int64]? {
    guard let requests else { return nil }
    let ids = try requests.serially { () throws in try obtainPermanentIDs(for: objects) }
    let areFit = zip(ids, objects).allSatisfy { id, object in
      !id.isTemporaryID && id.store === self
        && id.compiledEntity.rootIndex == object.compiledEntity.rootIndex
    }
    guard areFit, ids.count == objects.count, Set(ids).count == ids.count else {
      throw CocoaError.make(
        .persistentStoreOperation,
        "obtainPermanentIDs(for:) of \(Swift.type(of: self)) must return a different id of the store for each object, in "
          + "the same order.")
    }
    return ids.map(\.key)
  }

  override func commit(
    _ changes: inout ChangeSet, of share: SaveSet, in context: NSManagedObjectContext
  ) throws(StoreError) -> CommitOutcome {
    guard let requests else { return try super.commit(&changes, of: share, in: context) }
    // The application's objects may be deallocated, so no lock may be held.
    defer { requests.written.removeUnregistered(at: position) }
    // Another context must not write between the check and the request.
    return try requests.serially { () throws(StoreError) -> CommitOutcome in
      let found = try conflicts(with: changes, of: share, in: context, requests)
      guard found.isEmpty else { return .conflicts(found) }
      let metadata = addMetadata(to: &changes)
      try write(share, in: context)
      requests.written.note(changes, of: context.model)
      if let metadata {
        requests.adopt(metadata.values)
        forget(metadata)
      }
      return .committed()
    }
  }

  private func write(
    _ share: SaveSet, in context: NSManagedObjectContext
  ) throws(StoreError) {
    let locked = context.guardedObjects.unchanged(at: position)
    let isEmpty = share.isEmpty && locked.isEmpty
    let deleted = share.deleted.filter { !$0.isRowMissing }
    let request = NSSaveChangesRequest(
      inserted: isEmpty ? nil : Set(share.inserted), updated: isEmpty ? nil : Set(share.updated),
      deleted: isEmpty ? nil : Set(deleted), locked: isEmpty ? nil : Set(locked))
    do { _ = try execute(request, with: context) } catch { throw .thrown(by: self, error) }
  }

  /// Returns the conflicts with newer rows that other contexts of the coordinator have read or
  /// saved, and with rows that they have deleted.
  private func conflicts(
    with changes: ChangeSet, of share: SaveSet, in context: NSManagedObjectContext,
    _ requests: RequestBackend
  ) throws(StoreError) -> [StoreConflict] {
    var expectations = changes.updated.map { update in
      (ObjectKey(entityIndex: update.row.entityIndex, key: update.row.key), update.expectedVersion)
    }
    expectations += changes.deleted.map { ($0.id, $0.expectedVersion) }
    expectations += changes.unchanged.map { ($0.id, $0.version) }
    var conflicts: [StoreConflict] = []
    for (id, expected) in expectations {
      let entity = context.model.entities[Int(id.entityIndex)]
      let change = try requests.change(since: expected, of: entity, key: id.key, in: context)
      if let change {
        conflicts.append(.version(id: id, expected: expected, stored: change))
      }
    }
    // The request also contains objects whose only changes are in to-many relationships.
    for object in share.updated where requests.isDeleted(object) {
      let id = ObjectKey(entityIndex: object.compiledEntity.index, key: object.key)
      conflicts.append(.version(id: id, expected: object.row.version, stored: .deleted))
    }
    return conflicts
  }
}

extension StoreError {
  /// Returns the error of a custom store. Callers of contexts receive the underlying error
  /// unchanged.
  static func thrown(by store: NSPersistentStore, _ error: any Error) -> StoreError {
    StoreError(
      .application, "The store \(store.name) threw an error: \(error)", path: store.url?.path,
      underlying: error)
  }
}
