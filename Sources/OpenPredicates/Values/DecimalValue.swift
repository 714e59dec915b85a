public import Foundation

/// A decimal number in a reference type, which keeps ``Value`` small.
///
/// Shared: immutable.
public final class DecimalValue: Sendable, Hashable {
  /// The number.
  public let decimal: Decimal

  /// Boxes a decimal number.
  public init(_ decimal: Decimal) {
    self.decimal = decimal
  }

  /// Boxes a floating-point number as a decimal one.
  ///
  /// - Returns: nil for NaN, for infinity, and for numbers beyond the range of decimal ones.
  public convenience init?(real: Double) {
    guard real.isFinite else { return nil }
    let decimal = Decimal(real)
    if decimal.isNaN { return nil }
    self.init(decimal)
  }

  /// Whether both numbers are equal.
  ///
  /// - Returns: `true` if both numbers are equal.
  public static func == (left: DecimalValue, right: DecimalValue) -> Bool {
    left.decimal == right.decimal
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(decimal)
  }
}
