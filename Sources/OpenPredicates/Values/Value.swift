public import Foundation

/// An attribute value in the form that rows, plans and predicates share.
///
/// The type has a size of 17 bytes. `==` requires the same case, and compares strings by their
/// bytes, as stores do. In contrast, Swift considers canonically equivalent strings equal. Use
/// ``equals(_:_:)`` and ``order(_:_:)`` to compare numbers of different cases.
public enum Value: Sendable, Hashable {
  /// The absence of a value, which is `NULL` in SQL.
  case null
  /// A Boolean value, which is compared as the number 0 or 1.
  case bool(Bool)
  /// An integer of up to 64 bits.
  case int(Int64)
  /// A floating-point number.
  case double(Double)
  /// A date, in seconds since 2001-01-01 UTC.
  case date(Double)
  /// A string, which is compared by its UTF-8 bytes.
  case string(String)
  /// Binary data.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A decimal number.
  case decimal(DecimalValue)
  /// A URL, which is compared by its absolute string.
  case url(URL)
  /// A reference to a managed object.
  case object(ObjectReference)
  /// A list of values, such as the right side of `IN` and `BETWEEN`.
  case list([Value])

  /// Returns whether two values have the same case and equal contents; strings are compared by
  /// bytes.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.int(let one), .int(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.date(let one), .date(let other)): one == other
    case (.string(let one), .string(let other)): TextBytes.areEqual(one, other)
    case (.data(let one), .data(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.decimal(let one), .decimal(let other)): one == other
    case (.url(let one), .url(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.list(let one), .list(let other)): one == other
    default: false
    }
  }

  /// Hashes the case and its contents.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let flag): Self.hash(1, flag, &hasher)
    case .int(let integer): Self.hash(2, integer, &hasher)
    case .double(let real): Self.hash(3, real, &hasher)
    case .date(let seconds): Self.hash(4, seconds, &hasher)
    case .string(let text):
      hasher.combine(5 as UInt8)
      hasher.combine(text.utf8.count)
      TextBytes.with(text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .data(let data): Self.hash(6, data, &hasher)
    case .uuid(let uuid): Self.hash(7, uuid, &hasher)
    case .decimal(let box): Self.hash(8, box, &hasher)
    case .url(let url): Self.hash(9, url, &hasher)
    case .object(let reference): Self.hash(10, reference, &hasher)
    case .list(let members): Self.hash(11, members, &hasher)
    }
  }

  private static func hash(
    _ number: UInt8, _ content: some Hashable, _ hasher: inout Hasher
  ) {
    hasher.combine(number)
    hasher.combine(content)
  }
}
