public import OpenStoreContract

extension StoreBackend {
  /// Commits a change set that names new rows by keys of their own, reserved before.
  ///
  /// - Parameters:
  ///   - counts: New keys needed, by root entity.
  ///   - changes: Makes the change set from the first key of each run.
  public func commit(
    reserving counts: [Int: Int],
    _ changes: ([Int: Int64]) throws(StoreError) -> ChangeSet
  ) throws(StoreError) -> CommitOutcome {
    var set = try changes(counts.isEmpty ? [:] : try reserveKeys(counts))
    return try commit(&set)
  }
}
