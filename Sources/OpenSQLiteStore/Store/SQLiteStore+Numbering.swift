import OpenObjectModel
package import OpenStoreContract

extension SQLiteStore: StoreNumbering {
  package func lastKeys() throws(StoreError) -> [Int: Int64] {
    try pool.withReader { (connection) throws(StoreError) -> [Int: Int64] in
      var keys: [Int: Int64] = [:]
      try connection.forEachRow("SELECT Z_ENT, CAST(Z_MAX AS INTEGER) FROM Z_PRIMARYKEY") { row in
        let last = row.integer(1)
        // A damaged number is omitted.
        guard let index = model.entityIndex(numbered: row.integer(0)),
          model.entities[index].superIndex == nil, (1...Self.lastKey).contains(last)
        else { return }
        keys[index] = last
      }
      return keys
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
