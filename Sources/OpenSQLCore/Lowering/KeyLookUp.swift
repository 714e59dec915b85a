/// A statement that finds the keys of a bound list in a table.
package enum KeyLookUp: Sendable, Hashable {
  /// The keys of the list for which the table has no row.
  case absentKeys(table: String)
  /// The rows with one of the keys in a column. The result has the key from the list, the key of
  /// the row, and the entity number of the row.
  case referringRows(table: String, column: String)
  /// The rows of the destination table that the column `to` refers to, for the rows of the table
  /// with one of the keys in the column `from`. The result has the key from the list, the key of
  /// the destination, and the entity number of the destination.
  case destinationRows(table: String, from: String, to: String, destination: String)
}

extension FetchLowering {
  /// Returns the text of the statement. The caller binds the list.
  package func text(of lookUp: KeyLookUp) -> String {
    let key = SQLExpression.column(table: "list", "value")
    let list = SQLSelect.Source.function(
      dialect.listTable, [.parameter(.caller)], alias: "list")
    var select: SQLSelect
    switch lookUp {
    case .absentKeys(let table):
      let found = SQLExpression.column(table: "t0", "Z_PK")
      select = SQLSelect([key], from: list)
      select.joins = [
        SQLSelect.Join(
          kind: .leftOuter, source: .table(table, alias: "t0"),
          condition: .binary(.equal, found, key))
      ]
      select.condition = .isNull(found)
    case .referringRows(let table, let column):
      select = SQLSelect(
        [key, .column(table: "t0", "Z_PK"), .column(table: "t0", "Z_ENT")], from: list)
      select.joins = [
        SQLSelect.Join(
          kind: .inOrder, source: .table(table, alias: "t0"),
          condition: .binary(.equal, .column(table: "t0", column), key))
      ]
    case .destinationRows(let table, let source, let column, let destination):
      select = SQLSelect(
        [key, .column(table: "t1", "Z_PK"), .column(table: "t1", "Z_ENT")], from: list)
      select.joins = [
        SQLSelect.Join(
          kind: .inOrder, source: .table(table, alias: "t0"),
          condition: .binary(.equal, .column(table: "t0", source), key)),
        SQLSelect.Join(
          kind: .inOrder, source: .table(destination, alias: "t1"),
          condition: .binary(
            .equal, .column(table: "t1", "Z_PK"), .column(table: "t0", column))),
      ]
    }
    return SQLRenderer.render(.select(select), for: dialect).text
  }
}
