internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// Batch requests: request → plan → `StoreBackend.execute`, or packed rows → `StoreBackend.insert` → row cache, ids.

extension NSManagedObjectContext {
  /// Carries out a batch request or a request of history, or starts an asynchronous fetch.
  ///
  /// A batch request is one transaction in each store. Objects that are loaded keep their values; merge the
  /// ids of the result to refresh them.
  ///
  /// - Throws: `CocoaError` 134091 for a request that is not supported, 133021 for a uniqueness constraint or
  ///   a delete rule in the way, 1570 for a missing value; otherwise as `save()`.
  /// > Reference: Apple, NSManagedObjectContext, execute(_:).
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let insertion as NSBatchInsertRequest: return try insert(insertion)
    case let update as NSBatchUpdateRequest: return try self.update(update)
    case let deletion as NSBatchDeleteRequest: return try delete(deletion)
    case let request as NSPersistentHistoryChangeRequest: return try history(request)
    case let request as any AsynchronousRequest: return try request.start(in: self)
    default:
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Requests of the type \(type(of: request)) cannot be executed; fetch with fetch(_:).")
    }
  }

  // MARK: Inserting

  private func insert(_ request: NSBatchInsertRequest) throws -> NSBatchInsertResult {
    let entity = try batchEntity(named: request.entityName)
    guard !entity.isAbstract else {
      throw CocoaError.make(.coreData, "The entity \(entity.name) is abstract and has no rows.")
    }
    guard let store = try batchStores(of: request).first(where: { !$0.isReadOnly }) else {
      throw CocoaError.make(
        .persistentStoreSave, "Every store is open for reading only; nothing was inserted.")
    }
    let insertion = BatchInsert(
      entity: entity, collision: batchCollision,
      detail: request.resultType == .objectIDs ? .keys : .count)
    // The handlers are code of the application: all of them run before the store is locked.
    var rows = try BatchRows(of: request, entity, classes[entity.index])
    let spool = try rows.spooled()
    let outcome = try run(in: store) {
      try store.backend.insert(insertion, origin: changeOrigin(in: store)) {
        () throws(StoreError) in try spool.next()
      }
    }
    return NSBatchInsertResult(
      request.resultType, count: outcome.insertedCount + outcome.updated.count,
      request.resultType == .objectIDs
        ? ids(of: outcome.inserted + outcome.updated, in: store) : [])
  }

  /// What the merge policy means for rows that collide with others.
  private var batchCollision: BatchInsert.Collision {
    switch (mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType {
    case .errorMergePolicyType: .fail
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .replace
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keep
    }
  }

  // MARK: Updating

  private func update(_ request: NSBatchUpdateRequest) throws -> NSBatchUpdateResult {
    let coordinator = try requireCoordinator()
    let entity = try batchEntity(named: request.entityName)
    guard let values = request.propertiesToUpdate, !values.isEmpty else {
      throw CocoaError.make(.coreData, "A batch update needs propertiesToUpdate.")
    }
    let assignments = try BatchAssignments(values, of: entity)
    let plan = try reporting {
      try planning(request.predicate) { predicate in
        try coordinator.planner.plan(
          FetchPlanner.Request(
            entity: entity, predicate: predicate, sortDescriptors: [], limit: 0, offset: 0,
            includesSubentities: request.includesSubentities, isStrict: true,
            projection: assignments.projection)
        ).plan
      }
    }
    var count = 0
    var updated: [NSManagedObjectID] = []
    for store in try batchStores(of: request) {
      let update = try assignments.update(plan, in: store)
      let keys = try run(.update(update), in: store).updated
      count += keys.count
      if request.resultType == .updatedObjectIDsResultType { updated += ids(of: keys, in: store) }
    }
    return NSBatchUpdateResult(request.resultType, count: count, updated)
  }

  // MARK: Deleting

  private func delete(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
    let coordinator = try requireCoordinator()
    let stores = try batchStores(of: request)
    if let ids = request.ids {
      if ids.isEmpty { return NSBatchDeleteResult(request.resultType, count: 0, []) }
      guard Set(ids.map(\.compiledEntity.rootToken)).count == 1 else {
        throw CocoaError.make(
          .coreData,
          "mismatched objectIDs in batch delete initializer: give the ids of objects of one entity."
        )
      }
    }
    let fetch = request.fetchRequest
    let entity = try entity(of: fetch)
    let plan = try reporting {
      try planning(fetch.predicate) { predicate in
        try coordinator.planner.plan(
          FetchPlanner.Request(
            entity: entity, predicate: predicate, sortDescriptors: fetch.sortDescriptors ?? [],
            limit: max(0, fetch.fetchLimit), offset: max(0, fetch.fetchOffset),
            includesSubentities: fetch.includesSubentities, isStrict: true)
        ).plan
      }
    }
    var count = 0
    var deleted: [NSManagedObjectID] = []
    for store in stores {
      let keys = try run(.delete(plan.addressed(to: store)), in: store).deleted
      count += keys.count
      if request.resultType == .resultTypeObjectIDs { deleted += self.ids(of: keys, in: store) }
    }
    return NSBatchDeleteResult(request.resultType, count: count, deleted)
  }

  // MARK: Steps

  private func batchEntity(named name: String) throws -> CompiledEntity {
    _ = try requireCoordinator()
    guard let entity = model.entity(named: name) else {
      throw CocoaError.make(
        .coreData, "A batch request names the entity '\(name)', which the model does not have.")
    }
    return entity
  }

  private func batchStores(of request: NSPersistentStoreRequest) throws -> [NSPersistentStore] {
    let stores = try requireStores("batch request")
    guard let wanted = request.affectedStores, !wanted.isEmpty else { return stores }
    return stores.filter { store in wanted.contains { $0.isSame(as: store) } }
  }

  /// Has a store carry a request out; the coordinator forgets the rows that are no longer so.
  private func run(
    _ request: BatchRequest, in store: NSPersistentStore
  ) throws -> BatchOutcome {
    try run(in: store) { try store.backend.execute(request, origin: changeOrigin(in: store)) }
  }

  private func run(
    in store: NSPersistentStore, _ work: () throws -> BatchOutcome
  ) throws -> BatchOutcome {
    if store.isReadOnly {
      throw CocoaError.make(
        .persistentStoreSave, "The store is open for reading only; nothing was changed.",
        path: store.url?.path)
    }
    let outcome = try reporting(work)
    store.rowCache.remove(outcome.updated + outcome.deleted + outcome.recomputed)
    RemoteChanges.storeChanged(store.identifier, at: outcome.transaction)
    return outcome
  }

  private func ids(of keys: [ObjectKey], in store: NSPersistentStore) -> [NSManagedObjectID] {
    keys.map {
      NSManagedObjectID(store: store, entity: model.entities[Int($0.entityIndex)], key: $0.key)
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// Carries a request out for a context: a batch request, a request of history, or a fetch.
  ///
  /// - Returns: A `NSPersistentStoreResult`; for a fetch request an array of its results.
  /// - Throws: As `NSManagedObjectContext.execute(_:)` and `fetch(_:)`.
  /// > Concurrency: Call on the context's queue.
  /// > Reference: Apple, NSPersistentStoreCoordinator, execute(_:with:).
  @discardableResult
  public func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw CocoaError.make(
        .persistentStoreOperation, "The context belongs to another persistent store coordinator.")
    }
    if let fetch = NSFetchRequest<any NSFetchRequestResult>.__recast(request) {
      return try context.fetch(fetch)
    }
    return try context.execute(request)
  }
}
