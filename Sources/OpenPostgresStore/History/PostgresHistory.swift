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
      guard query.includesChanges else { return try transactions(of: query, on: connection) }
      // Between two statements, another process may delete changes of the transactions.
      return try store.inSnapshot(on: connection) {
        (_) throws(StoreError) -> [StoreHistoryTransaction] in
        var transactions = try transactions(of: query, on: connection)
        try addChanges(to: &transactions, on: connection)
        return transactions
      }
    }
  }

  /// Returns the transactions that a query selects, without their changes.
  private func transactions(
    of query: HistoryQuery, on connection: PostgresConnection
  ) throws(StoreError) -> [StoreHistoryTransaction] {
    let (condition, value): (String, PostgresValue) =
      switch query.start {
      case .beginning: ("z_pk >= $1", .integer(.min))
      case .transaction(let number): ("z_pk > $1", .integer(number))
      case .date(let date): ("ztimestamp > $1", .real(date))
      }
    let result = try connection.run(
      """
      SELECT z_pk, ztimestamp, zauthor, zcontextname, zbundleid, zprocessid FROM \(transactionTable) \
      WHERE \(condition) ORDER BY z_pk LIMIT $2
      """, [value, .integer(Int64(max(0, query.limit ?? .max)))])
    return (0..<result.rowCount).map { row in
      StoreHistoryTransaction(
        number: result.integer(row, 0), timestamp: result.real(row, 1),
        origin: ChangeOrigin(
          author: result.text(row, 2), contextName: result.text(row, 3),
          bundleID: result.text(row, 4), processID: result.text(row, 5)))
    }
  }

  private func addChanges(
    to transactions: inout [StoreHistoryTransaction], on connection: PostgresConnection
  ) throws(StoreError) {
    guard let first = transactions.first?.number, let last = transactions.last?.number else {
      return
    }
    let positions = Dictionary(
      transactions.enumerated().map { ($0.element.number, $0.offset) }, uniquingKeysWith: { $1 })
    let result = try connection.run(
      """
      SELECT ztransactionid, z_pk, zchangetype, zentity, zentitypk, zcolumns, ztombstone FROM \(changeTable) \
      WHERE ztransactionid BETWEEN $1 AND $2 ORDER BY ztransactionid, z_pk
      """, [.integer(first), .integer(last)])
    for row in 0..<result.rowCount {
      guard let position = positions[result.integer(row, 0)],
        let change = try change(in: result, row)
      else { continue }
      transactions[position].changes.append(change)
    }
  }

  /// Returns a change; nil if its entity or its kind is unknown.
  private func change(
    in result: PostgresResult, _ row: Int
  ) throws(StoreError) -> StoreHistoryChange? {
    let index = store.schema.numbers.index(of: result.integer(row, 3))
    guard let kind = StoreHistoryChange.Kind(rawValue: result.integer(row, 2)),
      store.model.entities.indices.contains(index)
    else { return nil }
    var change = StoreHistoryChange(
      number: result.integer(row, 1), kind: kind,
      id: ObjectKey(entityIndex: index, key: result.integer(row, 4)))
    if kind == .update, let names = result.text(row, 5) {
      change.updated = ChangedNames.ordinals(in: names, of: store.model.entities[index])
    }
    if let data = result.data(row, 6) {
      change.tombstone = tombstone(
        try MetadataList.decode(data, path: store.pool.settings.description),
        of: store.model.entities[index])
    }
    return change
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
        PostgresCommand("COMMIT"),
      ])
    return results[results.count - 2].changedCount
  }

  private func number(
    of limit: HistoryLimit, on connection: PostgresConnection
  ) throws(StoreError) -> Int64 {
    switch limit {
    case .transaction(let number): return number
    case .date(let date):
      let result = try connection.run(
        "SELECT min(z_pk) FROM \(transactionTable) WHERE ztimestamp >= $1", [.real(date)])
      if !result.isNull(0, 0) { return result.integer(0, 0) }
      return min(try bounds(on: connection).last, .max - 1) + 1
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
