internal import Foundation
public import OpenObjectGraph
internal import OpenPredicates

// Long work in bounded memory: a piece at a time, saved, and forgotten.

extension PersistenceController {
  /// Works through a sequence piece by piece: each is saved and forgotten before the next begins.
  ///
  /// The context never holds the objects of more than one piece. Pieces that are saved stay saved when a later one
  /// fails. Between pieces the task may be cancelled.
  ///
  /// - Parameters:
  ///   - elements: What to import or change; read as the work goes on.
  ///   - size: Greatest number of elements of a piece, at least 1.
  ///   - progress: Told after each piece how many elements are done.
  ///   - work: Handles one piece on the queue of the context.
  /// - Returns: The number of elements that were handled.
  /// - Throws: What the work or a save throws, or `CancellationError`.
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

  /// Works through a sequence piece by piece, as the other form does, without blocking the caller's thread.
  ///
  /// The sequence is read, and progress is told, on the caller's actor.
  ///
  /// - Parameters:
  ///   - elements: What to import or change; read as the work goes on.
  ///   - size: Greatest number of elements of a piece, at least 1.
  ///   - progress: Told after each piece how many elements are done.
  ///   - isolation: Where the sequence is read: with the caller.
  ///   - work: Handles one piece on the queue of the context.
  /// - Returns: The number of elements that were handled.
  /// - Throws: What the work or a save throws; `CancelledWork` with the number of handled elements when the task is
  ///   cancelled before the next piece. Pieces that are saved stay saved.
  @discardableResult
  public func performInPieces<Elements: Sequence>(
    of elements: Elements, size: Int = 100, progress: (Int) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ work: sending @escaping ([Elements.Element], NSManagedObjectContext) throws -> Void
  ) async throws -> Int where Elements.Element: Sendable {
    let context = newBackgroundContext()
    // The caller has handed the work over; it runs on the context's queue, for one piece after the other.
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

  /// Works through the objects of a request piece by piece: each is saved and forgotten before the next begins.
  ///
  /// Which objects are handled is settled at the start; those that are gone when their piece comes are left out.
  ///
  /// - Parameters:
  ///   - request: The objects, in its order. Its limit and offset hold.
  ///   - size: Greatest number of objects of a piece, at least 1.
  ///   - progress: Told after each piece how many objects are done.
  ///   - work: Handles one piece on the queue of the context. Objects must not outlive it.
  /// - Returns: The number of ids that were handled.
  /// - Throws: What a fetch, the work or a save throws, or `CancellationError`.
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

  /// Works through the objects of a request piece by piece, as the other form does, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - request: The objects, in its order. Its limit and offset hold.
  ///   - size: Greatest number of objects of a piece, at least 1.
  ///   - progress: Told after each piece, on the caller's actor, how many objects are done.
  ///   - isolation: Where the request is read: with the caller.
  ///   - work: Handles one piece on the queue of the context. Objects must not outlive it.
  /// - Returns: The number of ids that were handled.
  /// - Throws: What a fetch, the work or a save throws; `CancelledWork` with the number of handled ids when the task is
  ///   cancelled before the next piece. Pieces that are saved stay saved.
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
    // The caller has handed the work over; it runs on the context's queue, for one piece after the other.
    nonisolated(unsafe) let work = work
    return try await performInPieces(of: ids, size: size, progress: progress) { piece, context in
      try work(self.objects(piece, of: name, in: context), context)
    }
  }

  /// A request for the ids of a request's objects.
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

  /// The objects of ids, in their order, with one fetch.
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

  /// Handles one piece, on the context's queue.
  private func finish<Element>(
    _ piece: [Element], in context: NSManagedObjectContext,
    _ work: ([Element], NSManagedObjectContext) throws -> Void
  ) throws {
    defer { context.reset() }
    try work(piece, context)
    try save(context: context)
  }
}
