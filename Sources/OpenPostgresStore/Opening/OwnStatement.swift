import OpenSQLCore

/// The statements on the tables that every store has. The comments list the values to bind.
enum OwnStatement {
  /// The maximum number of changes or transactions in a portion.
  static let portion = 10_000
  private static let store = "Z_STORE"
  private static let transactions = "ATRANSACTION"
  private static let changes = "ACHANGE"

  // MARK: The store's row

  /// Returns the generation, whether the store records history, and the number of the last deleted
  /// transaction.
  static let readFence = SQLStatement.select(
    SQLSelect(["Z_GENERATION", "Z_HISTORY", "Z_PURGED"], from: store))

  /// Returns whether the store records history, whether the server is a standby server, the
  /// generation, and the number of the last transaction.
  static let readState = SQLStatement.select(
    SQLSelect(
      [.named("Z_HISTORY"), isStandby, .named("Z_GENERATION"), lastNumber], from: store))

  /// Returns whether the server is a standby server.
  static let readStandby = SQLStatement.select(SQLSelect([isStandby], from: .nothing))

  private static let isStandby = SQLExpression.choice(
    .function("pg_is_in_recovery", []), .integer(1), .integer(0))

  /// Sets a column of the store's row.
  static func set(_ column: String, _ value: SQLExpression) -> SQLStatement {
    .update(SQLUpdate(store, set: [(column, value)], where: nil))
  }

  /// Locks the store's row and returns the number of the last deleted transaction.
  static let lockHistory = SQLStatement.select(
    SQLSelect(["Z_PURGED"], from: store, lock: .noKeyUpdate))

  // MARK: Metadata and numbers

  /// Locks the metadata.
  static let lockMetadata = SQLStatement.select(
    SQLSelect(["Z_VERSION"], from: "Z_METADATA", lock: .update))

  /// Inserts the metadata: the identifier, the property list and the model.
  static let insertMetadata = SQLStatement.insert(
    SQLInsert(
      into: "Z_METADATA",
      [
        ("Z_VERSION", .integer(1)), ("Z_UUID", .bound(1)), ("Z_PLIST", .bound(2)),
        ("Z_MODEL", .bound(3)),
      ]))

  /// Replaces the property list and the model.
  static let replaceMetadata = SQLStatement.update(
    SQLUpdate("Z_METADATA", set: [("Z_PLIST", .bound(1)), ("Z_MODEL", .bound(2))], where: nil))

  /// Inserts or replaces a row of an entity: the values of a `NumberRow`. The last key is never
  /// lowered, so that assigned keys are not reused.
  static var writeNumber: SQLStatement {
    guard case .insert(var insert) = NumberRow.insertion else { return NumberRow.insertion }
    let last = [insert.table, "excluded"].map { SQLExpression.column(table: $0, "Z_MAX") }
    insert.collision = .assign(
      ["Z_NAME", "Z_SUPER", "Z_MAX"],
      [new("Z_NAME"), new("Z_SUPER"), .function("greatest", last)], key: "Z_ENT")
    return .insert(insert)
  }

  private static func new(_ column: String) -> SQLExpression { .column(table: "excluded", column) }

  // MARK: Writing the history

  /// The number of the last transaction, including deleted transactions.
  private static let lastNumber = SQLExpression.function(
    "greatest", [extreme("max", "Z_PK", of: transactions), .named("Z_PURGED")])

  /// Returns the least or the greatest value in a column.
  private static func extreme(
    _ function: String, _ column: String, of table: String, where condition: SQLExpression? = nil
  ) -> SQLExpression {
    .scalar(SQLSelect([.function(function, [.named(column)])], from: table, where: condition))
  }

  /// Inserts a transaction and returns its number: the identifiers of the commit and of the
  /// process, the time, and the texts.
  static var insertTransaction: SQLStatement {
    let columns = [
      "ZCOMMIT", "ZPROCESS", "ZTIMESTAMP", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID",
    ]
    let number = SQLExpression.binary(.plus, lastNumber, .integer(1))
    let row = SQLSelect([number] + columns.indices.map { .bound($0 + 1) }, from: store)
    var insert = SQLInsert(into: transactions, columns: ["Z_PK"] + columns, row)
    insert.returning = ["Z_PK"]
    return .insert(insert)
  }

  /// Inserts changes of the last transaction: arrays of the kinds, the entity numbers, the keys,
  /// the changed properties, the preserved values, and the numbers 1, 2 and so on.
  static var insertChanges: SQLStatement {
    let columns = ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS", "ZTOMBSTONE"]
    let elements = (0...columns.count).map { SQLExpression.column(table: "v", "c\($0)") }
    let deleted = SQLExpression.scalar(SQLSelect(["Z_PURGEDCHANGE"], from: store))
    let last = SQLExpression.function("greatest", [extreme("max", "Z_PK", of: changes), deleted])
    let numbers = [
      extreme("max", "Z_PK", of: transactions), .binary(.plus, last, elements[columns.count]),
    ]
    let rows = SQLSelect(
      numbers + elements.dropLast(), from: .arrays(count: elements.count, alias: "v"))
    return .insert(
      SQLInsert(into: changes, columns: ["ZTRANSACTIONID", "Z_PK"] + columns, rows))
  }

  // MARK: Reading the history

  /// Returns the numbers of the first transaction and of the last transaction.
  static let bounds = SQLStatement.select(
    SQLSelect([extreme("min", "Z_PK", of: transactions), lastNumber], from: store))

  /// Returns the transaction whose number is greater than the first value, and whose commit has the
  /// identifier in the second value.
  static let findCommit = SQLStatement.select(
    SQLSelect(
      ["Z_PK"], from: transactions,
      where: .all([isAfter, .binary(.equal, .named("ZCOMMIT"), .bound(2))])))

  private static let isAfter = SQLExpression.binary(.greater, .named("Z_PK"), .bound(1))

  /// Returns two numbers: the greatest number of all transactions after the first value, and the
  /// greatest number of those transactions that another process than the second value made.
  static var findNews: SQLStatement {
    let foreign = SQLExpression.choice(
      .binary(.notEqual, .named("ZPROCESS"), .bound(2)), .named("Z_PK"), .null)
    let greatest = [.named("Z_PK"), foreign].map { SQLExpression.function("max", [$0]) }
    return .select(SQLSelect(greatest, from: transactions, where: isAfter))
  }

  /// Returns a portion of the changes after the first value, of the entities with the numbers in
  /// the array.
  static var readChanges: SQLStatement {
    var select = SQLSelect(
      ["Z_PK", "ZENTITY", "ZCOLUMNS", "ZTOMBSTONE"], from: changes,
      where: .all([isAfter, .isAny(.named("ZENTITY"), .numbered(2))]), sortedBy: ["Z_PK"])
    select.limit = .integer(Int64(portion))
    return .select(select)
  }

  // MARK: Deleting the history

  /// Returns the number of the transaction before which the next portion ends, at most the value.
  /// If the first transaction with changes exceeds a portion, the portion ends after it.
  static var endOfPortion: SQLStatement {
    func row(_ columns: [String], of table: String) -> SQLExpression {
      var select = SQLSelect([columns[0]], from: table, sortedBy: columns)
      (select.limit, select.offset) = (.integer(1), .integer(Int64(portion)))
      return .scalar(select)
    }
    let first = extreme("min", "ZTRANSACTIONID", of: changes)
    let next = SQLExpression.function(
      "coalesce", [row(["ZTRANSACTIONID", "Z_PK"], of: changes), .bound(1)])
    let end = SQLExpression.function("greatest", [.binary(.plus, first, .integer(1)), next])
    return .select(
      SQLSelect(
        [.function("least", [.bound(1), row(["Z_PK"], of: transactions), end])], from: .nothing))
  }

  /// Deletes the transactions before the value, in three statements. The numbers of transactions
  /// and changes continue after the deleted numbers.
  static var purge: [SQLStatement] {
    func last(_ column: String, _ table: String, _ number: String) -> SQLExpression {
      .function(
        "greatest", [.named(column), extreme("max", "Z_PK", of: table, where: isBefore(number))])
    }
    func isBefore(_ column: String) -> SQLExpression { .binary(.less, .named(column), .bound(1)) }
    let numbers = [
      ("Z_PURGED", last("Z_PURGED", transactions, "Z_PK")),
      ("Z_PURGEDCHANGE", last("Z_PURGEDCHANGE", changes, "ZTRANSACTIONID")),
    ]
    return [
      .update(SQLUpdate(store, set: numbers.map { ($0.0, $0.1) }, where: nil)),
      .delete(SQLDelete(from: changes, where: isBefore("ZTRANSACTIONID"))),
      .delete(SQLDelete(from: transactions, where: isBefore("Z_PK"))),
    ]
  }

  // MARK: Consumers

  /// Records how far a consumer has read: its name and the number of a transaction.
  static var setConsumer: SQLStatement {
    var insert = SQLInsert(
      into: "Z_CONSUMER", [("Z_NAME", .bound(1)), ("Z_TRANSACTION", .bound(2))])
    insert.collision = .assign(["Z_TRANSACTION"], [new("Z_TRANSACTION")], key: "Z_NAME")
    return .insert(insert)
  }

  /// Deletes a consumer by its name.
  static let deleteConsumer = SQLStatement.delete(
    SQLDelete(from: "Z_CONSUMER", where: .binary(.equal, .named("Z_NAME"), .bound(1))))
}
