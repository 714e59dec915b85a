public import OpenStoreContract

extension SQLiteStore: ChangeWatching {
  public func watchChanges(
    _ handler: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> Bool {
    try pool.requireOpen()
    #if canImport(Glibc) || canImport(Musl)
      guard let changes, history != nil else { return false }
      try changes.add(self, handler)
      return true
    #else
      return false
    #endif
  }

  /// Runs a transaction that may record itself in the history, and notifies other processes after a
  /// change.
  func recordingTransaction<Result>(
    on connection: Connection, _ body: () throws(StoreError) -> (result: Result, isKept: Bool)
  ) throws(StoreError) -> Result {
    connection.historyNumber = nil
    connection.waking.isDone = false
    if let lock, tombstoneColumnCount != nil { try connection.wakeWatchers(through: lock) }
    var isCommitted = false
    // Last, because no caller waits for it.
    defer { if isCommitted { connection.external?.removal.releaseIfDue(on: connection) } }
    defer {
      if let number = connection.historyNumber {
        changes?.end(number, isCommitted: isCommitted)
        // A file without a log has not told of its commit.
        if isCommitted { connection.committed() }
      }
      connection.historyNumber = nil
    }
    let (result, isKept) = try connection.transaction { () throws(StoreError) in
      let (result, isKept) = try body()
      return ((result, isKept), isKept)
    }
    isCommitted = isKept
    return result
  }
}
