import COpenSQLite
import OpenStoreContract

/// Other processes hear of a commit as soon as it is in the log. Moving the log into the file, which SQLite does behind some commits,
/// can take seconds on a busy disk, and what was committed is there to be read meanwhile.
extension Connection {
  /// Has those who watch the store woken behind each commit that has a number in the history.
  ///
  /// The log is moved as before, when it has as many pages as the connection's settings say.
  func wakeWatchers(through lock: StoreLock) throws(StoreError) {
    if waking.lock != nil { return }
    waking.lock = lock
    // SQLite moves the log in a call of this kind, of which there is one.
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
        // What cannot be moved now is moved behind another commit.
        if limit > 0, pageCount >= limit { sqlite3_wal_checkpoint(database, name) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Wakes those who watch the store, once for each numbered transaction.
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
  /// How many pages the log has before it is moved; 0 for a log that stays.
  fileprivate(set) var pageLimit: Int64 = 0
  /// Whether that was done for the present transaction.
  var isDone = false
}
