internal import Foundation

// Requests of one result type as requests of another. On Apple platforms a cast does this, because the type is
// not there at run time; here it must be a copy.

extension NSFetchRequest {
  /// Creates a copy of a request with another result type.
  ///
  /// An addition, used where code for Apple platforms casts, for example to `NSFetchRequest<any
  /// NSFetchRequestResult>`. Later changes of one request do not affect the other.
  ///
  /// - Parameter request: The request to copy.
  /// > Concurrency: As for the request itself: one thread at a time.
  public convenience init<Other>(copying request: NSFetchRequest<Other>) {
    self.init()
    adoptName(of: request)
    adoptEntityAndStores(of: request)
    adoptSelection(of: request)
    adoptLoading(of: request)
  }

  private func adoptEntityAndStores<Other>(of request: NSFetchRequest<Other>) {
    if let entity = request.entity { self.entity = entity }
    affectedStores = request.affectedStores
  }

  private func adoptSelection<Other>(of request: NSFetchRequest<Other>) {
    predicate = request.predicate
    sortDescriptors = request.sortDescriptors
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    includesSubentities = request.includesSubentities
    includesPendingChanges = request.includesPendingChanges
  }

  private func adoptLoading<Other>(of request: NSFetchRequest<Other>) {
    resultType = request.resultType
    fetchBatchSize = request.fetchBatchSize
    includesPropertyValues = request.includesPropertyValues
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching
    shouldRefreshRefetchedObjects = request.shouldRefreshRefetchedObjects
    returnsDistinctResults = request.returnsDistinctResults
    propertiesToFetch = request.propertiesToFetch
    propertiesToGroupBy = request.propertiesToGroupBy
    havingPredicate = request.havingPredicate
    allowsEvaluationInMemory = request.allowsEvaluationInMemory
  }

  /// The request itself if it has this result type, otherwise a copy; nil if the value is not a request.
  ///
  /// For sources that the plug-in `ModelCodegen` rewrites; in handwritten code use `NSFetchRequest(copying:)`.
  public static func __recast(_ request: Any?) -> NSFetchRequest<ResultType>? {
    if let request = request as? NSFetchRequest<ResultType> { return request }
    return (request as? any RecastableRequest)?.recast()
  }
}

/// A fetch request whose result type is not known where it is used.
private protocol RecastableRequest {
  /// A copy with another result type.
  func recast<ResultType>() -> NSFetchRequest<ResultType>
}

extension NSFetchRequest: RecastableRequest {
  fileprivate func recast<Other>() -> NSFetchRequest<Other> { NSFetchRequest<Other>(copying: self) }
}
