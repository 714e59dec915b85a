internal import Foundation
internal import OpenObjectGraph

/// What a batch request did to rows inside the store, with their ids, for contexts to take over.
///
/// Made by executing one request.
///
/// > Concurrency: Confined to the queue of the context that executed the request; `ids` may go elsewhere.
struct BatchChange<Result: NSPersistentStoreResult> {
  let result: Result
  /// The ids of the rows.
  let ids: [NSManagedObjectID]
  /// The key under which contexts find the ids of such changes.
  private let key: String

  private init(
    _ request: NSPersistentStoreRequest, in context: NSManagedObjectContext, key: String,
    ids: (Result) -> Any?
  ) throws {
    guard let result = try context.execute(request) as? Result,
      let ids = ids(result) as? [NSManagedObjectID]
    else { throw CocoaError(.persistentStoreOperation) }
    self.result = result
    self.ids = ids
    self.key = key
  }

  /// What contexts merge.
  var changes: [String: [NSManagedObjectID]] { [key: ids] }

  /// Has a context take the change over.
  func merge(into context: NSManagedObjectContext) {
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
  }
}

extension BatchChange where Result == NSBatchDeleteResult {
  /// Deletes the rows that a request selects.
  ///
  /// - Throws: The error of the deletion; in that case nothing is deleted.
  init<Entity>(
    deleting request: NSFetchRequest<Entity>, in context: NSManagedObjectContext
  ) throws {
    let deletion = NSBatchDeleteRequest(fetchRequest: request)
    deletion.affectedStores = request.affectedStores
    deletion.resultType = .resultTypeObjectIDs
    try self.init(deletion, in: context, key: NSDeletedObjectsKey) { $0.result }
  }
}

extension BatchChange where Result == NSBatchUpdateResult {
  /// Carries an update out; its result type becomes the ids of the changed objects.
  ///
  /// - Throws: The error of the update; in that case nothing is changed.
  init(updating request: NSBatchUpdateRequest, in context: NSManagedObjectContext) throws {
    request.resultType = .updatedObjectIDsResultType
    try self.init(request, in: context, key: NSUpdatedObjectsKey) { $0.result }
  }
}
