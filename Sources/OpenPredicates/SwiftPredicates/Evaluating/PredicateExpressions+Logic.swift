internal import Foundation

// One side decides AND and OR if the other side has no value, as in a store.

extension PredicateExpressions.Conjunction: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let left = Result { try lhs.valueWithoutTraps(bindings) }
    if case .success(false) = left { return false }
    return try rhs.valueWithoutTraps(bindings) && left.get()
  }
}

extension PredicateExpressions.Disjunction: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let left = Result { try lhs.valueWithoutTraps(bindings) }
    if case .success(true) = left { return true }
    return try rhs.valueWithoutTraps(bindings) || left.get()
  }
}

extension PredicateExpressions.Negation: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    !(try wrapped.valueWithoutTraps(bindings))
  }
}

extension PredicateExpressions.Conditional: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    try test.valueWithoutTraps(bindings)
      ? trueBranch.valueWithoutTraps(bindings) : falseBranch.valueWithoutTraps(bindings)
  }
}

extension PredicateExpressions.Equal: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    try lhs.valueWithoutTraps(bindings) == rhs.valueWithoutTraps(bindings)
  }
}

extension PredicateExpressions.NotEqual: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    try lhs.valueWithoutTraps(bindings) != rhs.valueWithoutTraps(bindings)
  }
}

extension PredicateExpressions.Comparison: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let one = try lhs.valueWithoutTraps(bindings)
    let other = try rhs.valueWithoutTraps(bindings)
    return switch op {
    case .lessThan: one < other
    case .lessThanOrEqual: one <= other
    case .greaterThan: one > other
    case .greaterThanOrEqual: one >= other
    @unknown default: throw PredicateError.invalidInput
    }
  }
}

extension PredicateExpressions.PredicateEvaluate: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let value = try input.valueWithoutTraps(bindings)
    return try Self.value(
      predicate.expression, PredicateBindings((predicate.variable, value)))
  }

  private static func value(
    _ expression: some PredicateExpression<Bool>, _ bindings: PredicateBindings
  ) throws -> Bool { try expression.valueWithoutTraps(bindings) }
}

// MARK: - Values

extension PredicateExpressions.KeyPath: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    try root.valueWithoutTraps(bindings)[keyPath: keyPath as Swift.KeyPath<Root.Output, Output>]
  }
}

extension PredicateExpressions.NilCoalesce: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    if let value = try lhs.valueWithoutTraps(bindings) { return value }
    return try rhs.valueWithoutTraps(bindings)
  }
}

extension PredicateExpressions.ForcedUnwrap: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    guard let value = try inner.valueWithoutTraps(bindings) else {
      throw PredicateError.forceUnwrapFailure
    }
    return value
  }
}

extension PredicateExpressions.OptionalFlatMap: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    guard let value = try wrapped.valueWithoutTraps(bindings) else { return nil }
    let result = try transform.valueWithoutTraps(bindings.binding(variable, to: value))
    guard let result = result as? Output else { throw PredicateError.invalidInput }
    return result
  }
}

extension PredicateExpressions.ConditionalCast: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    try input.valueWithoutTraps(bindings) as? Desired
  }
}

extension PredicateExpressions.ForceCast: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    guard let value = try input.valueWithoutTraps(bindings) as? Desired else {
      throw PredicateError.forceCastFailure
    }
    return value
  }
}

extension PredicateExpressions.TypeCheck: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    try input.valueWithoutTraps(bindings) is Desired
  }
}
