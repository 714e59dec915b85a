/// A store that detects commits by other processes.
public protocol ChangeWatching: StoreBackend {
  /// Sets the handler that the store calls after commits by other processes, until the store is
  /// closed.
  ///
  /// A later call replaces the handler. One call of the handler may report several commits. The
  /// store does not report commits by this process, including commits through other store objects.
  ///
  /// - Parameter handler: A closure that receives the number of the newest transaction in the
  ///   history.
  /// - Returns: `true` if the handler will be called. `false` if the store has no history, if the
  ///   store is in memory, or if the system cannot watch files.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, with code `.inputOutput` if
  ///   the system refuses to watch the store's files, or with another code if the store cannot be
  ///   read.
  /// > Concurrency: The store calls the handler on a queue of the store, one call at a time. The
  /// > handler may run for a long time.
  func watchChanges(
    _ handler: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> Bool
}
