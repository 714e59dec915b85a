package import Foundation

/// One object of a property list; collections name their members by number.
///
/// A value. Since members are numbers in a flat table, a list that contains itself is harmless.
package enum PropertyListNode: Sendable, Hashable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer that fits 64 bits with sign.
  case int(Int64)
  /// An integer that needs 64 bits without sign.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)
  /// Bytes.
  case data(Data)
  /// A text.
  case string(String)
  /// A reference as keyed archives use it.
  case uid(UInt64)
  /// The numbers of the members.
  case array([Int])
  /// The numbers of the keys and, in the same order, of the values.
  case dictionary(keys: [Int], values: [Int])

  /// Whether two nodes with equal contents may be one.
  var isScalar: Bool {
    switch self {
    case .array, .dictionary: false
    default: true
    }
  }
}
