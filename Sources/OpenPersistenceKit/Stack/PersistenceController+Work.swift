internal import Foundation
public import OpenObjectGraph

extension PersistenceController {
  /// Runs work asynchronously in a new background context and saves the context afterward.
  ///
  /// If the save fails, the method passes the error to ``handleError(_:context:)``. The work may
  /// also save the context itself.
  ///
  /// - Parameter block: A closure that receives the context and performs the work on the context's
  ///   queue.
  public func performBackgroundTask(_ block: sending @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    // The caller no longer uses the block, which runs once on the context's queue.
    nonisolated(unsafe) let block = block
    context.perform { [self] in
      block(context)
      reportingErrors(of: "Background task") { try save(context: context) }
    }
  }

  /// Runs work asynchronously in the main context and saves the context afterward.
  ///
  /// If the save fails, the method passes the error to ``handleError(_:context:)``.
  ///
  /// - Parameter block: A closure that receives the main context and performs the work on the main
  ///   queue.
  public func performMainQueueTask(_ block: sending @escaping (NSManagedObjectContext) -> Void) {
    let context = viewContext
    // The caller no longer uses the block, which runs once on the main queue.
    nonisolated(unsafe) let block = block
    context.perform { [self] in
      block(context)
      reportingErrors(of: "Main queue task") { try save(context: context) }
    }
  }

  /// Runs work in a new background context, saves the context, and returns the result of the work.
  ///
  /// - Parameter work: A closure that receives the context and performs the work on the context's
  ///   queue.
  /// - Returns: The result of the work.
  /// - Throws: Any error that the work or the save throws.
  public func performBackgroundTask<Result: Sendable>(
    _ work: sending @escaping (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = newBackgroundContext()
    // The caller no longer uses the work, which runs once on the context's queue.
    nonisolated(unsafe) let work = work
    return try await context.perform {
      let result = try work(context)
      try self.save(context: context)
      return result
    }
  }

  /// Runs work in a new background context while the caller waits, saves the context, and returns
  /// the result of the work.
  ///
  /// - Parameter operation: A closure that receives the context and performs the work on the
  ///   context's queue.
  /// - Returns: The result of the work.
  /// - Throws: Any error that the work or the save throws.
  public func performBatchOperation<Result>(
    _ operation: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = newBackgroundContext()
    return try context.performAndWait {
      let result = try operation(context)
      try save(context: context)
      return result
    }
  }

  private func reportingErrors(of context: String, _ work: () throws -> Void) {
    do { try work() } catch { handleError(error, context: context) }
  }
}
