public import Foundation

/// A decimal number behind a reference, so that a ``Value`` stays small.
///
/// Shared: immutable after its making.
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

  /// Whether both boxes hold the same number.
  public static func == (left: DecimalValue, right: DecimalValue) -> Bool {
    left.decimal == right.decimal
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(decimal)
  }
}
