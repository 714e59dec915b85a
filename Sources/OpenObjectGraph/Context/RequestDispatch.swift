internal import Foundation

/// Executes requests of all types. Each request type has its own operation type.
enum RequestDispatch {
  /// Implements `execute(_:)` of a context.
  static func execute(
    _ request: NSPersistentStoreRequest, in context: NSManagedObjectContext
  ) throws -> NSPersistentStoreResult {
    switch request {
    case let insertion as NSBatchInsertRequest:
      return try BatchOperation(in: context).run(insertion)
    case let update as NSBatchUpdateRequest: return try BatchOperation(in: context).run(update)
    case let deletion as NSBatchDeleteRequest:
      return try BatchOperation(in: context).run(deletion)
    case let request as NSPersistentHistoryChangeRequest:
      return try HistoryOperation(request, in: context).run()
    case let request as any AsynchronousRequest: return try request.start(in: context)
    case let request as any SynchronousRequest: return try request.result(in: context)
    default:
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Requests of the type \(type(of: request)) cannot be executed. Execute a fetch request, a batch request or a "
          + "history request instead.")
    }
  }

  /// Implements `execute(_:with:)` of a coordinator.
  static func execute(
    _ request: NSPersistentStoreRequest, in context: NSManagedObjectContext,
    of coordinator: NSPersistentStoreCoordinator
  ) throws -> Any {
    guard context.persistentStoreCoordinator === coordinator else {
      throw CocoaError.make(
        .persistentStoreOperation, "The context belongs to another persistent store coordinator.")
    }
    if let fetch = NSFetchRequest<any NSFetchRequestResult>.__recast(request) {
      return try context.fetch(fetch)
    }
    return try context.execute(request)
  }
}
