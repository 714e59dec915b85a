internal import Foundation
public import OpenObjectGraph

extension PersistenceController {
  /// Reports an error with all details to the configuration's `report`, which prints it by default.
  ///
  /// Call the method on the queue of the failed context, so that the report can contain the names
  /// of objects.
  ///
  /// - Parameters:
  ///   - error: The error to report.
  ///   - context: The operation that failed, as text for the report.
  public func handleError(_ error: any Error, context: String = "") {
    configuration.report(ErrorReport(error, context: context).text())
  }

  /// The statistics of the stack. Read this property on the main queue.
  public var statistics: StackStatistics { StackStatistics(of: viewContext) }

  /// Reports the statistics as text to the configuration's `report`, which prints it by default.
  public func printStatistics() { configuration.report(statistics.text) }

  /// Handles an error of a save by discarding changes that can never be saved.
  ///
  /// Conflicts are resolved and saved. After missing or invalid values and violated uniqueness
  /// constraints, the context is rolled back. After other errors, the changes remain pending,
  /// because they may be saved later.
  ///
  /// - Parameters:
  ///   - error: The error that a save threw.
  ///   - context: The context that was saved. Call the method on its queue.
  /// - Returns: The kind of the error.
  /// - Throws: The error of resolving a conflict.
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
