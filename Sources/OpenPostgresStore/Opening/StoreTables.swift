import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The tables that every store has in addition to the tables of entities.
enum StoreTables {
  /// The statements that create the tables.
  static let creation: [SQLStatement] = [
    table(
      "Z_PRIMARYKEY",
      [("Z_ENT", key), ("Z_NAME", "text"), ("Z_SUPER", "bigint"), ("Z_MAX", "bigint")]),
    table(
      "Z_METADATA",
      [("Z_VERSION", key), ("Z_UUID", "text"), ("Z_PLIST", "bytea"), ("Z_MODEL", "bytea")]),
    // One row: the lock, the end of the deleted history, and the generation.
    table("Z_STORE", storeColumns.map { ($0, $0 == "Z_ID" ? key : "bigint") }),
    table("Z_CONSUMER", [("Z_NAME", "text PRIMARY KEY"), ("Z_TRANSACTION", "bigint")]),
    table(
      "ATRANSACTION",
      [
        ("Z_PK", key), ("ZCOMMIT", "uuid"), ("ZPROCESS", "uuid"),
        ("ZTIMESTAMP", "double precision"), ("ZAUTHOR", "text"), ("ZBUNDLEID", "text"),
        ("ZCONTEXTNAME", "text"), ("ZPROCESSID", "text"),
      ]),
    table(
      "ACHANGE",
      [
        ("ZTRANSACTIONID", "bigint"), ("Z_PK", "bigint"), ("ZCHANGETYPE", "bigint"),
        ("ZENTITY", "bigint"), ("ZENTITYPK", "bigint"), ("ZCOLUMNS", "text"),
        ("ZTOMBSTONE", "bytea"),
      ], primaryKey: ["ZTRANSACTIONID", "Z_PK"]),
    .insert(
      SQLInsert(into: "Z_STORE", storeColumns.map { ($0, .integer($0 == "Z_ID" ? 1 : 0)) })),
    index("ZTIMESTAMP", on: "ATRANSACTION"), index("Z_PK", on: "ACHANGE"),
  ]

  private static let key = "bigint PRIMARY KEY"
  private static let storeColumns = [
    "Z_ID", "Z_HISTORY", "Z_PURGED", "Z_PURGEDCHANGE", "Z_GENERATION",
  ]

  private static func table(
    _ name: String, _ columns: [(String, String)], primaryKey: [String] = []
  ) -> SQLStatement {
    var table = SQLCreateTable(name, columns.map { .init($0.0, $0.1) })
    table.primaryKey = primaryKey
    table.isPadded = false
    return .createTable(table)
  }

  private static func index(_ column: String, on table: String) -> SQLStatement {
    .createIndex(SQLCreateIndex("\(table)_\(column)_INDEX", on: table, [.init(column)]))
  }

  // MARK: Tables in a schema

  /// Returns the columns of the tables in a schema, by table.
  static func columns(in session: PostgresSession) throws(StoreError) -> [String: Set<String>] {
    var present: [String: Set<String>] = [:]
    try forEachRow(
      of: ["table_name", "column_name"], "information_schema", "columns", where: "table_schema",
      in: session
    ) { row in present[row.text(0) ?? "", default: []].insert(row.text(1) ?? "") }
    return present
  }

  /// Returns whether a schema exists.
  static func schemaExists(in session: PostgresSession) throws(StoreError) -> Bool {
    try !names("nspname", of: "pg_namespace", where: "nspname", in: session).isEmpty
  }

  /// Returns whether a schema contains a store that the user may read.
  static func isPresent(in session: PostgresSession) throws(StoreError) -> Bool {
    try names(
      "table_name", "information_schema", of: "tables", where: "table_schema", in: session
    ).contains("z_metadata")
  }

  /// Returns the names of all tables in a schema, without views.
  static func tables(in session: PostgresSession) throws(StoreError) -> [String] {
    try names("tablename", of: "pg_tables", where: "schemaname", in: session).sorted()
  }

  /// Returns the names of the indexes in a schema.
  static func indexes(in session: PostgresSession) throws(StoreError) -> Set<String> {
    Set(try names("indexname", of: "pg_indexes", where: "schemaname", in: session))
  }

  private static func names(
    _ column: String, _ catalog: String = "pg_catalog", of view: String, where schema: String,
    in session: PostgresSession
  ) throws(StoreError) -> [String] {
    var names: [String] = []
    try forEachRow(of: [column], catalog, view, where: schema, in: session) { row in
      names.append(row.text(0) ?? "")
    }
    return names
  }

  /// Passes the rows of a view of the server's catalog that describe a schema to a closure.
  private static func forEachRow(
    of columns: [String], _ catalog: String, _ view: String, where schema: String,
    in session: PostgresSession, _ body: (PostgresRow) -> Void
  ) throws(StoreError) {
    var select = SQLSelect(
      columns.map { .cast(.named($0), "text") },
      from: .attached(view, schema: catalog, alias: nil))
    select.condition = .binary(.equal, .named(schema), .bound(1))
    try session.forEachRow(of: .select(select), binding: [.text(session.dialect.schema)], body)
  }

  /// Returns the names of the store's tables in a schema; empty if the schema contains no store.
  ///
  /// The schema can also contain tables of other programs, with any names.
  static func names(in session: PostgresSession) throws(StoreError) -> [String] {
    let present = try tables(in: session)
    guard present.contains("z_metadata") else { return [] }
    let owned = Set(fixedNames + (try layoutNames(in: session)))
    return present.filter(owned.contains)
  }

  /// The names of the tables that ``creation`` creates.
  private static let fixedNames: [String] = creation.compactMap { statement in
    if case .createTable(let table) = statement { PostgresDialect.name(table.name) } else { nil }
  }

  /// Returns the possible names of the tables of entities and of the join tables.
  private static func layoutNames(in session: PostgresSession) throws(StoreError) -> [String] {
    let columns = try columns(in: session)
    let rows = columns["z_primarykey"] == nil ? [] : try NumberRow.read(in: session)
    guard columns["z_metadata"]?.contains("z_model") == true,
      // An invalid model names no tables.
      let model = try MetadataRow.readableModel(in: session).flatMap({ try? $0.compiled() })
    else { return layoutNames(of: rows, in: columns) }
    let numbers = NumberRow.numbers(of: model.entities.map(\.name), in: rows)
    var names: [String] = []
    // A new store numbers the entities outside of its configuration by their places in the model.
    for numbers in [numbers, EntityNumbers()] {
      let schema = try SchemaMap(model, dialect: session.dialect, numbers: numbers)
      names += schema.layoutColumns.keys.map { PostgresDialect.name($0) }
    }
    return names
  }

  /// Returns the names of the tables that are recognized by the recorded names and numbers of the
  /// entities, for a store without a model.
  ///
  /// - Parameter present: The columns of the tables in the schema, by table.
  private static func layoutNames(
    of rows: [NumberRow], in present: [String: Set<String>]
  ) -> [String] {
    let entities = rows.compactMap(\.name).map { PostgresDialect.name("Z" + $0.uppercased()) }
    let numbers = Set(rows.map(\.number))
    let joins = present.filter { table, columns in
      // For example z_1books with the columns z_1books and z_2authors.
      guard table.hasPrefix("z_"), columns.count >= 2,
        let number = Int64(table.dropFirst(2).prefix { $0.isASCII && $0.isNumber })
      else { return false }
      return numbers.contains(number)
        && columns.allSatisfy { $0.hasPrefix("z_") || $0 == "reflexive" }
    }
    return entities + joins.keys
  }

  /// Requires that a schema contains the given columns, by table.
  static func require(
    _ required: [String: [String]], in present: [String: Set<String>], path: String
  ) throws(StoreError) {
    for (table, columns) in required.sorted(by: { $0.key < $1.key }) {
      let found = present[PostgresDialect.name(table)]
      let missing = columns.first { found?.contains(PostgresDialect.name($0)) != true }
      guard let missing else { continue }
      throw StoreError(
        .incompatibleSchema,
        "The store's table \(PostgresDialect.name(table)) has no column \(PostgresDialect.name(missing)), which the model "
          + "requires. Migrate the store.", path: path)
    }
  }
}

extension NumberRow {
  /// Returns the numbers of entities by index.
  ///
  /// - Parameters:
  ///   - names: The names of the entities in the store, by index. Entities without a name or a
  ///     number receive unused numbers.
  ///   - rows: The rows of the store.
  static func numbers(of names: [String?], in rows: [NumberRow]) -> EntityNumbers {
    let known = Dictionary(
      rows.compactMap { row in row.name.map { ($0, row.number) } }, uniquingKeysWith: { $1 })
    var last = rows.map(\.number).max() ?? 0
    return EntityNumbers(
      names.map { name in
        if let number = name.flatMap({ known[$0] }) { return number }
        last += 1
        return last
      })
  }
}
