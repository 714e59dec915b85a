internal import Foundation

/// Compares strings as Swift predicates do: as collections of characters, which are equal if they
/// are canonically equivalent.
enum SwiftText {
  /// Returns whether a string contains the characters of a pattern in sequence; true for an empty
  /// pattern.
  static func contains(_ text: String, _ pattern: String) -> Bool {
    if pattern.isEmpty { return true }
    if hasCharactersOfBytes(text), hasCharactersOfBytes(pattern) {
      return StringMatch.contains(text, pattern, [])
    }
    return hasPart(text, pattern)
  }

  /// Returns whether a string begins with the characters of a pattern; true for an empty pattern.
  static func hasPrefix(_ text: String, _ pattern: String) -> Bool {
    if hasCharactersOfBytes(text), hasCharactersOfBytes(pattern) {
      return StringMatch.hasPrefix(text, pattern, [])
    }
    return text.starts(with: pattern)
  }

  /// Returns the order of two strings by Swift's operators.
  static func order(_ text: String, _ other: String) -> ComparisonResult {
    if text == other { return .orderedSame }
    return text < other ? .orderedAscending : .orderedDescending
  }

  /// Returns the spellings of a string that a store may contain: as given, composed and decomposed.
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

  /// Returns whether all strings that begin with these characters begin with these bytes, as an
  /// index requires.
  static func hasOneSpelling(_ text: String) -> Bool {
    // U+037E, U+1FEF and U+212A are canonically equivalent to these ASCII characters.
    !text.isEmpty && StringMatch.isASCII(text) && !text.contains { ";`K".contains($0) }
  }

  /// Returns whether each byte is a character, as in ASCII without CR LF, which is one character.
  private static func hasCharactersOfBytes(_ text: String) -> Bool {
    StringMatch.isASCII(text) && !text.utf8.contains(UInt8(ascii: "\r"))
  }

  /// Searches a collection; the generic form avoids Foundation's search of strings.
  private static func hasPart<Elements: Collection>(_ whole: Elements, _ part: Elements) -> Bool
  where Elements.Element: Equatable { whole.contains(part) }
}
