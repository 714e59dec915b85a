internal import Foundation
internal import OpenObjectModel
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

  /// The plan by which stores would carry a request out; for tools that read rows without objects.
  ///
  /// - Throws: `StoreError` or `PredicateFormatError` for an entity, key or type that the model does not
  ///   know.
  package func plan<Result>(for request: NSFetchRequest<Result>) throws -> FetchPlan {
    guard let entity = model.entity(named: request.entityName ?? "") else {
      throw StoreError(
        .unsupportedPredicate,
        "There is no entity \"\(request.entityName ?? "")\" in the model; ls shows the entities.")
    }
    var wanted = FetchPlanner.Request(request, of: entity, window: request.window)
    wanted.isStrict = true
    return try planner.plan(wanted).plan
  }
}

extension [NSPersistentStore] {
  /// Writes one store after the other for a request that is repeated by its caller.
  ///
  /// - Parameter operation: What is carried out, for the error.
  /// - Throws: The error of the first store; where others were written before, one that names them.
  func writeEach(
    _ operation: String, _ write: (NSPersistentStore, Int) throws -> Void
  ) throws {
    for (index, store) in enumerated() {
      do {
        try write(store, index)
      } catch {
        if index == 0 { throw error }
        throw CocoaError.incomplete(
          operation,
          "Execute the request again for the other stores, which are its affectedStores then, once the cause is removed.",
          store, after: Array(prefix(index)), error)
      }
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
