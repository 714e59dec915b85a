/// A name of the model that can be a name in Swift.
struct SwiftName: Equatable {
  /// The name as the model has it.
  let text: String

  /// Accepts identifiers only: letters, digits and underscores, no digit first.
  ///
  /// Looks at scalars, because a character may carry marks that the compiler does not accept.
  init?(_ text: String) {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart,
      text != "_", text.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
    else { return nil }
    self.init(known: text)
  }

  private init(known text: String) { self.text = text }

  /// The class of entities without one of their own.
  static let managedObject = SwiftName(known: "NSManagedObject")

  /// The name as it is written in source: in backticks if it is a word of the language.
  var quoted: String { Self.keywords.contains(text) ? "`\(text)`" : text }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Properties and methods without arguments that every managed object has.
  static let membersOfManagedObject: Set<String> = [
    "copy", "debugDescription", "description", "entity", "faultingState", "hasChanges",
    "hasPersistentChangedValues", "hash", "hashValue", "init", "isDeleted", "isFault",
    "isInserted", "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "observationInfo",
    "self",
  ]
}

extension String {
  /// The text with its first letter in upper case, as the names of accessors contain it.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
