public import OpenStoreContract

extension StoreBackend {
  /// Commits a change set in which new rows have reserved keys.
  ///
  /// - Parameters:
  ///   - counts: New keys needed, by root entity.
  ///   - changes: Creates the change set from the first key of each run.
  /// - Returns: The outcome.
  /// - Throws: `StoreError` of the store.
  public func commit(
    reserving counts: [Int: Int],
    _ changes: ([Int: Int64]) throws(StoreError) -> ChangeSet
  ) throws(StoreError) -> CommitOutcome {
    var set = try changes(counts.isEmpty ? [:] : try reserveKeys(counts))
    return try commit(&set)
  }
}
