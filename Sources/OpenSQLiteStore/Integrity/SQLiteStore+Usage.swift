import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore: UsageReporting {
  /// Returns the number of bytes that the objects and the persistent history of the store use.
  ///
  /// The result includes the used part of the file's pages, and the files of external values, but
  /// not external files to which no row refers.
  ///
  /// - Returns: The number of bytes of the objects, and the number of bytes of the history.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, `.statement` if SQLite was
  ///   built without the table `dbstat`, or another code if the file cannot be read.
  public func usage() throws(StoreError) -> StoreUsage {
    try pool.withReader { (connection) throws(StoreError) in
      let search = DamageSearch(schema: schema, connection: connection)
      var usage = try search.pageUsage()
      usage.objectBytes += try search.externalBytes()
      return usage
    }
  }
}

extension DamageSearch {
  /// Returns the number of used bytes in pages, with the history's tables and indexes counted
  /// separately.
  fileprivate func pageUsage() throws(StoreError) -> StoreUsage {
    let tables = "'ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING'"
    let sql =
      "SELECT ifnull(sum(pgsize - unused), 0), ifnull(sum(CASE WHEN name IN (SELECT name "
      + "FROM sqlite_master WHERE tbl_name IN (\(tables))) THEN pgsize - unused ELSE 0 END), 0) "
      + "FROM dbstat WHERE aggregate = 1"
    var usage = StoreUsage(objectBytes: 0, historyBytes: 0)
    try connection.forEachRow(sql) { statement in
      let (all, history) = (statement.integer(0), statement.integer(1))
      usage = StoreUsage(objectBytes: all - history, historyBytes: history)
    }
    return usage
  }

  fileprivate func externalBytes() throws(StoreError) -> Int64 {
    guard let path = connection.path else { return 0 }
    let names = try Set(externalNames().keys)
    return ExternalFiles(StoreFiles(URL(fileURLWithPath: path))).bytes(of: names)
  }
}
