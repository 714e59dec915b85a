import OpenObjectModel

/// The tables and indexes of persistent history, with Apple's names.
enum HistoryTables {
  /// Returns the statements that create the tables and indexes.
  ///
  /// - Parameter tombstoneCount: The number of values that the history preserves of a deleted row.
  static func statements(tombstoneCount: Int) -> [SQLStatement] {
    let tables = [
      table("ACHANGE", changeColumns + (0..<tombstoneCount).map { (tombstoneColumn($0), "BLOB") }),
      table("ATRANSACTION", transactionColumns),
      table("ATRANSACTIONSTRING", [("ZNAME", "VARCHAR")]),
    ]
    return tables.map { .createTable($0) } + indexes.map { .createIndex($0) }
  }

  /// Returns the maximum number of attributes of an entity whose values the history preserves.
  static func tombstoneCount(of model: CompiledModel) -> Int {
    model.entities.map { entity in
      entity.properties.count { !$0.isTransient && $0.attribute?.preservesValueInHistory == true }
    }.max() ?? 0
  }

  /// Returns the name of the column of a preserved value.
  static func tombstoneColumn(_ position: Int) -> String { "ZTOMBSTONE\(position)" }

  private static let changeColumns = [
    ("ZCHANGETYPE", "INTEGER"), ("ZENTITY", "INTEGER"), ("ZENTITYPK", "INTEGER"),
    ("ZTRANSACTIONID", "INTEGER"), ("ZCOLUMNS", "BLOB"),
  ]

  private static let transactionColumns = [
    ("ZAUTHORTS", "INTEGER"), ("ZBUNDLEIDTS", "INTEGER"), ("ZCONTEXTNAMETS", "INTEGER"),
    ("ZPROCESSIDTS", "INTEGER"), ("ZTIMESTAMP", "FLOAT"), ("ZAUTHOR", "VARCHAR"),
    ("ZBUNDLEID", "VARCHAR"), ("ZCONTEXTNAME", "VARCHAR"), ("ZPROCESSID", "VARCHAR"),
    ("ZQUERYGEN", "BLOB"),
  ]

  /// Returns the columns of each table with their types, including the columns for values of
  /// deleted rows.
  static func columns(tombstoneCount: Int) -> [(table: String, columns: [(String, String)])] {
    statements(tombstoneCount: tombstoneCount).compactMap { statement in
      guard case .createTable(let table) = statement else { return nil }
      return (table.name, table.columns.map { ($0.name, $0.type) })
    }
  }

  private static func table(_ name: String, _ columns: [(String, String)]) -> SQLCreateTable {
    SQLCreateTable(name, SchemaMap.rowHeader() + columns.map { .init($0.0, $0.1) })
  }

  private static var indexes: [SQLCreateIndex] {
    let keys = [
      ("ACHANGE", "ZTRANSACTIONID"), ("ATRANSACTION", "ZAUTHORTS"),
      ("ATRANSACTION", "ZBUNDLEIDTS"), ("ATRANSACTION", "ZCONTEXTNAMETS"),
      ("ATRANSACTION", "ZPROCESSIDTS"),
    ].map { table, column in
      SQLCreateIndex("\(table)_\(column)_INDEX", on: table, [.init(column)])
    }
    var name = index("Z_TRANSACTIONSTRING_UNIQUE_NAME", on: "ATRANSACTIONSTRING", "ZNAME")
    name.isUnique = true
    return keys + [
      index("Z_TRANSACTION_TransactionAuthorIndex", on: "ATRANSACTION", "ZAUTHOR"),
      index("Z_TRANSACTION_TransactionTimestampIndex", on: "ATRANSACTION", "ZTIMESTAMP"),
      name,
    ]
  }

  private static func index(
    _ name: String, on table: String, _ column: String
  ) -> SQLCreateIndex {
    SQLCreateIndex(name, on: table, [.init(column, isAscending: true)])
  }
}
