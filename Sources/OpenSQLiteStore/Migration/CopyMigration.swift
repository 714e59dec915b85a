import COpenSQLite
import Foundation
import OpenSQLCore
import OpenStoreContract

/// Writes the rows of a store, converted to another model, to a new file under a temporary name.
///
/// Memory use is bounded: rows are copied in portions by key, and SQLite writes full pages to disk.
/// The new file has no journal. An incomplete file is deleted by this process or by the next
/// process that opens the store.
final class CopyMigration {
  /// The schema name of the old file in statements.
  private static let schema = "source"
  /// The number of rows in a portion.
  private static let portion: Int64 = 20_000

  /// The path of the new file.
  let path: String
  /// The connection to the new file, which also reads the old file.
  let connection: Connection
  let source: MigrationSource
  private let run: SchemaMigrationRun
  private let monitor: MigrationMonitor
  private let configurationName: String?

  /// - Parameters:
  ///   - name: The path or URI with which SQLite opens the old file.
  ///   - old: The files of the old store.
  ///   - path: The path of the new file, which must not exist.
  init(
    _ source: MigrationSource, readingFrom name: String, of old: StoreFiles, to path: String,
    _ configuration: StoreConfiguration, _ monitor: MigrationMonitor
  ) throws(StoreError) {
    self.path = path
    self.source = source
    self.monitor = monitor
    configurationName = configuration.configurationName
    connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
      configuration: configuration)
    run = SchemaMigrationRun(source.migration, on: connection, ExternalFiles(old), monitor)
    do throws(StoreError) {
      try connection.run("ATTACH ? AS \(Self.schema)", [.text(name)])
      let pageSize = try sourcePageSize()
      for pragma in ["page_size = \(pageSize)"] + Self.pragmas {
        try connection.forEachRow("PRAGMA main." + pragma) { _ in }
      }
    } catch {
      discard()
      throw error
    }
  }

  /// The settings of the new file, without protection of an incomplete file.
  private static let pragmas = ["auto_vacuum = 2", "journal_mode = OFF", "synchronous = OFF"]

  /// Returns the page size of the old file, which the new file keeps.
  private func sourcePageSize() throws(StoreError) -> Int64 {
    try connection.integer("PRAGMA \(Self.schema).page_size") ?? 4096
  }

  /// Keeps the old file locked until the connection is closed.
  func lockSource() throws(StoreError) {
    try connection.forEachRow("PRAGMA \(Self.schema).locking_mode = EXCLUSIVE") { _ in }
    try connection.run("BEGIN EXCLUSIVE")
  }

  /// Begins to read one state of the old file, which other processes may continue to change.
  func readSource() throws(StoreError) { try connection.run("BEGIN") }

  /// Fills the new file and synchronizes it to disk.
  func fill() throws(StoreError) {
    defer { monitor.leave(connection) }
    let hasHistory = source.tables["ACHANGE"] != nil
    let migration = source.migration
    do throws(StoreError) {
      try run.run(migration.creationSteps(hasHistory: hasHistory), from: 0, to: 0)
      try copyRows(to: 0.6)
      if hasHistory { try copyHistory() }
      try run.run(
        migration.completionSteps(from: Self.schema, source.objects), from: 0.65, to: 0.95)
      try copyForeignTables()
      try writeRecords()
      try ForeignObjects(source.objects, on: connection).create()
      try monitor.report(0.98)
      try connection.run("COMMIT")
    } catch {
      throw monitor.isCancelled ? MigrationMonitor.cancelled : error
    }
    try FileSync.sync(path)
  }

  private func writeRecords() throws(StoreError) {
    let records = MigrationRecords(run: run, configurationName: configurationName)
    try records.writeNumbers(over: source.numbers, isNew: true)
    try records.writeMetadata(over: (source.identifier, source.metadata), isNew: true)
    try records.writeModel(hasTable: true)
  }

  // MARK: Rows

  private func copyRows(to end: Double) throws(StoreError) {
    let copies = source.migration.copies(from: Self.schema)
    var greatest: [Int64] = []
    for copy in copies { greatest.append(try lastKey(of: copy.source) ?? 0) }
    // Keys say how far it is, without counting rows.
    let total = greatest.reduce(0.0) { $0 + Double(max(0, $1)) }
    var done = 0.0
    for (copy, last) in zip(copies, greatest) {
      var key = Int64.min
      while let next = try portionEnd(of: copy.source, after: key) {
        try run.run(copy.statement, [.integer(key), .integer(next)])
        key = next
        let part = done + Double(max(0, next))
        try monitor.report(total > 0 ? end * part / total : end)
      }
      done += Double(max(0, last))
    }
  }

  private func rendered(_ select: SQLSelect) -> String {
    SQLRenderer.render(.select(select), for: SQLiteDialect()).text
  }

  private func lastKey(of table: String) throws(StoreError) -> Int64? {
    try connection.integer(
      rendered(
        SQLSelect(
          [.function("max", [.column(table: nil, "Z_PK")])],
          from: .attached(table, schema: Self.schema, alias: nil))))
  }

  /// Returns the last key of the portion after a key, or nil if there are no more rows.
  private func portionEnd(of table: String, after key: Int64) throws(StoreError) -> Int64? {
    let column = SQLExpression.column(table: nil, "Z_PK")
    var select = SQLSelect([column], from: .attached(table, schema: Self.schema, alias: nil))
    select.condition = .binary(.greater, column, .parameter(.caller))
    select.order = [.init(expression: column, isAscending: true)]
    select.limit = .integer(1)
    select.offset = .integer(Self.portion - 1)
    if let end = try connection.integer(rendered(select), [.integer(key)]) { return end }
    guard let last = try lastKeyIfAny(of: table), last > key else { return nil }
    return last
  }

  private func lastKeyIfAny(of table: String) throws(StoreError) -> Int64? {
    let column = SQLExpression.column(table: nil, "Z_PK")
    var select = SQLSelect([column], from: .attached(table, schema: Self.schema, alias: nil))
    select.order = [.init(expression: column, isAscending: false)]
    select.limit = .integer(1)
    return try connection.integer(rendered(select))
  }

  // MARK: Other tables

  private func copyHistory() throws(StoreError) {
    let migration = HistoryMigration(source.migration)
    var changeColumns: [String] = []
    for (table, columns) in source.migration.destination.historyColumns {
      let present = Set(source.tables[table] ?? [])
      var names = columns.map(\.0)
      if table == "ACHANGE" {
        // Values that move to other columns are copied, too.
        let surplus = migration.surplusColumns.filter { present.contains($0) }
        for name in surplus {
          try run.run(.alter(.addColumn(.init(name, "BLOB"), table: table)), [])
        }
        names += surplus
        changeColumns = names
      }
      try copy(table, names.filter { present.contains($0) })
    }
    try run.run(migration.steps(changeColumns), from: 0.6, to: 0.65)
  }

  /// Copies the tables of other programs, for example of a synchronization service, with their
  /// indexes.
  private func copyForeignTables() throws(StoreError) {
    for table in source.foreignTables {
      guard let sql = table.sql, let columns = source.tables[table.name] else { continue }
      try connection.run(sql)
      try copy(table.name, columns)
      for index in source.objects where index.kind == "index" && index.table == table.name {
        if let sql = index.sql { try connection.run(sql) }
      }
    }
  }

  private func copy(_ table: String, _ columns: [String]) throws(StoreError) {
    guard !columns.isEmpty else { return }
    let select = SQLSelect(
      columns.map { .column(table: nil, $0) },
      from: .attached(table, schema: Self.schema, alias: nil))
    try run.run(.insert(SQLInsert(into: table, columns: columns, select)), [])
  }

  /// Closes the connection and deletes the new file.
  func discard() {
    connection.close()
    for suffix in [""] + StoreFiles.suffixes {
      try? StoreFiles.remove(path + suffix)  // most are missing
    }
  }
}
