internal import Foundation

// Conversions between requests of different result types. On Apple platforms a cast is enough,
// because the result type does not exist at run time. Here a copy is necessary.

extension NSFetchRequest {
  /// Creates a copy of a request with another result type.
  ///
  /// Use this initializer where code for Apple platforms casts a request, for example to
  /// `NSFetchRequest<any NSFetchRequestResult>`. Later changes to the original or to the copy do
  /// not affect the other request.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter request: The request to copy.
  /// > Concurrency: Confined to one thread at a time, like the request itself.
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

  /// Returns a request with this result type: the given request if it has the type, otherwise a
  /// copy.
  static func recasting<Other>(_ request: NSFetchRequest<Other>) -> NSFetchRequest<ResultType> {
    request as? NSFetchRequest<ResultType> ?? NSFetchRequest<ResultType>(copying: request)
  }

  /// Returns a request with this result type: the given request if it already has the type,
  /// otherwise a copy.
  ///
  /// The plug-in `ModelCodegen` generates calls to this method. In handwritten code, use
  /// `NSFetchRequest(copying:)`.
  ///
  /// - Parameter request: A fetch request of any result type.
  /// - Returns: The request; nil if the value is not a fetch request.
  public static func __recast(_ request: Any?) -> NSFetchRequest<ResultType>? {
    if let request = request as? NSFetchRequest<ResultType> { return request }
    return (request as? any RecastableRequest)?.recast()
  }
}

/// A fetch request whose result type is not known at the point of use.
private protocol RecastableRequest {
  /// Returns a copy with another result type.
  func recast<ResultType>() -> NSFetchRequest<ResultType>
}

extension NSFetchRequest: RecastableRequest {
  fileprivate func recast<Other>() -> NSFetchRequest<Other> { NSFetchRequest<Other>(copying: self) }
}
