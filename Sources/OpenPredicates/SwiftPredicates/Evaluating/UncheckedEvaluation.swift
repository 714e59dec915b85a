internal import Foundation

/// Finds Swift predicates whose own evaluation may trap or throw.
///
/// Foundation's expressions use operators that trap. A fetch therefore evaluates such predicates
/// part by part. A part without a result, because of an overflow, a division by zero or an
/// unwrapped nil, has no value. A condition on such a part is neither true nor false, as conditions
/// on null in a store.
enum UncheckedEvaluation {
  /// Returns whether an expression has a part that may trap or throw.
  static func isIn(_ expression: Any) -> Bool {
    ExpressionWalk.contains(expression) { $0 is any UncheckedExpression }
  }
}

/// An expression whose evaluation may trap or throw.
protocol UncheckedExpression {}

/// An expression that is evaluated without traps.
protocol TrapFreeExpression: PredicateExpression {
  /// Returns the value of the expression.
  ///
  /// - Throws: An error if the expression has no value.
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output
}

extension PredicateExpression {
  /// Returns the value of an expression; throws an error instead of trapping.
  func valueWithoutTraps(_ bindings: PredicateBindings) throws -> Output {
    guard let known = self as? any TrapFreeExpression else { return try evaluate(bindings) }
    return try Self.value(of: known, bindings)
  }

  private static func value<Known: TrapFreeExpression>(
    of expression: Known, _ bindings: PredicateBindings
  ) throws -> Output {
    let value = try expression.trapFreeValue(bindings)
    guard Known.Output.self == Output.self else { throw PredicateError.invalidInput }
    // The types are equal, which the compiler can only verify by a check at run time.
    return unsafeBitCast(value, to: Output.self)
  }
}

/// Arithmetic that throws where operators trap.
enum CheckedArithmetic {
  enum Operation { case add, subtract, multiply, divide, remainder }

  /// Returns the result of an operation on integers.
  ///
  /// - Throws: `PredicateError.invalidInput` for an overflow or a division by zero.
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

  /// Checks the product of two decimal numbers; the method ignores numbers of other types.
  ///
  /// - Throws: `PredicateError.invalidInput` if the product is too small for a decimal number.
  static func checkProduct<Number>(_ one: Number, _ other: Number) throws {
    guard let one = one as? Decimal, let other = other as? Decimal else { return }
    if !Arithmetic.isRepresentable(productOf: one, other) { throw PredicateError.invalidInput }
  }
}

/// The error of a variable without a value, which shows that an expression is not a constant.
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
      // Foundation does not report whether a variable or a value is missing.
      throw UnboundVariable()
    }
  }
}
