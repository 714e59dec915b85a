internal import Foundation
internal import OpenObjectModel
package import OpenPredicates
package import OpenStoreContract

extension NSPersistentStoreCoordinator {
  /// The stores that a request goes to.
  ///
  /// - Parameter action: What the request does, for the error.
  /// - Throws: `CocoaError` when the coordinator has no stores.
  func affectedStores(
    of request: NSPersistentStoreRequest, _ action: String = "fetch"
  ) throws -> [NSPersistentStore] {
    let stores = try requireStores(action)
    guard let wanted = request.affectedStores, !wanted.isEmpty else { return stores }
    return stores.filter { store in wanted.contains { $0.isSame(as: store) } }
  }

  /// The stores that a fetch searches: of those that the request goes to, the ones whose configuration has the entity, or an entity
  /// below it.
  ///
  /// - Throws: `CocoaError` when the coordinator has no stores.
  func searchedStores(
    of request: NSPersistentStoreRequest, for entity: CompiledEntity
  ) throws -> [NSPersistentStore] {
    let stores = try affectedStores(of: request)
    guard stores.count > 1 else { return stores }
    let holding = stores.filter { store in
      entity.subtree.contains { holds(model.entities[$0], in: store) }
    }
    // Objects of an entity that no configuration has can be in any store.
    return holding.isEmpty ? stores : holding
  }

  /// The plan by which stores would carry a request out; for tools that read rows without objects.
  ///
  /// - Parameter query: What the result is ranked by; nil for the order of the request.
  /// - Throws: `StoreError` or `PredicateFormatError` for an entity, key or type that the model does not
  ///   know.
  package func plan<Result>(
    for request: NSFetchRequest<Result>, rankedBy query: TextQuery? = nil
  ) throws -> FetchPlan {
    guard let entity = model.entity(named: request.entityName ?? "") else {
      throw StoreError(
        .unsupportedPredicate,
        "There is no entity \"\(request.entityName ?? "")\" in the model; ls shows the entities.")
    }
    var wanted = FetchPlanner.Request(request, of: entity, window: request.window)
    wanted.isStrict = true
    wanted.textQuery = query
    return try planner.plan(wanted).plan
  }
}

extension NSPersistentStore {
  /// Writes one store after the other for a request, which the application can repeat for some of them.
  ///
  /// If there are several, all are first checked for write access; the transaction of a single one asks itself.
  ///
  /// - Parameters:
  ///   - parts: The stores, each with what is to be done in it.
  ///   - operation: What is executed, for the error.
  /// - Throws: The error of the first store; if other stores were already written, an error with these stores.
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
          "Once the cause is removed, execute the request again with the other stores as its affectedStores.",
          store, after: written, error)
      }
      written.append(store)
    }
  }
}

extension CompiledModel {
  /// The entity of a request.
  ///
  /// - Throws: `CocoaError` for a request without entity, and for an entity that the model does not have.
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
  /// What a plan needs of a request for objects.
  ///
  /// - Parameter window: The part of the result that stores have to find.
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
