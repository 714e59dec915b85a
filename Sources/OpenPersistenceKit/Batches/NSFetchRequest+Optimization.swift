public import OpenObjectGraph

extension NSFetchRequest {
  /// Optimizes the request for results that are used completely: a fetch reads all rows and all related objects with
  /// one statement each.
  ///
  /// Lazy results, as from `fetchLazily(_:)`, have batches of 20. The request fetches the same objects; set
  /// `includesSubentities` to false to exclude those of sub-entities.
  ///
  /// - Parameter keyPaths: Relationships whose destinations are prefetched; empty to keep those of the request.
  public func optimizeForPerformance(prefetching keyPaths: [String] = []) {
    includesPropertyValues = true
    returnsObjectsAsFaults = false
    fetchBatchSize = 20
    if !keyPaths.isEmpty { relationshipKeyPathsForPrefetching = keyPaths }
  }

  /// Optimizes the request for callers that use few of the results: a fetch reads only ids.
  ///
  /// Rows are read in batches of 10, when a property of one of the objects is first used. The request fetches the
  /// same objects.
  public func optimizeForMemory() {
    includesPropertyValues = false
    returnsObjectsAsFaults = true
    fetchBatchSize = 10
  }
}
