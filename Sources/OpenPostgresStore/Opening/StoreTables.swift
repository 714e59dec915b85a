import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The tables that every store has in addition to the tables of entities.
enum StoreTables {
  /// Returns the statements that create the tables.
  static func creation(_ dialect: PostgresDialect) -> [String] {
    [
      table("Z_PRIMARYKEY", "z_ent bigint PRIMARY KEY, z_name text, z_super bigint, z_max bigint"),
      table(
        "Z_METADATA", "z_version bigint PRIMARY KEY, z_uuid text, z_plist bytea, z_model bytea"),
      // One row: the lock, the end of the deleted history, and the number of migrations.
      table(
        "Z_STORE",
        "z_id bigint PRIMARY KEY, z_history bigint, z_purged bigint, z_purgedchange bigint, z_generation bigint"
      ),
      table("Z_CONSUMER", "z_name text PRIMARY KEY, z_transaction bigint"),
      table(
        "ATRANSACTION",
        """
        z_pk bigint PRIMARY KEY, zcommit uuid, zprocess uuid, ztimestamp double precision, zauthor text, \
        zbundleid text, zcontextname text, zprocessid text
        """),
      table(
        "ACHANGE",
        """
        ztransactionid bigint, z_pk bigint, zchangetype bigint, zentity bigint, zentitypk bigint, \
        zcolumns text, ztombstone bytea, PRIMARY KEY (ztransactionid, z_pk)
        """),
    ].map { $0(dialect) } + [
      "INSERT INTO \(dialect.table("Z_STORE")) VALUES (1, 0, 0, 0, 0)",
      "CREATE INDEX atransaction_ztimestamp_index ON \(dialect.table("ATRANSACTION")) (ztimestamp)",
      "CREATE INDEX achange_z_pk_index ON \(dialect.table("ACHANGE")) (z_pk)",
    ]
  }

  private static func table(_ name: String, _ columns: String) -> (PostgresDialect) -> String {
    { "CREATE TABLE \($0.table(name)) (\(columns))" }
  }

  /// Returns the columns of the tables in a schema, by table.
  static func columns(in session: PostgresSession) throws(StoreError) -> [String: Set<String>] {
    let result = try session.connection.run(
      "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = $1",
      [.text(session.dialect.schema)])
    var present: [String: Set<String>] = [:]
    for row in 0..<result.rowCount {
      present[result.text(row, 0) ?? "", default: []].insert(result.text(row, 1) ?? "")
    }
    return present
  }

  /// Returns the names of all tables in a schema, without views.
  static func tables(in session: PostgresSession) throws(StoreError) -> [String] {
    let result = try session.connection.run(
      """
      SELECT c.relname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n \
      ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
      """, [.text(session.dialect.schema)])
    return (0..<result.rowCount).compactMap { result.text($0, 0) }.sorted()
  }

  /// Returns the names of the store's tables in a schema; empty if the schema contains no store.
  ///
  /// The schema can also contain tables of other programs, whatever their names are.
  static func names(in session: PostgresSession) throws(StoreError) -> [String] {
    let present = try tables(in: session)
    guard present.contains("z_metadata") else { return [] }
    let owned = Set(fixedNames + (try layoutNames(in: session)))
    return present.filter(owned.contains)
  }

  /// The names of the tables that ``creation(_:)`` creates.
  private static let fixedNames = [
    "z_primarykey", "z_metadata", "z_store", "z_consumer", "atransaction", "achange",
  ]

  /// Returns the possible names of the tables of entities and of the join tables.
  private static func layoutNames(in session: PostgresSession) throws(StoreError) -> [String] {
    let columns = try columns(in: session)
    let rows = columns["z_primarykey"] == nil ? [] : try NumberRow.read(in: session)
    guard columns["z_metadata"]?.contains("z_model") == true,
      let model = try keptModel(in: session)
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

  /// Returns the model that the store was written with; nil if the model cannot be read.
  private static func keptModel(in session: PostgresSession) throws(StoreError) -> CompiledModel? {
    do throws(StoreError) {
      // An invalid model names no tables.
      return try MetadataRow.model(in: session).flatMap { try? $0.compiled() }
    } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
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

  /// Returns the statement that writes the row. The last key is never lowered, so that assigned
  /// keys are not reused.
  func writing(_ dialect: PostgresDialect) -> PostgresCommand {
    PostgresCommand(
      """
      INSERT INTO \(dialect.table("Z_PRIMARYKEY")) AS t (z_ent, z_name, z_super, z_max) \
      VALUES ($1, $2, $3, $4) ON CONFLICT (z_ent) DO UPDATE SET z_name = excluded.z_name, \
      z_super = excluded.z_super, z_max = greatest(t.z_max, excluded.z_max)
      """, values.map { PostgresValue($0, for: .untyped) }, isKept: false)
  }
}
