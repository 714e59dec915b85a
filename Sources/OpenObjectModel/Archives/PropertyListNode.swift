package import Foundation

/// An object of a property list; collections refer to their members by number.
///
/// The numbers refer to a flat table, so a list that contains itself is harmless.
package enum PropertyListNode: Sendable, Hashable {
  /// No value.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// An integer in the range of `Int64`.
  case int(Int64)
  /// An integer that exceeds the range of `Int64`.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// A date, in seconds since 2001-01-01 UTC.
  case date(Double)
  /// Bytes.
  case data(Data)
  /// A string.
  case string(String)
  /// A reference in a keyed archive.
  case uid(UInt64)
  /// The numbers of the members.
  case array([Int])
  /// The numbers of the keys, and the numbers of the values in the same order.
  case dictionary(keys: [Int], values: [Int])

  /// Whether two equal nodes may be stored as one.
  var isScalar: Bool {
    switch self {
    case .array, .dictionary: false
    default: true
    }
  }
}
