import COpenSQLite
public import OpenStoreContract

extension SQLiteStore {
  /// Returns a read-only store that is pinned to the current state of this store.
  ///
  /// The pinned store reads in one transaction on a separate connection. The transaction remains
  /// open until the pinned store is closed.
  ///
  /// - Returns: The pinned store; nil for an in-memory store and for a pinned store.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if no
  ///   connection can be opened or the transaction cannot begin.
  public func pinned() throws(StoreError) -> (any StoreBackend)? {
    guard !pool.isShared else { return nil }
    let lease = try pool.makeOwnReader()
    try lease.connection.run("BEGIN")
    // The transaction's state is that of its first read.
    _ = try lease.connection.integer("SELECT count(*) FROM Z_METADATA")
    let state = SQLiteStore(
      reading: self, through: ConnectionPool(writer: lease, isShared: true, makeReader: { lease }))
    pinnedStates.add(state)
    return state
  }
}
