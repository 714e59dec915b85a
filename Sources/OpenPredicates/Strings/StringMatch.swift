public import Foundation

/// A namespace for the string comparisons of predicates.
///
/// SQL functions and evaluation in memory share this code. Without options or with `n`, all
/// functions compare UTF-8 bytes, like Foundation's literal search. With `c` or `d`, both strings
/// are folded and compared in composed form, like Foundation's nonliteral search. A substring must
/// then start and end at character boundaries, so “x́” does not contain “x”. Strings are ordered by
/// their folded and decomposed forms, so “é” sorts next to “e”. Unlike in Foundation's search, a
/// letter that folds to several letters matches each of these letters: “ß” folds to “ss”, and
/// therefore contains “s”. Comparing ASCII strings allocates no memory.
public enum StringMatch {
  /// The position of a pattern in a string.
  private enum Placement {
    case whole, start, end, anywhere
  }

  /// Returns whether two strings are equal under the given comparison options.
  ///
  /// - Parameters:
  ///   - text: One string.
  ///   - pattern: The other string.
  ///   - options: The options of string comparison.
  public static func equals(_ text: String, _ pattern: String, _ options: StringOptions) -> Bool {
    if options.contains(.characters) { return text == pattern }
    return test(text, pattern, options, .whole)
  }

  /// Returns whether a string contains a pattern under the given comparison options.
  ///
  /// No string contains a pattern that is empty before or after folding. In Swift predicates,
  /// however, every string contains the empty string.
  ///
  /// - Parameters:
  ///   - text: The string to test.
  ///   - pattern: The substring to find.
  ///   - options: The options of string comparison.
  public static func contains(
    _ text: String, _ pattern: String, _ options: StringOptions
  ) -> Bool {
    if options.contains(.characters) { return SwiftText.contains(text, pattern) }
    return !pattern.isEmpty && test(text, pattern, options, .anywhere)
  }

  /// Returns whether a string begins with a pattern under the given comparison options.
  ///
  /// Every string begins with the empty string.
  ///
  /// - Parameters:
  ///   - text: The string to test.
  ///   - pattern: The prefix.
  ///   - options: The options of string comparison.
  public static func hasPrefix(
    _ text: String, _ pattern: String, _ options: StringOptions
  ) -> Bool {
    if options.contains(.characters) { return SwiftText.hasPrefix(text, pattern) }
    return test(text, pattern, options, .start)
  }

  /// Returns whether a string ends with a pattern under the given comparison options.
  ///
  /// Every string ends with the empty string.
  ///
  /// - Parameters:
  ///   - text: The string to test.
  ///   - pattern: The suffix.
  ///   - options: The options of string comparison.
  public static func hasSuffix(
    _ text: String, _ pattern: String, _ options: StringOptions
  ) -> Bool {
    test(text, pattern, options, .end)
  }

  /// Returns the order of two strings.
  ///
  /// Without options, strings are ordered by their bytes. Depending on the options, the method
  /// compares folded strings instead, or applies the rules of the current locale.
  ///
  /// - Parameters:
  ///   - text: One string.
  ///   - other: The other string.
  ///   - options: The options of string comparison.
  public static func compare(
    _ text: String, _ other: String, _ options: StringOptions
  ) -> ComparisonResult {
    if options.contains(.characters) { return SwiftText.order(text, other) }
    if options.contains(.localeSensitive), !options.contains(.normalized) {
      return text.compare(
        other, options: options.compareOptions, range: nil, locale: Locale.current)
    }
    guard options.folds else { return TextBytes.order(text, other) }
    if isASCII(text), isASCII(other) { return orderASCII(text, other, options) }
    return TextBytes.order(
      folded(text, options).decomposedStringWithCanonicalMapping,
      folded(other, options).decomposedStringWithCanonicalMapping)
  }

  /// Returns the string in the composed form that `c` and `d` compare.
  static func folded(_ text: String, _ options: StringOptions) -> String {
    if isASCII(text) {
      return options.contains(.caseInsensitive) ? text.lowercased() : text
    }
    return FoldingTable.table(for: options)?.folded(text) ?? foldedByFoundation(text, options)
  }

  /// Returns the string in the composed form that `c` and `d` compare, by Foundation's rules.
  static func foldedByFoundation(_ text: String, _ options: StringOptions) -> String {
    let locale = options.contains(.localeSensitive) ? Locale.current : nil
    let folded = text.folding(options: options.compareOptions, locale: locale)
      .precomposedStringWithCanonicalMapping
    return options.contains(.diacriticInsensitive) ? withoutMarks(folded) : folded
  }

  /// Returns a composed string without combining marks of any script; Foundation's folding keeps
  /// many marks.
  ///
  /// Letters that are one scalar with their mark remain unchanged, such as “が” and “أ”.
  private static func withoutMarks(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !CharacterBorder.isMark(scalar) {
      result.append(scalar)
    }
    return String(result).precomposedStringWithCanonicalMapping
  }

  /// Returns whether a string contains only ASCII characters.
  static func isASCII(_ text: String) -> Bool {
    TextBytes.with(text) { bytes in
      var union = UInt8(0)
      for byte in bytes { union |= byte }
      return union < 0x80
    }
  }

  private static func test(
    _ text: String, _ pattern: String, _ options: StringOptions, _ placement: Placement
  ) -> Bool {
    guard options.folds else { return search(text, pattern, placement, .bytes) }
    if isASCII(text), isASCII(pattern) {
      let ignoresCase = options.contains(.caseInsensitive)
      return search(text, pattern, placement, ignoresCase ? .lettersOfASCII : .bytes)
    }
    return search(folded(text, options), folded(pattern, options), placement, .characters)
  }

  /// The unit of comparison.
  private enum Unit {
    /// Bytes.
    case bytes
    /// Bytes, ignoring the case of ASCII letters.
    case lettersOfASCII
    /// Bytes; a match begins and ends at a character boundary.
    case characters
  }

  private static func search(
    _ text: String, _ pattern: String, _ placement: Placement, _ unit: Unit
  ) -> Bool {
    TextBytes.with(text) { whole in
      TextBytes.with(pattern) { part in
        let last = whole.count - part.count
        guard last >= 0 else { return false }
        switch placement {
        case .whole: return last == 0 && matches(part, whole, 0, unit)
        case .start: return matches(part, whole, 0, unit)
        case .end: return matches(part, whole, last, unit)
        case .anywhere: return occurs(part, in: whole, unit)
        }
      }
    }
  }

  private static func occurs(
    _ part: UnsafeBufferPointer<UInt8>, in whole: UnsafeBufferPointer<UInt8>, _ unit: Unit
  ) -> Bool {
    guard let wanted = part.first else { return false }
    guard case .lettersOfASCII = unit else {
      return occurs(part, startingWith: wanted, in: whole, unit)
    }
    let first = lowercase(wanted)
    for start in 0...(whole.count - part.count)
    where lowercase(whole[start]) == first && matches(part, whole, start, unit) {
      return true
    }
    return false
  }

  /// Searches for the first byte with the C library's fast search, and then compares the remaining
  /// bytes.
  private static func occurs(
    _ part: UnsafeBufferPointer<UInt8>, startingWith first: UInt8,
    in whole: UnsafeBufferPointer<UInt8>, _ unit: Unit
  ) -> Bool {
    guard let base = whole.baseAddress else { return false }
    var start = 0
    while start <= whole.count - part.count {
      let width = whole.count - part.count - start + 1
      guard let found = memchr(base + start, Int32(first), width) else { return false }
      start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if matches(part, whole, start, unit) { return true }
      start += 1
    }
    return false
  }

  @inline(__always)
  private static func matches(
    _ part: UnsafeBufferPointer<UInt8>, _ whole: UnsafeBufferPointer<UInt8>, _ start: Int,
    _ unit: Unit
  ) -> Bool {
    guard case .lettersOfASCII = unit else {
      guard let one = whole.baseAddress, let other = part.baseAddress else { return true }
      guard memcmp(one + start, other, part.count) == 0 else { return false }
      if case .bytes = unit { return true }
      return part.isEmpty || CharacterBorder.surrounds(start..<start + part.count, in: whole)
    }
    for index in 0..<part.count
    where lowercase(part[index]) != lowercase(whole[start + index]) {
      return false
    }
    return true
  }

  @inline(__always)
  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 65 < 26 ? byte | 0x20 : byte
  }

  private static func orderASCII(
    _ text: String, _ other: String, _ options: StringOptions
  ) -> ComparisonResult {
    guard options.contains(.caseInsensitive) else { return TextBytes.order(text, other) }
    return TextBytes.with(text) { one in
      TextBytes.with(other) { two in
        for index in 0..<min(one.count, two.count) {
          let (left, right) = (lowercase(one[index]), lowercase(two[index]))
          if left != right { return left < right ? .orderedAscending : .orderedDescending }
        }
        if one.count == two.count { return .orderedSame }
        return one.count < two.count ? .orderedAscending : .orderedDescending
      }
    }
  }
}

extension StringOptions {
  /// The corresponding options of Foundation's string functions.
  var compareOptions: String.CompareOptions {
    var result: String.CompareOptions = []
    if contains(.caseInsensitive) { result.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { result.insert(.diacriticInsensitive) }
    if contains(.numeric) { result.formUnion([.numeric, .widthInsensitive, .forcedOrdering]) }
    return result
  }
}
