internal import Foundation
public import OpenObjectGraph
internal import OpenObjectModel
public import OpenPredicates

extension ModelContext {
  /// Fetches models.
  ///
  /// - Returns: The models in the descriptor's order.
  /// - Throws: `SwiftDataError.unsupportedPredicate`, `.unsupportedSortDescriptor`, `.unsupportedKeyPath`; `CocoaError` of the store.
  /// > Reference: Apple, fetch(_:).
  @inlinable
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    if hasCustomStores { return try fetchFromCustomStores(descriptor) }
    return models(try objects(descriptor.request(), descriptor.condition()), as: T.self)
  }

  @usableFromInline var hasCustomStores: Bool { !container.customStores.isEmpty }

  @usableFromInline
  func fetchFromCustomStores<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let request = try descriptor.managed(in: self)
    let found = try asking(.descriptor(descriptor)) { try objects(request) }
    return models(found, as: T.self)
  }

  @usableFromInline
  func objects(
    _ request: FetchRequest, _ condition: FetchRequest.Condition?
  ) throws -> [NSManagedObject] {
    try objects(request.managed(condition, in: self, as: NSManagedObject.self))
  }

  /// Fetches the models that match a full-text query, the most relevant ones first.
  ///
  /// Unsaved changes are ignored. The order of the descriptor applies to equally relevant models.
  ///
  /// - Parameters:
  ///   - descriptor: A filter on the matching models; its limit and offset apply to the ranked result.
  ///   - query: The words to search for.
  /// - Returns: The results.
  /// - Throws: The same errors as ``fetch(_:)``; `CocoaError` for a store without an index, see ``ModelConfiguration/indexesText``.
  ///
  /// This is an addition to Apple's API.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, rankedBy query: TextQuery, candidateLimit: Int? = nil
  ) throws -> [T] {
    let request = try descriptor.managed(in: self)
    graph.takeOverChanges()
    return models(
      try graph.fetch(request, rankedBy: query, candidateLimit: candidateLimit), as: T.self)
  }

  @inlinable
  func models<T: PersistentModel>(_ objects: [NSManagedObject], as type: T.Type) -> [T] {
    var models: [T] = []
    models.reserveCapacity(objects.count)
    let token = entityToken(of: type)
    for object in objects {
      // The coordinator makes no other objects.
      guard let object = object as? __ModelObject else { continue }
      models.append(
        object.entityNumber == token ? object.ownModel(as: type) : object.model(as: type))
    }
    return models
  }

  @usableFromInline
  func entityToken(of type: any PersistentModel.Type) -> UInt32? { known(type).token }

  /// The number of models that ``fetch(_:)`` would find.
  ///
  /// - Returns: The number of models that ``fetch(_:)`` would find.
  /// - Throws: The same errors as ``fetch(_:)``.
  /// > Reference: Apple, fetchCount(_:).
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    graph.takeOverChanges()
    let request = try descriptor.managed(in: self)
    return try asking(.descriptor(descriptor)) { try graph.count(for: request) }
  }

  /// The identifiers of the models that ``fetch(_:)`` would find.
  ///
  /// - Returns: The identifiers of the models that ``fetch(_:)`` would find.
  /// - Throws: `SwiftDataError.sortingPendingChangesWithIdentifiers` if the descriptor sorts, includes unsaved
  ///   changes, and there are some; otherwise the same errors as ``fetch(_:)``.
  /// > Reference: Apple, fetchIdentifiers(_:).
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    if descriptor.includePendingChanges, !descriptor.sortBy.isEmpty, hasChanges {
      throw SwiftDataError(
        .sortingPendingChangesWithIdentifiers,
        "Identifiers cannot be sorted together with unsaved changes. Save first, or set includePendingChanges "
          + "to false.")
    }
    return try objectIDs(descriptor).map { PersistentIdentifier($0) }
  }

  func objectIDs<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [NSManagedObjectID]
  {
    let request = try descriptor.managed(in: self, as: NSManagedObjectID.self)
    request.resultType = .managedObjectIDResultType
    graph.takeOverChanges()
    return try asking(.descriptor(descriptor)) { try graph.fetch(request) }
  }

  /// Finds models that are read in batches, as the collection is iterated.
  ///
  /// - Returns: The value.
  /// - Throws: `SwiftDataError.includePendingChangesWithBatchSize` unless the descriptor excludes unsaved changes.
  /// > Reference: Apple, fetch(_:batchSize:).
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int
  ) throws -> FetchResultsCollection<T> {
    FetchResultsCollection(
      try batchIDs(descriptor), batchSize: batchSize, in: self
    ) { context, ids in
      context.models(filling: ids, as: T.self)
    }
  }

  /// Finds identifiers as a collection.
  ///
  /// - Returns: The value.
  /// - Throws: `SwiftDataError.includePendingChangesWithBatchSize` unless the descriptor excludes unsaved changes.
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
        "A fetch by batches cannot count unsaved changes. Set includePendingChanges of the descriptor to false."
      )
    }
    return try objectIDs(descriptor)
  }

  /// The models with some identifiers, in their order; those whose rows were deleted are empty.
  func models<T: PersistentModel>(
    filling ids: ArraySlice<NSManagedObjectID>, as type: T.Type
  ) -> [T] {
    var filled: [NSManagedObject] = []
    do {
      let request = NSFetchRequest<NSManagedObject>(entityName: Schema.entityName(for: type))
      request.predicate = NSPredicate(format: "SELF IN %@", Array(ids))
      request.includesPendingChanges = false
      filled = try asking(.objects(Array(ids))) { try objects(request) }
    } catch {
      graph.deferError(error)
    }
    return withExtendedLifetime(filled) { models(ids.map { graph.object(with: $0) }, as: type) }
  }

  /// Calls a block with each fetched model, with one batch in memory at a time.
  ///
  /// - Parameters:
  ///   - descriptor: The models.
  ///   - batchSize: The number of models that are read together.
  ///   - allowEscapingMutations: Whether the block may leave unsaved changes in the context. Otherwise the call
  ///     throws after the first batch with unsaved changes; the changes are kept.
  ///   - block: Called for each model; an error ends the call.
  /// - Throws: The error of the block; `SwiftDataError.modelValidationFailure` for changes that are not allowed;
  ///   otherwise the same errors as ``fetch(_:)``.
  /// > Reference: Apple, enumerate(_:batchSize:allowEscapingMutations:block:). Differs: D-374.
  public func enumerate<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (T) throws -> Void
  ) throws {
    let hadChanges = hasChanges
    if hadChanges, descriptor.includePendingChanges {
      for model in try fetch(descriptor) { try block(model) }
      return
    }
    let ids = try objectIDs(descriptor)
    let size = max(1, batchSize)
    for start in stride(from: 0, to: ids.count, by: size) {
      let batch = ids[start..<min(start + size, ids.count)]
      for model in models(filling: batch, as: T.self) where model.modelContext != nil {
        try block(model)
      }
      if !allowEscapingMutations, !hadChanges, hasChanges {
        throw SwiftDataError(
          .modelValidationFailure,
          "The block changed models without saving them. Save in the block, or pass true for allowEscapingMutations."
        )
      }
    }
  }
}

extension ModelContext {
  /// Runs a block that works with the context.
  ///
  /// The block runs immediately, on the caller's actor. The method exists for code written for contexts with queues.
  ///
  /// - Returns: The result of the block.
  ///
  /// This is an addition to Apple's API.
  public func perform<Result>(
    isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) async rethrows -> Result {
    try block()
  }
}
