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
  /// Implements `execute(_:with:)`.
  final func carryOut(
    _ request: NSPersistentStoreRequest, in context: NSManagedObjectContext
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
