internal import Foundation

// The lowering of the conditions of Foundation's predicates.

extension PredicateExpressions.Equal: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    .condition(try lowering.equality(lhs, rhs))
  }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    .condition(try lowering.equality(lhs, rhs).opposite)
  }
}

extension PredicateExpressions.Comparison: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard SwiftPredicateLowering.orders(LHS.Output.self) else { throw lowering.unsupported(self) }
    let left = try lowering.expression(lhs)
    let right = try lowering.expression(rhs)
    let operations: (ComparisonOperator, ComparisonOperator)? =
      switch op {
      case .lessThan: (.lessThan, .greaterThanOrEqual)
      case .lessThanOrEqual: (.lessThanOrEqual, .greaterThan)
      case .greaterThan: (.greaterThan, .lessThanOrEqual)
      case .greaterThanOrEqual: (.greaterThanOrEqual, .lessThan)
      @unknown default: nil
      }
    guard let (holds, fails) = operations else { throw lowering.unsupported(self) }
    // Strings have the order of their bytes only if they are composed.
    let options: StringOptions = SwiftPredicateLowering.isText(lhs) ? .characters : []
    var condition = LoweredCondition(
      holds: .compare(left, holds, right, options), fails: .compare(left, fails, right, options))
    if lowering.mayBeNaN(left, lhs) || lowering.mayBeNaN(right, rhs) {
      condition.fails = .either(.either(.isNull(left), .isNull(right)), condition.fails)
    }
    return .condition(condition)
  }
}

extension PredicateExpressions.Conjunction: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let left = try lowering.condition(lhs)
    return .condition(left.and(try lowering.condition(rhs)))
  }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let left = try lowering.condition(lhs)
    return .condition(left.opposite.and(try lowering.condition(rhs).opposite).opposite)
  }
}

extension PredicateExpressions.Negation: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    .condition(try lowering.condition(wrapped).opposite)
  }
}

// MARK: - Collections

extension PredicateExpressions.SequenceContains: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    return .condition(try lowering.membership(of: element, in: sequence))
  }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    guard case .range(let range) = try lowering.lower(range) else {
      throw lowering.unsupported(self)
    }
    return .condition(try lowering.membership(of: element, in: range))
  }
}

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    if let known = try lowering.conditions(on: sequence, variable, test) {
      let opposites = known.map(\.opposite)
      return .condition(
        opposites.reduce(LoweredCondition(true)) { $0.and($1) }.opposite)
    }
    let elements = try lowering.elements(of: sequence, variable.key, test)
    var condition = LoweredCondition.emptiness(of: elements.satisfying).opposite
    if SwiftPredicateLowering.unwraps(test), let none = elements.others.findsAll {
      condition.fails = none
    }
    return .condition(condition)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    if let known = try lowering.conditions(on: sequence, variable, test) {
      return .condition(known.reduce(LoweredCondition(true)) { $0.and($1) })
    }
    let elements = try lowering.elements(of: sequence, variable.key, test)
    var condition = LoweredCondition.emptiness(of: elements.others)
    if SwiftPredicateLowering.unwraps(test), let all = elements.satisfying.findsAll {
      condition.holds = all
    }
    return .condition(condition)
  }
}

extension PredicateExpressions.Filter: LowerableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    .value(try lowering.elements(of: sequence, variable.key, filter).satisfying)
  }
}
