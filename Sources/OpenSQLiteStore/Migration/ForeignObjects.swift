import OpenSQLCore
import OpenStoreContract

/// The views and triggers of other programs, which a migration keeps.
///
/// A migration omits a view or a trigger that uses a table or column that the migrated store does
/// not contain. Such a trigger would make every write to its table fail.
struct ForeignObjects {
  private let views: [SchemaObject]
  private let triggers: [SchemaObject]
  private let connection: Connection
  private let dialect = SQLiteDialect()

  /// - Parameters:
  ///   - objects: The objects of the old file; for a migration in place, those of the file.
  ///   - connection: The connection to the migrated file, whose tables are complete.
  init(_ objects: [SchemaObject], on connection: Connection) {
    views = objects.filter { $0.kind == "view" }
    triggers = objects.filter { object in
      object.kind == "trigger"
        && !["Z_DA_", "Z_RT_", SQLTextIndex.prefix].contains { object.name.hasPrefix($0) }
    }
    self.connection = connection
  }

  /// Whether other programs created neither views nor triggers.
  var isEmpty: Bool { views.isEmpty && triggers.isEmpty }

  /// Drops the views and triggers of a file that use missing tables or columns.
  ///
  /// - Returns: The dropped views and triggers.
  func dropUnfit() throws(StoreError) -> [SchemaObject] {
    let tables = try FileTables.read(on: connection)
    let areFit =
      views.allSatisfy { hasAllNames("SELECT * FROM " + dialect.quoted($0.name)) }
      && triggers.allSatisfy { trigger in
        writes(to: trigger.table, tables[trigger.table] ?? []).allSatisfy { hasAllNames($0) }
      }
    if areFit { return [] }
    // SQLite does not report which trigger of a table is invalid, so `create` finds it.
    for trigger in triggers { try connection.run("DROP TRIGGER " + dialect.quoted(trigger.name)) }
    for view in views { try connection.run("DROP VIEW " + dialect.quoted(view.name)) }
    try create()
    let kept = Set(try MigrationSource.objects(on: connection).map(\.name))
    return (views + triggers).filter { !kept.contains($0.name) }
  }

  /// Creates the views and triggers in a file that does not contain them.
  func create() throws(StoreError) {
    // SQLite looks for a missing table in the old file, which is attached.
    var tables: [String: [String]] = [:]
    for (name, columns) in try FileTables.read(on: connection) {
      tables[name.lowercased()] = columns
    }
    for view in try createdViews() { tables[view.name.lowercased()] = [] }
    for trigger in triggers {
      guard let sql = trigger.sql, let columns = tables[trigger.table.lowercased()],
        hasAllNames(sql)
      else { continue }
      let writes = writes(to: trigger.table, columns).filter { hasAllNames($0) }
      try connection.run(sql)
      if !writes.allSatisfy({ hasAllNames($0) }) {
        try connection.run("DROP TRIGGER " + dialect.quoted(trigger.name))
      }
    }
  }

  /// Creates the views, and returns the views whose tables and columns exist.
  private func createdViews() throws(StoreError) -> [SchemaObject] {
    var created: [SchemaObject] = []
    for view in views {
      guard let sql = view.sql else { continue }
      try connection.run(sql)
      created.append(view)
    }
    // A dropped view can make another view invalid, so the search repeats.
    while let index = created.firstIndex(where: {
      !hasAllNames("SELECT * FROM " + dialect.quoted($0.name))
    }) {
      try connection.run("DROP VIEW " + dialect.quoted(created.remove(at: index).name))
    }
    return created
  }

  /// Returns statements that together run all triggers of a table.
  private func writes(to table: String, _ columns: [String]) -> [String] {
    let name = dialect.quoted(table)
    let values = columns.map { dialect.quoted($0) }.map { "\($0) = \($0)" }
    return [
      "INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name)",
      "UPDATE \(name) SET " + values.joined(separator: ", "),
    ]
  }

  /// Returns whether the tables and columns that a statement uses exist, without running the
  /// statement.
  ///
  /// Functions may be missing, because another program may define them.
  private func hasAllNames(_ sql: String) -> Bool {
    do throws(StoreError) {
      _ = try connection.prepare(sql)
      return true
    } catch { return error.message.contains("no such function") }
  }
}
