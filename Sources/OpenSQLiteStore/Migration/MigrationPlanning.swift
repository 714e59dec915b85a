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
    plan.losses = try losses()
    guard migration.copyReasons.isEmpty else { return try copying(plan) }
    let history = source.tables["ACHANGE"].map { HistoryMigration(migration).steps($0) } ?? []
    let steps = migration.inPlaceSteps(source.objects) + history
    plan.statements = steps.map { $0.text(for: dialect) }
    plan.way = steps.isEmpty && source.isCurrent(configurationName) ? .none : .inPlace
    for table in steps.compactMap(\.table) { plan.rewrittenRows += try rowCount(writing: table) }
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
    for table in copies.map(\.source) + completion.compactMap(\.table) {
      plan.rewrittenRows += try rowCount(writing: table)
    }
    plan.bytesNeeded = try fileSize()
    return plan
  }

  /// Returns the number of rows in the old table that becomes the table with a name.
  private func rowCount(writing table: String) throws(StoreError) -> Int {
    guard let old = migration.sourceTable(of: table), source.tables[old] != nil else { return 0 }
    return try connection.count(SQLSelect([.countAll], from: .table(old, alias: nil)))
  }

  private func fileSize() throws(StoreError) -> Int64 {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    return pages * (try connection.integer("PRAGMA page_size") ?? 0)
  }

  private func losses() throws(StoreError) -> [StoreMigrationPlan.Loss] {
    var losses: [StoreMigrationPlan.Loss] = []
    for loss in migration.losses {
      let rows = try connection.count(loss.rows)
      guard loss.isCertain || rows > 0 else { continue }
      losses.append(
        .init(entityName: loss.entityName, propertyName: loss.propertyName, rowCount: rows))
    }
    return losses
  }
}

extension Connection {
  /// Returns the result of a statement that counts rows.
  func count(_ select: SQLSelect) throws(StoreError) -> Int {
    Int(try integer(SQLRenderer.render(.select(select), for: SQLiteDialect()).text) ?? 0)
  }
}
