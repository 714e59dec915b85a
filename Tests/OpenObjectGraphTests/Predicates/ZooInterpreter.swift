import Foundation
import OpenPredicates

/// The value of an expression in the interpreter.
enum ZooItem {
  case value(Value)
  case node(ZooNode)
  case entity(String)
  case items([ZooItem])

  static var null: ZooItem { .value(.null) }

  var isNull: Bool { if case .value(.null) = self { true } else { false } }

  var value: Value {
    switch self {
    case .value(let value): value
    // Objects compare by their number, apart from all other values.
    case .node(let node): .object(ObjectReference(entityToken: 0, storeToken: 0, key: node.code))
    default: .null
    }
  }
}

/// Evaluates parsed predicates on plain data, by the rules of SQL or by those of plain evaluation.
///
/// The rules of SQL: a comparison with a null is unknown; `== nil` and `!= nil`, written so, are not. NOT of
/// unknown is unknown, AND and OR decide as far as the known parts do. ANY, ALL, membership in a relationship and
/// counts are never unknown; ALL counts unknown as false. Nulls in a list match nothing. Only rows for which
/// the whole is true are found. The plain rules: nil equals nil and nothing else, and all else is false beside nil.
struct ZooInterpreter {
  enum Rules { case sql, plain }

  let rules: Rules
  let arguments: [ZooItem]
  var variables: [String: ZooItem] = [:]

  func holds(_ node: PredicateNode, _ row: ZooNode) -> Bool? {
    switch node {
    case .constant(let flag): return flag
    case .not(let part): return holds(part, row).map { !$0 }
    case .and(let parts): return Self.combine(parts.map { holds($0, row) }, deciding: false)
    case .or(let parts): return Self.combine(parts.map { holds($0, row) }, deciding: true)
    case .comparison(let comparison): return holds(comparison, row)
    }
  }

  static func combine(_ parts: [Bool?], deciding: Bool) -> Bool? {
    if parts.contains(deciding) { return deciding }
    return parts.contains(nil) ? nil : !deciding
  }

  private func holds(_ comparison: ComparisonNode, _ row: ZooNode) -> Bool? {
    let left = item(comparison.left, row)
    let right = item(comparison.right, row)
    let isNil = { (node: ExpressionNode, item: ZooItem) in item.isNull && isWritten(node) }
    if rules == .sql, comparison.modifier == .direct,
      isNil(comparison.right, right) || isNil(comparison.left, left)
    {
      let other = isNil(comparison.right, right) ? left : right
      if comparison.operation == .equal { return other.isNull }
      if comparison.operation == .notEqual { return !other.isNull }
    }
    switch comparison.modifier {
    case .direct: return compare(left, comparison, right)
    case .any: return elements(left).contains { element(element: $0, comparison, right) == true }
    case .all: return elements(left).allSatisfy { element(element: $0, comparison, right) == true }
    }
  }

  /// A comparison of one element, with `== nil` as above.
  private func element(
    element: ZooItem, _ comparison: ComparisonNode, _ right: ZooItem
  ) -> Bool? {
    if rules == .sql, right.isNull, isWritten(comparison.right) {
      if comparison.operation == .equal { return element.isNull }
      if comparison.operation == .notEqual { return !element.isNull }
    }
    return compare(element, comparison, right)
  }

  private func isWritten(_ node: ExpressionNode) -> Bool {
    switch node {
    case .constant, .argument: true
    default: false
    }
  }

  private func elements(_ item: ZooItem) -> [ZooItem] {
    if case .items(let items) = item { return items }
    return item.isNull ? [] : [item]
  }

  // MARK: Comparisons

  private func compare(
    _ left: ZooItem, _ comparison: ComparisonNode, _ right: ZooItem
  ) -> Bool? {
    switch comparison.operation {
    case .in: return membership(left, right, comparison.right, comparison.options)
    case .contains:
      if case .items = left {
        return membership(right, left, comparison.left, comparison.options)
      }
    case .between:
      guard case .items(let limits) = right, limits.count == 2 else { return false }
      return Self.combine(
        [
          single(left, .greaterThanOrEqual, limits[0], []),
          single(left, .lessThanOrEqual, limits[1], []),
        ], deciding: false)
    default: break
    }
    return single(left, comparison.operation, right, comparison.options)
  }

  private func membership(
    _ member: ZooItem, _ whole: ZooItem, _ source: ExpressionNode, _ options: StringOptions
  ) -> Bool? {
    guard case .items(let items) = whole else { return single(member, .in, whole, options) }
    if rules == .sql, case .aggregate(let nodes) = source {
      // One comparison for each element that is not a nil literal.
      let elements = zip(nodes, items).filter { !($0.1.isNull && isWritten($0.0)) }
      if elements.isEmpty { return member.isNull ? nil : false }
      return Self.combine(
        elements.map { single(member, .equal, $0.1, options) }, deciding: true)
    }
    let hits = items.map { item -> Bool? in
      rules == .sql && item.isNull ? false : single(member, .equal, item, options)
    }
    if rules == .plain || isRelationship(source) { return hits.contains(true) }
    if member.isNull { return nil }
    return hits.contains(true)
  }

  private func isRelationship(_ node: ExpressionNode) -> Bool {
    switch node {
    case .keyPath, .path, .subquery: true
    default: false
    }
  }

  private func single(
    _ left: ZooItem, _ operation: ComparisonOperator, _ right: ZooItem, _ options: StringOptions
  ) -> Bool? {
    if case .entity(let one) = left, case .entity(let other) = right {
      return operation == .equal ? one == other : one != other
    }
    if left.isNull || right.isNull {
      if rules == .sql { return nil }
      switch operation {
      case .equal: return left.isNull && right.isNull
      case .notEqual: return !(left.isNull && right.isNull)
      default: return false
      }
    }
    return Self.known(left.value, operation, right.value, options)
  }

  /// A comparison of two values that are not null.
  private static func known(
    _ left: Value, _ operation: ComparisonOperator, _ right: Value, _ options: StringOptions
  ) -> Bool {
    if let one = text(left), let other = text(right) {
      switch operation {
      case .matches: return StringMatch.matches(one, other, options)
      case .like: return StringMatch.like(one, other, options)
      case .beginsWith: return StringMatch.hasPrefix(one, other, options)
      case .endsWith: return StringMatch.hasSuffix(one, other, options)
      case .contains: return StringMatch.contains(one, other, options)
      case .in: return StringMatch.contains(other, one, options)
      case .equal where !options.isEmpty: return StringMatch.equals(one, other, options)
      case .notEqual where !options.isEmpty: return !StringMatch.equals(one, other, options)
      default: break
      }
      if !options.isEmpty { return satisfies(StringMatch.compare(one, other, options), operation) }
    }
    switch operation {
    case .equal: return Value.equals(left, right)
    case .notEqual: return !Value.equals(left, right)
    default: return Value.order(left, right).map { satisfies($0, operation) } ?? false
    }
  }

  private static func satisfies(
    _ order: ComparisonResult, _ operation: ComparisonOperator
  ) -> Bool {
    switch operation {
    case .lessThan: order == .orderedAscending
    case .lessThanOrEqual: order != .orderedDescending
    case .greaterThan: order == .orderedDescending
    case .greaterThanOrEqual: order != .orderedAscending
    default: false
    }
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .url(let url): url.absoluteString
    default: nil
    }
  }
}
