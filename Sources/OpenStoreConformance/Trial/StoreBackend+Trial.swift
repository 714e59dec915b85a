public import OpenStoreContract

extension StoreBackend {
  /// Reserves keys, and commits a change set whose new rows have these keys.
  ///
  /// - Parameters:
  ///   - counts: The number of keys to reserve, keyed by root entity.
  ///   - changes: A closure that creates the change set from the first reserved key of each root
  ///     entity.
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
