import COpenSQLite
import COpenSupport
import OpenStoreContract

/// Runs a bound statement and collects its keys with C code.
struct KeyReader {
  let connection: Connection
  let statement: Statement
  private static let firstCapacity = 64
  private static let greatestCapacity = 1024

  /// Calls `body` with the keys of the result in batches.
  ///
  /// Column 0 is the key. Column 1 is the entity number if there are several entities.
  func forEachBatch(
    of indexes: Range<Int>, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var capacity = Self.firstCapacity
    while true {
      var outcome = Int32(OCD_DONE)
      let batch = [ObjectKey](unsafeUninitializedCapacity: capacity) { buffer, count in
        outcome = ocd_collect_keys(
          statement.pointer, 0, indexes.count > 1 ? 1 : -1, Int32(indexes.lowerBound),
          Int32(indexes.count), buffer.baseAddress, capacity, &count)
      }
      if outcome == OCD_UNKNOWN_ENTITY {
        throw StoreError(
          .corrupt, "A row has an entity number that does not exist in the model.",
          path: connection.path, statement: statement.sql, nativeCode: SQLiteFailure.damaged)
      }
      guard outcome == OCD_DONE || outcome == OCD_FULL else {
        throw connection.error(
          sqlite3_extended_errcode(connection.database), statement: statement.sql)
      }
      if !batch.isEmpty { try body(batch) }
      if outcome == OCD_DONE { return }
      capacity = min(capacity * 4, Self.greatestCapacity)
    }
  }
}
