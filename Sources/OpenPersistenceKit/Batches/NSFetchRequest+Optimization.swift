public import OpenObjectGraph

extension NSFetchRequest {
  /// Prepares the request for results that are used as a whole: a fetch reads the rows and the related objects at once,
  /// with one statement each.
  ///
  /// Results that are read lazily, as by `fetchLazily(_:)`, have batches of 20. Which objects are fetched stays as it is;
  /// set `includesSubentities` to false if those of sub-entities are not wanted.
  ///
  /// - Parameter keyPaths: Relationships whose destinations are prefetched; empty to keep those of the request.
  public func optimizeForPerformance(prefetching keyPaths: [String] = []) {
    includesPropertyValues = true
    returnsObjectsAsFaults = false
    fetchBatchSize = 20
    if !keyPaths.isEmpty { relationshipKeyPathsForPrefetching = keyPaths }
  }

  /// Prepares the request for results of which few are used: a fetch reads ids only.
  ///
  /// Rows are read in batches of 10, when a property of one of the objects is first used. Which objects are fetched stays
  /// as it is.
  public func optimizeForMemory() {
    includesPropertyValues = false
    returnsObjectsAsFaults = true
    fetchBatchSize = 10
  }
}
