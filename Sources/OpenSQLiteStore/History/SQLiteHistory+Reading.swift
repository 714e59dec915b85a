import COpenSQLite
import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

extension SQLiteHistory {
  func transactions(_ query: HistoryQuery) throws(StoreError) -> [StoreHistoryTransaction] {
    try store.pool.withReader { (connection) throws(StoreError) -> [StoreHistoryTransaction] in
      guard query.includesChanges else { return try transactions(of: query, on: connection) }
      // Between two statements, another process may delete changes of the transactions.
      return try connection.inOneState { () throws(StoreError) -> [StoreHistoryTransaction] in
        var transactions = try transactions(of: query, on: connection)
        try addChanges(to: &transactions, on: connection)
        return transactions
      }
    }
  }

  private func transactions(
    of query: HistoryQuery, on connection: Connection
  ) throws(StoreError) -> [StoreHistoryTransaction] {
    let (condition, value): (String, SlotContent) =
      switch query.start {
      case .beginning: ("t.Z_PK >= ?", .integer(.min))
      case .transaction(let number): ("t.Z_PK > ?", .integer(number))
      case .date(let date): ("t.ZTIMESTAMP > ?", .real(date))
      }
    var transactions: [StoreHistoryTransaction] = []
    try connection.forEachRow(
      Self.select + " WHERE " + condition + " ORDER BY t.Z_PK LIMIT ?",
      [value, .integer(Int64(max(0, query.limit ?? .max)))]
    ) { statement in
      transactions.append(
        StoreHistoryTransaction(
          number: statement.integer(0),
          timestamp: sqlite3_column_double(statement.pointer, 1),
          origin: ChangeOrigin(
            author: statement.text(2), contextName: statement.text(3),
            bundleID: statement.text(4), processID: statement.text(5))))
    }
    return transactions
  }

  /// Strings are in a separate table. Files of older frameworks have them in the transaction.
  private static let select = """
    SELECT t.Z_PK, t.ZTIMESTAMP, ifnull(a.ZNAME, t.ZAUTHOR), ifnull(c.ZNAME, t.ZCONTEXTNAME), \
    ifnull(b.ZNAME, t.ZBUNDLEID), ifnull(p.ZNAME, t.ZPROCESSID) FROM ATRANSACTION AS t \
    LEFT JOIN ATRANSACTIONSTRING AS a ON a.Z_PK = t.ZAUTHORTS \
    LEFT JOIN ATRANSACTIONSTRING AS c ON c.Z_PK = t.ZCONTEXTNAMETS \
    LEFT JOIN ATRANSACTIONSTRING AS b ON b.Z_PK = t.ZBUNDLEIDTS \
    LEFT JOIN ATRANSACTIONSTRING AS p ON p.Z_PK = t.ZPROCESSIDTS
    """

  private func addChanges(
    to transactions: inout [StoreHistoryTransaction], on connection: Connection
  ) throws(StoreError) {
    guard let first = transactions.first?.number, let last = transactions.last?.number else {
      return
    }
    let positions = Dictionary(
      transactions.enumerated().map { ($0.element.number, $0.offset) }, uniquingKeysWith: { $1 })
    let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
    try connection.forEachRow(
      """
      SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(tombstones) \
      FROM ACHANGE WHERE ZTRANSACTIONID BETWEEN ? AND ? ORDER BY ZTRANSACTIONID, Z_PK
      """, [.integer(first), .integer(last)]
    ) { statement in
      guard let position = positions[statement.integer(4)], let change = change(in: statement)
      else { return }
      transactions[position].changes.append(change)
    }
  }

  /// Returns a change, or nil if its entity or kind is unknown.
  private func change(in statement: Statement) -> StoreHistoryChange? {
    guard let kind = StoreHistoryChange.Kind(rawValue: statement.integer(1)),
      let index = store.model.entityIndex(numbered: statement.integer(2))
    else { return nil }
    var change = StoreHistoryChange(
      number: statement.integer(0), kind: kind,
      id: ObjectKey(entityIndex: index, key: statement.integer(3)))
    if kind == .update, let mask = statement.data(5) {
      change.updated = store.historyMasks[index].ordinals(in: mask)
    }
    if kind == .delete { change.tombstone = tombstone(index, statement) }
    return change
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
    case SQLITE_FLOAT: .double(sqlite3_column_double(statement.pointer, Int32(column)))
    case SQLITE_TEXT: .string(statement.text(column) ?? "")
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
