/// Parses a text that a model specifies as a type, so that only valid types are written to the
/// source.
///
/// The parser accepts names with dots and generic arguments, arrays, dictionaries, question marks,
/// `any` and `&`.
struct TypeText {
  private var rest: Substring
  /// The nesting depth, whose limit is far above that of any attribute's type.
  private var depth = 0
  private static let depthLimit = 32

  /// Returns whether a text is exactly one type.
  static func isType(_ text: String) -> Bool {
    var reader = TypeText(rest: text[...])
    return reader.readComposition() && reader.rest.isEmpty
  }

  /// Returns the optional type of a type; nil if the text is not a type.
  static func optional(of text: String) -> String? {
    guard isType(text) else { return nil }
    // Without parentheses, the question mark would apply only to the last protocol.
    let isComposition = text.contains("&") || text.drop { $0 == " " }.hasPrefix("any ")
    return isComposition ? "(\(text))?" : "\(text)?"
  }

  private init(rest: Substring) { self.rest = rest }

  private mutating func readComposition() -> Bool {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { return false }
    skipBlanks()
    if rest.hasPrefix("any ") {
      rest.removeFirst(4)
      skipBlanks()
    }
    repeat {
      guard readType() else { return false }
    } while read("&")
    return true
  }

  private mutating func readType() -> Bool {
    guard read("[") ? readBrackets() : readNames() else { return false }
    while rest.first == "?" { rest.removeFirst() }
    return true
  }

  private mutating func readBrackets() -> Bool {
    guard readComposition() else { return false }
    if read(":"), !readComposition() { return false }
    return read("]")
  }

  private mutating func readNames() -> Bool {
    repeat {
      skipBlanks()
      let name = rest.prefix { $0.unicodeScalars.allSatisfy(\.properties.isXIDContinue) }
      guard let usable = SwiftName(String(name)), usable.quoted == usable.text || name == "Any"
      else { return false }
      rest.removeFirst(name.count)
      if read("<"), !readArguments() { return false }
    } while read(".")
    return true
  }

  private mutating func readArguments() -> Bool {
    repeat {
      guard readComposition() else { return false }
    } while read(",")
    return read(">")
  }

  /// Reads a character with surrounding spaces if it comes next.
  private mutating func read(_ mark: Character) -> Bool {
    let start = rest
    skipBlanks()
    guard rest.first == mark else {
      rest = start
      return false
    }
    rest.removeFirst()
    return true
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == " " } }
}
