internal import Foundation
internal import OpenObjectModel
package import OpenStoreContract

extension NSPersistentStoreCoordinator {
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
    return try planner.plan(
      FetchPlanner.Request(
        entity: entity, predicate: request.predicate,
        sortDescriptors: request.sortDescriptors ?? [], limit: max(0, request.fetchLimit),
        offset: max(0, request.fetchOffset), includesSubentities: request.includesSubentities,
        isStrict: true)
    ).plan
  }
}
