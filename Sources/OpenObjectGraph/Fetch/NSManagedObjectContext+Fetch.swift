internal import Foundation
internal import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Fetches objects, ids or a count, depending on the request's result type.
  ///
  /// Unsaved changes of the context are included, unless the request excludes them.
  ///
  /// - Returns: The results.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed; `CocoaError` 134060 if the entity is
  ///   unknown or the predicate does not match the model, or the error of a store that cannot be read.
  /// - Complexity: One statement, and one for each relationship to prefetch.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    let results = try loadingFreely { () throws(any Error) in
      try FetchOperation.results(of: request, in: self)
    }
    countFetch(rows: results.count)
    return results
  }

  /// Fetches the results of a full-text search, the most relevant objects first. An addition to Apple's API.
  ///
  /// The request's predicate narrows the result, its limit and offset apply to the ranked result, and its sort descriptors to
  /// equally relevant objects. Unsaved changes are ignored. Relevance is FTS5's `bm25`.
  ///
  /// - Parameters:
  ///   - request: A request for objects or ids.
  ///   - query: The words to find in the attributes with `isIndexedBySpotlight`.
  ///   - candidateLimit: The maximum number of found objects to rank, the most recently stored ones; nil for all. A
  ///     limit bounds the time that a search for very common words takes.
  /// - Returns: The results.
  /// - Throws: The same errors as ``fetch(_:)``; `CocoaError` for a store without a text index, see `OpenTextIndexOption`, and for a child
  ///   context.
  /// - Complexity: One statement; ranks every row with the words, up to the limit of candidates.
  public func fetch<Result>(
    _ request: NSFetchRequest<Result>, rankedBy query: TextQuery, candidateLimit: Int? = nil
  ) throws -> [Result] {
    let results: [Result] = try loadingFreely { () throws(any Error) in
      let operation = FetchOperation(
        try PreparedFetch(
          request, rankedBy: query, candidateLimit: candidateLimit.map { max(1, $0) } ?? 0, in: self
        ),
        in: self)
      if request.resultType == .managedObjectIDResultType {
        return try ResultCast.values(operation.ids())
      }
      return try ResultCast.objects(
        operation.objects(), of: operation.fetch.plan.shape.entity, classes: classes)
    }
    countFetch(rows: results.count)
    return results
  }

  /// The number of objects that the request would return.
  ///
  /// - Returns: The number.
  /// - Throws: The same errors as `fetch(_:)`.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    let operation = try FetchOperation(request, in: self)
    countFetch(rows: 0)
    return try operation.count()
  }

  /// The entity of a request.
  func entity<Result>(of request: NSFetchRequest<Result>) throws -> CompiledEntity {
    try model.entity(of: request)
  }

  /// Runs work of the planner or a store and turns its errors into Apple's.
  @inline(__always)
  func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as StoreError {
      throw CocoaError.surfaced(error)
    }
  }
}
