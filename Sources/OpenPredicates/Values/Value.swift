public import Foundation

/// One attribute value in the form that rows, plans and predicates share.
///
/// A value type of 17 bytes. `==` compares case by case, as hashing needs; numbers of different
/// cases and strings by bytes are compared with ``equals(_:_:)`` and ``order(_:_:)``.
public enum Value: Sendable, Hashable {
  /// No value; SQL's NULL.
  case null
  /// A truth value; compares as the number 0 or 1.
  case bool(Bool)
  /// An integer of up to 64 bits.
  case int(Int64)
  /// A floating-point number.
  case double(Double)
  /// A moment, in seconds since 2001-01-01 UTC.
  case date(Double)
  /// A text; compares by its UTF-8 bytes.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A decimal number.
  case decimal(DecimalValue)
  /// A resource locator; compares as its absolute text.
  case url(URL)
  /// A managed object, by name.
  case object(ObjectReference)
  /// Several values, as `IN` and `BETWEEN` take them.
  case list([Value])
}
