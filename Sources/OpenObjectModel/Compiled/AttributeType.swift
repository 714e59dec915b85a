/// The type of an attribute's values; the raw values equal the raw values of ``NSAttributeType``.
public enum AttributeType: UInt, Sendable, Hashable {
  /// No type, which only a transient attribute may have.
  case undefined = 0
  /// A signed 16-bit integer.
  case integer16 = 100
  /// A signed 32-bit integer.
  case integer32 = 200
  /// A signed 64-bit integer.
  case integer64 = 300
  /// A decimal number of up to 38 digits.
  case decimal = 400
  /// A 64-bit floating-point number.
  case double = 500
  /// A 32-bit floating-point number.
  case float = 600
  /// A string.
  case string = 700
  /// A Boolean value.
  case boolean = 800
  /// A date and time.
  case date = 900
  /// Binary data.
  case binaryData = 1000
  /// A UUID.
  case uuid = 1100
  /// A URL.
  case uri = 1200
  /// A value stored as data that a value transformer or the library's archiver creates.
  case transformable = 1800
  /// An object id, which only a transient attribute may contain.
  case objectID = 2000
  /// A composite attribute, which consists of other attributes.
  case composite = 2100

  /// The kind of slot that contains values of this type in a packed row.
  ///
  /// The property is nil for `undefined`, `objectID` and `composite`, because attributes of these
  /// types have no column.
  public var slotKind: SlotKind? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .double, .float, .date: .real
    case .string, .uri: .text
    case .binaryData, .uuid, .transformable: .blob
    case .decimal: .decimal
    case .undefined, .objectID, .composite: nil
    }
  }
}

/// The kind of value that a slot of a packed row contains.
public enum SlotKind: UInt8, Sendable, Hashable {
  /// A 64-bit integer; also a Boolean value, as 0 or 1.
  case integer = 0
  /// A 64-bit floating-point number; also a date, in seconds since 2001-01-01 UTC.
  case real = 1
  /// A string; also a URI.
  case text = 2
  /// Bytes: binary data, a UUID, or an archived transformable value.
  case blob = 3
  /// A decimal number, stored as text.
  case decimal = 4
}

/// A rule that determines what happens to the destinations of a relationship when the source object
/// is deleted.
public enum DeleteRule: UInt, Sendable, Hashable {
  /// The destinations are not changed.
  case noAction = 0
  /// The inverse relationships of the destinations no longer refer to the source object.
  case nullify = 1
  /// The destinations are also deleted.
  case cascade = 2
  /// A source object with destinations cannot be deleted.
  case deny = 3
}
