/// The type of an attribute's values; the raw values equal the raw values of ``NSAttributeType``.
public enum AttributeType: UInt, Sendable, Hashable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binaryData = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
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
  case integer = 0
  case real = 1
  case text = 2
  case blob = 3
  /// A decimal number, stored as text.
  case decimal = 4
}

/// A rule that determines what happens to the destinations of a relationship when the source object
/// is deleted.
public enum DeleteRule: UInt, Sendable, Hashable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3
}
