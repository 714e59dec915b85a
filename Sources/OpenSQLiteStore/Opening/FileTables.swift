import OpenStoreContract

/// The columns of the tables in a file, and the numbers of its entities.
enum FileTables {
  /// Returns the columns of each table in order; empty for an empty database.
  static func read(on connection: Connection) throws(StoreError) -> [String: [String]] {
    if let encoding = try text("PRAGMA encoding", on: connection), encoding != "UTF-8" {
      throw StoreError(
        .foreignFile, "The text encoding of the database is not UTF-8.", path: connection.path,
        nativeCode: SQLiteFailure.notADatabase)
    }
    var tables: [String: [String]] = [:]
    let sql = """
      SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
      WHERE m.type = 'table' ORDER BY m.name, c.cid
      """
    try connection.forEachRow(sql) { statement in
      guard let table = statement.text(0), let column = statement.text(1) else { return }
      tables[table, default: []].append(column)
    }
    return tables
  }

  private static func text(
    _ sql: String, on connection: Connection
  ) throws(StoreError) -> String? {
    var result: String?
    try connection.forEachRow(sql) { result = $0.text(0) }
    return result
  }

  /// Requires the tables that every store contains.
  static func requireStore(_ tables: [String: [String]], path: String?) throws(StoreError) {
    guard tables["Z_METADATA"] == nil || tables["Z_PRIMARYKEY"] == nil else { return }
    throw StoreError(
      .foreignFile, "The file is a SQLite database, but not a store, because it has no metadata.",
      path: path, nativeCode: SQLiteFailure.notADatabase)
  }

  /// Requires the given tables and columns.
  static func require(
    _ required: [String: [String]], in tables: [String: [String]], path: String?
  ) throws(StoreError) {
    for (table, columns) in required.sorted(by: { $0.key < $1.key }) {
      guard let present = tables[table] else {
        throw StoreError(
          .incompatibleSchema,
          "The store has no table \(table), which the model requires. Migrate the store.",
          path: path)
      }
      let known = Set(present)
      let missing = columns.filter { !known.contains($0) }
      guard let first = missing.first else { continue }
      throw StoreError(
        .incompatibleSchema,
        "The store's table \(table) has no column \(first), which the model requires. Migrate the store.",
        path: path)
    }
  }
}
