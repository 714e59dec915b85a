import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Migrates a store to another model version, in one transaction.
///
/// After a failure, a lost connection or the end of the process, the old store is unchanged. Calls
/// of other processes wait, and then throw an error, because these processes opened the old
/// version.
struct PostgresMigration {
  let configuration: StoreConfiguration
  let transition: ModelTransition
  let progress: MigrationProgress?
  private let settings: PostgresSettings
  private let dialect: PostgresDialect

  init(
    _ configuration: StoreConfiguration, _ transition: ModelTransition,
    _ progress: MigrationProgress? = nil
  ) throws(StoreError) {
    settings = try PostgresSettings(configuration.url)
    dialect = PostgresDialect(schema: settings.schema)
    self.configuration = configuration
    self.transition = transition
    self.progress = progress
  }

  // MARK: Planning

  /// Returns the plan that ``run(_:)`` would execute, without changing the store.
  func plan() throws(StoreError) -> StoreMigrationPlan {
    let connection = try PostgresConnection(settings, configuration)
    let source = try MigrationSource(transition, configuration, on: connection, dialect)
    let migration = source.migration
    let isCopied = !migration.copyReasons.isEmpty
    let steps = isCopied ? copySteps(source) : migration.inPlaceSteps(source.objects)
    var plan = StoreMigrationPlan(
      way: isCopied ? .copy : .inPlace, reasons: migration.copyReasons,
      statements: steps.map { dialect.text(of: $0.statement) })
    if steps.isEmpty, MigrationSource.isDone(transition, configuration, source.metadata) {
      plan.way = .none
    }
    for table in steps.compactMap(\.table) {
      guard let old = migration.sourceTable(of: table), source.tables.contains(old)
      else { continue }
      plan.rewrittenRows += try MigrationSource.count(
        SQLSelect([.countAll], from: .table(old, alias: nil)), on: connection, dialect)
    }
    for loss in migration.losses {
      let rows = try MigrationSource.count(loss.rows, on: connection, dialect)
      if loss.isCertain || rows > 0 {
        plan.losses.append(
          .init(entityName: loss.entityName, propertyName: loss.propertyName, rowCount: rows))
      }
    }
    return plan
  }

  // MARK: Running

  private static let greatestAttemptCount = 6

  /// Migrates the store. Does nothing if another process has already migrated it.
  ///
  /// - Parameter way: The method of changing the tables, or nil to change them in place if
  ///   possible.
  func run(_ way: StoreMigrationPlan.Way?) throws(StoreError) {
    let lock = try MigrationLock(configuration, settings)
    for attempt in 1...Self.greatestAttemptCount {
      do throws(StoreError) {
        try lock.take()
        return try migrate(way, lock)
      } catch {
        lock.connection.rollBack()
        if !(error.underlying is TransientFailure) || attempt == Self.greatestAttemptCount {
          throw error
        }
      }
    }
  }

  private func migrate(
    _ way: StoreMigrationPlan.Way?, _ lock: MigrationLock
  ) throws(StoreError) {
    let connection = lock.connection
    let present = try MetadataRow.read(on: connection, dialect).metadata
    if MigrationSource.isDone(transition, configuration, present) {
      return connection.rollBack()
    }
    let source = try MigrationSource(transition, configuration, on: connection, dialect)
    if way == .expand { return try expand(source, lock) }
    let isCopied = way == .copy || !source.migration.copyReasons.isEmpty
    let steps = isCopied ? copySteps(source) : source.migration.inPlaceSteps(source.objects)
    try lock.excludeReads()
    if isCopied { try setAside(source, on: connection) }
    for (index, step) in steps.enumerated() {
      try run(step, source.migration, on: connection)
      try report(0.9 * Double(index + 1) / Double(steps.count))
    }
    if isCopied {
      try dropOldTables(source, on: connection)
    }
    try DerivationWriter(
      source.migration.newDerivedAttributes, of: source.migration.destination, dialect,
      on: connection)?.computeAll()
    try HistoryRows(source.migration, dialect).migrate(on: connection)
    try connection.run(
      try records(source, connection.place) + [
        PostgresCommand(
          "UPDATE \(dialect.table("Z_STORE")) SET z_generation = z_generation + 1", isKept: false)
      ])
    try report(1)
    try connection.run([PostgresCommand("COMMIT", isKept: false)])
  }

  /// Adds what is new, and keeps the store usable for programs with the earlier version.
  private func expand(
    _ source: MigrationSource, _ lock: MigrationLock
  ) throws(StoreError) {
    let connection = lock.connection
    let steps = source.migration.inPlaceSteps(source.objects)
    let expansion = Expansion(source.migration, steps, dialect)
    let obstacles = expansion.obstacles
    guard obstacles.isEmpty else {
      throw StoreError(
        .unsupported,
        "Programs with the earlier version of the model could no longer use the migrated store. "
          + obstacles.joined(separator: " "), path: connection.place)
    }
    // A statement that waits for a long read would block all new reads of the table.
    try lock.excludeReads(of: expansion.changedTables)
    let statements = steps.map(\.statement) + expansion.defaults
    try connection.run(
      statements.map { PostgresCommand(dialect.text(of: $0), isKept: false) }
        + records(
          source, earlier: NSManagedObjectModel.acceptedVersionHashes(in: source.metadata),
          connection.place))
    try report(1)
    try connection.run([PostgresCommand("COMMIT", isKept: false)])
  }

  private func report(_ fraction: Double) throws(StoreError) {
    guard let progress, !progress(fraction) else { return }
    throw StoreError(
      .interrupted, "The migration was cancelled. The store is unchanged.",
      path: settings.description)
  }

  private func run(
    _ step: MigrationStep, _ migration: SchemaMigration, on connection: PostgresConnection
  ) throws(StoreError) {
    let command = PostgresCommand(dialect.text(of: step.statement), isKept: false)
    guard let constraint = step.uniqueness else {
      try connection.run([command])
      return
    }
    try connection.run([PostgresCommand("SAVEPOINT step", isKept: false)])
    switch try connection.attempt([command]) {
    case .done: return
    case .failed(_, let failure):
      let error = failure.error(in: connection.place, statement: command.text)
      guard failure.isUniqueViolation else { throw error }
      try connection.run([PostgresCommand("ROLLBACK TO SAVEPOINT step", isKept: false)])
      let select = constraint.duplicates
      let result = try connection.run(dialect.text(of: .select(select)))
      throw constraint.error(
        in: transition.destination, path: connection.place, error.nativeCode,
        (0..<result.rowCount).map { row in
          constraint.columns.indices.map { result.shown(row, $0) }
        })
    }
  }

  /// Returns the statements that write the records about the model: the numbers and last keys of
  /// entities, the version hashes, and the model itself.
  private func records(
    _ source: MigrationSource, earlier: [[String: Data]] = [], _ place: String
  ) throws(StoreError) -> [PostgresCommand] {
    let match = ModelMatch(
      model: transition.destination, configurationName: configuration.configurationName,
      path: place)
    let migration = source.migration
    let removed = migration.removedEntities.map { migration.source.numbers.number(of: $0.index) }
    let last = Dictionary(source.rows.map { ($0.number, $0.last) }) { first, _ in first }
    let roots = migration.sourceRoots
    var commands = [
      PostgresCommand(
        "UPDATE \(dialect.table("Z_PRIMARYKEY")) SET z_name = NULL WHERE z_ent = ANY($1)",
        [.keys(removed)], isKept: false)
    ]
    let members = match.members
    for entity in transition.destination.entities where members.contains(entity.index) {
      let root = roots[entity.index].map { migration.source.numbers.number(of: $0) }
      let row = NumberRow(
        of: entity, migration.destination.numbers, last: root.flatMap { last[$0] } ?? 0)
      commands.append(row.writing(dialect))
    }
    commands.append(
      try MetadataRow.replacement(
        source.metadata, for: match, earlier: earlier, dialect, place))
    return commands
  }

  // MARK: By copy

  /// The schema for the old tables, which exists only in the transaction.
  private static let oldSchema = "ocd_migrated"

  /// Moves the old tables to ``oldSchema``.
  private func setAside(
    _ source: MigrationSource, on connection: PostgresConnection
  ) throws(StoreError) {
    let texts = source.tables.map {
      "ALTER TABLE \(dialect.table($0)) SET SCHEMA \(Self.oldSchema)"
    }
    try connection.run(
      (["CREATE SCHEMA \(Self.oldSchema)"] + texts).map { PostgresCommand($0, isKept: false) })
  }

  /// Drops the tables in ``oldSchema``. Fails if a view or a table of another program depends on a
  /// table, because the migration must not drop the objects of other programs.
  private func dropOldTables(
    _ source: MigrationSource, on connection: PostgresConnection
  ) throws(StoreError) {
    let old = PostgresDialect(schema: Self.oldSchema)
    let texts = source.tables.map { "DROP TABLE \(old.table($0))" }
    try connection.run(
      (texts + ["DROP SCHEMA \(Self.oldSchema)"]).map { PostgresCommand($0, isKept: false) })
  }

  private func copySteps(_ source: MigrationSource) -> [MigrationStep] {
    source.migration.wholeCopySteps(from: Self.oldSchema)
  }
}
