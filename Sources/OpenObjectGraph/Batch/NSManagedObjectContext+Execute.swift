internal import Foundation

// Requests of all types. Each request type has its own operation type.

extension NSManagedObjectContext {
  /// Implements `execute(_:)`.
  @discardableResult
  final func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let insertion as NSBatchInsertRequest: return try BatchOperation(in: self).run(insertion)
    case let update as NSBatchUpdateRequest: return try BatchOperation(in: self).run(update)
    case let deletion as NSBatchDeleteRequest: return try BatchOperation(in: self).run(deletion)
    case let request as NSPersistentHistoryChangeRequest:
      return try HistoryOperation(request, in: self).run()
    case let request as any AsynchronousRequest: return try request.start(in: self)
    case let request as any SynchronousRequest: return try request.result(in: self)
    default:
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Requests of the type \(type(of: request)) cannot be executed. Execute a fetch request, a batch request or a "
          + "history request instead.")
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// Executes a batch request, a history request or a fetch request in a context.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: A context of this coordinator.
  /// - Returns: For a fetch request, the array of results; for any other request, an
  ///   `NSPersistentStoreResult`.
  /// - Throws: `CocoaError` 134070 if the context has another coordinator; otherwise, the errors of
  ///   `fetch(_:)` or ``NSManagedObjectContext/execute(_:)``.
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
