import OpenObjectModel
import OpenPredicates

/// Translates a predicate on the columns of one entity to the condition of a partial index.
///
/// The constants are written to the statement as literals, because an index has no parameters.
struct IndexCondition {
  let map: EntityMap

  /// Returns the condition; nil for a predicate that SQLite does not support or that contains more
  /// than columns and constants.
  func lower(_ predicate: PredicateNode) -> SQLExpression? { lower(predicate, depth: 0) }

  /// Limits the nesting of predicates to 64 levels.
  private func lower(_ predicate: PredicateNode, depth: Int) -> SQLExpression? {
    guard depth < 64 else { return nil }
    let lowered = { (part: PredicateNode) in lower(part, depth: depth + 1) }
    switch predicate {
    case .constant: return nil
    case .not(let operand): return lowered(operand).map { .not($0) }
    case .and(let parts): return list(parts, lowered).map { .all($0) }
    case .or(let parts): return list(parts, lowered).map { .any($0) }
    case .comparison(let comparison): return lower(comparison)
    }
  }

  private func lower(_ comparison: ComparisonNode) -> SQLExpression? {
    guard comparison.modifier == .direct, comparison.options == [] else { return nil }
    if let column = column(comparison.left) {
      return lower(column, comparison.operation, comparison.right)
    }
    guard let column = column(comparison.right),
      let operation = Self.mirrored(comparison.operation)
    else { return nil }
    return lower(column, operation, comparison.left)
  }

  private func lower(
    _ column: SQLExpression, _ operation: ComparisonOperator, _ operand: ExpressionNode
  ) -> SQLExpression? {
    switch (operation, operand) {
    case (.equal, .constant(.null)): return .isNull(column)
    case (.notEqual, .constant(.null)): return .isNotNull(column)
    case (.in, _): return members(of: operand).map { .isIn(column, $0) }
    case (.between, _):
      guard let limits = members(of: operand), limits.count == 2 else { return nil }
      return .between(column, limits[0], limits[1])
    default:
      guard let sign = Self.sign(operation), let value = value(operand) else { return nil }
      return .binary(sign, column, value)
    }
  }

  private func column(_ expression: ExpressionNode) -> SQLExpression? {
    switch expression {
    case .evaluatedObject: .column(table: nil, "Z_PK")
    case .keyPath(let steps):
      map.column(named: steps.joined(separator: ".")).map { .column(table: nil, $0) }
    default: nil
    }
  }

  private func value(_ expression: ExpressionNode) -> SQLExpression? {
    if case .constant(let value) = expression { return literal(value) }
    return column(expression)
  }

  private func members(of expression: ExpressionNode) -> [SQLExpression]? {
    switch expression {
    case .aggregate(let members): list(members) { value($0) }
    case .constant(.list(let members)): list(members) { literal($0) }
    default: nil
    }
  }

  private func literal(_ value: Value) -> SQLExpression? {
    switch value {
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .int(let integer): .integer(integer)
    case .double(let real), .date(let real): real.isFinite ? .real(real) : nil
    case .string(let text): text.utf8.contains(0) ? nil : .text(text)
    default: nil
    }
  }

  /// Returns all results; nil if there are no elements or if one result is nil.
  private func list<Element>(
    _ elements: [Element], _ lower: (Element) -> SQLExpression?
  ) -> [SQLExpression]? {
    let results = elements.compactMap(lower)
    return results.isEmpty || results.count < elements.count ? nil : results
  }

  private static func sign(_ operation: ComparisonOperator) -> SQLOperator? {
    switch operation {
    case .equal: .equal
    case .notEqual: .notEqual
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    default: nil
    }
  }

  /// Returns the operator for exchanged sides.
  private static func mirrored(_ operation: ComparisonOperator) -> ComparisonOperator? {
    switch operation {
    case .equal, .notEqual: operation
    case .lessThan: .greaterThan
    case .lessThanOrEqual: .greaterThanOrEqual
    case .greaterThan: .lessThan
    case .greaterThanOrEqual: .lessThanOrEqual
    default: nil
    }
  }
}
