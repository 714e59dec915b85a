internal import Foundation
internal import OpenObjectModel
package import OpenPredicates
package import OpenStoreContract

extension NSPersistentStoreCoordinator {
  /// Returns the stores to which a request is sent.
  ///
  /// - Parameter action: The action of the request, for the error message.
  /// - Throws: `CocoaError` when the coordinator has no stores.
  func affectedStores(
    of request: NSPersistentStoreRequest, _ action: String = "fetch"
  ) throws -> [NSPersistentStore] {
    let stores = try requireStores(action)
    guard request.isRestricted, let wanted = request.affectedStores else { return stores }
    return stores.filter { store in wanted.contains { $0.isSame(as: store) } }
  }

  /// Returns the stores that a fetch, a batch update or a batch deletion searches.
  ///
  /// These are the request's affected stores whose configuration has the entity or one of its
  /// subentities.
  ///
  /// - Parameter action: The action of the request, for the error message.
  /// - Throws: `CocoaError` when the coordinator has no stores.
  func searchedStores(
    of request: NSPersistentStoreRequest, for entity: CompiledEntity, _ action: String = "fetch"
  ) throws -> [NSPersistentStore] {
    let stores = try affectedStores(of: request, action)
    guard stores.count > 1 else { return stores }
    let holding = stores.filter { store in
      entity.subtree.contains { holds(model.entities[$0], in: store) }
    }
    // Objects of an entity that belongs to no configuration can be in any store.
    return holding.isEmpty ? stores : holding
  }

  /// Returns the plan with which stores would execute a request.
  ///
  /// Tools use the plan to read rows without creating objects.
  ///
  /// - Parameters:
  ///   - request: The request to plan.
  ///   - query: The query that ranks the result; nil for the order of the request.
  /// - Returns: A plan that the stores execute completely, without evaluation in memory.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` for an entity, a key or a type that
  ///   the model does not have, or for a part of the request that no store can execute;
  ///   `PredicateFormatError` for a predicate that cannot be parsed.
  package func plan<Result>(
    for request: NSFetchRequest<Result>, rankedBy query: TextQuery? = nil
  ) throws -> FetchPlan {
    guard let entity = model.entity(named: request.entityName ?? "") else {
      throw StoreError(
        .unsupportedPredicate,
        "The model has no entity \"\(request.entityName ?? "")\". To list the entities, run the ls command."
      )
    }
    var wanted = FetchPlanner.Request(request, of: entity, window: request.window)
    wanted.isStrict = true
    wanted.textQuery = query
    return try planner.plan(wanted).plan
  }
}

extension NSPersistentStoreRequest {
  /// Whether the request affects only some of the coordinator's stores.
  var isRestricted: Bool { affectedStores?.isEmpty == false }
}

extension NSPersistentStore {
  /// Executes a write request in each store, one store at a time.
  ///
  /// If a store fails, the application can repeat the request for the remaining stores.
  ///
  /// If there are several stores, each store is first checked for write access. A single store is
  /// checked by its transaction.
  ///
  /// - Parameters:
  ///   - parts: The stores, each with the part to write.
  ///   - operation: The name of the operation, for the error message.
  /// - Throws: The error of the first store that fails, or an error that names the stores that were
  ///   already written.
  static func write<Part>(
    _ parts: [(store: NSPersistentStore, part: Part)], _ operation: String,
    _ write: (NSPersistentStore, Part) throws -> Void
  ) throws {
    for (store, _) in parts {
      try parts.count > 1 ? store.requireWritable() : store.refuseReadOnly()
    }
    var written: [NSPersistentStore] = []
    for (store, part) in parts {
      do {
        try write(store, part)
      } catch {
        if written.isEmpty { throw error }
        throw CocoaError.incomplete(
          operation,
          "Fix the cause, set the affectedStores of the request to the other stores, and execute the request again.",
          store, after: written, error)
      }
      written.append(store)
    }
  }
}

extension CompiledModel {
  /// Returns the entity of a request.
  ///
  /// - Throws: `CocoaError` 134060 for a request without an entity, or for an entity that the model
  ///   does not have.
  func entity<Result>(of request: NSFetchRequest<Result>) throws -> CompiledEntity {
    guard let name = request.entityName else {
      throw CocoaError.make(.coreData, "A fetch request must have an entity.")
    }
    guard let entity = entity(named: name) else {
      throw CocoaError.make(
        .coreData,
        "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'.")
    }
    return entity
  }
}

extension FetchPlanner.Request {
  /// Creates the planner's form of a request for objects.
  ///
  /// - Parameter window: The part of the result that the stores must return.
  init<Result>(
    _ request: NSFetchRequest<Result>, of entity: CompiledEntity, window: FetchWindow
  ) {
    self.init(
      entity: entity, predicate: request.predicate, sortDescriptors: request.sortDescriptors ?? [],
      limit: max(0, window.limit), offset: max(0, window.offset),
      includesSubentities: request.includesSubentities,
      isStrict: !request.allowsEvaluationInMemory)
  }
}
