import COpenSQLite
import OpenStoreContract

/// Other processes are notified of a commit as soon as the commit is in the write-ahead log. SQLite
/// checkpoints the log after some commits. A checkpoint can take seconds on a busy disk, although
/// the committed changes can already be read.
extension Connection {
  /// Enables notifications of processes that watch the store, after each commit with a number in
  /// the history.
  ///
  /// The log is checkpointed when it has as many pages as the connection's settings specify.
  func wakeWatchers(through lock: StoreLock) throws(StoreError) {
    if waking.lock != nil { return }
    waking.lock = lock
    // SQLite itself checkpoints in such a hook, and a connection has only one hook.
    waking.pageLimit = try silently { () throws(StoreError) in
      try integer("PRAGMA wal_autocheckpoint") ?? 0
    }
    sqlite3_wal_hook(
      database,
      { context, database, name, pageCount in
        guard let context else { return SQLITE_OK }
        // Invariant: SQLite calls it from a commit of this connection only, which is alive then.
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.committed()
        let limit = connection.waking.pageLimit
        // Pages that cannot be moved now are moved after a later commit.
        if limit > 0, pageCount >= limit { sqlite3_wal_checkpoint(database, name) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Notifies processes that watch the store, once for each numbered transaction.
  func committed() {
    guard historyNumber != nil, !waking.isDone else { return }
    waking.isDone = true
    waking.lock?.signal()
  }
}

/// Wakes the processes that watch the store after commits of a connection.
struct Waking {
  /// The lock file that a commit touches; nil until the store has watchers.
  fileprivate(set) var lock: StoreLock?
  /// The number of pages at which the log is moved into the file, or 0 if it is not moved.
  fileprivate(set) var pageLimit: Int64 = 0
  /// Whether processes were notified of the current transaction.
  var isDone = false
}
