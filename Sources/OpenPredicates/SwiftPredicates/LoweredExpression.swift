internal import Foundation

/// What an expression of Foundation's predicates becomes in the trees of formats.
enum LoweredExpression {
  /// A value.
  case value(ExpressionNode)
  /// A condition.
  case condition(LoweredCondition)
  /// How one text is ordered with another.
  case order(ExpressionNode, ExpressionNode, StringOptions)
  /// A range between two values.
  case range(LoweredRange)
  /// A structure; a store has only its members.
  case structure(ExpressionNode)
}

/// A condition, and its opposite.
///
/// In a database a comparison with null is neither true nor false, so that `NOT` does not turn one into the other. Swift's
/// conditions are true or false; both are built, from the leaves up.
struct LoweredCondition {
  /// Says that it is true.
  var holds: PredicateNode
  /// Says that it is false.
  var fails: PredicateNode
  /// Says that it has no value, for a condition behind `?.`; nil where it always has one.
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

  /// Both conditions.
  func and(_ other: LoweredCondition) -> LoweredCondition {
    LoweredCondition(holds: .all(holds, other.holds), fails: .either(fails, other.fails))
  }

  /// Whether two values that are not null are equal.
  static func equality(_ one: ExpressionNode, _ other: ExpressionNode) -> LoweredCondition {
    LoweredCondition(
      holds: .compare(one, .equal, other), fails: .compare(one, .notEqual, other))
  }

  /// Whether a collection is empty.
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

  func contains(_ element: ExpressionNode) -> LoweredCondition {
    var condition = LoweredCondition(true)
    if let lower {
      condition = LoweredCondition(
        holds: .compare(element, .greaterThanOrEqual, lower),
        fails: .compare(element, .lessThan, lower))
    }
    guard let upper else { return condition }
    let below = LoweredCondition(
      holds: .compare(element, isClosed ? .lessThanOrEqual : .lessThan, upper),
      fails: .compare(element, isClosed ? .greaterThan : .greaterThanOrEqual, upper))
    return lower == nil ? below : condition.and(below)
  }
}

extension PredicateNode {
  /// A comparison of two values.
  static func compare(
    _ left: ExpressionNode, _ operation: ComparisonOperator, _ right: ExpressionNode,
    _ options: StringOptions = []
  ) -> PredicateNode {
    .comparison(
      ComparisonNode(left: left, right: right, operation: operation, options: options))
  }

  /// Whether a value is null.
  static func isNull(_ node: ExpressionNode) -> PredicateNode {
    .compare(node, .equal, .constant(.null))
  }

  /// Whether a value is not null.
  static func isNotNull(_ node: ExpressionNode) -> PredicateNode {
    .compare(node, .notEqual, .constant(.null))
  }

  /// Both predicates; chains stay flat.
  static func all(_ one: PredicateNode, _ other: PredicateNode) -> PredicateNode {
    if one == .constant(true) { return other }
    if other == .constant(true) { return one }
    if one == .constant(false) || other == .constant(false) { return .constant(false) }
    return .and(one.conjuncts + other.conjuncts)
  }

  /// Either predicate; chains stay flat.
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
