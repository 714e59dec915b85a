import OpenObjectModel
package import OpenStoreContract

extension FetchLowering {
  /// The mechanism that reports the rows changed by a batch update.
  package enum UpdateReport: Sendable {
    /// The statement returns the key and the entity number of each row.
    case statement
    /// SQLite notifies the connection of each written row.
    case connection
  }

  /// Returns the statement for a batch update.
  ///
  /// - Parameters:
  ///   - update: The batch update.
  ///   - lists: The form of each list that the filter refers to, by its index in the bindings.
  ///   - report: The mechanism that reports the changed rows.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if the filter or a new value cannot
  ///   be translated.
  package func update(
    _ update: BatchUpdate, lists: [Int: ListForm], report: UpdateReport = .statement
  ) throws(StoreError) -> RenderedSQL {
    let shape = update.plan.shape
    let map = schema.entities[shape.entity.index]
    let lowering = FilterLowering(dialect: dialect, lists: lists, textIndexes: textIndexes)
    let aliases = AliasCounter()
    let (row, condition) = try selection(of: shape, lowering, aliases)
    var values: [(column: String, value: SQLExpression)] = []
    for assignment in update.assignments {
      guard map.columns.indices.contains(assignment.slot) else { continue }
      let column = map.columns[assignment.slot]
      values.append((column.name, try value(assignment.operand, for: column, lowering, in: row)))
    }
    let version = SQLExpression.function(
      dialect.firstPresentFunction, [.column(table: row.alias, "Z_OPT"), .integer(0)])
    values.append(("Z_OPT", .binary(.plus, version, .integer(1))))
    var statement = SQLUpdate(map.table, set: values, where: condition)
    statement.alias = row.alias
    if report == .statement { statement.returning = ["Z_PK", "Z_ENT"] }
    return SQLRenderer.render(.update(statement), for: dialect)
  }

  /// Returns the statement for a batch deletion that does not change other rows.
  ///
  /// The statement always has a condition, because SQLite does not report rows that are deleted
  /// without a condition.
  ///
  /// - Parameters:
  ///   - shape: The shape of the fetch that selects the rows.
  ///   - lists: The form of each list that the filter refers to, by its index in the bindings.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if the filter cannot be translated.
  package func deletion(
    of shape: FetchShape, lists: [Int: ListForm]
  ) throws(StoreError) -> RenderedSQL {
    let lowering = FilterLowering(dialect: dialect, lists: lists, textIndexes: textIndexes)
    let (row, condition) = try selection(of: shape, lowering, AliasCounter())
    var statement = SQLDelete(
      from: schema.entities[shape.entity.index].table, where: condition ?? .truth(true))
    statement.alias = row.alias
    return SQLRenderer.render(.delete(statement), for: dialect)
  }

  /// Returns whether the statement for a batch update selects its rows with a subselect.
  ///
  /// - Parameters:
  ///   - shape: The shape of the fetch that selects the rows.
  ///   - lists: The form of each list that the filter refers to, by its index in the bindings.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if the filter cannot be translated.
  package func selectsRowsInSubselect(
    _ shape: FetchShape, lists: [Int: ListForm]
  ) throws(StoreError) -> Bool {
    guard let filter = shape.filter else { return false }
    let scope = SelectScope(
      entityIndex: shape.entity.index, schema: schema, aliases: AliasCounter())
    let lowering = FilterLowering(dialect: dialect, lists: lists, textIndexes: textIndexes)
    _ = try lowering.lower(filter, in: scope)
    return !scope.joins.isEmpty
  }

  /// Returns the row to change and the condition. The condition is a subselect if the filter
  /// involves other tables.
  private func selection(
    of shape: FetchShape, _ lowering: FilterLowering, _ aliases: AliasCounter
  ) throws(StoreError) -> (SelectScope, SQLExpression?) {
    let scope = SelectScope(entityIndex: shape.entity.index, schema: schema, aliases: aliases)
    let filter = try shape.filter.map { (filter) throws(StoreError) in
      try lowering.lower(filter, in: scope)
    }
    let condition = conjunction([restriction(to: shape.entityIndexes, from: scope.alias), filter])
    guard !scope.joins.isEmpty else { return (scope, condition) }
    var select = SQLSelect([.column(table: scope.alias, "Z_PK")], from: scope.source)
    select.joins = scope.joins
    select.condition = condition
    let row = SelectScope(entityIndex: shape.entity.index, schema: schema, aliases: aliases)
    return (row, .isInResult(.column(table: row.alias, "Z_PK"), select))
  }

  /// Returns a new value; a subselect for a value across relationships.
  private func value(
    _ operand: Operand, for column: SlotColumn, _ lowering: FilterLowering, in row: SelectScope
  ) throws(StoreError) -> SQLExpression {
    if case .binding = operand { return try lowering.lower(operand, column.target, in: row) }
    if column.isTagged || readsTaggedData(operand) {
      throw StoreError(
        .unsupportedPredicate,
        "An expression of a batch update cannot set or read an attribute with external storage. Use a constant, or set "
          + "the attribute of the objects.",
        entityName: schema.entities[row.entityIndex].entity.name)
    }
    let probe = SelectScope(entityIndex: row.entityIndex, schema: schema, aliases: row.aliases)
    var value = try lowering.lower(operand, .untyped, in: probe)
    if probe.joins.isEmpty {
      value = try lowering.lower(operand, .untyped, in: row)
    } else {
      var select = SQLSelect([value], from: probe.source)
      select.joins = probe.joins
      select.condition = .binary(
        .equal, .column(table: probe.alias, "Z_PK"), .column(table: row.alias, "Z_PK"))
      value = .scalar(select)
    }
    return column.kind == .integer ? .whole(value) : value
  }

  /// Returns whether an operand can have the data of a column with a tag.
  ///
  /// The data may name an external file, which belongs to only one row.
  private func readsTaggedData(_ operand: Operand) -> Bool {
    switch operand {
    case .property(let path):
      guard case .property(let ordinal) = path.end else { return false }
      let reached = path.reachedEntity(in: schema.model)
      return schema.entities[reached.index].column(ordinal)?.isTagged == true
    case .aggregate(_, _, let element, _), .total(_, let element, _):
      return readsTaggedData(element)
    case .function(_, let operands): return operands.contains(where: readsTaggedData)
    case .conditional(_, let first, let second):
      return readsTaggedData(first) || readsTaggedData(second)
    case .binding, .entityNumber, .count, .rowCount, .column: return false
    }
  }
}
