internal import Foundation

/// An expression of conditions that remains useful when one of its parts cannot be lowered.
///
/// `a && regular expression` selects among the objects for which `a` holds.
protocol RelaxableExpression {
  /// Conditions that hold wherever the expression holds, and wherever it fails.
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

/// A conjunction, to be executed in parts.
protocol DivisibleExpression {
  /// The conditions that have to hold together.
  var sides: [any PredicateExpression<Bool>] { get }
}

extension PredicateExpressions.Conjunction: DivisibleExpression {
  var sides: [any PredicateExpression<Bool>] { [lhs, rhs] }
}

/// A key path, to be checked before a predicate is evaluated in memory.
protocol NamedKeyPath {
  /// Checks that the key path of an object leads to a stored property.
  ///
  /// - Throws: `PredicateFormatError` naming a computed or transient property.
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
