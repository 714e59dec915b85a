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

  /// Whether both boxes hold the same number.
  public static func == (left: DecimalValue, right: DecimalValue) -> Bool {
    left.decimal == right.decimal
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(decimal)
  }
}
