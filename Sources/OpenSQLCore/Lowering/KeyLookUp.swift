/// A statement that looks the keys of a bound list up in a table.
package enum KeyLookUp: Sendable, Hashable {
  /// The keys of the list that no row of a table has.
  case absentKeys(table: String)
  /// Rows with one of the keys in a column: the key, the row's own key, its entity number.
  case referringRows(table: String, column: String)
}

extension FetchLowering {
  /// The text of a look-up; its caller binds the list.
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
    }
    return SQLRenderer.render(.select(select), for: dialect).text
  }
}
