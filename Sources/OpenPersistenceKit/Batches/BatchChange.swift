internal import Foundation
internal import OpenObjectGraph

/// The result of a batch request and the ids of the affected rows, for merging into contexts.
///
/// The initializers execute the request.
///
/// > Concurrency: Confined to the queue of the context that executed the request. The array `ids`
/// > may be sent to other threads.
struct BatchChange<Result: NSPersistentStoreResult> {
  let result: Result
  /// The ids of the affected rows.
  let ids: [NSManagedObjectID]
  /// The key of the ids in the dictionary of changes, such as `NSDeletedObjectsKey`.
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

  /// The changes for contexts to merge.
  var changes: [String: [NSManagedObjectID]] { [key: ids] }

  /// Merges the change into a context.
  func merge(into context: NSManagedObjectContext) {
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
  }
}

extension BatchChange where Result == NSBatchDeleteResult {
  /// Deletes the rows that a request selects.
  ///
  /// - Throws: The error of the deletion. After an error, nothing is deleted.
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
  /// Executes an update, whose result type is set to the ids of the changed objects.
  ///
  /// - Throws: The error of the update. After an error, nothing is changed.
  init(updating request: NSBatchUpdateRequest, in context: NSManagedObjectContext) throws {
    request.resultType = .updatedObjectIDsResultType
    try self.init(request, in: context, key: NSUpdatedObjectsKey) { $0.result }
  }
}
