import OpenSQLCore
import OpenStoreContract

/// The views and triggers of other programs, which a migration to a new file creates again.
///
/// A migration omits a view or a trigger that uses a table or column that the new file does not
/// contain. Such a trigger would make every write to its table fail.
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
