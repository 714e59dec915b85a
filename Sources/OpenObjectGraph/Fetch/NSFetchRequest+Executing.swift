internal import Foundation

extension NSFetchRequest {
  /// Executes the request in the context whose block is running.
  ///
  /// Call this method only inside `perform` or `performAndWait`.
  ///
  /// - Returns: The results.
  /// - Throws: The same errors as `fetch(_:)`; `CocoaError` 134060 if no block of a context is
  ///   running.
  /// > Reference: Apple, execute().
  public func execute() throws -> [ResultType] {
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
