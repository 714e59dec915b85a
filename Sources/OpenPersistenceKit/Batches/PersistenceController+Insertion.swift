public import OpenObjectGraph

extension PersistenceController {
  /// Inserts copies of objects in batches, with one save of a background context for each batch.
  ///
  /// A copy has the current values of the object's stored attributes, including unsaved values. The
  /// method does not copy relationships. The objects may belong to another stack whose model has
  /// the same entities. Each save validates the copies. If a copy has the same values for a
  /// uniqueness constraint as a saved object, the save updates the saved object with the values of
  /// the copy. If two copies have the same values for a uniqueness constraint, the save merges the
  /// copies into one object.
  ///
  /// - Parameters:
  ///   - entities: The objects to copy. Call this method on the queue of their context.
  ///   - batchSize: The maximum number of objects in a batch. A value less than 1 is treated as 1.
  /// - Returns: The ids of the copies, in the order of `entities`. If a save merged a copy into
  ///   another object, the array contains the id of that object.
  /// - Throws: Any error that a read or a save throws; `CocoaError` 133000 if the row of an object
  ///   was deleted; `CocoaError` 134060 if the stack's model lacks an entity or an attribute;
  ///   `CancellationError` if the task is canceled. Batches saved before the error remain saved.
  @discardableResult
  public func batchInsert<Entity: NSManagedObject>(
    entities: [Entity], batchSize: Int = 1000
  ) throws -> [NSManagedObjectID] {
    let context = newBackgroundContext()
    var ids: [NSManagedObjectID] = []
    for piece in Pieces(of: entities, size: batchSize) {
      try Task.checkCancellation()
      let copies = try piece.map(AttributeCopy.init)
      ids += try context.performAndWait { try insert(copies, into: context) }
    }
    return ids
  }

  /// Inserts copies of objects in batches, without blocking the caller's thread.
  ///
  /// The method copies, validates and merges objects in the same way as the synchronous method.
  ///
  /// - Parameters:
  ///   - entities: The objects to copy. Call this method on the actor that the objects belong to,
  ///     such as the main actor.
  ///   - batchSize: The maximum number of objects in a batch. A value less than 1 is treated as 1.
  ///   - isolation: The caller's actor, on which the method reads the objects; nil if there is no
  ///     actor.
  /// - Returns: The ids of the copies, in the order of `entities`. If a save merged a copy into
  ///   another object, the array contains the id of that object.
  /// - Throws: Any error that a read or a save throws; `CocoaError` 133000 if the row of an object
  ///   was deleted; `CocoaError` 134060 if the stack's model lacks an entity or an attribute;
  ///   `CancelledWork` with the ids of the saved copies if the task is canceled before the last
  ///   batch. Batches saved before the error remain saved.
  @discardableResult
  public func batchInsert<Entity: NSManagedObject>(
    entities: [Entity], batchSize: Int = 1000, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [NSManagedObjectID] {
    let context = newBackgroundContext()
    var ids: [NSManagedObjectID] = []
    for piece in Pieces(of: entities, size: batchSize) {
      if Task.isCancelled { throw CancelledWork(completed: ids) }
      let copies = try piece.map(AttributeCopy.init)
      ids += try await context.perform { try self.insert(copies, into: context) }
    }
    return ids
  }

  /// Inserts and saves one batch, on the context's queue.
  private func insert(
    _ copies: [AttributeCopy], into context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let policy = context.mergePolicy
    defer {
      context.reset()
      context.mergePolicy = policy
    }
    let insertion = InsertionPolicy(policy as? NSMergePolicy ?? .error)
    context.mergePolicy = insertion
    let objects = try copies.map { try $0.insert(into: context) }
    try save(context: context)
    return objects.map(insertion.savedID)
  }
}
