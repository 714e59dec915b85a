public import Foundation
public import OpenObjectGraph

extension PersistenceController {
  /// Deletes rows directly in the store, without loading objects.
  ///
  /// If this method is called on the main thread, the main context merges the deletion before the
  /// method returns. Otherwise, the main context merges the deletion later, on the main queue.
  ///
  /// - Parameter fetchRequest: A request, of any result type, that selects the objects to delete.
  /// - Returns: The ids of the deleted objects, including objects that delete rules deleted.
  /// - Throws: Any error that the deletion throws, such as `CocoaError` 133021 if a deny rule
  ///   prevents the deletion. After an error, nothing is deleted, except in the stores that error
  ///   134040 lists as written.
  @discardableResult
  public func batchDelete<Result>(
    fetchRequest: NSFetchRequest<Result>
  ) throws -> [NSManagedObjectID] {
    let context = newBackgroundContext()
    let change = try context.performAndWait {
      try BatchChange(deleting: fetchRequest, in: context)
    }
    mergeIntoViewContext(change.changes)
    return change.ids
  }

  /// Changes rows directly in the store, without loading objects.
  ///
  /// If this method is called on the main thread, the main context merges the changes before the
  /// method returns. Otherwise, the main context merges the changes later, on the main queue.
  ///
  /// - Parameter request: The update to execute. The method sets the request's `resultType` to
  ///   `.updatedObjectIDsResultType`.
  /// - Returns: The ids of the changed objects.
  /// - Throws: Any error that the update throws; see `NSBatchUpdateRequest`. After an error,
  ///   nothing is changed, except in the stores that error 134040 lists as written.
  @discardableResult
  public func batchUpdate(request: NSBatchUpdateRequest) throws -> [NSManagedObjectID] {
    let context = newBackgroundContext()
    let change = try context.performAndWait { try BatchChange(updating: request, in: context) }
    mergeIntoViewContext(change.changes)
    return change.ids
  }

  /// Deletes rows directly in the store, without loading objects and without blocking the caller's
  /// thread.
  ///
  /// If this method is called on the main actor, the main context merges the deletion before the
  /// method returns. Otherwise, the main context merges the deletion later, on the main queue.
  ///
  /// - Parameters:
  ///   - fetchRequest: A request, of any result type, that selects the objects to delete.
  ///   - isolation: The caller's actor. The method copies the request on this actor. The value is
  ///     nil if there is no actor.
  /// - Returns: The ids of the deleted objects, including objects that delete rules deleted.
  /// - Throws: `CancellationError` if the task is canceled before the deletion begins;
  ///   `CocoaError` 133021 if a deny rule prevents the deletion; any other error that the deletion
  ///   throws. After an error, nothing is deleted, except in the stores that error 134040 lists as
  ///   written.
  @discardableResult
  public func batchDelete<Result>(
    fetchRequest: NSFetchRequest<Result>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [NSManagedObjectID] {
    try Task.checkCancellation()
    let context = newBackgroundContext()
    // A copy for this call, which is used on the context's queue only.
    nonisolated(unsafe) let request = fetchRequest.copy() as? NSFetchRequest<Result> ?? fetchRequest
    let ids = try await context.perform {
      try BatchChange(deleting: request, in: context).ids
    }
    mergeIntoViewContext([NSDeletedObjectsKey: ids])
    return ids
  }

  /// Changes rows directly in the store, without loading objects and without blocking the caller's
  /// thread.
  ///
  /// If this method is called on the main actor, the main context merges the changes before the
  /// method returns. Otherwise, the main context merges the changes later, on the main queue.
  ///
  /// - Parameters:
  ///   - request: The update to execute. The method sets the request's `resultType` to
  ///     `.updatedObjectIDsResultType`.
  ///   - isolation: The caller's actor; nil if there is no actor.
  /// - Returns: The ids of the changed objects.
  /// - Throws: `CancellationError` if the task is canceled before the update begins, or any error
  ///   that the update throws; see `NSBatchUpdateRequest`. After an error, nothing is changed,
  ///   except in the stores that error 134040 lists as written.
  @discardableResult
  public func batchUpdate(
    request: sending NSBatchUpdateRequest, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [NSManagedObjectID] {
    try Task.checkCancellation()
    let context = newBackgroundContext()
    // The caller no longer uses the request, which is now used on the context's queue only.
    nonisolated(unsafe) let request = request
    let ids = try await context.perform {
      try BatchChange(updating: request, in: context).ids
    }
    mergeIntoViewContext([NSUpdatedObjectsKey: ids])
    return ids
  }

  /// Merges changes made in the store into the main context.
  private func mergeIntoViewContext(_ changes: [String: [NSManagedObjectID]]) {
    guard changes.values.contains(where: { !$0.isEmpty }) else { return }
    let context = viewContext
    // Waiting for the main queue here would cause a deadlock if the main thread waits for this
    // thread.
    if MainQueue.isCurrent {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
    } else {
      context.perform {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Deletes rows of an entity directly in the store, and removes the deleted objects from this
  /// context.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - entity: The class of the entity's objects.
  ///   - predicate: The condition that selects the rows, or nil to delete all rows of the entity.
  /// - Returns: The result, which contains the ids of the deleted objects, including objects that
  ///   delete rules deleted.
  /// - Throws: Any error that the deletion throws, such as `CocoaError` 133021 if a deny rule
  ///   prevents the deletion. After an error, nothing is deleted, except in the stores that error
  ///   134040 lists as written.
  @discardableResult
  public func performBatchDelete<Entity: NSManagedObject>(
    entity: Entity.Type, predicate: NSPredicate? = nil
  ) throws -> NSBatchDeleteResult {
    let request = NSFetchRequest<Entity>(entityName: entityName(of: entity))
    request.predicate = predicate
    let change = try BatchChange(deleting: request, in: self)
    change.merge(into: self)
    return change.result
  }

  private func entityName<Entity: NSManagedObject>(of type: Entity.Type) -> String {
    let request: NSFetchRequest<Entity> = Entity.fetchRequest()
    return request.entityName ?? String(describing: type)
  }

  /// Changes rows of an entity directly in the store, and merges the changes into this context.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - entity: The class of the entity's objects.
  ///   - predicate: The condition that selects the rows, or nil to change all rows of the entity.
  ///   - properties: The new values, or `NSExpression` objects that compute the new values, keyed
  ///     by property name.
  /// - Returns: The result, which contains the ids of the changed objects.
  /// - Throws: Any error that the update throws; see `NSBatchUpdateRequest`. After an error,
  ///   nothing is changed, except in the stores that error 134040 lists as written.
  @discardableResult
  public func performBatchUpdate<Entity: NSManagedObject>(
    entity: Entity.Type, predicate: NSPredicate? = nil,
    propertiesToUpdate properties: [String: Any]
  ) throws -> NSBatchUpdateResult {
    let request = NSBatchUpdateRequest(entityName: entityName(of: entity))
    request.predicate = predicate
    request.propertiesToUpdate = properties
    let change = try BatchChange(updating: request, in: self)
    change.merge(into: self)
    return change.result
  }
}
