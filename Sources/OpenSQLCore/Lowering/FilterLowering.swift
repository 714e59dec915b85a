import OpenPredicates
import OpenStoreContract

/// Translates filters to SQL conditions, for one statement. Confined to one lowering.
struct FilterLowering {
  let dialect: any SQLDialect
  /// The form of each list that the filter refers to, by its index in the bindings.
  let lists: [Int: ListForm]
  /// The text indexes of the file, by the indexed table.
  let textIndexes: [String: SQLTextIndex]
  /// The columns of the result, which conditions on groups and sort terms refer to.
  var columns: [Operand] = []

  func lower(_ filter: Filter, in scope: SelectScope) throws(StoreError) -> SQLExpression {
    switch filter {
    case .constant(let value): return .truth(value)
    case .and(let parts): return .all(try lower(parts, in: scope))
    case .or(let parts): return .any(try lower(parts, in: scope))
    case .not(.not(let part)): return try lower(part, in: scope)
    case .not(let part): return .not(try lower(part, in: scope))
    case .isNull(let operand): return .isNull(try lower(operand, .untyped, in: scope))
    case .comparison(let left, let operation, let right, let options):
      return try compare(left, operation, right, options, in: scope)
    case .isMember(let operand, let list, let options):
      return try isMember(operand, list, options, in: scope)
    case .isBetween(let operand, let lower, let upper):
      let target = try target(of: operand, in: scope)
      return .between(
        try self.lower(operand, .untyped, in: scope), try self.lower(lower, target, in: scope),
        try self.lower(upper, target, in: scope))
    case .exists(let path, let filter): return try exists(path, filter, in: scope)
    case .isTrue(let part): return .isTrue(try lower(part, in: scope))
    case .containsWords(let path, let attributes, let query):
      return try containsWords(path, attributes, query, in: scope)
    case .isKind(let path, let entities):
      let column = try scope.outer(path.level).entityNumber(
        after: path.steps, from: path.entityIndex)
      // In SQL nothing, not even null, is in an empty list; the entity of a missing object is
      // unknown.
      if entities.isEmpty { return .binary(.notEqual, column, column) }
      let numbers = entities.map {
        SQLExpression.integer(scope.schema.numbers.number(of: $0))
      }
      return numbers.count == 1 ? .binary(.equal, column, numbers[0]) : .isIn(column, numbers)
    }
  }

  private func lower(
    _ filters: [Filter], in scope: SelectScope
  ) throws(StoreError) -> [SQLExpression] {
    var parts: [SQLExpression] = []
    parts.reserveCapacity(filters.count)
    for filter in filters { parts.append(try lower(filter, in: scope)) }
    return parts
  }

  private func exists(
    _ path: RelationshipPath, _ filter: Filter, in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    if case .constant(true) = filter {
      return .exists(try DestinationSelect(path, in: scope).pairs([.integer(1)]))
    }
    let destinations = try DestinationSelect(path, in: scope)
    let condition = try lower(filter, in: destinations.scope)
    return .exists(destinations.rows([.integer(1)], where: condition))
  }
}
