public import Foundation

extension Value {
  /// Compares two values by the same rules as a sort in a store; returns nil if the values cannot
  /// be compared.
  ///
  /// Numbers of different types are compared without rounding, with one exception. To compare a
  /// decimal number that is not a 64-bit integer with a floating-point number, the method rounds
  /// the decimal number to the nearest floating-point number. Strings, URLs, UUIDs and data are
  /// compared by bytes, and objects by key. Null is less than any other value. In a comparison of a
  /// number with a string, the number is converted to a string. NaN and lists cannot be compared.
  public static func order(_ left: Value, _ right: Value) -> ComparisonResult? {
    switch (left, right) {
    case (.null, .null): return .orderedSame
    case (.null, _): return .orderedAscending
    case (_, .null): return .orderedDescending
    case (.int(let one), .int(let other)): return compare(one, other)
    case (.string(let one), .string(let other)): return TextBytes.order(one, other)
    case (.uuid(let one), .uuid(let other)): return TextBytes.order(one, other)
    case (.data(let one), .data(let other)): return TextBytes.order(one, other)
    case (.object(let one), .object(let other)): return order(one, other)
    default: break
    }
    if left.isNumeric, right.isNumeric { return numericOrder(left, right) }
    guard let one = left.comparableText, let other = right.comparableText else { return nil }
    return TextBytes.order(one, other)
  }

  /// Returns whether two values are equal in a predicate.
  ///
  /// Numbers of all types are compared by value, strings by their bytes, and lists element by
  /// element. Null equals only null, and NaN equals no value.
  public static func equals(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string(let one), .string(let other)): TextBytes.areEqual(one, other)
    case (.int(let one), .int(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.list(let one), .list(let other)):
      one.count == other.count && zip(one, other).allSatisfy { equals($0, $1) }
    default: order(left, right) == .orderedSame
    }
  }

  /// Whether the value compares as a number; true for a date, which a store saves as seconds.
  private var isNumeric: Bool {
    switch self {
    case .bool, .int, .double, .date, .decimal: true
    default: false
    }
  }

  /// The text with which a value is compared with a string or a URL; nil if there is none.
  private var comparableText: String? {
    switch self {
    case .string(let text): text
    case .url(let url): url.absoluteString
    case .bool(let flag): flag ? "1" : "0"
    case .int(let integer): String(integer)
    case .double(let real): real.description
    case .decimal(let box): box.decimal.description
    default: nil
    }
  }

  private static func numericOrder(_ left: Value, _ right: Value) -> ComparisonResult? {
    if case .decimal = left { return decimalOrder(left, right) }
    if case .decimal = right { return decimalOrder(left, right) }
    switch (left.integer, right.integer) {
    case (let one?, let other?): return compare(one, other)
    case (let one?, nil): return right.real.flatMap { compareExactly(one, $0) }
    case (nil, let other?): return left.real.flatMap { compareExactly(other, $0) }.map(reversed)
    case (nil, nil):
      guard let one = left.real, let other = right.real, !one.isNaN, !other.isNaN else {
        return nil
      }
      return compare(one, other)
    }
  }

  private var integer: Int64? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .int(let integer): integer
    default: nil
    }
  }

  private var real: Double? {
    switch self {
    case .double(let real), .date(let real): real
    default: nil
    }
  }

  /// Compares an integer with a floating-point number without rounding the integer.
  private static func compareExactly(_ integer: Int64, _ real: Double) -> ComparisonResult? {
    if real.isNaN { return nil }
    if real >= 0x1p63 { return .orderedAscending }
    if real < -0x1p63 { return .orderedDescending }
    let whole = Int64(real)
    return integer == whole ? compare(0.0, real - Double(whole)) : compare(integer, whole)
  }

  private static func compare<Number: Comparable>(
    _ left: Number, _ right: Number
  ) -> ComparisonResult {
    left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
  }

  private static func reversed(_ order: ComparisonResult) -> ComparisonResult {
    switch order {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }

  private static func decimalOrder(_ left: Value, _ right: Value) -> ComparisonResult? {
    switch (left, right) {
    case (.decimal(let box), .double(let real)), (.decimal(let box), .date(let real)):
      return order(box.decimal, real)
    case (.double(let real), .decimal(let box)), (.date(let real), .decimal(let box)):
      return order(box.decimal, real).map(reversed)
    default:
      guard let one = left.decimalNumber, let other = right.decimalNumber, !one.isNaN,
        !other.isNaN
      else { return nil }
      return compare(one, other)
    }
  }

  /// Compares a decimal number with a floating-point number.
  ///
  /// The decimal number is first converted to the form in which databases store it: an integer, or
  /// the nearest floating-point number.
  private static func order(_ decimal: Decimal, _ real: Double) -> ComparisonResult? {
    if decimal.isNaN || real.isNaN { return nil }
    let text = decimal.description
    if let integer = Int64(text) { return compareExactly(integer, real) }
    return Double(text).map { compare($0, real) }
  }

  /// The magnitudes of real numbers, other than zero, that a decimal number can represent.
  private static let decimalMagnitudes = 1e-90...1e127

  /// The value as a decimal number if it is a number that a decimal can represent; otherwise nil.
  var decimalNumber: Decimal? {
    switch self {
    case .decimal(let box): box.decimal
    case .bool(let flag): Decimal(flag ? 1 : 0)
    case .int(let integer): Decimal(integer)
    case .double(let real), .date(let real):
      real == 0 || Self.decimalMagnitudes.contains(abs(real)) ? Decimal(digitsOf: real) : nil
    default: nil
    }
  }

  private static func order(
    _ left: ObjectReference, _ right: ObjectReference
  ) -> ComparisonResult {
    if left.key != right.key { return compare(left.key, right.key) }
    if left.entityToken != right.entityToken {
      return compare(left.entityToken, right.entityToken)
    }
    return compare(left.storeToken, right.storeToken)
  }
}
