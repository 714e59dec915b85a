import Foundation

// The rules of stores: what a fetch leaves to evaluation in memory has the meaning that it has in SQL.

extension PredicateEvaluator {
  /// Whether the predicate holds for an object; nil where that is unknown.
  ///
  /// A comparison with null is unknown, but for `== nil` and `!= nil` as they are written. NOT of unknown is unknown; AND and
  /// OR decide as far as their known parts do. ANY, ALL, and membership in a relationship are never unknown: an element for
  /// which the comparison is unknown does not satisfy it.
  func meaning(_ node: PredicateNode, for object: Any?) -> Bool? {
    switch node {
    case .constant(let flag): flag
    case .not(let inner): meaning(inner, for: object).map { !$0 }
    case .and(let parts): parts.combined(until: false) { meaning($0, for: object) }
    case .or(let parts): parts.combined(until: true) { meaning($0, for: object) }
    case .comparison(let comparison): meaning(comparison, for: object)
    }
  }

  private func meaning(_ node: ComparisonNode, for object: Any?) -> Bool? {
    if node.operation == .customSelector || node.operation == .containsWords {
      return holds(node, for: object)
    }
    let left = operand(node.left, for: object)
    let right = operand(node.right, for: object)
    switch modifier(of: node) {
    case .direct: return meaning(left, node, right)
    case .any: return left.elements.contains { meaning($0, node, right) == true }
    case .all: return left.elements.allSatisfy { meaning($0, node, right) == true }
    }
  }

  private func meaning(_ left: EvaluatedOperand, _ node: ComparisonNode, _ right: EvaluatedOperand)
    -> Bool?
  {
    switch node.operation {
    case .equal, .notEqual:
      if right.isNull, isWritten(node.right) { return left.isNull == (node.operation == .equal) }
      if left.isNull, isWritten(node.left) { return right.isNull == (node.operation == .equal) }
    case .in: return membership(left, right, node.right, node)
    case .contains:
      if case .collection = left { return membership(right, left, node.left, node) }
    case .between:
      guard case .collection(let limits) = right, limits.count == 2 else { return false }
      return [(ComparisonOperator.greaterThanOrEqual, limits[0]), (.lessThanOrEqual, limits[1])]
        .combined(until: false) { comparison(left, $0.0, $0.1, node.options) }
    default: break
    }
    return comparison(left, node.operation, right, node.options)
  }

  private func comparison(
    _ left: EvaluatedOperand, _ operation: ComparisonOperator, _ right: EvaluatedOperand,
    _ options: StringOptions
  ) -> Bool? {
    if left.isNull || right.isNull { return nil }
    return OperandComparison.evaluate(left, operation, right, options)
  }

  /// Whether a value stands in the format, or among the arguments, rather than coming from a row.
  private func isWritten(_ node: ExpressionNode) -> Bool {
    switch node {
    case .constant, .argument, .variable: true
    default: false
    }
  }

  /// Membership in a list, in a relationship, or in a text.
  ///
  /// - Parameter source: Where the list comes from.
  private func membership(
    _ element: EvaluatedOperand, _ whole: EvaluatedOperand, _ source: ExpressionNode,
    _ node: ComparisonNode
  ) -> Bool? {
    guard case .collection(let members) = whole else {
      return comparison(element, .in, whole, node.options)
    }
    switch source {
    case .keyPath, .path, .subquery:
      return members.contains { comparison(element, .equal, $0, node.options) == true }
    case .aggregate(let nodes):
      let parts = zip(nodes, members).filter { !($0.1.isNull && isWritten($0.0)) }
      if parts.isEmpty { return element.isNull ? nil : false }
      return parts.combined(until: true) { comparison(element, .equal, $0.1, node.options) }
    default:
      // Nulls in the list match nothing.
      if element.isNull { return nil }
      if !node.options.folds, let answer = membership(of: element, in: source) { return answer }
      return members.contains { comparison(element, .equal, $0, node.options) == true }
    }
  }

  /// A path with a collection operator: stores have no sum of no values, and a count of none behind a missing object.
  ///
  /// Only relationships have these rules, which are sets; a list in a transformable attribute is a value.
  func statistic(_ base: ExpressionNode, _ path: [String], for object: Any?) -> EvaluatedOperand {
    let start = any(base, for: object)
    func value(_ path: some Sequence<String>) -> Any? {
      KeyPathReader.value(at: Array(path)[...], of: start)
    }
    let result = EvaluatedOperand(any: KeyPathReader.value(at: path[...], of: start, failures))
    let keys = path.prefix { !$0.hasPrefix("@") }
    if path.contains("@count"), result.isNull, keys.count > 1, value(keys.dropLast()) == nil {
      return .value(.int(0))
    }
    guard path.contains("@sum"), Self.isRelationship(value(keys)) else { return result }
    let greatest = EvaluatedOperand(any: value(path.map { $0 == "@sum" ? "@max" : $0 }))
    return greatest.isNull ? .value(.null) : result
  }

  private static func isRelationship(_ value: Any?) -> Bool {
    value is NSSet || value is NSOrderedSet || value is Set<AnyHashable>
  }
}

extension EvaluatedOperand {
  /// Whether the operand is null, and neither a collection nor an object.
  var isNull: Bool { value == .null }
}

extension Array {
  /// AND of three-valued parts until false, OR until true: the first part with the deciding value decides.
  func combined(until deciding: Bool, _ meaning: (Element) -> Bool?) -> Bool? {
    var result: Bool? = !deciding
    for part in self {
      let value = meaning(part)
      if value == deciding { return deciding }
      if value == nil { result = nil }
    }
    return result
  }
}

extension NSPredicate {
  /// Whether the predicate holds for an object by the rules of stores; nil for unknown.
  ///
  /// Fetches evaluate by it what no store can execute, so that a condition means the same wherever it is evaluated.
  /// Blocks and predicate classes of the program's are true or false.
  package func meaningInStores(for object: Any?) -> Bool? { meaningInStores(for: object, level: 1) }

  private func meaningInStores(for object: Any?, level: Int) -> Bool? {
    switch self {
    case let comparison as NSComparisonPredicate: return comparison.content.meaning(for: object)
    case let compound as FormatCompoundPredicate: return compound.content.meaning(for: object)
    case let predicate as FormatPredicate: return predicate.content.meaning(for: object)
    default: break
    }
    guard type(of: self) == NSCompoundPredicate.self, let compound = plainCompound else {
      return evaluate(with: object)
    }
    guard level <= TreeDepth.limit else { return false }
    func meaning(_ part: NSPredicate) -> Bool? {
      part.meaningInStores(for: object, level: level + 1)
    }
    switch compound.compoundPredicateType {
    case .and: return compound.subpredicates.combined(until: false, meaning)
    case .or: return compound.subpredicates.combined(until: true, meaning)
    case .not: return meaning(compound.subpredicates.first ?? NSPredicate(value: true)).map { !$0 }
    }
  }
}
