import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Plans a migration from the current contents of a file.
struct MigrationPlanning {
  let source: MigrationSource
  let configurationName: String?
  let connection: Connection
  private let dialect = SQLiteDialect()
  private var migration: SchemaMigration { source.migration }

  init(source: MigrationSource, configurationName: String?, connection: Connection) {
    self.source = source
    self.configurationName = configurationName
    self.connection = connection
  }

  func plan() throws(StoreError) -> StoreMigrationPlan {
    var plan = StoreMigrationPlan(way: .copy, reasons: migration.copyReasons)
    plan.losses = try migration.countedLosses(in: connection)
    guard migration.copyReasons.isEmpty else { return try copying(plan) }
    let isDone = migration.transition.isDone(in: source.metadata, configurationName)
    let history = source.tables["ACHANGE"].map { HistoryMigration(migration).steps($0) } ?? []
    let steps = migration.inPlaceSteps(source.objects) + history
    plan.statements = steps.map { $0.text(for: dialect) }
    plan.way = steps.isEmpty && isDone ? .none : .inPlace
    plan.rewrittenRows = try migration.rowCount(
      writing: steps.compactMap(\.table), in: connection)
    // Old pages go to a journal beside the file before they are changed.
    plan.bytesNeeded =
      plan.rewrittenRows == 0 ? min(Self.smallJournal, try fileSize()) : try fileSize()
    return plan
  }

  private static let smallJournal: Int64 = 1 << 20

  private func copying(_ plan: StoreMigrationPlan) throws(StoreError) -> StoreMigrationPlan {
    var plan = plan
    let schema = "source"
    let hasHistory = source.tables["ACHANGE"] != nil
    let copies = migration.copies(from: schema)
    let completion = migration.completionSteps(from: schema, source.objects)
    plan.statements =
      migration.creationSteps(hasHistory: hasHistory).map { $0.text(for: dialect) }
      + copies.map { SQLRenderer.render($0.statement, for: dialect).text }
      + completion.map { $0.text(for: dialect) }
    plan.rewrittenRows = try migration.rowCount(
      writing: copies.map(\.source) + completion.compactMap(\.table), in: connection)
    plan.bytesNeeded = try fileSize()
    return plan
  }

  private func fileSize() throws(StoreError) -> Int64 {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    return pages * (try connection.integer("PRAGMA page_size") ?? 0)
  }
}
