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
  private let place: PostgresPlace
  private let transition: ModelTransition
  private let progress: MigrationProgress?
  private var configuration: StoreConfiguration { place.configuration }
  private var dialect: PostgresDialect { place.dialect }

  init(
    _ configuration: StoreConfiguration, _ transition: ModelTransition,
    _ progress: MigrationProgress? = nil
  ) throws(StoreError) {
    place = try PostgresPlace(configuration)
    self.transition = transition
    self.progress = progress
  }

  // MARK: Planning

  /// Returns the plan that ``run(_:)`` would execute, without changing the store.
  func plan() throws(StoreError) -> StoreMigrationPlan {
    let session = try place.connect()
    let source = try MigrationSource(transition, configuration, in: session)
    let migration = source.migration
    let isCopied = !migration.copyReasons.isEmpty
    let steps = isCopied ? copySteps(source) : migration.inPlaceSteps(source.objects)
    var plan = StoreMigrationPlan(
      way: isCopied ? .copy : .inPlace, reasons: migration.copyReasons,
      statements: steps.map { dialect.text(of: $0.statement) })
    if steps.isEmpty, try isDone(source.metadata, in: session) { plan.way = .none }
    plan.rewrittenRows = try migration.rowCount(
      writing: steps.compactMap(\.table), in: session)
    plan.losses = try migration.countedLosses(in: session)
    return plan
  }

  // MARK: Running

  private static let greatestAttemptCount = 6

  /// Migrates the store. Does nothing if another process has already migrated it.
  ///
  /// - Parameter way: The way in which the migration changes the store; nil to migrate in place if
  ///   possible.
  func run(_ way: StoreMigrationPlan.Way?) throws(StoreError) {
    let lock = try MigrationLock(place)
    for attempt in 1...Self.greatestAttemptCount {
      do throws(StoreError) {
        try lock.take()
        return try migrate(way, lock)
      } catch {
        lock.session.connection.rollBack()
        if !error.isTransient || attempt == Self.greatestAttemptCount { throw error }
      }
    }
  }

  private func migrate(
    _ way: StoreMigrationPlan.Way?, _ lock: MigrationLock
  ) throws(StoreError) {
    let connection = lock.session.connection
    let present = try MetadataRow.read(in: lock.session).metadata
    if try isDone(present, in: lock.session) { return connection.rollBack() }
    let source = try MigrationSource(transition, configuration, in: lock.session)
    if way == .expand { return try expand(source, lock) }
    let isCopied = way == .copy || !source.migration.copyReasons.isEmpty
    let steps = isCopied ? copySteps(source) : source.migration.inPlaceSteps(source.objects)
    try lock.excludeReads()
    if isCopied {
      try connection.run(
        [oldDialect.creation] + source.tables.map { dialect.move($0, to: oldDialect) })
    }
    for (index, step) in steps.enumerated() {
      try run(step, in: lock.session)
      try report(0.9 * Double(index + 1) / Double(steps.count))
    }
    if isCopied {
      // Fails if a view or a table of another program depends on a table.
      try connection.run(source.tables.map { oldDialect.drop([$0]) } + [oldDialect.removal])
    }
    let statements = RowStatements(source.migration.destination, dialect)
    try DerivationWriter(source.migration.newDerivedAttributes, statements, on: connection)?
      .computeAll()
    try HistoryRows(source.migration, statements).migrate(on: connection)
    let next = SQLExpression.binary(.plus, .named("Z_GENERATION"), .integer(1))
    try connection.run(
      try records(source, in: lock.session)
        + [dialect.command(OwnStatement.set("Z_GENERATION", next))])
    try report(1)
    try connection.run([.commit])
  }

  /// Adds what is new, and keeps the store usable for programs with the earlier version.
  private func expand(
    _ source: MigrationSource, _ lock: MigrationLock
  ) throws(StoreError) {
    let connection = lock.session.connection
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
      statements.map { dialect.command($0) }
        + records(
          source, earlier: NSManagedObjectModel.acceptedVersionHashes(in: source.metadata),
          in: lock.session))
    try report(1)
    try connection.run([.commit])
  }

  private func report(_ fraction: Double) throws(StoreError) {
    guard let progress, !progress(fraction) else { return }
    throw StoreError(
      .interrupted,
      "The migration was canceled. This step of the migration did not change the store.",
      path: place.settings.description)
  }

  /// Returns whether the store already has the tables and columns of the destination model.
  private func isDone(
    _ metadata: StoreMetadata, in session: PostgresSession
  ) throws(StoreError) -> Bool {
    let name = configuration.configurationName
    guard transition.isDone(in: metadata, name) else { return false }
    return try ModelMatch(model: transition.destination, configurationName: name, path: nil)
      .entityWithRenamedComposites { () throws(StoreError) in
        try MetadataRow.readableModel(in: session)
      } == nil
  }

  private func run(
    _ step: MigrationStep, in session: PostgresSession
  ) throws(StoreError) {
    let connection = session.connection
    let command = dialect.command(step.statement)
    guard let constraint = step.uniqueness else {
      try connection.run(command)
      return
    }
    try connection.run(PostgresDialect.savepoint)
    do throws(StoreError) { try connection.run(command) } catch {
      guard error.isUniqueViolation else { throw error }
      try connection.run(PostgresDialect.rollBackToSavepoint)
      throw try constraint.error(after: error, in: session, of: transition.destination)
    }
  }

  /// Returns the statements that write the records about the model: the numbers and last keys of
  /// entities, the version hashes, and the model itself.
  private func records(
    _ source: MigrationSource, earlier: [[String: Data]] = [], in session: PostgresSession
  ) throws(StoreError) -> [PostgresCommand] {
    let match = ModelMatch(
      model: transition.destination, configurationName: configuration.configurationName,
      path: session.path)
    let migration = source.migration
    let removed = migration.removedEntities.map { migration.source.numbers.number(of: $0.index) }
    let clearing = ArrayStatement.clear(["Z_NAME"], table: "Z_PRIMARYKEY", column: "Z_ENT")
    var commands = [dialect.command(clearing.tree, [.keys(removed)])]
    let members = match.members
    for (index, row) in migration.numberRows(after: source.rows).enumerated()
    where members.contains(index) { commands.append(dialect.command(writing: row)) }
    commands.append(
      try MetadataRow.replacement(source.metadata, for: match, earlier: earlier, in: session))
    return commands
  }

  // MARK: By copy

  /// The schema for the old tables, which exists only in the transaction.
  private let oldDialect = PostgresDialect(schema: "ocd_migrated")

  private func copySteps(_ source: MigrationSource) -> [MigrationStep] {
    source.migration.wholeCopySteps(from: oldDialect.schema)
  }
}
