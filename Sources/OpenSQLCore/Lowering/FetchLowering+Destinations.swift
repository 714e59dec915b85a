package import OpenObjectModel
import OpenStoreContract

extension FetchLowering {
  /// Returns the statement for the destinations of a to-many relationship. The caller binds the
  /// keys of the sources.
  ///
  /// The columns of the result are the source's key, the destination's key, and the destination's
  /// entity number if the destinations may be of several entities.
  package func destinations(
    of storage: ToManyStorage, destination: CompiledEntity, sources: KeyForm
  ) -> RenderedSQL {
    let hasSeveralEntities = destination.subtree.count > 1
    var select: SQLSelect
    let source: SQLExpression
    let orderColumn: String?
    switch storage {
    case .foreignKey(let key):
      source = .column(table: "t0", key.column)
      orderColumn = key.orderColumn
      select = SQLSelect(
        [source, .column(table: "t0", "Z_PK")], from: .table(key.table, alias: "t0"))
      if hasSeveralEntities { select.columns.append(.column(table: "t0", "Z_ENT")) }
    case .join(let side):
      source = .column(table: "t0", side.source)
      orderColumn = side.orderColumn
      let destinationKey = SQLExpression.column(table: "t0", side.destination)
      select = SQLSelect([source, destinationKey], from: .table(side.table, alias: "t0"))
      if hasSeveralEntities {
        select.columns.append(.column(table: "t1", "Z_ENT"))
        select.joins = [join(destination, to: destinationKey)]
      }
    }
    select.condition = Self.isOne(of: sources, source)
    if let orderColumn {
      select.order = [
        SQLSelect.Order(expression: .column(table: "t0", orderColumn), isAscending: true)
      ]
    }
    return SQLRenderer.render(.select(select), for: dialect)
  }

  /// Returns the statement for the keys of a source's members and their positions; nil for an
  /// unordered relationship. The caller binds the key of the source.
  package func places(in storage: ToManyStorage) -> String? {
    let select: SQLSelect
    let source: String
    switch storage {
    case .foreignKey(let key):
      guard let column = key.orderColumn else { return nil }
      source = key.column
      select = SQLSelect(
        [.column(table: "t0", "Z_PK"), .column(table: "t0", column)],
        from: .table(key.table, alias: "t0"))
    case .join(let side):
      guard let column = side.orderColumn else { return nil }
      source = side.source
      select = SQLSelect(
        [.column(table: "t0", side.destination), .column(table: "t0", column)],
        from: .table(side.table, alias: "t0"))
    }
    var owned = select
    owned.condition = Self.isOne(of: .members(1), .column(table: "t0", source))
    return SQLRenderer.render(.select(owned), for: dialect).text
  }

  private func join(_ entity: CompiledEntity, to key: SQLExpression) -> SQLSelect.Join {
    SQLSelect.Join(
      kind: .inner, source: .table(schema.entities[entity.index].table, alias: "t1"),
      condition: .binary(.equal, .column(table: "t1", "Z_PK"), key))
  }
}
