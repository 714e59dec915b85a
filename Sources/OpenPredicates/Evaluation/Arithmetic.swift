import Foundation

/// Arithmetic with values: integers remain integers, decimals remain decimals, and null yields
/// null.
enum Arithmetic {
  enum Operation {
    case add, subtract, multiply, divide, modulus, power
  }

  static func apply(_ operation: Operation, _ left: Value, _ right: Value) -> Value {
    if let one = left.wholeNumber, let other = right.wholeNumber,
      let result = integers(operation, one, other)
    {
      return result
    }
    if left.isNaN || right.isNaN { return .null }
    if left.isDecimal || right.isDecimal, let one = left.decimalNumber,
      let other = right.decimalNumber, let result = decimals(operation, one, other), !result.isNaN
    {
      return .decimal(DecimalValue(result))
    }
    guard let one = left.realNumber, let other = right.realNumber else { return .null }
    return reals(operation, one, other, isDate: left.isDate != right.isDate)
  }

  /// Returns the result of an integer operation; nil if only a floating-point number can represent
  /// it.
  private static func integers(_ operation: Operation, _ one: Int64, _ other: Int64) -> Value? {
    let (result, overflow): (Int64, Bool)
    switch operation {
    case .add: (result, overflow) = one.addingReportingOverflow(other)
    case .subtract: (result, overflow) = one.subtractingReportingOverflow(other)
    case .multiply: (result, overflow) = one.multipliedReportingOverflow(by: other)
    case .divide:
      if other == 0 { return .null }
      (result, overflow) = one.dividedReportingOverflow(by: other)
    case .modulus:
      if other == 0 { return .null }
      (result, overflow) = one.remainderReportingOverflow(dividingBy: other)
    case .power: return power(one, other)
    }
    return overflow ? nil : .int(result)
  }

  private static func power(_ base: Int64, _ exponent: Int64) -> Value? {
    Int64(exactly: pow(Double(base), Double(exponent))).flatMap { rough in
      guard exponent >= 0, rough.magnitude < 1 << 53 else { return nil }
      return .int(rough)
    }
  }

  /// The least exponent of a decimal number.
  private static let leastExponent = -128

  /// Returns whether the exponent of a product is not too small for a decimal number.
  ///
  /// Foundation's multiplication traps if the exponent is too small.
  static func isRepresentable(productOf one: Decimal, _ other: Decimal) -> Bool {
    one.exponent + other.exponent >= leastExponent
  }

  /// Returns the result of an operation on decimal numbers; nil or NaN if only a floating-point
  /// number can represent it.
  private static func decimals(
    _ operation: Operation, _ one: Decimal, _ other: Decimal
  ) -> Decimal? {
    switch operation {
    case .add: one + other
    case .subtract: one - other
    case .multiply: isRepresentable(productOf: one, other) ? one * other : nil
    case .divide: other == 0 ? nil : one / other
    case .modulus, .power: nil
    }
  }

  /// Returns the result of a floating-point operation; null for NaN, as in SQLite.
  private static func reals(
    _ operation: Operation, _ one: Double, _ other: Double, isDate: Bool
  ) -> Value {
    let result = plainReals(operation, one, other, isDate: isDate)
    return result.isNaN ? .null : result
  }

  private static func plainReals(
    _ operation: Operation, _ one: Double, _ other: Double, isDate: Bool
  ) -> Value {
    switch operation {
    case .add: isDate ? .date(one + other) : .double(one + other)
    case .subtract: isDate ? .date(one - other) : .double(one - other)
    case .multiply: .double(one * other)
    case .divide: other == 0 ? .null : .double(one / other)
    case .modulus: other == 0 ? .null : .double(fmod(one, other))
    case .power: .double(pow(one, other))
    }
  }
}

extension Value {
  /// The value as an integer if it is an integer or a Boolean value; otherwise nil.
  var wholeNumber: Int64? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .int(let integer): integer
    default: nil
    }
  }

  var isDecimal: Bool {
    if case .decimal = self { true } else { false }
  }

  var isDate: Bool {
    if case .date = self { true } else { false }
  }
}
