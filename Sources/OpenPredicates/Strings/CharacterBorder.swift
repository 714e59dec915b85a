/// Finds the boundaries of user-perceived characters in UTF-8 text.
///
/// The rule is simpler than Unicode's grapheme clusters: a character ends where no combining mark
/// follows. Foundation's search uses this rule.
enum CharacterBorder {
  /// Returns whether a range of bytes begins and ends at character boundaries.
  static func surrounds(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    if range.lowerBound > 0, let first = scalar(at: range.lowerBound, in: text), isMark(first) {
      return false
    }
    // A joiner cannot begin a match, but the first of several joined characters can.
    guard let next = scalar(at: range.upperBound, in: text) else { return true }
    return next == joiner || !isMark(next)
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"

  /// Returns the scalar at an offset; nil at the end, and for ASCII, which needs no test.
  private static func scalar(
    at offset: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Unicode.Scalar? {
    guard offset < text.count, text[offset] >= 0x80 else { return nil }
    var decoder = UTF8()
    var bytes = text[offset..<min(offset + 4, text.count)].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
    return scalar
  }

  /// Returns whether a scalar modifies the preceding character, such as an accent, a vowel sign or
  /// a skin tone.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    return scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier
  }
}
