public import OpenStoreContract

extension StoreBackend {
  /// Reserves keys, and commits a change set whose new rows have these keys.
  ///
  /// - Parameters:
  ///   - counts: The number of keys to reserve, keyed by the position of the root entity in the
  ///     model.
  ///   - changes: A closure that receives the first reserved key of each root entity, keyed like
  ///     `counts`, and returns the change set.
  /// - Returns: The outcome of the commit.
  /// - Throws: The `StoreError` that the store or `changes` throws.
  public func commit(
    reserving counts: [Int: Int],
    _ changes: ([Int: Int64]) throws(StoreError) -> ChangeSet
  ) throws(StoreError) -> CommitOutcome {
    var set = try changes(counts.isEmpty ? [:] : try reserveKeys(counts))
    return try commit(&set)
  }
}
