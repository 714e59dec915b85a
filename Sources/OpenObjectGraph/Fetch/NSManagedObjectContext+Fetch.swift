internal import Foundation
internal import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Fetches objects, ids, dictionaries or a count, depending on the request's result type.
  ///
  /// The result includes the context's unsaved changes, unless the request excludes them.
  /// Dictionaries never include unsaved changes.
  ///
  /// In an instance of a subclass, this method passes a copy of the request to the untyped method
  /// of the same name, which the subclass may override (D-418).
  ///
  /// - Parameter request: The request to execute.
  /// - Returns: The results. For a count, the array contains one `NSNumber`.
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed; `CocoaError` 134060 if
  ///   the entity is unknown, if the predicate does not match the model, or if a value in a
  ///   dictionary cannot be decoded; another `CocoaError`, or the error of a custom store, if a
  ///   store cannot be read.
  /// - Complexity: One statement for each store, and at least one for each relationship to
  ///   prefetch.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    if mayOverrideFetches { return try overriddenResults(of: request) }
    return try results(of: request)
  }

  /// Returns the results that the class's override of the untyped `fetch(_:)` returns for a request.
  private func overriddenResults<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
    let untyped = NSFetchRequest<any NSFetchRequestResult>.recasting(request)
    let results: [Any] = try fetch(untyped)
    if request.entity == nil { request.entity = untyped.entity }
    return try ResultCast.values(results)
  }

  /// Implements `fetch(_:)`.
  @inline(__always)
  final func results<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
    let results = try loadingFreely { () throws(any Error) in
      try FetchOperation.results(of: request, in: self)
    }
    countFetch(rows: results.count)
    return results
  }

  /// Fetches the results of a full-text search, with the most relevant objects first.
  ///
  /// Only objects that satisfy the request's predicate are included. The limit and the offset apply
  /// to the ranked result. The sort descriptors order equally relevant objects. Unsaved changes are
  /// ignored. The measure of relevance is FTS5's `bm25`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: A request for objects or ids.
  ///   - query: The words to find in attributes whose `isIndexedBySpotlight` is true.
  ///   - candidateLimit: The maximum number of matching objects to rank, starting with the most
  ///     recently stored objects; nil for all. A limit bounds the duration of a search for very
  ///     common words.
  /// - Returns: The objects or ids, the most relevant first.
  /// - Throws: The same errors as `fetch(_:)`. Also throws `CocoaError` if the store has no text
  ///   index (see `OpenTextIndexOption`), if the request searches several stores, if the result
  ///   type is neither objects nor ids, or if the context is a child context.
  /// - Complexity: One statement; ranks every row that contains the words, up to `candidateLimit`.
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

  /// Returns the number of results that `fetch(_:)` would return for a request.
  ///
  /// If the request fetches dictionaries, the number does not include unsaved changes.
  ///
  /// In an instance of a subclass, this method calls the untyped method of the same name (D-418).
  ///
  /// - Parameter request: The request whose results are counted.
  /// - Returns: The number of results.
  /// - Throws: The same errors as `fetch(_:)`.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    guard mayOverrideFetches else { return try resultCount(of: request) }
    let untyped = NSFetchRequest<any NSFetchRequestResult>.recasting(request)
    let number: Int = try count(for: untyped)
    if request.entity == nil { request.entity = untyped.entity }
    return number
  }

  /// Implements `count(for:)`.
  final func resultCount<Result>(of request: NSFetchRequest<Result>) throws -> Int {
    let count = try FetchOperation.count(of: request, in: self)
    countFetch(rows: 0)
    return count
  }

  /// Returns the entity of a request, and sets the entity's description in the request if it is not
  /// set.
  ///
  /// - Throws: The same errors as `CompiledModel.entity(of:)`.
  func entity<Result>(of request: NSFetchRequest<Result>) throws -> CompiledEntity {
    let entity = try model.entity(of: request)
    if request.entity == nil { request.entity = descriptions[entity.index] }
    return entity
  }

  /// Runs work of the planner or of a store and converts its errors to Apple's.
  @inline(__always)
  func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as StoreError {
      throw CocoaError.surfaced(error)
    }
  }
}
