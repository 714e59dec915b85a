import OpenSQLCore
import OpenStoreContract

/// The views and triggers of other programs, which a migration to a new file creates again.
///
/// A view or a trigger is omitted if the tables of the new model do not have what it uses. Such a
/// trigger would make every write to its table fail.
struct ForeignObjects {
  private let views: [SchemaObject]
  private let triggers: [SchemaObject]
  private let connection: Connection
  private let dialect = SQLiteDialect()

  /// - Parameters:
  ///   - objects: The objects of the old file.
  ///   - connection: The connection to the new file, whose tables are complete.
  init(_ objects: [SchemaObject], on connection: Connection) {
    views = objects.filter { $0.kind == "view" }
    triggers = objects.filter { object in
      object.kind == "trigger"
        && !["Z_DA_", "Z_RT_", SQLTextIndex.prefix].contains { object.name.hasPrefix($0) }
    }
    self.connection = connection
  }

  func create() throws(StoreError) {
    // SQLite looks for a missing table in the old file.
    var tables = try FileTables.read(on: connection)
    for view in views {
      guard let sql = view.sql, compiles(sql) else { continue }
      try connection.run(sql)
      if compiles("SELECT * FROM " + dialect.quoted(view.name)) {
        tables[view.name] = []
      } else {
        try connection.run("DROP VIEW " + dialect.quoted(view.name))
      }
    }
    for trigger in triggers {
      guard let sql = trigger.sql, let columns = tables[trigger.table], compiles(sql) else {
        continue
      }
      let writes = writes(to: trigger.table, columns).filter { compiles($0) }
      try connection.run(sql)
      if !writes.allSatisfy({ compiles($0) }) {
        try connection.run("DROP TRIGGER " + dialect.quoted(trigger.name))
      }
    }
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

  /// Returns whether SQLite can compile a statement. The statement is not run.
  private func compiles(_ sql: String) -> Bool {
    do throws(StoreError) {
      _ = try connection.prepare(sql)
      return true
    } catch { return false }
  }
}
