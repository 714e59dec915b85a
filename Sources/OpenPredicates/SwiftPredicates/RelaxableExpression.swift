internal import Foundation

/// A condition that can still select candidates if one of its parts cannot be lowered.
///
/// `a && regular expression` selects among the objects for which `a` is true.
protocol RelaxableExpression {
  /// Returns two necessary conditions: one for the truth of the expression, one for its falsity.
  ///
  /// - Throws: `PredicateFormatError` for a property that is not stored.
  func relaxed(_ lowering: inout SwiftPredicateLowering) throws(PredicateFormatError)
    -> LoweredCondition
}

extension PredicateExpressions.Conjunction: RelaxableExpression {
  func relaxed(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredCondition {
    let left = try lowering.relaxed(lhs)
    return left.and(try lowering.relaxed(rhs))
  }
}

extension PredicateExpressions.Disjunction: RelaxableExpression {
  func relaxed(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredCondition {
    let left = try lowering.relaxed(lhs)
    return left.opposite.and(try lowering.relaxed(rhs).opposite).opposite
  }
}

extension PredicateExpressions.Negation: RelaxableExpression {
  func relaxed(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredCondition { try lowering.relaxed(wrapped).opposite }
}

/// A condition that can be executed in parts if it is a conjunction.
protocol DivisibleExpression {
  /// The conditions of a conjunction; nil for any other condition.
  var sides: [any PredicateExpression<Bool>]? { get }
}

extension PredicateExpressions.Conjunction: DivisibleExpression {
  var sides: [any PredicateExpression<Bool>]? { [lhs, rhs] }
}

/// A key path that is checked before a predicate is evaluated in memory.
protocol NamedKeyPath {
  /// Checks that the key path of an object ends at a stored property.
  ///
  /// - Throws: `PredicateFormatError` with the name of a computed or transient property.
  func checkName() throws(PredicateFormatError)
}

extension PredicateExpressions.KeyPath: NamedKeyPath {
  func checkName() throws(PredicateFormatError) {
    guard KeyPathNames.areKnown(of: Root.Output.self), KeyPathNames.name(of: keyPath) == nil else {
      return
    }
    throw .notStored(keyPath)
  }
}
