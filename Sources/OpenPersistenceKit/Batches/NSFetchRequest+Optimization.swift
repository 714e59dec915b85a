public import OpenObjectGraph

extension NSFetchRequest {
  /// Optimizes the request for callers that use all results.
  ///
  /// A fetch reads all rows with one statement and the related objects of each prefetched
  /// relationship with another. Lazy results, such as those of `fetchLazily(_:)`, have batches of
  /// 20. The request still fetches the same objects. To exclude objects of subentities, set
  /// `includesSubentities` to false.
  ///
  /// - Parameter keyPaths: The relationships whose destinations are prefetched; empty to keep those
  ///   of the request.
  public func optimizeForPerformance(prefetching keyPaths: [String] = []) {
    includesPropertyValues = true
    returnsObjectsAsFaults = false
    fetchBatchSize = 20
    if !keyPaths.isEmpty { relationshipKeyPathsForPrefetching = keyPaths }
  }

  /// Optimizes the request for callers that use few of the results.
  ///
  /// A fetch reads only ids. Rows are read in batches of 10 when a property of one of their objects
  /// is first used. The request still fetches the same objects.
  public func optimizeForMemory() {
    includesPropertyValues = false
    returnsObjectsAsFaults = true
    fetchBatchSize = 10
  }
}
