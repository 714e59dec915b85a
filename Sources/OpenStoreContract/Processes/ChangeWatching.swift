/// A store that detects commits by other processes.
public protocol ChangeWatching: StoreBackend {
  /// Adds a handler that is called after commits by other processes until the store is closed.
  ///
  /// One call may report several commits. Commits by this process, through any store, are not
  /// reported.
  ///
  /// - Parameter handler: Receives the number of the newest transaction in the history.
  /// - Returns: `true` if the handler will be called; `false` if the store has no file or no
  ///   history, or if the system cannot watch files.
  /// - Throws: `StoreError` if the store cannot be read or the system refuses to watch its files.
  /// > Concurrency: The handler is called on the store's own queue, one call at a time, and may run
  /// > for a long time.
  func watchChanges(
    _ handler: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> Bool
}
