internal import Foundation

extension NSFetchRequest {
  /// Fetches in the context whose block runs: inside `perform` or `performAndWait`.
  ///
  /// - Returns: The value.
  /// - Throws: The same errors as `fetch(_:)`, and `CocoaError` outside of a context's block.
  /// > Reference: Apple, execute().
  public func execute() throws -> [ResultType] {
    guard let context = ContextQueue.currentContext else {
      throw CocoaError.make(
        .coreData,
        "A fetch request executes by itself only inside perform or performAndWait of a context. "
          + "Call fetch(_:) of a context instead.")
    }
    return try context.fetch(self)
  }
}
