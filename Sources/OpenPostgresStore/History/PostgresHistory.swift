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

  func bounds() throws(StoreError) -> HistoryBounds {
    try store.repeatingRead { (connection) throws(StoreError) in try bounds(on: connection) }
  }

  private func bounds(on connection: PostgresConnection) throws(StoreError) -> HistoryBounds {
    let command = PostgresCommand(store.dialect.text(of: OwnStatement.bounds))
    let result = try connection.run(command)
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
        case let integer as Int: .int(Int64(integer))
        case let real as Double: .double(real)
        case let flag as Bool: .bool(flag)
        default: .null
        }
      if value != .null { values[property.ordinal] = value.decoded(as: attribute.type) }
    }
    return values
  }

  // MARK: Deleting

  /// Deletes the beginning of the history in portions, because a deletion blocks saves.
  func delete(before limit: HistoryLimit) throws(StoreError) -> Int {
    try store.refuseReadOnly()
    var count = 0
    try store.pool.repeatingLease { (connection) throws(StoreError) -> Void in
      let number = try store.session(on: connection).number(of: limit) { () throws(StoreError) in
        try bounds(on: connection).last
      }
      while true {
        // A transaction is deleted completely.
        let end = try connection.run(
          store.dialect.command(OwnStatement.endOfPortion, [.integer(number)])
        ).integer(0, 0)
        count += try delete(before: end, on: connection)
        if end >= number { return }
      }
    }
    return count
  }

  /// Deletes the transactions before a transaction, and returns their number.
  private func delete(
    before number: Int64, on connection: PostgresConnection
  ) throws(StoreError) -> Int {
    // The lock waits for running commits, so that the next statement sees their numbers.
    let results = try connection.run(
      store.beginning + [PostgresCommand(store.historyTexts.lock)]
        + OwnStatement.purge.map { store.dialect.command($0, [.integer(number)]) } + [.commit])
    return results[results.count - 2].changedCount
  }

  // MARK: Consumers

  func consumers() throws(StoreError) -> [String: Int64] {
    try store.repeatingRead { (connection) throws(StoreError) in
      var consumers: [String: Int64] = [:]
      let select = SQLSelect(["Z_NAME", "Z_TRANSACTION"], from: "Z_CONSUMER")
      try store.session(on: connection).forEachRow(of: .select(select)) { row in
        if let name = row.text(0) { consumers[name] = row.integer(1) }
      }
      return consumers
    }
  }

  func setConsumer(_ name: String, _ transaction: Int64?) throws(StoreError) {
    try store.refuseReadOnly()
    try store.pool.repeatingLease { (connection) throws(StoreError) in
      let statement = transaction == nil ? OwnStatement.deleteConsumer : OwnStatement.setConsumer
      let values: [PostgresValue] =
        transaction.map { [.text(name), .integer($0)] } ?? [.text(name)]
      try store.write(
        PostgresCommand(store.dialect.text(of: statement), values), on: connection)
    }
  }
}
