import Foundation

extension StringMatch {
  /// Returns whether an entire string matches a pattern with the wildcards `*` and `?`.
  ///
  /// `*` matches any number of characters, and `?` matches one Unicode scalar. A backslash escapes
  /// the next character.
  ///
  /// - Parameters:
  ///   - text: The string to test.
  ///   - pattern: The pattern.
  ///   - options: The options of string comparison.
  public static func like(_ text: String, _ pattern: String, _ options: StringOptions) -> Bool {
    guard options.folds else { return fits(text, pattern) }
    return fits(folded(text, options), folded(pattern, options))
  }

  /// Returns whether an entire string matches a regular expression.
  ///
  /// The result is `false` if the expression is invalid or if the search exceeds the step limit
  /// that ``matching(_:_:_:)`` describes.
  ///
  /// - Parameters:
  ///   - text: The string to test.
  ///   - pattern: The regular expression.
  ///   - options: The options of string comparison.
  public static func matches(
    _ text: String, _ pattern: String, _ options: StringOptions
  ) -> Bool {
    do throws(PredicateFormatError) {
      return try matching(text, pattern, options)
    } catch {
      return false
    }
  }

  /// Returns whether an entire string matches a regular expression, or throws an error.
  ///
  /// The step limit of a search is 1,000,000, plus 50 for each UTF-16 code unit of the string. The
  /// limit is a number of steps and not a time, so the result does not depend on the machine. If a
  /// search runs out of memory, the result is `false`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - text: The string to test.
  ///   - pattern: The regular expression, at most 65,536 UTF-8 bytes.
  ///   - options: The options of string comparison. `c` ignores case, and `d` ignores diacritics in
  ///     the string and in the expression.
  /// - Throws: `PredicateFormatError` with code `.invalidRegularExpression` if the expression is
  ///   invalid or too long, or with code `.costlyRegularExpression` if the limit is exceeded.
  /// > Concurrency: Usable on any thread.
  public static func matching(
    _ text: String, _ pattern: String, _ options: StringOptions
  ) throws(PredicateFormatError) -> Bool {
    let ignoresDiacritics = options.folds && options.contains(.diacriticInsensitive)
    let wanted = ignoresDiacritics ? folded(pattern, .diacriticInsensitive) : pattern
    let subject = ignoresDiacritics ? folded(text, .diacriticInsensitive) : text
    let ignoresCase = options.folds && options.contains(.caseInsensitive)
    guard
      let expression = RegularExpressionCache.expression(for: wanted, ignoringCase: ignoresCase)
    else { throw invalidExpression }
    return try fits(subject, expression)
  }

  /// The number of steps between two calls of a regular expression's progress block.
  private static let stepsBetweenReports = 10_000

  private static func fits(
    _ text: String, _ expression: NSRegularExpression
  ) throws(PredicateFormatError) -> Bool {
    let length = text.utf16.count
    var reports = (1_000_000 + 50 * length) / stepsBetweenReports
    var (isFound, isStopped) = (false, false)
    expression.enumerateMatches(
      in: text, options: .reportProgress, range: NSRange(location: 0, length: length)
    ) { match, flags, stop in
      reports -= 1
      isFound = match != nil
      isStopped = !isFound && (reports < 0 || flags.contains(.internalError))
      if isFound || isStopped { stop.pointee = true }
    }
    if isStopped {
      throw PredicateFormatError(
        code: .costlyRegularExpression,
        message: "The search for the regular expression in this string requires too many steps.",
        expectation: "an expression without nested repetitions")
    }
    return isFound
  }

  private static var invalidExpression: PredicateFormatError {
    PredicateFormatError(
      code: .invalidRegularExpression, message: "The regular expression is not valid.")
  }

  /// Checks and compiles a regular expression before its first use.
  ///
  /// - Parameter pattern: The regular expression.
  /// - Throws: `PredicateFormatError` with code `.invalidRegularExpression` if the expression is
  ///   invalid, or longer than 65,536 UTF-8 bytes.
  public static func prepare(pattern: String) throws(PredicateFormatError) {
    if !isValid(pattern: pattern) { throw invalidExpression }
  }

  /// Returns whether a regular expression is valid.
  static func isValid(pattern: String) -> Bool {
    RegularExpressionCache.expression(for: pattern, ignoringCase: false) != nil
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

/// Matches a `LIKE` pattern with UTF-8 bytes; it remembers only the last star and needs no stack.
private struct WildcardMatcher {
  let text: UnsafeBufferPointer<UInt8>
  let pattern: UnsafeBufferPointer<UInt8>
  var textIndex = 0
  var patternIndex = 0
  /// The positions at which to resume after a mismatch: after the last star, and at the unmatched
  /// text.
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

  /// Returns the start of the next character of the text.
  private func next(after index: Int) -> Int {
    var next = index + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
