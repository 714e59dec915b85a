/// A name in the model that is also a valid Swift name.
struct SwiftName: Equatable {
  /// The name as written in the model.
  let text: String

  /// Creates a name; nil unless the text consists of letters, digits and underscores and does not
  /// start with a digit.
  ///
  /// The initializer checks Unicode scalars, because a character may contain marks that the
  /// compiler does not accept.
  init?(_ text: String) {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart,
      text != "_", text.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
    else { return nil }
    self.init(known: text)
  }

  private init(known text: String) { self.text = text }

  /// The class of entities without their own class.
  static let managedObject = SwiftName(known: "NSManagedObject")

  /// The name as written in source: in backticks if it is a Swift keyword.
  var quoted: String { Self.keywords.contains(text) ? "`\(text)`" : text }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// The properties and methods without arguments that every managed object has.
  static let membersOfManagedObject: Set<String> = [
    "copy", "customMirror", "debugDescription", "description", "entity", "faultingState",
    "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "init", "isDeleted", "isFault",
    "isInserted", "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "objectReference",
    "observationInfo", "self",
  ]
}

extension String {
  /// The text with its first letter in uppercase, as in the names of accessors.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
