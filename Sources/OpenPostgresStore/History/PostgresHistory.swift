import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore {
  public var history: (any StoreHistory)? { tracksHistory ? PostgresHistory(store: self) : nil }
}

/// The persistent history in the tables of a store.
struct PostgresHistory: StoreHistory {
  let store: PostgresStore
  private var transactionTable: String { store.dialect.table("ATRANSACTION") }
  private var changeTable: String { store.dialect.table("ACHANGE") }
  private var storeTable: String { store.dialect.table("Z_STORE") }
  private var consumerTable: String { store.dialect.table("Z_CONSUMER") }

  func bounds() throws(StoreError) -> HistoryBounds {
    try store.repeatingRead { (connection) throws(StoreError) in try bounds(on: connection) }
  }

  private func bounds(on connection: PostgresConnection) throws(StoreError) -> HistoryBounds {
    let result = try connection.run(
      """
      SELECT (SELECT min(z_pk) FROM \(transactionTable)), \
      greatest(coalesce((SELECT max(z_pk) FROM \(transactionTable)), 0), (SELECT z_purged FROM \(storeTable)))
      """)
    return HistoryBounds(
      first: result.isNull(0, 0) ? nil : result.integer(0, 0),
      last: store.note(result.integer(0, 1)))
  }

  // MARK: Reading

  func transactions(_ query: HistoryQuery) throws(StoreError) -> [StoreHistoryTransaction] {
    try store.repeatingRead { (connection) throws(StoreError) -> [StoreHistoryTransaction] in
      let session = store.session(on: connection)
      guard query.includesChanges else { return try session.transactions(of: query, .own) }
      // Between two statements, another process may delete changes of the transactions.
      return try store.inSnapshot(on: connection) {
        (_) throws(StoreError) -> [StoreHistoryTransaction] in
        var transactions = try session.transactions(of: query, .own)
        try addChanges(to: &transactions, in: session)
        return transactions
      }
    }
  }

  private func addChanges(
    to transactions: inout [StoreHistoryTransaction], in session: PostgresSession
  ) throws(StoreError) {
    try session.addChanges(to: &transactions, of: store.schema, ["ZTOMBSTONE"]) {
      (change, row) throws(StoreError) in
      let entity = store.model.entities[Int(change.id.entityIndex)]
      if change.kind == .update, let names = row.text(5) {
        change.updated = ChangedNames.ordinals(in: names, of: entity)
      }
      if let data = row.data(6) {
        change.tombstone = tombstone(try MetadataList.decode(data, path: session.path), of: entity)
      }
    }
  }

  private func tombstone(_ list: StoreMetadata, of entity: CompiledEntity) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for property in entity.tombstoneProperties {
      guard let stored = list[property.name], let attribute = property.attribute else { continue }
      let value: Value =
        switch stored {
        case let data as Data: .data(data)
        case let text as String: .string(text)
        case let number as NSNumber: Self.value(of: number, attribute.type)
        case let integer as Int64: .int(integer)
        case let integer as Int: .int(Int64(integer))
        case let real as Double: .double(real)
        case let flag as Bool: .bool(flag)
        default: .null
        }
      if value != .null { values[property.ordinal] = value.decoded(as: attribute.type) }
    }
    return values
  }

  private static func value(of number: NSNumber, _ type: AttributeType) -> Value {
    type.slotKind == .real ? .double(number.doubleValue) : .int(number.int64Value)
  }

  // MARK: Deleting

  /// The number of changes or transactions in a portion. Transactions without changes also count.
  private static let portion = 10_000

  /// Deletes the beginning of the history in portions, because a deletion blocks saves.
  func delete(before limit: HistoryLimit) throws(StoreError) -> Int {
    try store.refuseReadOnly()
    var count = 0
    try store.pool.repeatingLease { (connection) throws(StoreError) -> Void in
      let number = try number(of: limit, on: connection)
      while true {
        let end = try endOfPortion(before: number, on: connection)
        count += try delete(before: end, on: connection)
        if end >= number { return }
      }
    }
    return count
  }

  /// Returns the number of the transaction before which the next portion ends. A transaction is
  /// deleted completely.
  private func endOfPortion(
    before number: Int64, on connection: PostgresConnection
  ) throws(StoreError) -> Int64 {
    // If the first transaction with changes exceeds a portion, the portion ends after it.
    let result = try connection.run(
      """
      SELECT least($1, (SELECT z_pk FROM \(transactionTable) ORDER BY z_pk OFFSET \(Self.portion) LIMIT 1), \
      greatest((SELECT min(ztransactionid) FROM \(changeTable)) + 1, coalesce((SELECT ztransactionid \
      FROM \(changeTable) ORDER BY ztransactionid, z_pk OFFSET \(Self.portion) LIMIT 1), $1)))
      """, [.integer(number)])
    return result.integer(0, 0)
  }

  /// Deletes the transactions before a transaction, and returns their number.
  private func delete(
    before number: Int64, on connection: PostgresConnection
  ) throws(StoreError) -> Int {
    // The numbers of transactions and changes continue after the deleted numbers.
    let results = try connection.run(
      store.beginning + [
        PostgresCommand(
          """
          UPDATE \(storeTable) SET z_purged = greatest(z_purged, \
          (SELECT coalesce(max(z_pk), 0) FROM \(transactionTable) WHERE z_pk < $1)), \
          z_purgedchange = greatest(z_purgedchange, (SELECT coalesce(max(z_pk), 0) FROM \(changeTable) \
          WHERE ztransactionid < $1))
          """, [.integer(number)]),
        PostgresCommand(
          "DELETE FROM \(changeTable) WHERE ztransactionid < $1", [.integer(number)]),
        PostgresCommand("DELETE FROM \(transactionTable) WHERE z_pk < $1", [.integer(number)]),
        .commit,
      ])
    return results[results.count - 2].changedCount
  }

  private func number(
    of limit: HistoryLimit, on connection: PostgresConnection
  ) throws(StoreError) -> Int64 {
    try store.session(on: connection).number(of: limit) { () throws(StoreError) in
      try bounds(on: connection).last
    }
  }

  // MARK: Consumers

  func consumers() throws(StoreError) -> [String: Int64] {
    try store.repeatingRead { (connection) throws(StoreError) in
      let result = try connection.run("SELECT z_name, z_transaction FROM \(consumerTable)")
      var consumers: [String: Int64] = [:]
      for row in 0..<result.rowCount {
        if let name = result.text(row, 0) { consumers[name] = result.integer(row, 1) }
      }
      return consumers
    }
  }

  func setConsumer(_ name: String, _ transaction: Int64?) throws(StoreError) {
    try store.refuseReadOnly()
    try store.pool.repeatingLease { (connection) throws(StoreError) in
      if let transaction {
        try store.write(
          """
          INSERT INTO \(consumerTable) (z_name, z_transaction) VALUES ($1, $2) \
          ON CONFLICT (z_name) DO UPDATE SET z_transaction = excluded.z_transaction
          """, [.text(name), .integer(transaction)], on: connection)
      } else {
        try store.write(
          "DELETE FROM \(consumerTable) WHERE z_name = $1", [.text(name)], on: connection)
      }
    }
  }
}
