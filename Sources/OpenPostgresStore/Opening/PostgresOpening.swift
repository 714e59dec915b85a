import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Opens a store, or makes it in one transaction.
struct PostgresOpening {
  /// What an open store needs.
  struct Opened {
    var identifier: String
    var isReadOnly: Bool
    var schema: SchemaMap
    var dialect: PostgresDialect
    var pool: PostgresPool
    var tracksHistory: Bool
    var lockTimeout: Int
  }

  private let configuration: StoreConfiguration
  private let match: ModelMatch
  private let settings: PostgresSettings
  private let dialect: PostgresDialect
  private let schema: SchemaMap

  init(_ configuration: StoreConfiguration, model: CompiledModel) throws(StoreError) {
    settings = try PostgresSettings(configuration.url)
    self.configuration = configuration
    match = ModelMatch(
      model: model, configurationName: configuration.configurationName,
      path: settings.description)
    try Self.refuseDerivedAttributes(of: model)
    dialect = PostgresDialect(schema: settings.schema)
    schema = try SchemaMap(model, dialect: dialect)
  }

  private static func refuseDerivedAttributes(of model: CompiledModel) throws(StoreError) {
    for entity in model.entities {
      for property in entity.properties where property.attribute?.derivation != nil {
        throw StoreError(
          .unsupported,
          "PostgreSQL stores do not compute derived attributes yet; make the attribute an ordinary one.",
          entityName: entity.name, propertyName: property.name)
      }
    }
  }

  func open() throws(StoreError) -> Opened {
    let pool = PostgresPool(settings, configuration)
    do throws(StoreError) {
      return try pool.lease { (connection) throws(StoreError) in
        if try !exists(on: connection) { try create(on: connection) }
        return try opened(pool, on: connection)
      }
    } catch {
      pool.close()
      throw error
    }
  }

  /// Whether the schema has a store.
  private func exists(on connection: PostgresConnection) throws(StoreError) -> Bool {
    let result = try connection.run(
      "SELECT count(*) FROM information_schema.tables WHERE table_schema = $1 AND table_name = 'z_metadata'",
      [.text(dialect.schema)])
    return result.integer(0, 0) > 0
  }

  private func opened(
    _ pool: PostgresPool, on connection: PostgresConnection
  ) throws(StoreError) -> Opened {
    let (identifier, metadata) = try MetadataRow.read(on: connection, dialect)
    if !configuration.ignoresModelVersion { try match.requireVersions(in: metadata) }
    try requireColumns(on: connection)
    try requireNumbers(on: connection)
    let state = try connection.run(
      "SELECT z_history, pg_is_in_recovery()::int::bigint FROM \(dialect.table("Z_STORE"))")
    let hadHistory = state.integer(0, 0) == 1
    let isStandby = state.integer(0, 1) == 1
    var isReadOnly = configuration.isReadOnly || isStandby
    if configuration.tracksHistory, !hadHistory, !isReadOnly {
      try connection.run("UPDATE \(dialect.table("Z_STORE")) SET z_history = 1")
    }
    // Changes without history would be missed by those who read it.
    if hadHistory, !configuration.tracksHistory { isReadOnly = true }
    return Opened(
      identifier: identifier, isReadOnly: isReadOnly, schema: schema, dialect: dialect, pool: pool,
      tracksHistory: configuration.tracksHistory,
      lockTimeout: max(1, Int(min(configuration.timeout, 1_000_000) * 1000)))
  }

  private func requireColumns(on connection: PostgresConnection) throws(StoreError) {
    let result = try connection.run(
      "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = $1",
      [.text(dialect.schema)])
    var present: [String: Set<String>] = [:]
    for row in 0..<result.rowCount {
      present[result.text(row, 0) ?? "", default: []].insert(result.text(row, 1) ?? "")
    }
    for (table, columns) in schema.requiredColumns(of: match.members) {
      let found = present[PostgresDialect.name(table)]
      let missing = columns.first { found?.contains(PostgresDialect.name($0)) != true }
      guard let missing else { continue }
      throw StoreError(
        .incompatibleSchema,
        "The store lacks the column \(PostgresDialect.name(missing)) of the table \(PostgresDialect.name(table)), which the "
          + "model needs.", path: settings.description)
    }
  }

  private func requireNumbers(on connection: PostgresConnection) throws(StoreError) {
    let result = try connection.run(
      "SELECT z_ent, z_name FROM \(dialect.table("Z_PRIMARYKEY"))")
    var names: [Int64: String] = [:]
    for row in 0..<result.rowCount { names[result.integer(row, 0)] = result.text(row, 1) }
    for entity in match.model.entities where match.members.contains(entity.index) {
      if names[Int64(entity.index) + 1] == entity.name { continue }
      throw StoreError(
        .incompatibleSchema, "The store does not have the entity, or under another number.",
        path: settings.description, entityName: entity.name,
        underlying: ModelVersionMismatch(storeEntities: [], modelEntities: [entity.name]))
    }
  }

  // MARK: Creation

  private func create(on connection: PostgresConnection) throws(StoreError) {
    guard !configuration.isReadOnly else {
      throw StoreError(
        .missingFile, "The schema has no store, and the store was to be opened for reading only.",
        path: settings.description)
    }
    try connection.run([
      PostgresCommand("BEGIN", isKept: false),
      PostgresCommand("SET LOCAL lock_timeout = '5s'", isKept: false),
      PostgresCommand(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 7))", [.text(dialect.schema)],
        isKept: false),
    ])
    do throws(StoreError) {
      // Who comes second finds the store.
      if try !exists(on: connection) {
        try connection.run(try creation(connection.place))
      }
      try connection.run([PostgresCommand("COMMIT", isKept: false)])
    } catch {
      connection.rollBack()
      throw error
    }
  }

  private func creation(_ place: String) throws(StoreError) -> [PostgresCommand] {
    var texts = ["CREATE SCHEMA IF NOT EXISTS \(dialect.schemaName)"]
    for statement in schema.tableStatements() + schema.indexStatements() {
      texts.append(text(of: statement))
    }
    texts += StoreTables.creation(dialect)
    var commands = texts.map { PostgresCommand($0, isKept: false) }
    let members = match.members
    for entity in match.model.entities where members.contains(entity.index) {
      commands.append(
        PostgresCommand(
          "INSERT INTO \(dialect.table("Z_PRIMARYKEY")) (z_ent, z_name, z_super, z_max) VALUES ($1, $2, $3, 0)",
          [
            .integer(Int64(entity.index) + 1), .text(entity.name),
            .integer(entity.superIndex.map { Int64($0) + 1 } ?? 0),
          ], isKept: false))
    }
    let metadata = match.metadata()
    commands.append(
      try MetadataRow.insertion(
        metadata, identifier: configuration.newIdentifier ?? UUID().uuidString, dialect, place))
    return commands
  }

  /// A statement of the shared layout; room for changes is left in tables of rows, and conditions of indexes are left out.
  private func text(of statement: SQLStatement) -> String {
    switch statement {
    case .createTable(let table) where table.primaryKey.isEmpty:
      return SQLRenderer.render(statement, for: dialect).text + " WITH (fillfactor = 85)"
    case .createIndex(var index):
      index.condition = nil
      return SQLRenderer.render(.createIndex(index), for: dialect).text
    default: return SQLRenderer.render(statement, for: dialect).text
    }
  }
}
