/// Where one character, as readers see it, ends and the next begins in UTF-8 text.
///
/// Simpler than Unicode's rules for grapheme clusters: a character ends where no mark follows. That
/// is what Foundation's search goes by.
enum CharacterBorder {
  /// Whether a range of bytes begins and ends at borders.
  static func surrounds(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    if range.lowerBound > 0, let first = scalar(at: range.lowerBound, in: text), isMark(first) {
      return false
    }
    // A joiner begins no part, but the first of joined characters is one.
    guard let next = scalar(at: range.upperBound, in: text) else { return true }
    return next == joiner || !isMark(next)
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"

  /// The scalar at an offset; nil at the end, and for ASCII, which needs no look.
  private static func scalar(
    at offset: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Unicode.Scalar? {
    guard offset < text.count, text[offset] >= 0x80 else { return nil }
    var decoder = UTF8()
    var bytes = text[offset..<min(offset + 4, text.count)].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return nil }
    return scalar
  }

  /// Whether a scalar changes the character before it: an accent, a vowel sign, a colour of skin.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    return scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier
  }
}
