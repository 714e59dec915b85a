public import OpenObjectGraph

extension NSFetchRequest {
  /// Optimizes the request for callers that use all results.
  ///
  /// A fetch with this request reads all rows with one statement, and uses one additional statement
  /// for each prefetched relationship. Lazy results, such as those of `fetchLazily(_:)`, read rows
  /// in batches of 20. The request still fetches the same objects.
  ///
  /// - Parameter keyPaths: The key paths of the relationships to prefetch. If the array is empty,
  ///   the request keeps its `relationshipKeyPathsForPrefetching`.
  public func optimizeForPerformance(prefetching keyPaths: [String] = []) {
    includesPropertyValues = true
    returnsObjectsAsFaults = false
    fetchBatchSize = 20
    if !keyPaths.isEmpty { relationshipKeyPathsForPrefetching = keyPaths }
  }

  /// Optimizes the request for callers that use few of the results.
  ///
  /// A fetch with this request reads only ids. When a property of a fetched object is first used,
  /// the context reads a batch of up to 10 rows. The request still fetches the same objects.
  public func optimizeForMemory() {
    includesPropertyValues = false
    returnsObjectsAsFaults = true
    fetchBatchSize = 10
  }
}
