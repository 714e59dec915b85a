/// A statement that changes or removes what a schema has.
package enum SQLAlteration: Sendable, Hashable {
  case addColumn(SQLCreateTable.Column, table: String)
  case renameColumn(String, to: String, table: String)
  case dropColumn(String, table: String)
  case renameTable(String, to: String)
  case dropTable(String)
  case dropIndex(String)
  case dropTrigger(String)
}
