internal import Foundation

// Requests other than plain fetches. Each kind has its own operation type.

extension NSManagedObjectContext {
  /// What `execute(_:)` does.
  @discardableResult
  final func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let insertion as NSBatchInsertRequest: return try BatchOperation(in: self).run(insertion)
    case let update as NSBatchUpdateRequest: return try BatchOperation(in: self).run(update)
    case let deletion as NSBatchDeleteRequest: return try BatchOperation(in: self).run(deletion)
    case let request as NSPersistentHistoryChangeRequest:
      return try HistoryOperation(request, in: self).run()
    case let request as any AsynchronousRequest: return try request.start(in: self)
    default:
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Requests of the type \(type(of: request)) cannot be executed; fetch with fetch(_:).")
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// Executes a request for a context: a batch request, a history request, or a fetch request.
  ///
  /// - Returns: A `NSPersistentStoreResult`; for a fetch request an array of its results.
  /// - Throws: The same errors as `NSManagedObjectContext.execute(_:)` and `fetch(_:)`.
  /// > Concurrency: Call on the context's queue.
  /// > Reference: Apple, NSPersistentStoreCoordinator, execute(_:with:).
  @discardableResult
  public func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw CocoaError.make(
        .persistentStoreOperation, "The context belongs to another persistent store coordinator.")
    }
    if let fetch = NSFetchRequest<any NSFetchRequestResult>.__recast(request) {
      return try context.fetch(fetch)
    }
    return try context.execute(request)
  }
}
