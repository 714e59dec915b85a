import OpenObjectModel
package import OpenStoreContract

/// Translates fetch shapes to SQL statements.
package struct FetchLowering: Sendable {
  /// The kind of result that a statement returns.
  package enum Result: UInt64, Sendable {
    /// Complete rows, the keys of rows, or the number of rows. If the rows may be of several
    /// entities, a key is followed by the entity number.
    case rows, keys, count
    /// The values of the columns that the fetch shape selects, instead of complete rows.
    case values
  }

  let schema: SchemaMap
  let dialect: any SQLDialect
  /// The text indexes of the file, by the indexed table.
  package let textIndexes: [String: SQLTextIndex]
  /// A condition that is added to every statement for a fetch shape; nil if there is no such
  /// condition.
  let precondition: SQLExpression?

  /// Creates a lowering.
  ///
  /// - Parameters:
  ///   - schema: The tables and columns of the model.
  ///   - dialect: The dialect of the statements.
  ///   - textIndexes: The text indexes that the file contains.
  ///   - precondition: A condition that is added to every statement for a fetch shape; nil for no
  ///     additional condition.
  package init(
    schema: SchemaMap, dialect: any SQLDialect, textIndexes: [SQLTextIndex] = [],
    precondition: SQLExpression? = nil
  ) {
    self.schema = schema
    self.dialect = dialect
    self.precondition = precondition
    self.textIndexes = Dictionary(uniqueKeysWithValues: textIndexes.map { ($0.table, $0) })
  }

  /// Returns the statement for a fetch shape.
  ///
  /// - Parameters:
  ///   - shape: The shape of the fetch.
  ///   - result: The kind of result.
  ///   - lists: The form of each list that the filter refers to, by its index in the bindings.
  /// - Throws: `StoreError` with code `.unsupportedPredicate` if the filter, a sort term or a
  ///   column cannot be translated, or with code `.unsupported` if the shape is ranked and the
  ///   entity has no text index.
  package func statement(
    for shape: FetchShape, result: Result, lists: [Int: ListForm] = [:]
  ) throws(StoreError) -> RenderedSQL {
    var select = try select(shape, result: result, lists: lists)
    select.condition = conjunction([precondition, select.condition])
    return SQLRenderer.render(.select(select), for: dialect)
  }

  /// The form of the bound keys in a statement.
  package enum KeyForm: Sendable, Hashable {
    /// The given number of placeholders.
    case members(Int)
    /// One placeholder for a table.
    case table
    /// One placeholder for an array.
    case array
  }

  /// Returns the statement for the rows with given keys, which the caller binds.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the entities in the model.
  ///   - keys: The form of the keys.
  package func rows(of indexes: Range<Int>, keys: KeyForm) -> RenderedSQL {
    let scope = SelectScope(
      entityIndex: indexes.lowerBound, schema: schema, aliases: AliasCounter())
    var select = SQLSelect(
      schema.rowColumns(of: indexes).expressions(from: scope.alias), from: scope.source)
    let key = SQLExpression.column(table: scope.alias, "Z_PK")
    let restriction = restriction(to: indexes, from: scope.alias)
    switch keys {
    case .members, .array:
      select.condition = conjunction([Self.isOne(of: keys, key), restriction])
    case .table:
      select.condition = restriction
      look(up: .caller, as: key, in: &select)
    }
    return SQLRenderer.render(.select(select), for: dialect)
  }

  /// Restricts a SELECT to the rows whose column contains an element of a list.
  private func look(
    up list: SQLParameter, as column: SQLExpression, in select: inout SQLSelect
  ) {
    let rows = SQLSelect.Join(
      kind: .inOrder, source: select.source,
      condition: .binary(.equal, column, .column(table: "list", "value")))
    select.source = .function(dialect.listTable, [.parameter(list)], alias: "list")
    select.joins.insert(rows, at: 0)
  }

  private func select(
    _ shape: FetchShape, result: Result, lists: [Int: ListForm]
  ) throws(StoreError) -> SQLSelect {
    let scope = SelectScope(
      entityIndex: shape.entity.index, schema: schema, aliases: AliasCounter())
    var lowering = FilterLowering(dialect: dialect, lists: lists, textIndexes: textIndexes)
    lowering.columns = shape.projection?.columns.map(\.operand) ?? []
    let lookUp = shape.lookUp.flatMap { lists[$0.list] == .table ? $0 : nil }
    var condition: SQLExpression?
    if lookUp == nil, let filter = shape.filter, filter != .constant(true) {
      condition = try lowering.lower(filter, in: scope)
    }
    var select = SQLSelect(columns(of: shape, result, from: scope.alias), from: scope.source)
    if let projection = shape.projection, result == .values || result == .count {
      try project(projection, into: &select, lowering, in: scope)
    }
    select.order = result == .count ? [] : try order(of: shape, lowering, in: scope)
    select.joins = scope.joins
    select.condition = conjunction([
      restriction(to: shape.entityIndexes, from: scope.alias), condition,
    ])
    if let lookUp {
      let column = try scope.property(
        lookUp.ordinal, after: [], from: shape.entity.index
      ).expression
      look(up: .table(list: lookUp.list), as: column, in: &select)
    }
    if shape.isRanked { try rank(&select, shape, in: scope) }
    if shape.hasLimit { select.limit = .parameter(.limit) }
    if shape.hasOffset { select.offset = .parameter(.offset) }
    guard result == .count, shape.hasLimit || shape.hasOffset || shape.projection != nil else {
      return select
    }
    if shape.projection == nil { select.columns = [.integer(1)] }
    return SQLSelect([.countAll], from: .select(select, alias: dialect.resultAlias))
  }

  /// Restricts a SELECT to the rows that the plan's text query finds, and sorts them by descending
  /// relevance.
  private func rank(
    _ select: inout SQLSelect, _ shape: FetchShape, in scope: SelectScope
  ) throws(StoreError) {
    var attributes: [Int: [Int]] = [:]
    for entity in shape.entity.subtree {
      attributes[entity] = schema.model.entities[entity].searchedAttributes
    }
    let columns = schema.columns(of: attributes)
    guard !columns.isEmpty, let index = textIndexes[schema.entities[shape.entity.index].table],
      Set(index.columns).isSuperset(of: columns)
    else { throw Self.withoutIndex(shape.entity) }
    let alias = "words"
    select.joins.insert(
      .init(
        .inner, index.name, as: alias, having: "rowid", .column(table: scope.alias, "Z_PK")),
      at: 0)
    let match = SQLExpression.binary(
      .match, .column(table: alias, index.name),
      .parameter(.relevance(columns: index.restriction(to: columns))))
    let ranking = SQLExpression.binary(
      .match, .column(table: alias, "rank"), .text("\(SQLTextIndex.relevance)()"))
    select.condition = conjunction([match, ranking, select.condition])
    if shape.hasCandidateLimit {
      select = limitCandidates(of: select, words: alias, scope)
    } else if !select.columns.contains(.countAll) {
      select.order.insert(
        .init(expression: .column(table: alias, "rank"), isAscending: true), at: 0)
    }
  }

  /// Restricts a ranked SELECT to the found rows that were stored last, up to the maximum number of
  /// candidates.
  private func limitCandidates(
    of select: SQLSelect, words: String, _ scope: SelectScope
  ) -> SQLSelect {
    let rowID = SQLExpression.column(table: words, "rowid")
    var found = SQLSelect([rowID, .column(table: words, "rank")], from: select.source)
    found.joins = select.joins
    found.condition = select.condition
    found.order = [.init(expression: rowID, isAscending: false)]
    found.limit = .parameter(.candidates)
    let candidates = "candidates"
    var ranked = select
    ranked.condition = nil
    ranked.joins[0] = SQLSelect.Join(
      kind: .inner, source: .select(found, alias: candidates),
      condition: .binary(
        .equal, .column(table: candidates, "rowid"), .column(table: scope.alias, "Z_PK")))
    if !select.columns.contains(.countAll) {
      ranked.order.insert(
        .init(expression: .column(table: candidates, "rank"), isAscending: true), at: 0)
    }
    return ranked
  }

  private static func withoutIndex(_ entity: CompiledEntity) -> StoreError {
    StoreError(
      .unsupported,
      "The store has no text index for \(entity.name), which sorting by relevance requires. Set isIndexedBySpotlight for "
        + "the attributes to search, and open the store with OpenTextIndexOption.",
      entityName: entity.name)
  }

  private func project(
    _ projection: Projection, into select: inout SQLSelect, _ lowering: FilterLowering,
    in scope: SelectScope
  ) throws(StoreError) {
    select.columns = []
    for column in projection.columns {
      select.columns.append(try lowering.lower(column.operand, .untyped, in: scope))
    }
    for group in projection.groups {
      select.groups.append(try lowering.lower(group, .untyped, in: scope))
    }
    if let condition = projection.condition {
      select.groupCondition = try lowering.lower(condition, in: scope)
    }
    select.isDistinct = projection.isDistinct
  }

  private func columns(
    of shape: FetchShape, _ result: Result, from alias: String
  ) -> [SQLExpression] {
    switch result {
    case .rows: return schema.rowColumns(of: shape.entityIndexes).expressions(from: alias)
    case .count: return [.countAll]
    case .values: return []
    case .keys:
      let names = shape.entityIndexes.count > 1 ? ["Z_PK", "Z_ENT"] : ["Z_PK"]
      return names.map { .column(table: alias, $0) }
    }
  }

  private func order(
    of shape: FetchShape, _ lowering: FilterLowering, in scope: SelectScope
  ) throws(StoreError) -> [SQLSelect.Order] {
    var order: [SQLSelect.Order] = []
    for term in shape.sort {
      var expression = try lowering.lower(term.operand, .untyped, in: scope)
      let target = try lowering.target(of: term.operand, in: scope)
      // A computed value may be a string; a collation does not affect other values.
      if target == .slot(.text) || target == .untyped, let name = dialect.collation(term.collation)
      {
        expression = .collated(expression, name)
      }
      order.append(SQLSelect.Order(expression: expression, isAscending: term.isAscending))
    }
    let window = windowOrder(of: shape, in: scope)
    return order + window.filter { $0.expression != order.last?.expression }
  }

  /// Returns the last sort terms of a shape with a limit or an offset, so that the windows of
  /// several fetches contain each result once.
  private func windowOrder(of shape: FetchShape, in scope: SelectScope) -> [SQLSelect.Order] {
    guard !dialect.keepsKeyOrder, shape.hasLimit || shape.hasOffset else { return [] }
    // A result that stands for several rows has no key.
    if let projection = shape.projection {
      guard projection.groups.isEmpty, !projection.columns.contains(where: { $0.operand.hasTotal })
      else { return [] }
      if projection.isDistinct {
        // An integer is the position of a column.
        return projection.columns.indices.map { index in
          SQLSelect.Order(expression: .integer(Int64(index) + 1), isAscending: true)
        }
      }
    }
    let key = SQLExpression.column(table: scope.alias, "Z_PK")
    return [SQLSelect.Order(expression: key, isAscending: true, isOptional: false)]
  }

  /// Returns the condition that a row belongs to one of the given entities; nil if their table
  /// contains no other entities.
  func restriction(to indexes: Range<Int>, from alias: String) -> SQLExpression? {
    guard schema.entities[indexes.lowerBound].tableEntities != indexes else { return nil }
    let column = SQLExpression.column(table: alias, "Z_ENT")
    let numbers = indexes.map { SQLExpression.integer(schema.numbers.number(of: $0)) }
    return numbers.count == 1 ? .binary(.equal, column, numbers[0]) : .isIn(column, numbers)
  }

  func conjunction(_ conditions: [SQLExpression?]) -> SQLExpression? {
    var parts: [SQLExpression] = []
    for condition in conditions {
      switch condition {
      case nil: continue
      case .all(let inner)? where !inner.isEmpty: parts += inner
      case let condition?: parts.append(condition)
      }
    }
    return parts.count > 1 ? .all(parts) : parts.first
  }

  /// Returns the condition that a value is one of the keys that the caller binds.
  static func isOne(of keys: KeyForm, _ value: SQLExpression) -> SQLExpression {
    switch keys {
    case .members(1), .table: .binary(.equal, value, .parameter(.caller))
    case .members(let count): .isIn(value, Array(repeating: .parameter(.caller), count: count))
    case .array: .isAny(value, .callerKeys)
    }
  }
}

extension PlanResult {
  /// The kind of result that a statement of ``FetchLowering`` returns for this result of a plan.
  package var ofLowering: FetchLowering.Result {
    switch self {
    case .rows: .rows
    case .keys: .keys
    case .count: .count
    case .values: .values
    }
  }
}
