import Foundation

extension StringMatch {
  /// Whether the whole text fits a pattern with `*` for any characters and `?` for one.
  ///
  /// A backslash makes the next character an ordinary one.
  public static func like(_ text: String, _ pattern: String, _ options: StringOptions) -> Bool {
    guard options.folds else { return fits(text, pattern) }
    return fits(folded(text, options), folded(pattern, options))
  }

  /// Whether the whole text fits a regular expression; false for an expression that is not valid.
  public static func matches(
    _ text: String, _ pattern: String, _ options: StringOptions
  ) -> Bool {
    let ignoresDiacritics = options.folds && options.contains(.diacriticInsensitive)
    let wanted = ignoresDiacritics ? folded(pattern, .diacriticInsensitive) : pattern
    let subject = ignoresDiacritics ? folded(text, .diacriticInsensitive) : text
    let ignoresCase = options.folds && options.contains(.caseInsensitive)
    guard
      let expression = RegularExpressionCache.expression(for: wanted, ignoringCase: ignoresCase)
    else { return false }
    let whole = NSRange(location: 0, length: subject.utf16.count)
    return expression.firstMatch(in: subject, range: whole) != nil
  }

  /// Checks and compiles a regular expression ahead of its use.
  ///
  /// - Throws: `PredicateFormatError` with code `.invalidRegularExpression`.
  public static func prepare(pattern: String) throws(PredicateFormatError) {
    if RegularExpressionCache.expression(for: pattern, ignoringCase: false) == nil {
      throw PredicateFormatError(
        code: .invalidRegularExpression, message: "The regular expression is not valid.")
    }
  }

  private static func fits(_ text: String, _ pattern: String) -> Bool {
    TextBytes.with(text) { bytes in
      TextBytes.with(pattern) { wildcards in
        var matcher = WildcardMatcher(text: bytes, pattern: wildcards)
        return matcher.matchesWhole()
      }
    }
  }
}

/// One run of `LIKE` over UTF-8 bytes; keeps only the last star, so it needs no stack.
private struct WildcardMatcher {
  let text: UnsafeBufferPointer<UInt8>
  let pattern: UnsafeBufferPointer<UInt8>
  var textIndex = 0
  var patternIndex = 0
  /// Where to resume after a mismatch: behind the last star, and the text it has not swallowed yet.
  var resume: (pattern: Int, text: Int)?

  init(text: UnsafeBufferPointer<UInt8>, pattern: UnsafeBufferPointer<UInt8>) {
    self.text = text
    self.pattern = pattern
  }

  mutating func matchesWhole() -> Bool {
    while true {
      if takeStar() || takeCharacter() { continue }
      if textIndex == text.count, patternIndex == pattern.count { return true }
      guard let last = resume, last.text < text.count else { return false }
      resume = (last.pattern, next(after: last.text))
      (patternIndex, textIndex) = (last.pattern, next(after: last.text))
    }
  }

  private mutating func takeStar() -> Bool {
    guard patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "*") else {
      return false
    }
    patternIndex += 1
    resume = (patternIndex, textIndex)
    return true
  }

  private mutating func takeCharacter() -> Bool {
    guard patternIndex < pattern.count, textIndex < text.count else { return false }
    var wanted = pattern[patternIndex]
    if wanted == UInt8(ascii: "?") {
      patternIndex += 1
      textIndex = next(after: textIndex)
      return true
    }
    var length = 1
    if wanted == UInt8(ascii: "\\"), patternIndex + 1 < pattern.count {
      wanted = pattern[patternIndex + 1]
      length = 2
    }
    guard wanted == text[textIndex] else { return false }
    patternIndex += length
    textIndex += 1
    return true
  }

  /// The start of the next character of the text.
  private func next(after index: Int) -> Int {
    var next = index + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
