import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Opens a store, or creates it in one transaction.
struct PostgresOpening {
  /// The facts that an open store needs.
  struct Opened {
    var identifier: String
    var isReadOnly: Bool
    var schema: SchemaMap
    var dialect: PostgresDialect
    var pool: PostgresPool
    var tracksHistory: Bool
    var lockTimeout: Int
    /// A random number of the store, which each migration increases by 1.
    var generation: Int64
    /// The number of the last transaction in the history.
    var lastNumber: Int64
  }

  private let place: PostgresPlace
  private let match: ModelMatch
  private var configuration: StoreConfiguration { place.configuration }
  private var settings: PostgresSettings { place.settings }
  private var dialect: PostgresDialect { place.dialect }

  init(_ configuration: StoreConfiguration, model: CompiledModel) throws(StoreError) {
    place = try PostgresPlace(configuration)
    match = ModelMatch(
      model: model, configurationName: configuration.configurationName,
      path: place.settings.description)
  }

  func open() throws(StoreError) -> Opened {
    let pool = PostgresPool(settings, configuration)
    do throws(StoreError) {
      return try pool.lease { (connection) throws(StoreError) in
        let session = PostgresSession(connection, dialect)
        if try !StoreTables.isPresent(in: session) { try create(in: session) }
        // All values must be of one generation, so the lock excludes migrations.
        let (opened, recordsHistory) = try connection.inTransaction(
          [.begin, dialect.lock(.accessShare)]
        ) { (_) throws(StoreError) in try self.opened(pool, on: connection) }
        if opened.tracksHistory, !opened.isReadOnly, !recordsHistory {
          try startHistory(on: connection)
        }
        return opened
      }
    } catch {
      pool.close()
      throw error
    }
  }

  /// Records in the store that all saves are recorded in the history.
  ///
  /// The lock waits for the running saves of processes that do not record the history. Their later
  /// saves throw an error.
  private func startHistory(on connection: PostgresConnection) throws(StoreError) {
    try connection.run([
      .begin, PostgresDialect.lockTimeout(configuration.lockTimeout), dialect.lock(.exclusive),
      dialect.command(OwnStatement.set("Z_HISTORY", .integer(1))), .commit,
    ])
  }

  /// Returns the facts about the store, and whether the store records the history.
  private func opened(
    _ pool: PostgresPool, on connection: PostgresConnection
  ) throws(StoreError) -> (Opened, recordsHistory: Bool) {
    let session = PostgresSession(connection, dialect)
    let (identifier, metadata) = try MetadataRow.read(in: session)
    if !configuration.ignoresModelVersion {
      try match.requireVersions(in: metadata)
      try match.requireComposites { () throws(StoreError) in
        try MetadataRow.readableModel(in: session)
      }
    }
    let schema = try SchemaMap(
      match.model, dialect: dialect, numbers: try numbers(in: session))
    let present = try StoreTables.columns(in: session)
    try StoreTables.require(
      schema.requiredColumns(of: match.members), in: present, path: settings.description)
    let state = try connection.run(dialect.command(OwnStatement.readState))
    let hadHistory = state.integer(0, 0) == 1
    let isStandby = state.integer(0, 1) == 1
    var isReadOnly = configuration.isReadOnly || isStandby
    // Readers of the history would miss changes that are not recorded.
    if hadHistory, !configuration.tracksHistory { isReadOnly = true }
    let opened = Opened(
      identifier: identifier, isReadOnly: isReadOnly, schema: schema, dialect: dialect, pool: pool,
      tracksHistory: configuration.tracksHistory,
      lockTimeout: configuration.lockTimeout, generation: state.integer(0, 2),
      lastNumber: state.integer(0, 3))
    return (opened, hadHistory)
  }

  /// Returns the numbers of the model's entities, which the store records by name. Entities that
  /// the store does not contain receive unused numbers.
  private func numbers(in session: PostgresSession) throws(StoreError) -> EntityNumbers {
    let rows = try NumberRow.read(in: session)
    let missing = match.model.entities.first { entity in
      match.members.contains(entity.index) && !rows.contains { $0.name == entity.name }
    }
    if let missing {
      throw StoreError(
        .incompatibleSchema, "The store does not contain the entity. Migrate the store.",
        path: settings.description, entityName: missing.name,
        underlying: ModelVersionMismatch(storeEntities: [], modelEntities: [missing.name]))
    }
    return NumberRow.numbers(of: match.model.entities.map(\.name), in: rows)
  }

  // MARK: Creation

  private func create(in session: PostgresSession) throws(StoreError) {
    guard !configuration.isReadOnly else {
      throw StoreError(
        .missingFile,
        "The schema does not contain a store, and none can be created because the store is opened for reading only.",
        path: settings.description)
    }
    let beginning = [
      PostgresCommand.begin, PostgresDialect.lockTimeout(5000),
      MigrationLock.exclusion(of: dialect),
    ]
    try session.connection.inTransaction(beginning) { (_) throws(StoreError) in
      // Another process may have created the store meanwhile.
      if try !StoreTables.isPresent(in: session) {
        try session.connection.run(try creation(in: session))
      }
    }
  }

  private func creation(in session: PostgresSession) throws(StoreError) -> [PostgresCommand] {
    // Even if the schema exists, the statement requires the right to create schemas.
    var commands =
      try StoreTables.schemaExists(in: session) ? [] : [dialect.creationUnlessPresent]
    let schema = try SchemaMap(match.model, dialect: dialect)
    let tables = schema.tableStatements() + schema.indexStatements() + StoreTables.creation
    commands += tables.map { dialect.command($0) }
    // A process that still has an earlier store of the schema open must not use the new store.
    let generation = SQLExpression.integer(.random(in: 0...(1 << 53)))
    commands.append(dialect.command(OwnStatement.set("Z_GENERATION", generation)))
    let members = match.members
    for entity in match.model.entities where members.contains(entity.index) {
      commands.append(dialect.command(writing: NumberRow(of: entity, schema.numbers, last: 0)))
    }
    commands.append(
      try MetadataRow.insertion(
        match, identifier: configuration.newIdentifier ?? UUID().uuidString, in: session))
    if configuration.historyBase > 0 {
      let base = SQLExpression.integer(configuration.historyBase)
      commands.append(dialect.command(OwnStatement.set("Z_PURGED", base)))
    }
    return commands
  }
}

extension StoreConfiguration {
  /// The maximum time that a statement waits for locks, in milliseconds; 1 for NaN.
  var lockTimeout: Int { timeout > 0.001 ? Int(min(timeout, 1_000_000) * 1000) : 1 }
}
