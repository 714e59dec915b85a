import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

extension RandomHistory {
  func batchUpdate(in context: NSManagedObjectContext) throws -> String {
    let (old, new) = (numbers.below(4), numbers.below(4))
    let request = NSBatchUpdateRequest(entityName: "ShelfBook")
    let predicate = NSPredicate(format: "pages == %d", old)
    request.predicate = predicate
    request.propertiesToUpdate = ["pages": new]
    request.resultType = .updatedObjectIDsResultType
    func update(_ stores: Range<Int>) -> ReferenceModel.Changes {
      ReferenceModel.Changes(changed: model.updateRows(from: old, to: new, stores: stores))
    }
    let failure = try failToExecute(request, predicate, in: context, update)
    let action = "batch update \(old) to \(new)\(failure?.action ?? "")"
    if failure?.isLast == true { return action }
    let result = try context.execute(request) as? NSBatchUpdateResult
    let ids = try #require(result?.result as? [NSManagedObjectID], "seed \(seed)")
    try merge(ids, update(0..<2))
    return action
  }

  func batchDelete(in context: NSManagedObjectContext) throws -> String {
    let (pages, title) = (numbers.below(4), 1 + numbers.below(3))
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "ShelfBook")
    let predicate = NSPredicate(format: "pages == %d AND title == %@", pages, "title \(title)")
    request.predicate = predicate
    let deletion = NSBatchDeleteRequest(fetchRequest: request)
    deletion.resultType = .resultTypeObjectIDs
    func delete(_ stores: Range<Int>) -> ReferenceModel.Changes {
      ReferenceModel.Changes(removed: model.deleteRows(pages, title, stores: stores))
    }
    let failure = try failToExecute(deletion, predicate, in: context, delete)
    let action = "batch delete \(pages) \(title)\(failure?.action ?? "")"
    if failure?.isLast == true { return action }
    let result = try context.execute(deletion) as? NSBatchDeleteResult
    let ids = try #require(result?.result as? [NSManagedObjectID], "seed \(seed)")
    try merge(ids, delete(0..<2))
    return action
  }

  /// Sometimes executes a batch request that fails in one store, after the previous stores have
  /// executed it.
  ///
  /// - Returns: What happened, and whether the request is not tried again; nil when it was not executed.
  private func failToExecute(
    _ request: NSPersistentStoreRequest, _ predicate: NSPredicate,
    in context: NSManagedObjectContext, _ change: (Range<Int>) -> ReferenceModel.Changes
  ) throws -> (action: String, isLast: Bool)? {
    guard numbers.below(3) == 0 else { return nil }
    let store = numbers.below(2)
    // The error does not name them.
    let ids = try storedIDs(predicate, stores: 0..<store)
    faults(store).fail(1, of: [.batch])
    let error = #expect(throws: (any Error).self, "seed \(seed)") { try context.execute(request) }
    try #require(
      faults(store).stop() && error.map(FaultInjection.made) == true,
      "seed \(seed), \(String(describing: error)): \(actions)")
    try merge(ids, change(0..<store))
    let isLast = numbers.below(2) == 0
    return (" that fails in \(store)\(isLast ? "" : " and is tried again")", isLast)
  }

  /// The ids of the books in some stores that match.
  private func storedIDs(
    _ predicate: NSPredicate, stores: Range<Int>
  ) throws -> [NSManagedObjectID] {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = contexts[.c]?.persistentStoreCoordinator
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "ShelfBook")
    request.predicate = predicate
    request.resultType = .managedObjectIDResultType
    request.affectedStores = context.persistentStoreCoordinator.map {
      Array($0.persistentStores[stores])
    }
    return stores.isEmpty ? [] : try context.performAndWait { try context.fetch(request) }
  }

  /// Merges the changes of a batch request into C, as applications must.
  private func merge(_ ids: [NSManagedObjectID], _ changes: ReferenceModel.Changes) throws {
    try #require(
      ids.count == changes.changed.count + changes.removed.count, "seed \(seed): \(actions)")
    guard let context = contexts[.c] else { return }
    let key = changes.removed.isEmpty ? NSUpdatedObjectsKey : NSDeletedObjectsKey
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context])
    model.merge(changes, into: .c)
  }
}
