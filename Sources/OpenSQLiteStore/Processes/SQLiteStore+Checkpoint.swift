import COpenSQLite
public import OpenStoreContract

extension SQLiteStore: Checkpointing {
  public func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> CheckpointOutcome {
    try refuseReadOnly()
    return try pool.withWriter { (connection) throws(StoreError) in
      let number = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
      var pages: Int32 = 0
      var moved: Int32 = 0
      let code = sqlite3_wal_checkpoint_v2(connection.database, "main", number, &pages, &moved)
      guard code == SQLITE_OK || (mode == .passive && code & 0xFF == SQLITE_BUSY) else {
        throw connection.error(code)
      }
      if mode == .emptyingLog { connection.external?.removal.releaseAll(on: connection) }
      // Both are -1 in a database without log.
      return CheckpointOutcome(logPages: Int(max(0, pages)), movedPages: Int(max(0, moved)))
    }
  }
}
