/// A statement that changes or removes parts of a schema.
package enum SQLAlteration: Sendable, Hashable {
  case addColumn(SQLCreateTable.Column, table: String)
  /// Sets the value that a column receives in rows that are inserted without a value for the
  /// column.
  case setDefault(String, SQLExpression, table: String)
  case renameColumn(String, to: String, table: String)
  case dropColumn(String, table: String)
  case renameTable(String, to: String)
  case dropTable(String)
  case dropIndex(String)
  case dropTrigger(String)
}
