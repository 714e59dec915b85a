internal import Foundation

/// The conditions under which the values that a part of a predicate unwraps with `!`, or casts with
/// `as!`, are present.
///
/// In Swift, a condition whose forced unwrap or forced cast fails has no result. In a tree, the
/// value is null, for which a test such as `== nil` is true. A guard makes such a test untrue. A
/// guard moves from the part with the `!` to the smallest condition that contains the part.
struct UnwrapGuards {
  private var conditions: [PredicateNode] = []
  /// The structures whose presence a guard may test, although no store can test it.
  fileprivate var structures: [ExpressionNode] = []

  /// The number of guards that have not reached a condition.
  var count: Int { conditions.count }

  /// Adds guards; if `exception` is true, Swift does not unwrap the values.
  mutating func add(
    _ guards: [PredicateNode], unless exception: PredicateNode = .constant(false)
  ) {
    conditions += guards.map { .either(exception, $0) }
  }

  /// Notes a structure that guards test.
  mutating func note(structure: ExpressionNode) { structures.append(structure) }

  /// Removes and returns the guards after the first `count`, without duplicates.
  mutating func take(after count: Int) -> [PredicateNode] {
    var result: [PredicateNode] = []
    for condition in conditions[count...] where !result.contains(condition) {
      result.append(condition)
    }
    conditions.removeSubrange(count...)
    return result
  }
}

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let meaning = try lowering.lower(inner)
    switch meaning {
    case .condition(var condition):
      condition.isMissing = nil
      return .condition(condition)
    case .value(.constant(.null)): lowering.guards.add([.constant(false)])
    case .structure(let node):
      lowering.guards.note(structure: node)
      lowering.guards.add([.isNotNull(node)])
    case .value(let node), .encoded(let node), .order(let node, _, _):
      if node.isOfRow, let required = try lowering.requiredValue(of: inner, node) {
        lowering.guards.add([.isNotNull(required)])
      }
    case .range: break
    }
    return meaning
  }
}

extension SwiftPredicateLowering {
  /// Lowers a part to a value. Swift does not evaluate the part if `exception` is true.
  mutating func expression(
    _ expression: any PredicateExpression, unless exception: PredicateNode
  ) throws(PredicateFormatError) -> ExpressionNode {
    let count = guards.count
    let node = try self.expression(expression)
    let needed = guards.take(after: count)
    guards.add(needed, unless: exception)
    return node
  }

  /// Adds the guards after the first `count` to a condition; other forms are unchanged.
  mutating func guarded(_ lowered: LoweredExpression, after count: Int) -> LoweredExpression {
    guard case .condition(let condition) = lowered else { return lowered }
    let needed = guards.take(after: count)
    return .condition(condition.guarded(by: needed))
  }

  /// Adds a guard for the result of a condition that is part of a value.
  mutating func requireResult(
    of condition: LoweredCondition, _ expression: any PredicateExpression
  ) {
    guard Self.unwraps(expression) else { return }
    let result = PredicateNode.either(condition.holds, condition.fails)
    guards.add([condition.isMissing.map { .either($0, result) } ?? result])
  }

  /// Returns whether an expression contains a forced unwrap.
  static func unwraps(_ expression: any PredicateExpression) -> Bool {
    ExpressionWalk.contains(expression) { $0 is any ForcedUnwrapping }
  }

  /// Returns the template of the complete tree.
  ///
  /// - Throws: `PredicateFormatError` if the tree is too deep or tests the presence of a structure.
  func template(of root: PredicateNode) throws(PredicateFormatError) -> PredicateTemplate {
    try checkStructures(in: root)
    try TreeDepth.check(root)
    return SharedTemplates.template(of: root, argumentCount: arguments.count)
  }

  /// Checks that a tree does not test the presence of a structure.
  ///
  /// - Throws: `PredicateFormatError`, because a store contains only the members of a structure.
  private func checkStructures(in root: PredicateNode) throws(PredicateFormatError) {
    let structures = guards.structures
    if structures.isEmpty { return }
    var isTested = false
    let search = TreeReplacement(finish: { comparison, _ in
      if comparison.right == .constant(.null), structures.contains(comparison.left) {
        isTested = true
      }
    }) { _, _ in nil }
    _ = try? search.node(root)  // The closures do not throw.
    if isTested { throw .noForm("a structure as a whole") }
  }
}

extension LoweredCondition {
  /// Returns the condition with guards, without those that it implies.
  func guarded(by guards: [PredicateNode]) -> LoweredCondition {
    func guarded(_ node: PredicateNode) -> PredicateNode {
      guards.reversed().reduce(node) { node.implies($1) ? $0 : .all($1, $0) }
    }
    return LoweredCondition(
      holds: guarded(holds), fails: guarded(fails), isMissing: isMissing.map(guarded))
  }
}

extension ExpressionNode {
  /// The condition that a subquery finds every element of its collection; nil for another
  /// expression.
  var findsAll: PredicateNode? {
    guard case .subquery(let collection, _, _) = self else { return nil }
    return .compare(appending(["@count"]), .equal, collection.appending(["@count"]))
  }
}

// MARK: - Conditions that are not true for null

extension PredicateNode {
  /// Returns whether a guard is certainly true where the predicate is true.
  fileprivate func implies(_ condition: PredicateNode) -> Bool {
    switch condition {
    case .or(let parts): parts.contains { implies($0) }
    case .comparison(let test) where test.operation == .notEqual && test.right == .constant(.null):
      isUntrue(ifNull: test.left)
    default: false
    }
  }

  /// Returns whether the predicate is certainly false or unknown if a value is null.
  private func isUntrue(ifNull value: ExpressionNode) -> Bool {
    switch self {
    case .constant(let flag): !flag
    case .and(let parts): parts.contains { $0.isUntrue(ifNull: value) }
    case .or(let parts): parts.allSatisfy { $0.isUntrue(ifNull: value) }
    case .not(.comparison(let comparison)): comparison.isUnknown(ifNull: value)
    case .not: false
    case .comparison(let comparison):
      comparison.isUnknown(ifNull: value) || comparison.isFalse(ifNull: value)
    }
  }
}

extension ComparisonNode {
  /// Returns whether the comparison is certainly unknown if a value is null.
  fileprivate func isUnknown(ifNull value: ExpressionNode) -> Bool {
    if left == .constant(.null) || right == .constant(.null) { return false }
    if operation == .in { return left.isNull(ifNull: value) && !right.isOfRow }
    return left.isNull(ifNull: value) || right.isNull(ifNull: value)
  }

  /// Returns whether the comparison tests for a value, or for elements, that do not exist if a
  /// value is null.
  fileprivate func isFalse(ifNull value: ExpressionNode) -> Bool {
    guard operation == .notEqual else { return false }
    switch right {
    case .constant(.null): return left.isNull(ifNull: value)
    case .constant(.int(0)): return left.countedCollection?.isNull(ifNull: value) ?? false
    default: return false
    }
  }
}

extension ExpressionNode {
  /// Returns whether the expression is certainly null if a value is null.
  fileprivate func isNull(ifNull value: ExpressionNode) -> Bool {
    if self == value { return true }
    switch (self, value) {
    case (.keyPath(let steps), .keyPath(let start)): return Self.leads(steps, from: start)
    case (.path(let base, let steps), .path(let other, let start)) where base == other:
      return Self.leads(steps, from: start)
    case (.path(let base, let steps), _):
      return Self.leads(steps, from: []) && base.isNull(ifNull: value)
    case (.cast(let inner, _), _): return inner.isNull(ifNull: value)
    case (.function(_, let operands), _): return operands.contains { $0.isNull(ifNull: value) }
    default: return false
    }
  }

  /// Returns whether a key path continues another key path without operators such as `@count`.
  private static func leads(_ steps: [String], from start: [String]) -> Bool {
    steps.starts(with: start) && !steps[start.count...].contains { $0.hasPrefix("@") }
  }

  /// The collection whose elements the expression counts; nil for another expression.
  fileprivate var countedCollection: ExpressionNode? {
    switch self {
    case .keyPath(let steps) where steps.last == "@count": .keyPath(Array(steps.dropLast()))
    case .path(.subquery(let collection, _, _), let steps) where steps == ["@count"]: collection
    case .path(let base, let steps) where steps.last == "@count":
      .path(of: base, Array(steps.dropLast()))
    default: nil
    }
  }
}
