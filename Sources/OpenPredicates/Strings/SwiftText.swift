internal import Foundation

/// Texts as Swift predicates compare them: collections of characters, which are equal when they are canonically
/// equivalent.
enum SwiftText {
  /// Whether the characters of the pattern follow each other in the text; true for the empty pattern.
  static func contains(_ text: String, _ pattern: String) -> Bool {
    if pattern.isEmpty { return true }
    if hasCharactersOfBytes(text), hasCharactersOfBytes(pattern) {
      return StringMatch.contains(text, pattern, [])
    }
    return hasPart(text, pattern)
  }

  /// Whether the text begins with the characters of the pattern; true for the empty pattern.
  static func hasPrefix(_ text: String, _ pattern: String) -> Bool {
    if hasCharactersOfBytes(text), hasCharactersOfBytes(pattern) {
      return StringMatch.hasPrefix(text, pattern, [])
    }
    return text.starts(with: pattern)
  }

  /// The order of two texts by Swift's operators.
  static func order(_ text: String, _ other: String) -> ComparisonResult {
    if text == other { return .orderedSame }
    return text < other ? .orderedAscending : .orderedDescending
  }

  /// The spellings of a text that a store may have: as given, composed and decomposed.
  static func spellings(_ text: String) -> [String] {
    if StringMatch.isASCII(text) { return [text] }
    var result = [ExactText(text)]
    for other in [
      text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping,
    ] where !result.contains(ExactText(other)) {
      result.append(ExactText(other))
    }
    return result.map(\.text)
  }

  /// Whether every text that begins with these characters begins with these bytes, so that an index can find it.
  static func hasOneSpelling(_ text: String) -> Bool {
    // U+037E, U+1FEF and U+212A are canonically equivalent to these ASCII characters.
    !text.isEmpty && StringMatch.isASCII(text) && !text.contains { ";`K".contains($0) }
  }

  /// Whether each byte is a character: ASCII without CR LF, which is one character.
  private static func hasCharactersOfBytes(_ text: String) -> Bool {
    StringMatch.isASCII(text) && !text.utf8.contains(UInt8(ascii: "\r"))
  }

  /// Generic, so that it is the search of any collection and not Foundation's search of texts.
  private static func hasPart<Elements: Collection>(_ whole: Elements, _ part: Elements) -> Bool
  where Elements.Element: Equatable { whole.contains(part) }
}
