public import Foundation
public import OpenObjectGraph

extension PersistenceController {
  /// Deletes all rows that a request selects inside the store, without loading objects.
  ///
  /// The main context takes the deletion over before this returns when it is called on the main thread, otherwise
  /// as soon as the main queue is free.
  ///
  /// - Parameter fetchRequest: The request that selects the rows; its type parameter has no meaning here.
  /// - Returns: The ids of the deleted objects.
  /// - Throws: What the deletion throws; nothing is deleted then.
  @discardableResult
  public func batchDelete<Result>(
    fetchRequest: NSFetchRequest<Result>
  ) throws -> [NSManagedObjectID] {
    let context = newBackgroundContext()
    let ids = try context.performAndWait { try context.deletedIDs(of: fetchRequest) }
    mergeIntoViewContext(ids, under: NSDeletedObjectsKey)
    return ids
  }

  /// Changes all rows that a request selects inside the store, without loading objects.
  ///
  /// The main context takes the changes over as after `batchDelete(fetchRequest:)`.
  ///
  /// - Parameter request: What to change; its result type becomes the ids of the changed objects.
  /// - Returns: The ids of the changed objects.
  /// - Throws: What the change throws; nothing is changed then.
  @discardableResult
  public func batchUpdate(request: NSBatchUpdateRequest) throws -> [NSManagedObjectID] {
    let context = newBackgroundContext()
    let ids = try context.performAndWait { () throws -> [NSManagedObjectID] in
      request.resultType = .updatedObjectIDsResultType
      let result = try context.execute(request) as? NSBatchUpdateResult
      guard let ids = result?.result as? [NSManagedObjectID] else {
        throw CocoaError(.persistentStoreOperation)
      }
      return ids
    }
    mergeIntoViewContext(ids, under: NSUpdatedObjectsKey)
    return ids
  }

  /// Tells the main context what happened inside the store.
  func mergeIntoViewContext(_ ids: [NSManagedObjectID], under key: String) {
    guard !ids.isEmpty else { return }
    let context = viewContext
    // Waiting for the main queue here would never end in a program whose main thread waits for this one.
    if MainQueue.isCurrent {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context])
    } else {
      context.perform {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context])
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Deletes the rows that a request selects inside the store.
  ///
  /// - Returns: The ids of the deleted objects, which the caller merges.
  /// - Throws: What the deletion throws; nothing is deleted then.
  func deletedIDs<Result>(of request: NSFetchRequest<Result>) throws -> [NSManagedObjectID] {
    let deletion = NSBatchDeleteRequest(fetchRequest: request)
    deletion.affectedStores = request.affectedStores
    deletion.resultType = .resultTypeObjectIDs
    let result = try execute(deletion) as? NSBatchDeleteResult
    guard let ids = result?.result as? [NSManagedObjectID] else {
      throw CocoaError(.persistentStoreOperation)
    }
    return ids
  }

  /// Deletes all rows of an entity that a predicate selects inside the store, and from this context.
  ///
  /// - Parameters:
  ///   - entity: The class of the objects.
  ///   - predicate: Which of them; nil for all.
  /// - Returns: What was deleted, with the ids of the objects.
  /// - Throws: What the deletion throws; nothing is deleted then.
  @discardableResult
  public func performBatchDelete<Entity: NSManagedObject>(
    entity: Entity.Type, predicate: NSPredicate? = nil
  ) throws -> NSBatchDeleteResult {
    let name = entityName(of: entity)
    let fetch = NSFetchRequest<Entity>(entityName: name)
    fetch.predicate = predicate
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeObjectIDs
    guard let result = try execute(request) as? NSBatchDeleteResult else {
      throw CocoaError(.persistentStoreOperation)
    }
    if let ids = result.result as? [NSManagedObjectID] {
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [self])
    }
    return result
  }

  private func entityName<Entity: NSManagedObject>(of type: Entity.Type) -> String {
    let request: NSFetchRequest<Entity> = Entity.fetchRequest()
    return request.entityName ?? String(describing: type)
  }

  /// Changes all rows of an entity that a predicate selects inside the store, and in this context.
  ///
  /// - Parameters:
  ///   - entity: The class of the objects.
  ///   - predicate: Which of them; nil for all.
  ///   - properties: New values, or expressions, by property name.
  /// - Returns: What was changed, with the ids of the objects.
  /// - Throws: What the change throws; nothing is changed then.
  @discardableResult
  public func performBatchUpdate<Entity: NSManagedObject>(
    entity: Entity.Type, predicate: NSPredicate? = nil,
    propertiesToUpdate properties: [String: Any]
  ) throws -> NSBatchUpdateResult {
    let request = NSBatchUpdateRequest(entityName: entityName(of: entity))
    request.predicate = predicate
    request.propertiesToUpdate = properties
    request.resultType = .updatedObjectIDsResultType
    guard let result = try execute(request) as? NSBatchUpdateResult else {
      throw CocoaError(.persistentStoreOperation)
    }
    if let ids = result.result as? [NSManagedObjectID] {
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [self])
    }
    return result
  }
}
