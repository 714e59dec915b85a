/// A statement that changes or removes parts of a schema.
package enum SQLAlteration: Sendable, Hashable {
  /// Adds a column to a table.
  case addColumn(SQLCreateTable.Column, table: String)
  /// Sets the value that a column receives in rows that are inserted without a value for the
  /// column.
  case setDefault(String, SQLExpression, table: String)
  /// Changes the name of a column.
  case renameColumn(String, to: String, table: String)
  /// Removes a column and its values.
  case dropColumn(String, table: String)
  /// Changes the name of a table.
  case renameTable(String, to: String)
  /// Removes a table and its rows.
  case dropTable(String)
  /// Removes an index.
  case dropIndex(String)
  /// Removes a trigger.
  case dropTrigger(String)
}
