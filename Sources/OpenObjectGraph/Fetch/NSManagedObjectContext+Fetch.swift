internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

extension NSManagedObjectContext {
  /// Fetches objects, ids or a count, as the request's result type says.
  ///
  /// Unsaved changes of the context count, unless the request says otherwise.
  ///
  /// - Throws: `PredicateFormatError` for a predicate that cannot be parsed; `CocoaError` when the entity is
  ///   unknown, the predicate does not fit the model, or the store cannot be read.
  /// - Complexity: One statement, and one for each relationship to prefetch.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    let results = try loadingFreely { () throws(any Error) in
      try FetchOperation.results(of: request, in: self)
    }
    countFetch(rows: results.count)
    return results
  }

  /// How many objects the request would return.
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
