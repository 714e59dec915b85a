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
    var piece: [Elements.Element] = []
    for element in elements {
      piece.append(element)
      guard piece.count >= max(1, size) else { continue }
      try finish(piece, in: context, work)
      done += piece.count
      piece.removeAll(keepingCapacity: true)
      progress(done)
    }
    guard !piece.isEmpty else { return done }
    try finish(piece, in: context, work)
    progress(done + piece.count)
    return done + piece.count
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
    let ids = try objectIDs(of: request)
    let name = request.entityName
    return try performInPieces(of: ids, size: size, progress: progress) { piece, context in
      let fetch = NSFetchRequest<Entity>(entityName: name ?? "")
      fetch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [piece])
      fetch.returnsObjectsAsFaults = false
      let found = try context.fetch(fetch)
      let byID = Dictionary(found.map { ($0.objectID, $0) }) { first, _ in first }
      try work(piece.compactMap { byID[$0] }, context)
    }
  }

  private func objectIDs<Entity>(
    of request: NSFetchRequest<Entity>
  ) throws -> [NSManagedObjectID] {
    let fetch = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
    fetch.resultType = .managedObjectIDResultType
    fetch.predicate = request.predicate
    fetch.sortDescriptors = request.sortDescriptors
    fetch.fetchLimit = request.fetchLimit
    fetch.fetchOffset = request.fetchOffset
    fetch.includesSubentities = request.includesSubentities
    fetch.affectedStores = request.affectedStores
    let context = newBackgroundContext()
    return try context.performAndWait { try context.fetch(fetch) }
  }

  private func finish<Element>(
    _ piece: [Element], in context: NSManagedObjectContext,
    _ work: ([Element], NSManagedObjectContext) throws -> Void
  ) throws {
    try Task.checkCancellation()
    try context.performAndWait {
      defer { context.reset() }
      try work(piece, context)
      try save(context: context)
    }
  }
}
