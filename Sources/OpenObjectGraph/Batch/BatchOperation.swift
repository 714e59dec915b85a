internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Executes one batch request of a context.
///
/// The operation converts the request to a plan or to packed rows, and each store executes its part
/// in one transaction. The operation then removes outdated rows from the row caches, and counts the
/// reported rows or collects their ids.
///
/// > Concurrency: Confined to the context's queue. Handlers run before a store is locked.
final class BatchOperation {
  private let context: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator
  /// Whether the result contains the ids of the rows or only their number.
  private var detail = BatchOutcome.Detail.count
  /// The number of rows that the stores reported.
  private var count = 0
  /// The ids of the reported rows; empty if the result does not contain ids.
  private var ids: [NSManagedObjectID] = []

  /// - Throws: `CocoaError` for a context without a coordinator.
  init(in context: NSManagedObjectContext) throws {
    self.context = context
    coordinator = try context.requireCoordinator()
  }

  // MARK: Requests

  func run(_ request: NSBatchInsertRequest) throws -> NSBatchInsertResult {
    detail = request.resultType == .objectIDs ? .keys : .count
    let entity = try entity(named: request.entityName)
    guard !entity.isAbstract else {
      throw CocoaError.make(
        .coreData, "The entity \(entity.name) is abstract and cannot have rows.")
    }
    let stores = try coordinator.affectedStores(of: request, "batch")
    guard let store = stores.first(where: { !$0.isReadOnly && coordinator.holds(entity, in: $0) })
    else {
      throw CocoaError.make(
        .persistentStoreSave,
        "No writable store contains the entity \(entity.name). Nothing was inserted.")
    }
    let insertion = BatchInsert(entity: entity, collision: collision, detail: detail)
    // The handlers are code of the application: all of them run before the store is locked.
    var rows = try BatchRows(of: request, entity, context.classes[entity.index])
    let spool = try rows.spooled()
    let outcome = try write(to: store) { origin in
      try store.backend.insert(insertion, origin: origin) {
        () throws(StoreError) in try spool.next()
      }
    }
    count = outcome.insertedCount + outcome.updated.count
    list(outcome.inserted + outcome.updated, of: store)
    return NSBatchInsertResult(request.resultType, count: count, ids)
  }

  func run(_ request: NSBatchUpdateRequest) throws -> NSBatchUpdateResult {
    detail = request.resultType == .updatedObjectIDsResultType ? .keys : .count
    let entity = try entity(named: request.entityName)
    guard let values = request.propertiesToUpdate, !values.isEmpty else {
      throw CocoaError.make(.coreData, "The batch update request has no propertiesToUpdate.")
    }
    let assignments = try BatchAssignments(values, of: entity)
    let plan = try coordinator.planner.plan(
      FetchPlanner.Request(
        entity: entity, predicate: request.predicate, sortDescriptors: [], limit: 0, offset: 0,
        includesSubentities: request.includesSubentities, isStrict: true,
        projection: assignments.projection),
      in: context
    ).plan
    let stores = try coordinator.searchedStores(of: request, for: entity, "batch")
    try run(in: stores, \.updated) { .update(try assignments.update(plan, in: $0)) }
    return NSBatchUpdateResult(request.resultType, count: count, ids)
  }

  func run(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
    detail = request.resultType == .resultTypeObjectIDs ? .keys : .count
    if let ids = request.ids {
      if ids.isEmpty { return NSBatchDeleteResult(request.resultType, count: 0, []) }
      guard Set(ids.map(\.compiledEntity.rootToken)).count == 1 else {
        throw CocoaError.make(
          .coreData,
          "mismatched objectIDs in batch delete initializer: all objects must have the same root entity."
        )
      }
    }
    var fetch = request.fetchRequest
    let entity = try context.entity(of: fetch)
    let selected = try coordinator.affectedStores(of: fetch, "batch")
    let stores = try coordinator.searchedStores(of: request, for: entity, "batch")
      .filter { store in selected.contains { $0 === store } }
    // The limit and the offset apply to the rows of all stores together.
    if stores.count > 1, !fetch.window.isWhole { fetch = try identified(fetch, in: stores) }
    var wanted = FetchPlanner.Request(fetch, of: entity, window: fetch.window)
    wanted.isStrict = true
    let plan = try coordinator.planner.plan(wanted, in: context).plan
    try run(in: stores, \.deleted) { .delete(plan.addressing($0) { $0 }) }
    return NSBatchDeleteResult(request.resultType, count: count, ids)
  }

  // MARK: Preparing

  /// Returns a request for the stored objects that a request currently selects.
  private func identified(
    _ request: NSFetchRequest<any NSFetchRequestResult>, in stores: [NSPersistentStore]
  ) throws -> NSFetchRequest<any NSFetchRequestResult> {
    let ids = NSFetchRequest<NSManagedObjectID>(copying: request)
    ids.resultType = .managedObjectIDResultType
    ids.includesPendingChanges = false
    ids.allowsEvaluationInMemory = false
    ids.affectedStores = stores
    let identified = NSFetchRequest<any NSFetchRequestResult>(copying: request)
    // The stores delete rows of their newest state, even if the context is pinned to an older one.
    let selected = try context.source.readingNewest { try context.results(of: ids) }
    identified.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [selected])
    identified.sortDescriptors = nil
    identified.fetchLimit = 0
    identified.fetchOffset = 0
    return identified
  }

  private func entity(named name: String) throws -> CompiledEntity {
    guard let entity = context.model.entity(named: name) else {
      throw CocoaError.make(
        .coreData, "The entity '\(name)' of the batch request is not in the model.")
    }
    return entity
  }

  /// The effect of the merge policy on colliding rows.
  private var collision: BatchInsert.Collision {
    switch (context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType {
    case .errorMergePolicyType: .fail
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .replace
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keep
    }
  }

  // MARK: Stores

  /// Executes each store's part, and counts the rows that the store reports.
  ///
  /// If a store fails, the changes in earlier stores remain, and the error names the earlier
  /// stores.
  private func run(
    in stores: [NSPersistentStore], _ rows: KeyPath<BatchOutcome, [ObjectKey]>,
    _ part: (NSPersistentStore) throws -> BatchRequest
  ) throws {
    let parts = try stores.map { (store: $0, part: try part($0)) }
    try NSPersistentStore.write(parts, "The batch request") { store, part in
      let outcome = try write(to: store) { try store.backend.execute(part, origin: $0) }
      let keys = outcome[keyPath: rows]
      count += keys.count
      list(keys, of: store)
    }
  }

  /// Writes to a store, and removes the changed rows from the store's row cache.
  private func write(
    to store: NSPersistentStore, _ work: (ChangeOrigin) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    let origin = ChangeOrigin(of: context, in: store)
    let outcome: BatchOutcome
    do {
      try store.writes.begin()
      defer { store.writes.end() }
      outcome = try work(origin)
    } catch let error as StoreError {
      throw CocoaError.unwritten(error)
    }
    store.rowCache.remove(outcome.updated + outcome.deleted + outcome.recomputed)
    RemoteChanges.storeChanged(store.identifier, at: outcome.transaction)
    return outcome
  }

  private func list(_ keys: [ObjectKey], of store: NSPersistentStore) {
    guard detail == .keys else { return }
    ids += keys.map {
      NSManagedObjectID(
        store: store, entity: context.model.entities[Int($0.entityIndex)], key: $0.key)
    }
  }
}
