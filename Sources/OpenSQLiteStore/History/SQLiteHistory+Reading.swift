import COpenSQLite
import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

extension SQLiteHistory {
  func transactions(_ query: HistoryQuery) throws(StoreError) -> [StoreHistoryTransaction] {
    try store.pool.withReader { (connection) throws(StoreError) -> [StoreHistoryTransaction] in
      guard query.includesChanges else { return try connection.transactions(of: query, .shared) }
      // Between two statements, another process may delete changes of the transactions.
      return try connection.inOneState { () throws(StoreError) -> [StoreHistoryTransaction] in
        var transactions = try connection.transactions(of: query, .shared)
        try addChanges(to: &transactions, on: connection)
        return transactions
      }
    }
  }

  private func addChanges(
    to transactions: inout [StoreHistoryTransaction], on connection: Connection
  ) throws(StoreError) {
    let tombstones = (0..<tombstoneCount).map { "ZTOMBSTONE\($0)" }
    try connection.addChanges(to: &transactions, of: store.schema, tombstones) { change, row in
      let index = Int(change.id.entityIndex)
      if change.kind == .update, let mask = row.data(5) {
        change.updated = store.historyMasks[index].ordinals(in: mask)
      }
      if change.kind == .delete { change.tombstone = tombstone(index, row) }
    }
  }

  private func tombstone(_ index: Int, _ statement: Statement) -> [Int: Value] {
    guard tombstoneCount > 0 else { return [:] }
    let map = store.schema.entities[index]
    var values: [Int: Value] = [:]
    for (column, property) in map.entity.tombstoneProperties.prefix(tombstoneCount).enumerated() {
      guard let attribute = property.attribute, let slot = property.slot else { continue }
      var value = Self.value(6 + column, statement)
      if map.columns[slot].isTagged { value = value.withoutTag }
      if value != .null { values[property.ordinal] = value.decoded(as: attribute.type) }
    }
    return values
  }

  private static func value(_ column: Int, _ statement: Statement) -> Value {
    switch sqlite3_column_type(statement.pointer, Int32(column)) {
    case SQLITE_INTEGER: .int(statement.integer(column))
    case SQLITE_FLOAT: .double(statement.real(column))
    case SQLITE_TEXT: statement.validText(column).map { .string($0) } ?? .null
    case SQLITE_BLOB: .data(statement.data(column) ?? Data())
    default: .null
    }
  }
}

extension Value {
  /// The data after a tag byte; null for an external value, whose file was deleted with its row.
  fileprivate var withoutTag: Value {
    guard case .data(let data) = self, data.first == 1 else { return .null }
    return .data(Data(data.dropFirst()))
  }
}
