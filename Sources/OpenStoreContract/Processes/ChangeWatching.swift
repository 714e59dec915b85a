/// A store that notices what other processes commit.
public protocol ChangeWatching: StoreBackend {
  /// Adds a handler for commits by other processes, until the store is closed.
  ///
  /// Several commits may be reported together. Commits of this process, through any store, are not reported.
  ///
  /// - Parameter handler: Given the number of the newest transaction in the history.
  /// - Returns: Whether there will be any news: not without a file, without history, or on a system that
  ///   tells nothing of files.
  /// - Throws: `StoreError` when the store cannot be read or the system refuses to watch its files.
  /// > Concurrency: The handler is called on a queue of the store's own, one call at a time, and may take
  ///   its time.
  func watchChanges(
    _ handler: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> Bool
}
