internal import Foundation

// The lowering of optional to-many relationships. The value of such a relationship is never nil.

/// A key path that may lead from an object to a to-many relationship.
protocol RelationshipKeyPath {
  var leadsToMany: Bool { get }
}

extension PredicateExpressions.KeyPath: RelationshipKeyPath {
  var leadsToMany: Bool {
    // A longer key path may end early, at an optional relationship without a destination.
    ValueMembers.isToMany(Output.self) && KeyPathNames.areKnown(of: Root.Output.self)
      && KeyPathNames.name(of: keyPath)?.contains(".") == false
  }
}

/// An expression with `?.` or `flatMap`.
protocol OptionalChain {
  /// The part before `?.`.
  var base: any PredicateExpression { get }
  /// The part after `?.`.
  var rest: any PredicateExpression { get }
}

extension PredicateExpressions.OptionalFlatMap: OptionalChain {
  var base: any PredicateExpression { wrapped }
  var rest: any PredicateExpression { transform }
}

extension PredicateExpression {
  /// Whether the value is a to-many relationship of an object that is not nil.
  fileprivate var isToMany: Bool { (self as? any RelationshipKeyPath)?.leadsToMany ?? false }

  /// Whether the value is a to-many relationship, or nil if an object before the relationship is
  /// nil.
  fileprivate var endsAtToMany: Bool {
    isToMany || (self as? any OptionalChain)?.rest.isToMany ?? false
  }
}

extension SwiftPredicateLowering {
  /// Lowers the value that is null if an expression is nil.
  ///
  /// - Parameters:
  ///   - expression: An expression with an optional value.
  ///   - value: The form of the expression.
  /// - Returns: The value; nil if the expression is never nil.
  mutating func requiredValue(
    of expression: any PredicateExpression, _ value: ExpressionNode
  ) throws(PredicateFormatError) -> ExpressionNode? {
    if expression.isToMany { return nil }
    guard expression.endsAtToMany, let chain = expression as? any OptionalChain else {
      return value
    }
    return try requiredValue(of: chain.base, try owner(chain.base))
  }

  /// Lowers the comparison of an encoded value or of a to-many relationship with nil.
  ///
  /// - Returns: The condition; nil for any other comparison.
  mutating func nilTest(
    _ one: LoweredExpression, _ left: any PredicateExpression, _ other: LoweredExpression,
    _ right: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition? {
    if case .value(.constant(.null)) = one { return try isNil(other, right) }
    if case .value(.constant(.null)) = other { return try isNil(one, left) }
    return nil
  }

  private mutating func isNil(
    _ value: LoweredExpression, _ expression: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition? {
    switch value {
    case .encoded(let node): return .absence(of: node)
    case .value(let node) where expression.endsAtToMany:
      let required = try requiredValue(of: expression, node)
      return required.map { .absence(of: $0) } ?? LoweredCondition(false)
    default: return nil
    }
  }
}

extension LoweredCondition {
  /// Returns the condition that a value is null.
  fileprivate static func absence(of value: ExpressionNode) -> LoweredCondition {
    LoweredCondition(holds: .isNull(value), fails: .isNotNull(value))
  }
}
