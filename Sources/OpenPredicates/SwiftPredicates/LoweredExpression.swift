internal import Foundation

/// The form of an expression of Foundation's predicates in the trees of formats.
enum LoweredExpression {
  /// A value.
  case value(ExpressionNode)
  /// A condition.
  case condition(LoweredCondition)
  /// The order of two strings.
  case order(ExpressionNode, ExpressionNode, StringOptions)
  /// A range between two bounds.
  case range(LoweredRange)
  /// A structure. A store contains the members of the structure, but not the structure itself.
  case structure(ExpressionNode)
  /// A value that a store contains in an encoded form, and can only compare with nil.
  case encoded(ExpressionNode)
}

/// A condition and its negation.
///
/// In a database, a comparison with null is neither true nor false, so `NOT` does not convert one
/// to the other. Conditions in Swift are true or false. Both forms are therefore built, starting at
/// the leaves.
struct LoweredCondition {
  /// The predicate for a true condition.
  var holds: PredicateNode
  /// The predicate for a false condition.
  var fails: PredicateNode
  /// The predicate for a condition without a value, after `?.`; nil if the condition always has a
  /// value.
  var isMissing: PredicateNode?

  init(holds: PredicateNode, fails: PredicateNode, isMissing: PredicateNode? = nil) {
    self.holds = holds
    self.fails = fails
    self.isMissing = isMissing
  }

  init(_ value: Bool) {
    self.init(holds: .constant(value), fails: .constant(!value))
  }

  var opposite: LoweredCondition {
    LoweredCondition(holds: fails, fails: holds, isMissing: isMissing)
  }

  /// Returns the conjunction of two conditions.
  func and(_ other: LoweredCondition) -> LoweredCondition {
    LoweredCondition(holds: .all(holds, other.holds), fails: .either(fails, other.fails))
  }

  /// The condition for a comparison with a Boolean value: a condition without a value is false.
  var settled: LoweredCondition {
    LoweredCondition(holds: holds, fails: isMissing.map { .either($0, fails) } ?? fails)
  }

  /// Returns the condition that two values that are not null are equal.
  static func equality(_ one: ExpressionNode, _ other: ExpressionNode) -> LoweredCondition {
    LoweredCondition(
      holds: .compare(one, .equal, other), fails: .compare(one, .notEqual, other))
  }

  /// Returns the condition that a collection is empty.
  static func emptiness(of collection: ExpressionNode) -> LoweredCondition {
    equality(collection.appending(["@count"]), .constant(.int(0)))
  }

  /// The condition as a value.
  var expression: ExpressionNode {
    let value = ExpressionNode.conditional(holds, .constant(.bool(true)), .constant(.bool(false)))
    return isMissing.map { .conditional($0, .constant(.null), value) } ?? value
  }
}

/// The values between two bounds.
struct LoweredRange {
  var lower: ExpressionNode?
  var upper: ExpressionNode?
  var isClosed: Bool

  func contains(_ element: ExpressionNode, _ options: StringOptions) -> LoweredCondition {
    var condition = LoweredCondition(true)
    if let lower {
      condition = LoweredCondition(
        holds: .compare(element, .greaterThanOrEqual, lower, options),
        fails: .compare(element, .lessThan, lower, options))
    }
    guard let upper else { return condition }
    let below = LoweredCondition(
      holds: .compare(element, isClosed ? .lessThanOrEqual : .lessThan, upper, options),
      fails: .compare(element, isClosed ? .greaterThan : .greaterThanOrEqual, upper, options))
    return lower == nil ? below : condition.and(below)
  }
}

extension PredicateNode {
  /// Returns a comparison of two values.
  static func compare(
    _ left: ExpressionNode, _ operation: ComparisonOperator, _ right: ExpressionNode,
    _ options: StringOptions = []
  ) -> PredicateNode {
    .comparison(
      ComparisonNode(left: left, right: right, operation: operation, options: options))
  }

  /// Returns a predicate that tests whether a value is null.
  static func isNull(_ node: ExpressionNode) -> PredicateNode {
    .compare(node, .equal, .constant(.null))
  }

  /// Returns a predicate that tests whether a value is not null.
  static func isNotNull(_ node: ExpressionNode) -> PredicateNode {
    .compare(node, .notEqual, .constant(.null))
  }

  /// Returns the conjunction of two predicates; chains remain flat.
  static func all(_ one: PredicateNode, _ other: PredicateNode) -> PredicateNode {
    if one == .constant(true) { return other }
    if other == .constant(true) { return one }
    if one == .constant(false) || other == .constant(false) { return .constant(false) }
    return .and(one.conjuncts + other.conjuncts)
  }

  /// Returns the disjunction of two predicates; chains remain flat.
  static func either(_ one: PredicateNode, _ other: PredicateNode) -> PredicateNode {
    if one == .constant(false) { return other }
    if other == .constant(false) { return one }
    if one == .constant(true) || other == .constant(true) { return .constant(true) }
    return .or(one.disjuncts + other.disjuncts)
  }

  private var conjuncts: [PredicateNode] {
    if case .and(let parts) = self { parts } else { [self] }
  }

  private var disjuncts: [PredicateNode] {
    if case .or(let parts) = self { parts } else { [self] }
  }
}
