internal import Foundation
public import OpenObjectGraph

extension PersistenceController {
  /// Passes a report of an error to the configuration's `report` closure, which by default prints
  /// the report.
  ///
  /// Call this method on the queue of the context that failed, so that the report can contain the
  /// names of objects.
  ///
  /// - Parameters:
  ///   - error: The error to report.
  ///   - context: The operation that failed, such as `Saving tracks`; empty if the report names no
  ///     operation.
  public func handleError(_ error: any Error, context: String = "") {
    configuration.report(ErrorReport(error, context: context).text())
  }

  /// The statistics of the stack. Read this property on the main queue.
  public var statistics: StackStatistics { StackStatistics(of: viewContext) }

  /// Passes the statistics as text to the configuration's `report` closure, which by default prints
  /// the text.
  ///
  /// Call this method on the main queue.
  public func printStatistics() { configuration.report(statistics.text) }

  /// Recovers from a save error by discarding the changes that cannot be saved.
  ///
  /// After a conflict, the method saves again with ``ConflictResolution/newerVersion``, which drops
  /// the changes to the conflicting objects. After a missing or invalid value, or a violated
  /// uniqueness constraint, the method rolls back the context. After any other error, the changes
  /// remain pending, because a later save may succeed.
  ///
  /// - Parameters:
  ///   - error: The error that a save threw.
  ///   - context: The context that could not be saved. Call the method on this context's queue.
  /// - Returns: The kind of the error.
  /// - Throws: The error that the second save after a conflict throws.
  @discardableResult
  public func recover(
    from error: any Error, in context: NSManagedObjectContext
  ) throws -> ErrorKind {
    let kind = ErrorKind(error)
    switch kind {
    case .conflict: try context.saveWithConflictResolution()
    case .missingValue, .validation, .constraint: context.rollback()
    case .locking, .store, .other: break
    }
    return kind
  }
}
