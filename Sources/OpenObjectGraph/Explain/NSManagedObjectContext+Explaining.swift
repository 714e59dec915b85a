internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Explains how the context would execute a fetch, without executing it.
  ///
  /// Works for requests of objects, ids, counts and dictionaries. Rows are only counted.
  ///
  /// - Parameters:
  ///   - request: The request as it would be passed to `fetch(_:)`.
  ///   - showsBindings: Whether the explanation includes the request's values. They may be private: do not add them
  ///     to logs and bug reports.
  /// - Returns: The SQL of each store with its plan, what runs in memory and why, and what would help.
  /// - Throws: The errors that `fetch(_:)` throws before it reads: `PredicateFormatError`, or `CocoaError` for an
  ///   unknown entity or a predicate that does not fit the model.
  /// - Complexity: A count of the entity's rows for each store, and one of each table that would be scanned.
  /// > Concurrency: Call on the context's queue.
  ///
  /// An addition to Apple's API.
  public func explanation<Result>(
    of request: NSFetchRequest<Result>, showsBindings: Bool = false
  ) throws -> FetchExplanation {
    try ExplainedFetch(request, in: self).explanation(showsBindings ? .shown : .hidden)
  }
}
