package import OpenPredicates
internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Explains how the context would execute a fetch, without executing the fetch.
  ///
  /// The request may return objects, ids, a count or dictionaries. The stores count the rows but do
  /// not read their values.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: The request that you would pass to `fetch(_:)`.
  ///   - showsBindings: Whether the explanation includes the request's values. The values may be
  ///     private. Do not add the values to logs or bug reports.
  /// - Returns: The SQL and the query plan of each store, the steps that run in memory with the
  ///   reason for each step, and suggestions for a faster fetch.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed; `CocoaError` 134060 if
  ///   the context has no stores, if the entity is unknown, or if the predicate does not match the
  ///   model; `CocoaError` with the code of the store's error (see `Docs/Errors.md`) if a store
  ///   cannot count its rows.
  /// - Complexity: One count of the entity's rows for each store, and one count for each table that
  ///   the fetch would scan.
  /// > Concurrency: Call on the context's queue.
  public func explanation<Result>(
    of request: NSFetchRequest<Result>, showsBindings: Bool = false
  ) throws -> FetchExplanation {
    try explanation(of: request, rankedBy: nil, showsBindings: showsBindings)
  }

  /// Explains how the context would execute a fetch that a query ranks, without executing the
  /// fetch.
  ///
  /// - Parameters:
  ///   - request: The request that you would pass to `fetch(_:rankedBy:)`.
  ///   - query: The query that ranks the result; nil for the order of the request.
  ///   - showsBindings: Whether the explanation includes the request's values.
  /// - Returns: The explanation.
  /// - Throws: The same errors as ``explanation(of:showsBindings:)``; `CocoaError` 134091 if the
  ///   fetch cannot be ranked.
  package func explanation<Result>(
    of request: NSFetchRequest<Result>, rankedBy query: TextQuery?, showsBindings: Bool
  ) throws -> FetchExplanation {
    try ExplainedFetch(request, rankedBy: query, in: self)
      .explanation(showsBindings ? .shown : .hidden)
  }
}
