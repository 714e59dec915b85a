internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The interface to a custom store, which hides the generic types of the store.
protocol StoreBridging: AnyObject, Sendable {
  var identifier: String { get }
  /// Returns the identifiers of the objects that a request selects.
  func ids(_ question: StoreQuestion) throws -> [NSManagedObjectID]
  /// Returns the number of objects that a request selects.
  func count(_ question: StoreQuestion) throws -> Int
  /// Returns the values of an object, by the names of their properties.
  func values(
    of id: NSManagedObjectID, _ editingState: EditingState, _ custom: CustomStore
  ) throws -> [String: SnapshotValue]
  /// Writes the changes of a context.
  func save(
    _ request: NSSaveChangesRequest, in context: GraphContext?, _ custom: CustomStore) throws
}

/// Converts the requests of the object graph to requests of one custom store.
///
/// > Concurrency: Any thread.
// Invariant of the unchecked conformance: the bridge is immutable, and custom stores can be used on
// any thread.
final class StoreBridge<Store: DataStore>: StoreBridging, @unchecked Sendable {
  private let store: Store
  private let snapshots = SnapshotTable<Store.Snapshot>()

  init(_ store: Store) { self.store = store }

  var identifier: String { store.identifier }

  // MARK: Fetching

  func ids(_ question: StoreQuestion) throws -> [NSManagedObjectID] {
    if case .objects(let ids)? = question.caller, question.request.predicate != nil {
      return ids.filter { $0.store === question.store && question.includes($0) }
    }
    func open<T: PersistentModel>(_ type: T.Type) throws -> [NSManagedObjectID] {
      try fetch(type, question)
    }
    return try open(question.type)
  }

  func count(_ question: StoreQuestion) throws -> Int {
    func open<T: PersistentModel>(_ type: T.Type) throws -> Int {
      guard let descriptor = descriptor(type, question) else {
        return try fetch(type, question).count
      }
      do {
        return try store.fetchCount(
          DataStoreFetchRequest(descriptor: descriptor, editingState: question.editingState))
      } catch is DataStoreError {
        return try fetch(type, question).count
      }
    }
    return try open(question.type)
  }

  /// Returns the caller's descriptor with the limits of the request; `nil` if the request has no
  /// descriptor that the store can execute.
  private func descriptor<T: PersistentModel>(
    _ type: T.Type, _ question: StoreQuestion
  ) -> FetchDescriptor<T>? {
    guard case .descriptor(let any)? = question.caller,
      var descriptor = any as? FetchDescriptor<T>,
      // A store that ignores the search would return too many models.
      descriptor.search == nil
    else { return nil }
    // A context with unsaved changes applies the limits itself, and removes them from the request.
    let request = question.request
    descriptor.fetchLimit = request.fetchLimit > 0 ? request.fetchLimit : nil
    descriptor.fetchOffset = request.fetchOffset > 0 ? request.fetchOffset : nil
    return descriptor
  }

  private func fetch<T: PersistentModel>(
    _ type: T.Type, _ question: StoreQuestion
  ) throws -> [NSManagedObjectID] {
    let request = question.request
    let given = descriptor(type, question)
    var descriptor = given ?? FetchDescriptor<T>()
    var filters = given == nil && request.predicate != nil
    var sorts = given == nil && !(request.sortDescriptors ?? []).isEmpty
    while true {
      if filters || sorts || given == nil {
        descriptor.fetchLimit = nil
        descriptor.fetchOffset = nil
      }
      do {
        let ids = try fetch(descriptor, question)
        guard filters || sorts || given == nil else { return ids }
        return try question.arrange(ids, filters: filters, sorts: sorts)
      } catch DataStoreError.preferInMemoryFilter where descriptor.predicate != nil {
        descriptor.predicate = nil
        filters = true
      } catch DataStoreError.preferInMemorySort where !descriptor.sortBy.isEmpty {
        descriptor.sortBy = []
        sorts = true
      }
    }
  }

  private func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ question: StoreQuestion
  ) throws -> [NSManagedObjectID] {
    let result = try store.fetch(
      DataStoreFetchRequest(descriptor: descriptor, editingState: question.editingState))
    var related: [NSManagedObjectID] = []
    for (identifier, snapshot) in result.relatedSnapshots {
      let id = try question.store.requireID(of: identifier)
      snapshots.put(snapshot, id)
      related.append(id)
    }
    var ids: [NSManagedObjectID] = []
    ids.reserveCapacity(result.fetchedSnapshots.count)
    for snapshot in result.fetchedSnapshots {
      let id = try question.store.requireID(of: snapshot.persistentIdentifier)
      snapshots.put(snapshot, id)
      ids.append(id)
    }
    // Models in other contexts may retain rows with older values.
    question.store.forgetCachedRows(of: ids + related)
    return ids.filter(question.includes)
  }

  // MARK: Single objects

  func values(
    of id: NSManagedObjectID, _ editingState: EditingState, _ custom: CustomStore
  ) throws -> [String: SnapshotValue] {
    try values(of: try snapshot(of: id, editingState, custom), id.compiledEntity)
  }

  private func snapshot(
    of id: NSManagedObjectID, _ editingState: EditingState, _ custom: CustomStore
  ) throws -> Store.Snapshot {
    if let known = snapshots.snapshot(of: id) { return known }
    let identifier = PersistentIdentifier(id)
    let cached = try store.cachedSnapshots(for: [identifier], editingState: editingState)
    if let cached = cached[identifier] {
      snapshots.put(cached, id)
      return cached
    }
    func open<T: PersistentModel>(_ type: T.Type) throws -> Store.Snapshot? {
      try read(identifier, as: type, editingState, custom)
    }
    guard let type = ModelTypes.type(of: id), let found = try open(type) else {
      throw CocoaError.make(
        .managedObjectReferentialIntegrity,
        "The store \(store.identifier) has no model with the identifier \(identifier.uriRepresentation)."
      )
    }
    return found
  }

  private func read<T: PersistentModel>(
    _ identifier: PersistentIdentifier, as type: T.Type, _ editingState: EditingState,
    _ custom: CustomStore
  ) throws -> Store.Snapshot? {
    let predicate = #Predicate<T> { $0.persistentModelID == identifier }
    var result: DataStoreFetchResult<T, Store.Snapshot>
    do {
      result = try store.fetch(
        DataStoreFetchRequest(
          descriptor: FetchDescriptor(predicate: predicate), editingState: editingState))
    } catch let error as DataStoreError where error != .preferInMemorySort {
      result = try store.fetch(
        DataStoreFetchRequest(descriptor: FetchDescriptor(), editingState: editingState))
    }
    // The object graph is likely to request the other fetched rows next.
    for snapshot in result.fetchedSnapshots {
      snapshots.put(snapshot, try custom.requireID(of: snapshot.persistentIdentifier))
    }
    return result.fetchedSnapshots.first { $0.persistentIdentifier == identifier }
  }

  private func values(
    of snapshot: Store.Snapshot, _ entity: CompiledEntity
  ) throws -> [String: SnapshotValue] {
    if let snapshot = snapshot as? DefaultSnapshot { return snapshot.values }
    let properties = ModelTypes.type(of: entity).map { ObjectValues.properties(of: $0) } ?? []
    let captured = try SnapshotCapture.values(of: snapshot)
    var values: [String: SnapshotValue] = [:]
    for (name, path) in properties {
      guard let value = captured[name].flatMap({ ModelCoding.unwrapped($0) }) else { continue }
      let isRelationship =
        entity.ordinal(of: name).map { entity.properties[$0].relationship != nil } ?? false
      switch value {
      case let id as PersistentIdentifier where isRelationship: values[name] = .destination(id)
      case let ids as [PersistentIdentifier] where isRelationship: values[name] = .members(ids)
      case let value as any Codable where !isRelationship && Self.has(path, value):
        values[name] = .attribute(value)
      default:
        throw SwiftDataError(
          .unknownDataStoreSchema,
          "The snapshot of \(entity.name) has a value of type \(type(of: value)) for the property \(name), whose type is \(type(of: path).valueType)."
        )
      }
    }
    return values
  }

  /// Returns whether a property has the type of a value.
  private static func has(_ path: AnyKeyPath, _ value: any Codable) -> Bool {
    StoredFormBuilder.unwrapped(Swift.type(of: path).valueType).type == Swift.type(of: value)
  }

  // MARK: Saving

  func save(
    _ request: NSSaveChangesRequest, in context: GraphContext?, _ custom: CustomStore
  ) throws {
    let inserted = ordered(request.insertedObjects, context?.unsavedObjects.inserted)
    var updated = ordered(request.updatedObjects, context?.unsavedObjects.updated)
    let deleted = ordered(request.deletedObjects, context?.unsavedObjects.deleted)
    if inserted.isEmpty, updated.isEmpty, deleted.isEmpty { return }
    let written = inserted + updated + deleted
    updated +=
      ChangedPartners(
        of: inserted + updated, deleted: deleted, known: Set(written.map(\.objectID))
      ).objects
    let graph = written.first?.managedObjectContext
    let new = try readSnapshots(of: inserted, in: graph)
    let changed = try readSnapshots(of: updated, in: graph)
    let result = try store.save(
      DataStoreSaveChangesRequest(
        inserted: new, updated: changed, deleted: deleted.map(snapshot),
        editingState: context?.owner?.editingState ?? EditingState(author: nil)))
    let identifiers = try permanentIdentifiers(of: new, result)
    let remapped = result.remappedIdentifiers
    for (object, (snapshot, identifier)) in zip(inserted, zip(new, identifiers)) {
      snapshots.put(
        snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: remapped),
        object.objectID)
    }
    for (object, snapshot) in zip(updated, changed) {
      snapshots.put(
        snapshot.copy(
          persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: remapped),
        object.objectID)
    }
    for object in deleted { snapshots.remove(object.objectID) }
    // From here on, new objects have other identifiers, also as keys of dictionaries.
    for (object, identifier) in zip(inserted, identifiers) {
      custom.settle(object.objectID, identifier)
    }
    for (identifier, snapshot) in result.snapshotsToReregister {
      let id = try custom.requireID(of: identifier)
      snapshots.put(snapshot, id)
      context?.reregistered.append(id)
    }
  }

  /// Returns objects in the order in which they were changed.
  private func ordered(
    _ objects: Set<NSManagedObject>?, _ order: [NSManagedObject]?
  ) -> [__ModelObject] {
    guard let objects, !objects.isEmpty else { return [] }
    return (order ?? Array(objects)).filter(objects.contains).compactMap { $0 as? __ModelObject }
  }

  /// Returns the snapshots that the store writes.
  ///
  /// - Throws: The error of a value that cannot be read. Without the value, the snapshot would
  ///   overwrite the stored value.
  private func readSnapshots(
    of objects: [__ModelObject], in graph: NSManagedObjectContext?
  ) throws -> [Store.Snapshot] {
    guard let graph else { return objects.map(snapshot) }
    let made = try graph.throwingFailedReads { objects.map(snapshot) }
    try graph.throwDeferredErrors()
    return made
  }

  private func snapshot(of object: __ModelObject) -> Store.Snapshot {
    func open<Model: PersistentModel>(_ type: Model.Type) -> Store.Snapshot {
      var related: [PersistentIdentifier: any BackingData] = [:]
      return Store.Snapshot(
        from: __ModelBacking<Model>(object), relatedBackingDatas: &related)
    }
    let type: any PersistentModel.Type = ModelTypes.type(of: object) ?? MissingModel.self
    return open(type)
  }

  /// Returns the identifiers that the store assigned to new models.
  ///
  /// - Throws: `SwiftDataError.unknownDataStoreSchema` if a model has no permanent identifier of
  ///   this store, or if two models have the same identifier.
  private func permanentIdentifiers(
    of new: [Store.Snapshot], _ result: DataStoreSaveChangesResult<Store.Snapshot>
  ) throws -> [PersistentIdentifier] {
    var assigned: Set<PersistentIdentifier> = []
    return try new.map { snapshot in
      let temporary = snapshot.persistentIdentifier
      guard let identifier = result.remappedIdentifiers[temporary],
        identifier.storeIdentifier == store.identifier, !identifier.isTemporary,
        identifier.entityName == temporary.entityName, assigned.insert(identifier).inserted
      else {
        throw SwiftDataError(
          .unknownDataStoreSchema,
          "The store \(store.identifier) did not return a permanent identifier for a new \(temporary.entityName). "
            + "In remappedIdentifiers, return a different permanent identifier of the same model for each inserted snapshot."
        )
      }
      return identifier
    }
  }
}
