import OpenSQLCore
package import OpenStoreContract

extension SQLiteStore: StoreNumbering {
  package func lastKeys() throws(StoreError) -> [Int: Int64] {
    try pool.withReader { (connection) throws(StoreError) in
      NumberRow.lastKeys(in: try NumberRow.read(in: connection), of: schema)
    }
  }

  package func lastTransaction() throws(StoreError) -> Int64? {
    try pool.withReader { (connection) throws(StoreError) -> Int64? in
      let tables = try connection.integer(
        "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'ATRANSACTION'")
      if tables == 1 {
        return try SQLiteHistory(store: self, tombstoneCount: 0).bounds(on: connection).last
      }
      return try connection.integer(
        "SELECT CAST(Z_MAX AS INTEGER) FROM Z_PRIMARYKEY WHERE Z_ENT = ?",
        [.integer(HistoryNumber.transaction)])
    }
  }
}
