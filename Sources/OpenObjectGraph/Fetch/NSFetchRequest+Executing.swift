internal import Foundation

extension NSFetchRequest {
  /// Implements `execute()`.
  final func results() throws -> [ResultType] {
    guard let context = ContextQueue.currentContext else {
      throw CocoaError.make(
        .coreData,
        "execute() can be called only inside perform or performAndWait of a context. "
          + "Call fetch(_:) of a context instead.")
    }
    return try context.fetch(self)
  }
}

/// A request whose results `execute(_:)` of a context fetches before it returns.
protocol SynchronousRequest: NSPersistentStoreRequest {
  /// Executes the request.
  ///
  /// - Throws: The same errors as `fetch(_:)`.
  func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSFetchRequest: SynchronousRequest {
  func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    NSAsynchronousFetchResult(self, in: context, results: try context.fetch(self))
  }
}
