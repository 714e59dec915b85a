import COpenSQLite
import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore {
  public var history: (any StoreHistory)? {
    tombstoneColumnCount.map { SQLiteHistory(store: self, tombstoneCount: $0) }
  }
}

/// The persistent history in a store's file.
struct SQLiteHistory: StoreHistory {
  let store: SQLiteStore
  /// The number of values that the file keeps of a deleted row.
  let tombstoneCount: Int
  private static let consumersKey = MetadataList.historyPrefix + "Consumers"

  func bounds() throws(StoreError) -> HistoryBounds {
    try store.pool.withReader { (connection) throws(StoreError) in try bounds(on: connection) }
  }

  func bounds(on connection: Connection) throws(StoreError) -> HistoryBounds {
    var bounds = HistoryBounds(first: nil, last: 0)
    try connection.forEachRow(
      """
      SELECT (SELECT min(Z_PK) FROM ATRANSACTION), \
      max(ifnull((SELECT max(Z_PK) FROM ATRANSACTION), 0), \
      ifnull((SELECT CAST(Z_MAX AS INTEGER) FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0))
      """, [.integer(HistoryNumber.transaction)]
    ) { statement in
      let isEmpty = sqlite3_column_type(statement.pointer, 0) == SQLITE_NULL
      bounds = HistoryBounds(
        first: isEmpty ? nil : statement.integer(0), last: statement.integer(1))
    }
    return bounds
  }

  // MARK: Deleting

  func delete(before limit: HistoryLimit) throws(StoreError) -> Int {
    try store.refuseReadOnly()
    return try store.pool.withWriter { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        let number = try connection.number(of: limit) { () throws(StoreError) in
          try bounds(on: connection).last
        }
        try connection.run("DELETE FROM ACHANGE WHERE ZTRANSACTIONID < ?", [.integer(number)])
        let count = try connection.run(
          "DELETE FROM ATRANSACTION WHERE Z_PK < ?", [.integer(number)])
        return (count, true)
      }
    }
  }

  // MARK: Consumers

  func consumers() throws(StoreError) -> [String: Int64] {
    try store.pool.withReader { (connection) throws(StoreError) in
      try Self.consumers(on: connection)
    }
  }

  private static func consumers(on connection: Connection) throws(StoreError) -> [String: Int64] {
    let stored = try MetadataTable.read(on: connection).metadata[consumersKey]
    return (stored as? [String: Any])?.compactMapValues { value in
      (value as? NSNumber)?.int64Value ?? (value as? Int64) ?? (value as? Int).map(Int64.init)
    } ?? [:]
  }

  func setConsumer(_ name: String, _ transaction: Int64?) throws(StoreError) {
    try store.refuseReadOnly()
    try store.pool.withWriter { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        var consumers = try Self.consumers(on: connection)
        consumers[name] = transaction
        try MetadataTable.set(
          consumers.isEmpty ? nil : consumers.mapValues { Int($0) }, forKey: Self.consumersKey,
          on: connection)
        return ((), true)
      }
    }
  }
}
