import Foundation

// The rules of stores: a fetch that is partly evaluated in memory has the same meaning as in SQL.

extension PredicateEvaluator {
  /// Returns whether the predicate is true for an object; nil if the result is unknown.
  ///
  /// A comparison with null is unknown, except for a literal `== nil` or `!= nil`. The negation of
  /// an unknown condition is unknown. Known parts of AND and OR determine the result if they
  /// suffice. ANY, ALL, and membership in a relationship are never unknown: an element for which
  /// the comparison is unknown does not satisfy the comparison.
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
    // A lookup by hash compares only values of one kind, which need no conversion.
    if node.operation == .in, !left.isNull,
      let answer = membership(of: left, in: node.right, node.options)
    {
      return answer
    }
    let (left, right) = converted(left, node, right)
    switch node.operation {
    case .equal, .notEqual:
      if right.isNull, isWritten(node.right) { return left.isNull == (node.operation == .equal) }
      if left.isNull, isWritten(node.left) { return right.isNull == (node.operation == .equal) }
    case .in: return membership(left, right, node.right, node)
    case .contains:
      if left.members != nil { return membership(right, left, node.left, node) }
    case .between:
      guard case .collection(let limits) = right, limits.count == 2 else {
        return comparison(left, .between, right, node.options)
      }
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
    if left.isNull || right.isNull || left.isNaN || right.isNaN { return nil }
    if let failures, let problem = Self.problem(left, operation, right, options) {
      failures.add(problem)
      return nil
    }
    return OperandComparison.evaluate(left, operation, right, options)
  }

  /// Returns the reason why a fetch cannot compare two operands, which are not null.
  private static func problem(
    _ left: EvaluatedOperand, _ operation: ComparisonOperator, _ right: EvaluatedOperand,
    _ options: StringOptions
  ) -> PredicateEvaluationError? {
    switch operation {
    // In a store, an invalid regular expression matches no string.
    case .matches where left.text != nil && right.text != nil: return nil
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      // A numeric string has been converted.
      if left.isNumber && right.text != nil || left.text != nil && right.isNumber {
        return .unordered
      }
    default: break
    }
    return OperandComparison.problem(left, operation, right, options)
  }

  /// Returns whether a value is part of the format or the arguments, and does not come from a row.
  func isWritten(_ node: ExpressionNode) -> Bool {
    switch node {
    case .constant, .argument: true
    case .variable(let name): !elementNames.contains(name)
    default: false
    }
  }

  /// Returns whether an element is in a list, in a relationship, or in a string.
  ///
  /// - Parameter source: The expression of the list.
  private func membership(
    _ element: EvaluatedOperand, _ whole: EvaluatedOperand, _ source: ExpressionNode,
    _ node: ComparisonNode
  ) -> Bool? {
    guard let members = whole.members else {
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
      if let answer = membership(of: element, in: source, node.options) { return answer }
      return members.contains { comparison(element, .equal, $0, node.options) == true }
    }
  }

  /// Returns the value of a path with a collection operator.
  ///
  /// In a store, the sum of no values is null, and the count of a missing object's relationship is
  /// 0. These rules apply to relationships. A list or a set in a transformable attribute is a plain
  /// value.
  func statistic(_ base: ExpressionNode, _ path: [String], for object: Any?) -> EvaluatedOperand {
    let start = start(base, for: object)
    func value(_ path: some Sequence<String>) -> Any? {
      KeyPathReader.value(at: Array(path)[...], of: start)
    }
    let result = EvaluatedOperand(any: KeyPathReader.value(at: path[...], of: start, failures))
    let keys = path.prefix { !$0.hasPrefix("@") }
    if path.contains("@count"), result.isNull, keys.count > 1, value(keys.dropLast()) == nil {
      return .value(.int(0))
    }
    guard path.contains("@sum") else { return result }
    var reached = start
    let passesRelationship = keys.contains { key in
      let owner = reached
      reached = KeyPathReader.value(at: [key], of: owner)
      return KeyPathReader.isRelationship(reached, key, of: owner)
    }
    guard passesRelationship else { return result }
    let greatest = EvaluatedOperand(any: value(path.map { $0 == "@sum" ? "@max" : $0 }))
    return greatest.isNull ? .value(.null) : result
  }
}

extension EvaluatedOperand {
  /// Whether the operand is null, rather than a collection or an object.
  var isNull: Bool { value == .null }

  fileprivate var isNumber: Bool { value?.isNumber ?? false }

  /// Whether the operand is NaN; a store contains null instead.
  fileprivate var isNaN: Bool { value?.isNaN ?? false }
}

extension Array {
  /// Combines three-valued parts by AND or OR; the first part with the value `deciding` determines
  /// the result.
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
  /// Returns whether the predicate is true for an object by the rules of stores; nil if the result
  /// is unknown.
  ///
  /// Fetches use this method for parts that the store cannot execute, so that a condition has the
  /// same meaning in memory and in a store. Blocks and the program's own predicate classes are
  /// either true or false.
  ///
  /// - Parameter object: The object to test; nil for no object.
  /// - Throws: `PredicateEvaluationError` if the predicate cannot be evaluated for the object, for
  ///   example with code `.typeMismatch` if the predicate compares values of incompatible types.
  package func meaningInStores(for object: Any?) throws(PredicateEvaluationError) -> Bool? {
    let failures = EvaluationFailures()
    let meaning = meaningInStores(for: object, failures, level: 1)
    if let error = failures.first { throw error }
    return meaning
  }

  private func meaningInStores(
    for object: Any?, _ failures: EvaluationFailures, level: Int
  ) -> Bool? {
    switch self {
    case let comparison as NSComparisonPredicate:
      return comparison.content.meaning(for: object, failures)
    case let compound as FormatCompoundPredicate:
      return compound.content.meaning(for: object, failures)
    case let predicate as FormatPredicate: return predicate.content.meaning(for: object, failures)
    default: break
    }
    guard type(of: self) == NSCompoundPredicate.self, let compound = plainCompound else {
      return evaluate(with: object)
    }
    guard level <= TreeDepth.limit else {
      failures.add(.invalid(.tooDeep))
      return false
    }
    func meaning(_ part: NSPredicate) -> Bool? {
      part.meaningInStores(for: object, failures, level: level + 1)
    }
    switch compound.compoundPredicateType {
    case .and: return compound.subpredicates.combined(until: false, meaning)
    case .or: return compound.subpredicates.combined(until: true, meaning)
    case .not: return meaning(compound.subpredicates.first ?? NSPredicate(value: true)).map { !$0 }
    }
  }
}
