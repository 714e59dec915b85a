/// A statement that finds the keys of a bound list in a table.
package enum KeyLookUp: Sendable, Hashable {
  /// The keys of the list for which the table has no row.
  case absentKeys(table: String)
  /// The rows with one of the keys in a column. The result has the key from the list, the key of
  /// the row, and the entity number of the row.
  case referringRows(table: String, column: String)
  /// For the rows of `table` with one of the keys in the column `from`, the rows of `destination`
  /// to which the column `to` refers. The result has the key from the list, the key of the
  /// destination, and the entity number of the destination.
  case destinationRows(table: String, from: String, to: String, destination: String)
}

extension FetchLowering {
  /// Returns the text of the statement. The caller binds the list.
  package func text(of lookUp: KeyLookUp) -> String {
    SQLRenderer.render(.select(select(for: lookUp)), for: dialect).text
  }

  /// Returns the text of a statement that fails if the look-up finds any row. The caller binds the
  /// list.
  package func text(excluding lookUp: KeyLookUp) -> String {
    let check = SQLSelect(
      [.requirement(.binary(.equal, .countAll, .integer(0)))],
      from: .select(select(for: lookUp), alias: dialect.resultAlias))
    return SQLRenderer.render(.select(check), for: dialect).text
  }

  private func select(for lookUp: KeyLookUp) -> SQLSelect {
    let key = SQLExpression.column(table: "list", "value")
    let list = SQLSelect.Source.function(
      dialect.listTable, [.parameter(.caller)], alias: "list")
    var select: SQLSelect
    switch lookUp {
    case .absentKeys(let table):
      select = SQLSelect([key], from: list)
      select.joins = [.init(.leftOuter, table, as: "t0", having: "Z_PK", key)]
      select.condition = .isNull(.column(table: "t0", "Z_PK"))
    case .referringRows(let table, let column):
      select = SQLSelect(
        [key, .column(table: "t0", "Z_PK"), .column(table: "t0", "Z_ENT")], from: list)
      select.joins = [.init(.inOrder, table, as: "t0", having: column, key)]
    case .destinationRows(let table, let source, let column, let destination):
      select = SQLSelect(
        [key, .column(table: "t1", "Z_PK"), .column(table: "t1", "Z_ENT")], from: list)
      select.joins = [
        .init(.inOrder, table, as: "t0", having: source, key),
        .init(.inOrder, destination, as: "t1", having: "Z_PK", .column(table: "t0", column)),
      ]
    }
    return select
  }
}
