internal import Foundation

/// Swift predicates whose own evaluation may end the process or throw.
///
/// Foundation's expressions calculate with operators that trap. A fetch evaluates such predicates part by part: a part
/// without a result, as an overflow, a division by zero or an unwrapped nil, has no value, and a condition on it is neither
/// true nor false, as conditions on null are in a store.
enum UncheckedEvaluation {
  /// Whether an expression has a part that may trap or throw.
  static func isIn(_ expression: Any) -> Bool {
    ExpressionWalk.contains(expression) { $0 is any UncheckedExpression }
  }
}

/// An expression whose evaluation may trap or throw.
protocol UncheckedExpression {}

/// An expression that is evaluated without traps.
protocol TrapFreeExpression: PredicateExpression {
  /// The value.
  ///
  /// - Throws: An error where there is none.
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output
}

extension PredicateExpression {
  /// The value of an expression, with an error in place of a trap.
  func valueWithoutTraps(_ bindings: PredicateBindings) throws -> Output {
    guard let known = self as? any TrapFreeExpression else { return try evaluate(bindings) }
    return try Self.value(of: known, bindings)
  }

  private static func value<Known: TrapFreeExpression>(
    of expression: Known, _ bindings: PredicateBindings
  ) throws -> Output {
    let value = try expression.trapFreeValue(bindings)
    guard Known.Output.self == Output.self else { throw PredicateError.invalidInput }
    // The types are the same, which only the check at run time can show the compiler.
    return unsafeBitCast(value, to: Output.self)
  }
}

/// Calculations that throw where operators trap.
enum CheckedArithmetic {
  enum Operation { case add, subtract, multiply, divide, remainder }

  /// - Throws: `PredicateError.invalidInput` for an overflow, and for a division by zero.
  static func integers<Number>(_ operation: Operation, _ one: Number, _ other: Number) throws
    -> Number?
  {
    guard let integer = one as? any FixedWidthInteger else { return nil }
    func opened<Integer: FixedWidthInteger>(_ one: Integer) throws -> Number? {
      guard let other = other as? Integer else { return nil }
      let (result, overflow) =
        switch operation {
        case .add: one.addingReportingOverflow(other)
        case .subtract: one.subtractingReportingOverflow(other)
        case .multiply: one.multipliedReportingOverflow(by: other)
        case .divide: one.dividedReportingOverflow(by: other)
        case .remainder: one.remainderReportingOverflow(dividingBy: other)
        }
      if overflow { throw PredicateError.invalidInput }
      return result as? Number
    }
    return try opened(integer)
  }
}

/// The error of a variable that has no value: what is evaluated is not a constant.
struct UnboundVariable: Error {}

extension PredicateExpressions.Variable: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    guard let value = bindings[self] else { throw UnboundVariable() }
    return value
  }
}

extension PredicateExpressions.ExpressionEvaluate: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    do {
      return try evaluate(bindings)
    } catch {
      // Foundation does not say whether a variable or a value is missing.
      throw UnboundVariable()
    }
  }
}
