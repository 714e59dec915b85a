extension String {
  /// Returns the text with dots instead of control characters, which could move the cursor of a
  /// terminal.
  ///
  /// - Parameter kept: A control character to keep; nil to keep none.
  package func withoutControlCharacters(except kept: Unicode.Scalar?) -> String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          scalar != kept && scalar.properties.generalCategory == .control ? "·" : scalar
        }))
  }
}

extension Character {
  /// The number of terminal columns that the character occupies: 2 for emoji and for wide
  /// characters of East Asian scripts, 0 for invisible characters and for combining marks without a
  /// base character, and 1 for other characters.
  var columnCount: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return 1 }
    switch first.properties.generalCategory {
    case .format, .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    let isEmoji =
      first.properties.isEmojiPresentation
      || first.properties.isEmoji && unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The large blocks of the Unicode East Asian Width classes Wide and Fullwidth.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
