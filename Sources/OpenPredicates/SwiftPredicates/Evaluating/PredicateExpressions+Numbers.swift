internal import Foundation

extension PredicateExpressions.Arithmetic: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let one = try lhs.valueWithoutTraps(bindings)
    let other = try rhs.valueWithoutTraps(bindings)
    switch op {
    case .add: return try CheckedArithmetic.integers(.add, one, other) ?? (one + other)
    case .subtract: return try CheckedArithmetic.integers(.subtract, one, other) ?? (one - other)
    case .multiply:
      try CheckedArithmetic.checkProduct(one, other)
      return try CheckedArithmetic.integers(.multiply, one, other) ?? (one * other)
    @unknown default: throw PredicateError.invalidInput
    }
  }
}

extension PredicateExpressions.UnaryMinus: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let value = try wrapped.valueWithoutTraps(bindings)
    return try CheckedArithmetic.integers(.subtract, 0, value) ?? -value
  }
}

extension PredicateExpressions.IntDivision: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let one = try lhs.valueWithoutTraps(bindings)
    let other = try rhs.valueWithoutTraps(bindings)
    if other == 0 { throw PredicateError.invalidInput }
    return try CheckedArithmetic.integers(.divide, one, other) ?? (one / other)
  }
}

extension PredicateExpressions.IntRemainder: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let one = try lhs.valueWithoutTraps(bindings)
    let other = try rhs.valueWithoutTraps(bindings)
    if other == 0 { throw PredicateError.invalidInput }
    return try CheckedArithmetic.integers(.remainder, one, other) ?? (one % other)
  }
}

extension PredicateExpressions.FloatDivision: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let one = try lhs.valueWithoutTraps(bindings)
    return one / (try rhs.valueWithoutTraps(bindings))
  }
}

extension PredicateExpressions.Range: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let low = try lower.valueWithoutTraps(bindings)
    let high = try upper.valueWithoutTraps(bindings)
    guard low <= high else { throw PredicateError.invalidInput }
    return low..<high
  }
}

extension PredicateExpressions.ClosedRange: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let low = try lower.valueWithoutTraps(bindings)
    let high = try upper.valueWithoutTraps(bindings)
    guard low <= high else { throw PredicateError.invalidInput }
    return low...high
  }
}
