internal import Foundation
public import OpenObjectGraph
internal import OpenPredicates

// Long work in bounded memory: each batch is saved, and its objects are released.

extension PersistenceController {
  /// Processes the elements of a sequence in batches, in a background context.
  ///
  /// After each batch, the method saves the context, and then resets the context to release the
  /// objects of the batch.
  ///
  /// The method checks for cancellation before each batch.
  ///
  /// - Parameters:
  ///   - elements: The elements to process, which the method reads batch by batch.
  ///   - size: The maximum number of elements in a batch. A value less than 1 is treated as 1.
  ///   - progress: A closure that receives the number of elements processed so far, after each
  ///     batch.
  ///   - work: A closure that receives one batch and the context, and processes the batch on the
  ///     context's queue.
  /// - Returns: The number of processed elements.
  /// - Throws: The error that `work` or a save throws; `CancellationError` if the task is
  ///   canceled. Batches saved before the error remain saved.
  @discardableResult
  public func performInPieces<Elements: Sequence>(
    of elements: Elements, size: Int = 100, progress: (Int) -> Void = { _ in },
    _ work: ([Elements.Element], NSManagedObjectContext) throws -> Void
  ) throws -> Int {
    let context = newBackgroundContext()
    var done = 0
    for piece in Pieces(of: elements, size: size) {
      try Task.checkCancellation()
      try context.performAndWait { try finish(piece, in: context, work) }
      done += piece.count
      progress(done)
    }
    return done
  }

  /// Processes the elements of a sequence in batches, without blocking the caller's thread.
  ///
  /// The method processes the batches in a background context. After each batch, the method saves
  /// the context, and then resets the context to release the objects of the batch.
  ///
  /// The method reads the sequence and calls `progress` on the caller's actor.
  ///
  /// - Parameters:
  ///   - elements: The elements to process, which the method reads batch by batch.
  ///   - size: The maximum number of elements in a batch. A value less than 1 is treated as 1.
  ///   - progress: A closure that receives the number of elements processed so far, after each
  ///     batch.
  ///   - isolation: The caller's actor, on which the method reads the sequence; nil if there is no
  ///     actor.
  ///   - work: A closure that receives one batch and the context, and processes the batch on the
  ///     context's queue.
  /// - Returns: The number of processed elements.
  /// - Throws: The error that `work` or a save throws; `CancelledWork` with the number of processed
  ///   elements if the task is canceled before the last batch. Batches saved before the error
  ///   remain saved.
  @discardableResult
  public func performInPieces<Elements: Sequence>(
    of elements: Elements, size: Int = 100, progress: (Int) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ work: sending @escaping ([Elements.Element], NSManagedObjectContext) throws -> Void
  ) async throws -> Int where Elements.Element: Sendable {
    let context = newBackgroundContext()
    // The caller no longer uses the work, which runs on the context's queue, for one batch after
    // the other.
    nonisolated(unsafe) let work = work
    var done = 0
    for piece in Pieces(of: elements, size: size) {
      if Task.isCancelled { throw CancelledWork(completed: done) }
      try await context.perform { try self.finish(piece, in: context, work) }
      done += piece.count
      progress(done)
    }
    return done
  }

  /// Processes the saved objects that a request selects, in batches, in a background context.
  ///
  /// After each batch, the method saves the context, and then resets the context to release the
  /// objects of the batch.
  ///
  /// The method first fetches the ids of all objects. If an object is deleted before its batch is
  /// processed, the batch does not contain the object, but the numbers of processed objects include
  /// the object.
  ///
  /// - Parameters:
  ///   - request: The request that selects the objects. The method uses the request's predicate,
  ///     sort descriptors, limit, offset, stores and `includesSubentities`, and ignores its other
  ///     properties.
  ///   - size: The maximum number of objects in a batch. A value less than 1 is treated as 1.
  ///   - progress: A closure that receives the number of objects processed so far, after each
  ///     batch.
  ///   - work: A closure that receives one batch and the context, and processes the batch on the
  ///     context's queue. Do not use the objects after the closure returns.
  /// - Returns: The number of processed objects.
  /// - Throws: The error that a fetch, `work` or a save throws; `CancellationError` if the task is
  ///   canceled. Batches saved before the error remain saved.
  @discardableResult
  public func performInPieces<Entity: NSManagedObject>(
    of request: NSFetchRequest<Entity>, size: Int = 100, progress: (Int) -> Void = { _ in },
    _ work: ([Entity], NSManagedObjectContext) throws -> Void
  ) throws -> Int {
    let fetch = idRequest(of: request)
    let context = newBackgroundContext()
    let ids = try context.performAndWait { try context.fetch(fetch) }
    let name = request.entityName ?? ""
    return try performInPieces(of: ids, size: size, progress: progress) { piece, context in
      try work(objects(piece, of: name, in: context), context)
    }
  }

  /// Processes the saved objects that a request selects, in batches, without blocking the caller's
  /// thread.
  ///
  /// The method processes the batches in a background context. After each batch, the method saves
  /// the context, and then resets the context to release the objects of the batch.
  ///
  /// The method first fetches the ids of all objects. If an object is deleted before its batch is
  /// processed, the batch does not contain the object, but the numbers of processed objects include
  /// the object.
  ///
  /// - Parameters:
  ///   - request: The request that selects the objects. The method uses the request's predicate,
  ///     sort descriptors, limit, offset, stores and `includesSubentities`, and ignores its other
  ///     properties.
  ///   - size: The maximum number of objects in a batch. A value less than 1 is treated as 1.
  ///   - progress: A closure that receives the number of objects processed so far, on the caller's
  ///     actor, after each batch.
  ///   - isolation: The caller's actor, on which the method reads the properties of `request`; nil
  ///     if there is no actor.
  ///   - work: A closure that receives one batch and the context, and processes the batch on the
  ///     context's queue. Do not use the objects after the closure returns.
  /// - Returns: The number of processed objects.
  /// - Throws: The error that a fetch, `work` or a save throws; `CancelledWork` with the number of
  ///   processed objects if the task is canceled before the last batch. Batches saved before the
  ///   error remain saved.
  @discardableResult
  public func performInPieces<Entity: NSManagedObject>(
    of request: NSFetchRequest<Entity>, size: Int = 100, progress: (Int) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ work: sending @escaping ([Entity], NSManagedObjectContext) throws -> Void
  ) async throws -> Int {
    // Made for this call, and used on the context's queue only.
    nonisolated(unsafe) let fetch = idRequest(of: request)
    let context = newBackgroundContext()
    let ids = try await context.perform { try context.fetch(fetch) }
    let name = request.entityName ?? ""
    // The caller no longer uses the work, which runs on the context's queue, for one batch after
    // the other.
    nonisolated(unsafe) let work = work
    return try await performInPieces(of: ids, size: size, progress: progress) { piece, context in
      try work(self.objects(piece, of: name, in: context), context)
    }
  }

  /// Returns a request for the ids of a request's objects.
  private func idRequest<Entity>(
    of request: NSFetchRequest<Entity>
  ) -> NSFetchRequest<NSManagedObjectID> {
    let fetch = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
    fetch.resultType = .managedObjectIDResultType
    fetch.predicate = request.predicate
    fetch.sortDescriptors = request.sortDescriptors
    fetch.fetchLimit = request.fetchLimit
    fetch.fetchOffset = request.fetchOffset
    fetch.includesSubentities = request.includesSubentities
    fetch.affectedStores = request.affectedStores
    return fetch
  }

  /// Fetches the objects with the given ids, in the order of the ids, with one statement.
  private func objects<Entity: NSManagedObject>(
    _ ids: [NSManagedObjectID], of entityName: String, in context: NSManagedObjectContext
  ) throws -> [Entity] {
    let fetch = NSFetchRequest<Entity>(entityName: entityName)
    fetch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
    fetch.returnsObjectsAsFaults = false
    let found = try context.fetch(fetch)
    let byID = Dictionary(found.map { ($0.objectID, $0) }) { first, _ in first }
    return ids.compactMap { byID[$0] }
  }

  /// Processes and saves one batch on the context's queue.
  private func finish<Element>(
    _ piece: [Element], in context: NSManagedObjectContext,
    _ work: ([Element], NSManagedObjectContext) throws -> Void
  ) throws {
    defer { context.reset() }
    try work(piece, context)
    try save(context: context)
  }
}
