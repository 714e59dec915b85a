import OpenSQLCore
import OpenStoreContract

/// Finds the text indexes in a file and creates missing text indexes.
struct TextIndexOpening {
  let schema: SchemaMap
  let connection: Connection
  private let dialect = SQLiteDialect()

  /// Whether opening the indexes replaces indexes that differ from the model.
  enum Purpose {
    /// Opening the indexes does not change an index that differs from the model.
    case use
    /// Opening the indexes recreates the indexes if they differ from the model.
    case make
  }

  init(_ schema: SchemaMap, on connection: Connection) {
    self.schema = schema
    self.connection = connection
  }

  /// Returns the valid text indexes of the file, or creates all indexes of the model and returns
  /// them.
  ///
  /// - Throws: `StoreError`. After an error, the file is unchanged.
  func open(for purpose: Purpose) throws(StoreError) -> [SQLTextIndex] {
    let present = try sound()
    guard purpose == .make, try Set(present) != Set(wanted()) else { return present }
    return try connection.transaction { () throws(StoreError) in
      // Another process may have made them meanwhile.
      let (present, wanted) = (try sound(), try wanted())
      let missing = wanted.filter { !present.contains($0) }
      for index in try all() where !wanted.contains(index) || missing.contains(index) {
        try remove(index)
      }
      for index in missing { try make(index) }
      return (wanted, true)
    }
  }

  /// Rebuilds all indexes of the file.
  func rebuild() throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      for index in try sound() {
        try remove(index)
        try make(index)
      }
      return ((), true)
    }
  }

  private func make(_ index: SQLTextIndex) throws(StoreError) {
    let modules = "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'"
    guard try connection.integer(modules) == 1 else {
      throw StoreError(
        .unsupported,
        "The system's SQLite library lacks FTS5, which a text index requires. Open the store without OpenTextIndexOption, or "
          + "install a SQLite library with FTS5.", path: connection.path)
    }
    // Another program may have dropped only the virtual table.
    try removeTriggers(of: index)
    for statement in index.statements + [index.command(.rebuild)] {
      try connection.execute(statement)
    }
  }

  private func remove(_ index: SQLTextIndex) throws(StoreError) {
    try removeTriggers(of: index)
    try connection.execute(.alter(.dropTable(index.name)))
  }

  private func removeTriggers(of index: SQLTextIndex) throws(StoreError) {
    for part in SQLTextIndex.Part.allCases where part != .table {
      try connection.run("DROP TRIGGER IF EXISTS " + dialect.quoted(index.name(of: part)))
    }
  }

  /// Returns the indexes that the model specifies for existing tables.
  private func wanted() throws(StoreError) -> [SQLTextIndex] {
    let indexes = schema.textIndexes
    if indexes.isEmpty { return [] }
    let tables = try FileTables.read(on: connection)
    return indexes.filter { tables[$0.table] != nil }
  }

  /// Returns the indexes in the file for tables of the model.
  private func all() throws(StoreError) -> [SQLTextIndex] {
    let tables = Set(schema.entities.map(\.table))
    var found: [String: SQLTextIndex] = [:]
    let sql = """
      SELECT m.name, c.name, m.sql FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' \
      AND substr(m.name, 1, ?) = ? AND m.sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY m.name, c.cid
      """
    let prefix = SQLTextIndex.prefix
    try connection.forEachRow(sql, [.integer(Int64(prefix.utf8.count)), .text(prefix)]) { row in
      guard let name = row.text(0), let column = row.text(1) else { return }
      let table = String(name.dropFirst(prefix.count))
      found[
        table,
        default: SQLTextIndex(
          on: table, [], prefixLengths: SQLTextIndex.prefixLengths(in: row.text(2) ?? ""))
      ].columns.append(column)
    }
    return found.values.filter { tables.contains($0.table) }.sorted { $0.table < $1.table }
  }

  /// Returns the indexes in the file whose triggers are unchanged.
  ///
  /// A program that recreates a table drops the table's triggers, so that the index no longer
  /// matches the table.
  private func sound() throws(StoreError) -> [SQLTextIndex] {
    let indexes = try all()
    if indexes.isEmpty { return [] }
    var statements: Set<String> = []
    try connection.forEachRow("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL") { row in
      if let sql = row.text(0) { statements.insert(sql) }
    }
    return indexes.filter { index in
      index.statements.allSatisfy {
        statements.contains(SQLRenderer.render($0, for: dialect).text)
      }
    }
  }
}
