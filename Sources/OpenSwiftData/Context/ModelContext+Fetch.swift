internal import Foundation
public import OpenObjectGraph
internal import OpenObjectModel
public import OpenPredicates

extension ModelContext {
  /// Fetches the models that satisfy a descriptor.
  ///
  /// - Parameter descriptor: The predicate, the sort order and the limits of the fetch.
  /// - Returns: The models in the descriptor's order.
  /// - Throws: `SwiftDataError.unsupportedPredicate`, `.unsupportedSortDescriptor` or
  ///   `.unsupportedKeyPath` if a part of the descriptor cannot be executed; `.unknownSchema` if
  ///   the container's schema does not contain the model; `CocoaError` 134060 if the descriptor has
  ///   a search but the model has no searched attribute, or if a key path for prefetching refers to
  ///   an attribute; another `CocoaError` if a default store cannot be read; any other error that a
  ///   custom store throws.
  /// > Reference: Apple, fetch(_:).
  @inlinable
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    if hasCustomStores { return try fetchFromCustomStores(descriptor) }
    return models(try objects(descriptor.request(), descriptor.condition()), as: T.self)
  }

  @usableFromInline var hasCustomStores: Bool { !customStores.isEmpty }

  @usableFromInline
  func fetchFromCustomStores<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let request = try descriptor.managed(in: self)
    let found = try asking(.descriptor(descriptor)) {
      try executing(request) { try graph.fetch($0) }
    }
    return models(found, as: T.self)
  }

  @usableFromInline
  func objects(
    _ request: FetchRequest, _ condition: __PredicateSource?
  ) throws -> [NSManagedObject] {
    try objects(request.managed(condition, in: self, as: NSManagedObject.self))
  }

  /// Fetches the models that match a full-text query, the most relevant models first.
  ///
  /// The fetch ignores unsaved changes.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, the sort order and the limits of the fetch. The order applies
  ///     to models of equal relevance. The limit and the offset apply to the ranked models.
  ///   - query: The words, phrases and operators to search for.
  ///   - candidateLimit: The maximum number of matching models to rank; `nil` for no limit. With a
  ///     limit, the fetch ranks only the most recently stored matches. The limit bounds the time
  ///     that a search for very common words takes. A value less than 1 counts as 1.
  /// - Returns: The models, in descending order of relevance.
  /// - Throws: The same errors as ``fetch(_:)``; `CocoaError` 134091 if the store of the models has
  ///   no full-text index (see ``ModelConfiguration/indexesText``) or is a custom store, or if the
  ///   fetch searches several stores.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, rankedBy query: TextQuery, candidateLimit: Int? = nil
  ) throws -> [T] {
    let request = try descriptor.managed(in: self)
    graph.takeOverChanges()
    let found = try executing(request) {
      try graph.fetch($0, rankedBy: query, candidateLimit: candidateLimit)
    }
    return models(found, as: T.self)
  }

  @inlinable
  func models<T: PersistentModel>(_ objects: [NSManagedObject], as type: T.Type) -> [T] {
    let token = entityToken(of: type)
    return [T](unsafeUninitializedCapacity: objects.count) { models, count in
      for object in objects {
        // The coordinator creates no other objects.
        guard let object = object as? __ModelObject else { continue }
        let model =
          object.entityNumber == token ? object.ownModel(as: type) : object.model(as: type)
        models.initializeElement(at: count, to: model)
        count += 1
      }
    }
  }

  @usableFromInline
  func entityToken(of type: any PersistentModel.Type) -> UInt32? { known(type).token }

  /// Returns the number of models that ``fetch(_:)`` would return.
  ///
  /// - Parameter descriptor: The predicate and the limits of the fetch.
  /// - Throws: The same errors as ``fetch(_:)``.
  /// > Reference: Apple, fetchCount(_:).
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    let request = try descriptor.managed(in: self)
    return try asking(.descriptor(descriptor)) {
      try executing(request) { try graph.count(for: $0) }
    }
  }

  /// Returns the identifiers of the models that ``fetch(_:)`` would return.
  ///
  /// - Parameter descriptor: The predicate, the sort order and the limits of the fetch.
  /// - Throws: `SwiftDataError.sortingPendingChangesWithIdentifiers` if the descriptor has an order
  ///   and includes unsaved changes, and the context has unsaved changes; otherwise the same errors
  ///   as ``fetch(_:)``.
  /// > Reference: Apple, fetchIdentifiers(_:).
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    if descriptor.includePendingChanges, !descriptor.sortBy.isEmpty, hasChanges {
      throw SwiftDataError(
        .sortingPendingChangesWithIdentifiers,
        "A fetch of identifiers cannot both sort and include unsaved changes. Save the context first, or set the "
          + "descriptor's includePendingChanges to false.")
    }
    return try objectIDs(descriptor).map { PersistentIdentifier($0) }
  }

  func objectIDs<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [NSManagedObjectID]
  {
    let request = try descriptor.managed(in: self, as: NSManagedObjectID.self)
    request.resultType = .managedObjectIDResultType
    return try asking(.descriptor(descriptor)) {
      try executing(request) { try graph.fetch($0) }
    }
  }

  /// Fetches models as a collection that reads one batch of models at a time during iteration.
  ///
  /// The method itself reads the identifiers of all models. If a later read of a batch fails, the
  /// next save throws the error.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, the sort order and the limits of the fetch.
  ///   - batchSize: The number of models in a batch. A value less than 1 is treated as 1.
  /// - Returns: A collection of the models in the descriptor's order.
  /// - Throws: `SwiftDataError.includePendingChangesWithBatchSize` if the descriptor includes
  ///   unsaved changes; otherwise the same errors as ``fetch(_:)``.
  /// > Reference: Apple, fetch(_:batchSize:).
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    let ids = try batchIDs(descriptor)
    let relationships = try relationshipsToPrefetch(descriptor)
    return FetchResultsCollection(ids, batchSize: batchSize, in: self) { context, ids in
      context.models(filling: ids, as: T.self, prefetching: relationships)
    }
  }

  /// Returns the names of the relationships that a descriptor prefetches; `nil` if it prefetches no
  /// relationships.
  private func relationshipsToPrefetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [String]? {
    if descriptor.relationshipKeyPathsForPrefetching.isEmpty { return nil }
    let request = try descriptor.managed(in: self)
    return request.relationshipKeyPathsForPrefetching
  }

  /// Fetches the identifiers of models as a collection.
  ///
  /// The method reads all identifiers immediately, regardless of the batch size.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, the sort order and the limits of the fetch.
  ///   - batchSize: The number of `PersistentIdentifier` values that the collection creates at a
  ///     time. A value less than 1 is treated as 1.
  /// - Returns: A collection of the identifiers in the descriptor's order.
  /// - Throws: `SwiftDataError.includePendingChangesWithBatchSize` if the descriptor includes
  ///   unsaved changes; otherwise the same errors as ``fetch(_:)``.
  /// > Reference: Apple, fetchIdentifiers(_:batchSize:).
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<PersistentIdentifier> {
    FetchResultsCollection(
      try batchIDs(descriptor), batchSize: batchSize, in: self
    ) { _, ids in
      ids.map { PersistentIdentifier($0) }
    }
  }

  private func batchIDs<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [NSManagedObjectID] {
    guard !descriptor.includePendingChanges else {
      throw SwiftDataError(
        .includePendingChangesWithBatchSize,
        "A fetch in batches cannot include unsaved changes. Set the descriptor's includePendingChanges to false."
      )
    }
    return try objectIDs(descriptor)
  }

  /// Returns the models with the given identifiers, in the order of the identifiers. Models whose
  /// rows or stores do not exist are empty.
  func models<T: PersistentModel>(
    filling ids: ArraySlice<NSManagedObjectID>, as type: T.Type,
    prefetching relationships: [String]?
  ) -> [T] {
    var filled: [NSManagedObject] = []
    do {
      filled = try storedObjects(ids, of: type, prefetching: relationships)
    } catch {
      graph.deferError(error)
    }
    return withExtendedLifetime(filled) { () -> [T] in
      let objects = ids.map { graph.object(with: $0) }
      let found = models(objects, as: type)
      if found.count == objects.count { return found }
      // The store was removed, so some of the objects only represent errors.
      return objects.map { object in
        (object as? __ModelObject)?.model(as: type)
          ?? __ModelObject.make(for: type).makeModel(type)
      }
    }
  }

  /// Returns the models with the given identifiers whose rows exist, in the order of the
  /// identifiers.
  func storedModels<T: PersistentModel>(
    _ ids: ArraySlice<NSManagedObjectID>, as type: T.Type,
    prefetching relationships: [String]?
  ) throws -> [T] {
    let found = try storedObjects(ids, of: type, prefetching: relationships)
    let objects = Dictionary(found.map { ($0.objectID, $0) }) { first, _ in first }
    return models(try ids.compactMap { try objects[$0].flatMap(existing) }, as: type)
  }

  /// Reads the values of an object of a custom store, which returned only the identifier.
  ///
  /// - Returns: The object; `nil` if its row does not exist.
  private func existing(_ object: NSManagedObject) throws -> NSManagedObject? {
    guard hasCustomStores, object.isFault else { return object }
    do {
      return try graph.existingObject(with: object.objectID)
    } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
      return nil
    }
  }

  /// Reads the rows of objects that are in a store, in any order.
  private func storedObjects<T: PersistentModel>(
    _ ids: ArraySlice<NSManagedObjectID>, of type: T.Type,
    prefetching relationships: [String]?
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: Schema.entityName(for: type))
    request.predicate = NSPredicate(format: "SELF IN %@", Array(ids))
    request.relationshipKeyPathsForPrefetching = relationships
    request.includesPendingChanges = false
    return try asking(.objects(Array(ids))) { try executing(request) { try graph.fetch($0) } }
  }

  /// Calls a closure with each model of a fetch, and reads one batch of models at a time.
  ///
  /// The method first reads the identifiers of all models. The method skips a model whose row is
  /// deleted before the method reads the model's batch, and a model whose deletion the closure
  /// saves before the model's turn. If the descriptor includes unsaved changes, a batch also
  /// contains the inserted and changed models, in sort order among the stored models of the batch.
  /// In this case, the method reads all models at once if the context has more than 1,000 unsaved
  /// changes, or if the context has unsaved changes and the container has custom stores.
  ///
  /// If the closure changes a property that the descriptor sorts by, the order of the models in
  /// later batches is not defined. The method still calls the closure only once for each model.
  ///
  /// - Parameters:
  ///   - descriptor: The predicate, the sort order and the limits of the fetch.
  ///   - batchSize: The number of models in a batch. A value less than 1 is treated as 1.
  ///   - allowEscapingMutations: Whether the closure may leave unsaved changes in the context. If
  ///     the value is `false` and there are unsaved changes, the method throws before it reads the
  ///     next batch, and the changes remain pending. The method does not check a context that had
  ///     unsaved changes before the call.
  ///   - block: The closure to call with each model. If the closure throws an error, the call ends.
  /// - Throws: Any error that the closure throws; `SwiftDataError.modelValidationFailure` if the
  ///   closure leaves unsaved changes that `allowEscapingMutations` does not allow; otherwise the
  ///   same errors as ``fetch(_:)``.
  /// > Reference: Apple, enumerate(_:batchSize:allowEscapingMutations:block:). Differs: D-374.
  public func enumerate<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (T) throws -> Void
  ) throws {
    let hadChanges = hasChanges
    let size = max(1, batchSize)
    if hadChanges, descriptor.includePendingChanges {
      guard var batches = try BatchesWithChanges(descriptor, in: self) else {
        for model in try fetch(descriptor) where model.modelContext != nil { try block(model) }
        return
      }
      while let models = try batches.next(size) {
        for model in models where model.modelContext != nil { try block(model) }
      }
      return
    }
    let ids = try objectIDs(descriptor)
    let relationships = try relationshipsToPrefetch(descriptor)
    for start in stride(from: 0, to: ids.count, by: size) {
      let batch = ids[start..<min(start + size, ids.count)]
      let models = try storedModels(batch, as: T.self, prefetching: relationships)
      for model in models where model.modelContext != nil { try block(model) }
      if !allowEscapingMutations, !hadChanges, hasChanges, batch.endIndex < ids.endIndex {
        throw SwiftDataError(
          .modelValidationFailure,
          "The block changed models without saving them. Save in the block, or pass true for allowEscapingMutations."
        )
      }
    }
  }
}

extension ModelContext {
  /// Calls a closure immediately, on the actor of the caller.
  ///
  /// This method simplifies porting code that calls the `perform` method of a managed object
  /// context.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller; `nil` if the caller is not isolated to an actor.
  ///   - block: The closure to call.
  /// - Returns: The result of the closure.
  /// - Throws: Any error that the closure throws.
  public func perform<Result>(
    isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) async rethrows -> Result {
    try block()
  }
}
