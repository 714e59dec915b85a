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

  /// Returns whether two nodes are written as the same bytes.
  ///
  /// Unlike the equality of Swift strings and numbers, this operator distinguishes canonically
  /// equivalent strings, and 0 from -0.
  package static func == (one: PropertyListNode, other: PropertyListNode) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.int(let one), .int(let other)): one == other
    case (.unsigned(let one), .unsigned(let other)): one == other
    case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
    case (.date(let one), .date(let other)): one.bitPattern == other.bitPattern
    case (.data(let one), .data(let other)): one == other
    case (.string(let one), .string(let other)):
      one == other && one.utf8.elementsEqual(other.utf8)
    case (.uid(let one), .uid(let other)): one == other
    case (.array(let one), .array(let other)): one == other
    case (.dictionary(let keys, let values), .dictionary(let otherKeys, let otherValues)):
      keys == otherKeys && values == otherValues
    default: false
    }
  }

  /// Whether two equal nodes may be stored as one.
  var isScalar: Bool {
    switch self {
    case .array, .dictionary: false
    default: true
    }
  }
}
