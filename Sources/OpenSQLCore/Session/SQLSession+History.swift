import OpenObjectModel
package import OpenStoreContract

/// The tables that contain the texts about the origin of a history transaction, such as the author.
package enum HistoryTexts: Sendable {
  /// The texts are columns of the transaction.
  case own
  /// The texts are rows of a separate table, as in Apple's layout. Files that older versions of
  /// Apple's framework wrote contain the texts in columns of the transaction.
  case shared
}

extension SQLSession {
  /// Reads the transactions that a query selects, oldest first and without their changes.
  ///
  /// - Parameters:
  ///   - query: The selection of transactions.
  ///   - texts: The tables that contain the texts about the origin of a transaction.
  /// - Throws: `StoreError` with the code of the database's failure if the history cannot be read.
  package func transactions(
    of query: HistoryQuery, _ texts: HistoryTexts
  ) throws(StoreError) -> [StoreHistoryTransaction] {
    var select = transactionSelect(texts)
    let number = SQLExpression.column(table: "t", "Z_PK")
    let value: SlotContent
    switch query.start {
    case .beginning:
      select.condition = .binary(.greaterOrEqual, number, .parameter(.caller))
      value = .integer(.min)
    case .transaction(let last):
      select.condition = .binary(.greater, number, .parameter(.caller))
      value = .integer(last)
    case .date(let date):
      select.condition = .binary(
        .greater, .column(table: "t", "ZTIMESTAMP"), .parameter(.caller))
      value = .real(date)
    }
    select.order = [.init(expression: number, isAscending: true, isOptional: false)]
    select.limit = .parameter(.caller)
    let limit = Int64(max(0, query.limit ?? .max))
    var transactions: [StoreHistoryTransaction] = []
    try forEachRow(of: .select(select), binding: [value, .integer(limit)]) { row in
      transactions.append(
        StoreHistoryTransaction(
          number: row.integer(0), timestamp: row.real(1),
          origin: ChangeOrigin(
            author: row.text(2), contextName: row.text(3), bundleID: row.text(4),
            processID: row.text(5))))
    }
    return transactions
  }

  /// Returns the SELECT of the number, the time and the texts of transactions.
  private func transactionSelect(_ texts: HistoryTexts) -> SQLSelect {
    var select = SQLSelect(
      [.column(table: "t", "Z_PK"), .column(table: "t", "ZTIMESTAMP")],
      from: .table("ATRANSACTION", alias: "t"))
    let names = [
      ("a", "ZAUTHOR"), ("c", "ZCONTEXTNAME"), ("b", "ZBUNDLEID"), ("p", "ZPROCESSID"),
    ]
    for (alias, name) in names {
      let own = SQLExpression.column(table: "t", name)
      guard texts == .shared else {
        select.columns.append(own)
        continue
      }
      select.columns.append(
        .function(dialect.firstPresentFunction, [.column(table: alias, "ZNAME"), own]))
      select.joins.append(
        .init(
          kind: .leftOuter, source: .table("ATRANSACTIONSTRING", alias: alias),
          condition: .binary(
            .equal, .column(table: alias, "Z_PK"), .column(table: "t", name + "TS"))))
    }
    return select
  }

  /// Reads the changes of transactions, and adds the changes to the transactions. The method omits
  /// changes of an unknown kind or entity.
  ///
  /// - Parameters:
  ///   - transactions: The transactions, in the order of their numbers.
  ///   - schema: The tables of the store.
  ///   - columns: The columns with the preserved values of deleted rows.
  ///   - complete: A closure that sets the changed properties and the preserved values of a change.
  ///     In the row, the changed properties are column 5, and the preserved values begin with
  ///     column 6.
  /// - Throws: `StoreError` with the code of the database's failure if the history cannot be read;
  ///   the error of `complete`.
  package func addChanges(
    to transactions: inout [StoreHistoryTransaction], of schema: SchemaMap, _ columns: [String],
    _ complete: (inout StoreHistoryChange, ResultRow) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let first = transactions.first?.number, let last = transactions.last?.number else {
      return
    }
    let positions = Dictionary(
      transactions.enumerated().map { ($0.element.number, $0.offset) }, uniquingKeysWith: { $1 })
    let fixed = ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]
    let select = SQLSelect(
      fixed + columns, from: "ACHANGE",
      where: .between(.named("ZTRANSACTIONID"), .parameter(.caller), .parameter(.caller)),
      sortedBy: ["ZTRANSACTIONID", "Z_PK"])
    try forEachRow(of: .select(select), binding: [.integer(first), .integer(last)]) {
      (row) throws(StoreError) in
      guard let position = positions[row.integer(4)],
        let kind = StoreHistoryChange.Kind(rawValue: row.integer(1)),
        let index = schema.entityIndex(numbered: row.integer(2))
      else { return }
      var change = StoreHistoryChange(
        number: row.integer(0), kind: kind,
        id: ObjectKey(entityIndex: index, key: row.integer(3)))
      try complete(&change, row)
      transactions[position].changes.append(change)
    }
  }

  /// Returns the number of the first transaction that a deletion before a limit keeps.
  ///
  /// If all transactions are older than the date of the limit, the method returns the number that
  /// follows the last recorded transaction. For a date that is NaN, the method returns 0, because
  /// no transaction is older than such a date.
  ///
  /// - Parameters:
  ///   - limit: The limit of the deletion.
  ///   - last: A closure that returns the number of the last recorded transaction.
  /// - Throws: `StoreError` with the code of the database's failure if the history cannot be read.
  package func number(
    of limit: HistoryLimit, _ last: () throws(StoreError) -> Int64
  ) throws(StoreError) -> Int64 {
    switch limit {
    case .transaction(let number): return number
    // No transaction is older than a date that is not a number.
    case .date(let date) where date.isNaN: return 0
    case .date(let date):
      var select = SQLSelect(
        ["Z_PK"], from: "ATRANSACTION",
        where: .binary(.greaterOrEqual, .named("ZTIMESTAMP"), .parameter(.caller)),
        sortedBy: ["Z_PK"])
      select.limit = .integer(1)
      var number: Int64?
      try forEachRow(of: .select(select), binding: [.real(date)]) { number = $0.integer(0) }
      if let number { return number }
      return min(try last(), .max - 1) + 1
    }
  }
}
