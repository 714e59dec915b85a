import COpenSQLite
import OpenSQLCore
import OpenStoreContract

/// An in-memory copy of a store's tables and indexes without rows, used to test other indexes.
///
/// Confined to one explanation. The copy is created from the names of tables and columns in the
/// file, never from the SQL text in the file.
struct EmptyCopy {
  private let connection: Connection
  private static let indexName = "OCD_CANDIDATE"

  /// Copies tables, with their indexes, by name.
  init(
    of tables: Set<String>, in schema: SchemaMap, from source: Connection
  ) throws(StoreError) {
    connection = try Connection(
      path: nil, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      configuration: StoreConfiguration(url: nil))
    for case .createTable(let table) in schema.tableStatements() where tables.contains(table.name) {
      try connection.execute(.createTable(table))
      for index in try Self.indexes(of: table.name, in: source) {
        // An index over columns that the model does not have says nothing about its queries.
        try? connection.execute(.createIndex(index))
      }
    }
  }

  /// Returns the plan of a statement.
  func plan(of sql: String) throws(StoreError) -> QueryPlan {
    try QueryPlan(of: sql, on: connection)
  }

  /// Returns the plan of a statement with one additional index.
  func plan(of sql: String, with candidate: IndexCandidate) throws(StoreError) -> QueryPlan {
    try connection.execute(candidate.statement(named: Self.indexName))
    let plan = try QueryPlan(of: sql, on: connection)
    try connection.run("DROP INDEX " + Self.indexName)
    return plan
  }

  /// Returns the indexes of a table, except automatic indexes and indexes with conditions or
  /// expressions.
  private static func indexes(
    of table: String, in source: Connection
  ) throws(StoreError) -> [SQLCreateIndex] {
    var found: [(name: String, isUnique: Bool)] = []
    let list =
      "SELECT name, \"unique\" FROM pragma_index_list(?) "
      + "WHERE origin = 'c' AND NOT partial ORDER BY seq DESC"
    try source.forEachRow(list, [.text(table)]) { row in
      if let name = row.text(0) { found.append((name, row.integer(1) != 0)) }
    }
    var indexes: [SQLCreateIndex] = []
    for (name, isUnique) in found {
      var elements: [SQLCreateIndex.Element] = []
      var isPlain = true
      try source.forEachRow(columns, [.text(name)]) { row in
        let column = row.integer(0) == -1 ? "Z_PK" : row.text(1)
        guard let column, row.text(3) == "BINARY" else { return isPlain = false }
        elements.append(.init(column, isAscending: row.integer(2) == 0))
      }
      guard isPlain, !elements.isEmpty else { continue }
      var index = SQLCreateIndex(name, on: table, elements)
      index.isUnique = isUnique
      indexes.append(index)
    }
    return indexes
  }

  private static let columns =
    "SELECT cid, name, \"desc\", coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno"
}
