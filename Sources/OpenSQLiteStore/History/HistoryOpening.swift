import OpenSQLCore
import OpenStoreContract

/// The numbers of the counters that store the last keys of the history tables.
enum HistoryNumber {
  static let change: Int64 = 16001
  static let transaction: Int64 = 16002
  static let string: Int64 = 16003

  static let transactionName = "TRANSACTION"
  static let names: [(number: Int64, name: String)] = [
    (change, "CHANGE"), (transaction, transactionName), (string, "TRANSACTIONSTRING"),
  ]
}

/// Finds or creates the history tables when a store with history tracking is opened.
struct HistoryOpening {
  let schema: SchemaMap
  let connection: Connection

  /// Creates missing tables, columns of older layouts, indexes and key counters.
  ///
  /// - Parameter isWritten: Whether the file may be changed.
  /// - Returns: The number of values that the file keeps of a deleted row, or nil if the file may
  ///   not be changed and has no history.
  func open(isWritten: Bool) throws(StoreError) -> Int? {
    var tables = try FileTables.read(on: connection)
    if try !isComplete(tables) {
      guard isWritten else { return nil }
      try connection.transaction { () throws(StoreError) in (try complete(tables), true) }
      tables = try FileTables.read(on: connection)
    }
    let columns = Set(tables["ACHANGE"] ?? [])
    return (0..<columns.count).prefix { columns.contains("ZTOMBSTONE\($0)") }.count
  }

  private func isComplete(_ tables: [String: [String]]) throws(StoreError) -> Bool {
    for (table, columns) in schema.historyColumns {
      let present = Set(tables[table] ?? [])
      guard columns.allSatisfy({ present.contains($0.0) }) else { return false }
    }
    let rows = try connection.integer(
      "SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN ? AND ?",
      [.integer(HistoryNumber.change), .integer(HistoryNumber.string)])
    return rows == Int64(HistoryNumber.names.count)
  }

  private func complete(_ tables: [String: [String]]) throws(StoreError) {
    var indexes: Set<String> = []
    try connection.forEachRow("SELECT name FROM sqlite_master WHERE type = 'index'") { statement in
      if let name = statement.text(0) { indexes.insert(name) }
    }
    for statement in schema.historyStatements {
      switch statement {
      case .createTable(let table) where tables[table.name] != nil:
        try addColumns(to: table.name, tables[table.name] ?? [])
      case .createIndex(let index) where indexes.contains(index.name): continue
      default: try connection.execute(statement)
      }
    }
    for entry in HistoryNumber.names {
      try connection.run(
        "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
        [.integer(entry.number), .text(entry.name)])
    }
  }

  /// Adds the columns that a table of an older layout lacks.
  private func addColumns(to table: String, _ present: [String]) throws(StoreError) {
    let wanted = schema.historyColumns.first { $0.table == table }?.columns ?? []
    for (name, type) in wanted where !present.contains(name) {
      // Names and types are constants of the layout.
      let quoted = [table, name].map(SQLiteDialect().quoted)
      try connection.run("ALTER TABLE \(quoted[0]) ADD COLUMN \(quoted[1]) \(type)")
    }
  }
}
