public import Foundation

/// A decimal number in an object. A ``Value`` therefore needs space only for a reference to the
/// number.
///
/// The object is immutable, and any thread may use it.
public final class DecimalValue: Sendable, Hashable {
  /// The decimal number.
  public let decimal: Decimal

  /// Creates an object with a decimal number.
  public init(_ decimal: Decimal) {
    self.decimal = decimal
  }

  /// Creates a decimal number with the digits of a floating-point number's shortest text: 0.07
  /// becomes exactly 0.07.
  ///
  /// The result is nil for NaN, infinity, and numbers that are too large or too small for
  /// `Decimal`.
  public convenience init?(real: Double) {
    guard real.isFinite else { return nil }
    let decimal = Decimal(digitsOf: real)
    if decimal.isNaN { return nil }
    self.init(decimal)
  }

  /// Returns whether both numbers are equal.
  public static func == (left: DecimalValue, right: DecimalValue) -> Bool {
    left.decimal == right.decimal
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(decimal)
  }
}

extension Decimal {
  /// Creates a decimal number with the digits of a floating-point number's shortest text.
  ///
  /// `Decimal(0.07)` has more digits, 0.07000000000000001024, but stores write 0.07.
  init(digitsOf real: Double) {
    if let whole = Int64(exactly: real) {
      self.init(whole)
    } else {
      self = Decimal(string: real.description) ?? Decimal(real)
    }
  }

  /// The nearest floating-point number.
  ///
  /// `NSDecimalNumber` does not always return the nearest number, for example for 0.007.
  package var nearestDouble: Double {
    if isNaN { return .nan }
    let power = exponent
    if power >= -22, power <= 22, significand.magnitude <= Decimal(1 << 53) {
      // Both numbers are exact, so the result is rounded once.
      let digits = abs(NSDecimalNumber(decimal: significand).doubleValue)
      let real =
        power < 0 ? digits / Self.powers[-power] : digits * Self.powers[power]
      return isSignMinus ? -real : real
    }
    return Double(description) ?? NSDecimalNumber(decimal: self).doubleValue
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
