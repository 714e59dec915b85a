import Foundation
import OpenPredicates
import Testing

/// Compares the string operators with Foundation's search and comparison with the same options.
///
/// Without options, and with `n`, Foundation's search is literal. The rules that differ on purpose
/// have separate tests below.
@Suite struct ScriptTests {
  private static let options: [(StringOptions, String.CompareOptions)] = [
    ([], .literal), (.normalized, .literal), ([.normalized, .caseInsensitive], .literal),
    (.caseInsensitive, .caseInsensitive), (.diacriticInsensitive, .diacriticInsensitive),
    (
      [.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]
    ),
  ]

  /// Calls `body` with each pair of a script's words, the first also between other letters.
  private func pairs(_ words: [String], _ body: (String, String) -> Void) {
    for text in words {
      for pattern in words {
        body(text, pattern)
        body("x\(text)y", pattern)
      }
    }
  }

  @Test("equality is that of Foundation", arguments: ScriptSamples.all.indices)
  func equality(_ index: Int) {
    pairs(ScriptSamples.all[index].words) { text, pattern in
      for (ours, theirs) in Self.options {
        let expected = text.compare(pattern, options: theirs) == .orderedSame
        #expect(
          StringMatch.equals(text, pattern, ours) == expected, "\(text) \(pattern) \(ours)")
        let escaped = pattern.replacingOccurrences(of: "\\", with: "\\\\")
        #expect(StringMatch.like(text, escaped, ours) == expected, "\(text) \(pattern) \(ours)")
      }
    }
  }

  @Test("parts are found where Foundation finds them", arguments: ScriptSamples.all.indices)
  func parts(_ index: Int) {
    pairs(ScriptSamples.all[index].words) { text, pattern in
      for (ours, theirs) in Self.options {
        let note = Comment(rawValue: "\(text) \(pattern) \(ours)")
        let found = text.range(of: pattern, options: theirs) != nil
        #expect(StringMatch.contains(text, pattern, ours) == found, note)
        let begins =
          pattern.isEmpty || text.range(of: pattern, options: [theirs, .anchored]) != nil
        #expect(StringMatch.hasPrefix(text, pattern, ours) == begins, note)
        guard !endsInMark(text) else { continue }
        let ends =
          pattern.isEmpty || text.compare(pattern, options: theirs) == .orderedSame
          || text.range(of: pattern, options: [theirs, .anchored, .backwards]) != nil
        #expect(StringMatch.hasSuffix(text, pattern, ours) == ends, note)
      }
    }
  }

  /// Searching backwards, Foundation misses a letter whose mark it ignores, and at times the text
  /// itself.
  private func endsInMark(_ text: String) -> Bool {
    guard let last = text.unicodeScalars.last else { return false }
    return last.properties.isGraphemeExtend || last.properties.isEmojiModifier
  }

  @Test("order is that of Foundation", arguments: ScriptSamples.all.indices)
  func order(_ index: Int) {
    pairs(ScriptSamples.all[index].words) { text, pattern in
      for (ours, theirs) in Self.options {
        #expect(
          StringMatch.compare(text, pattern, ours) == text.compare(pattern, options: theirs),
          "\(text) \(pattern) \(ours)")
      }
    }
  }

  @Test("order, equality and parts agree with each other", arguments: ScriptSamples.all.indices)
  func consistency(_ index: Int) {
    pairs(ScriptSamples.all[index].words) { text, pattern in
      for (options, _) in Self.options {
        let equal = StringMatch.equals(text, pattern, options)
        #expect((StringMatch.compare(text, pattern, options) == .orderedSame) == equal)
        #expect(StringMatch.equals(pattern, text, options) == equal)
        guard equal, !pattern.isEmpty else { continue }
        #expect(StringMatch.contains(text, pattern, options))
        #expect(StringMatch.hasPrefix(text, pattern, options))
        #expect(StringMatch.hasSuffix(text, pattern, options))
      }
    }
  }

  @Test("canonically equivalent texts are the same with c or d, and different without")
  func composition() {
    for word in ScriptSamples.all.flatMap(\.words) {
      let composed = word.precomposedStringWithCanonicalMapping
      let decomposed = word.decomposedStringWithCanonicalMapping
      for (options, theirs) in Self.options where theirs != .literal {
        #expect(StringMatch.equals(composed, decomposed, options), "\(word)")
      }
      let isOne = Array(composed.utf8) == Array(decomposed.utf8)
      #expect(StringMatch.equals(composed, decomposed, []) == isOne)
    }
  }

  @Test("letters that include their mark keep it with d, regardless of normalization")
  func voicedKana() {
    #expect(!StringMatch.equals("が", "か", .diacriticInsensitive))
    #expect(!StringMatch.equals("か\u{3099}", "か", .diacriticInsensitive))
    #expect(!StringMatch.equals("أ", "ا", .diacriticInsensitive))
    #expect(StringMatch.equals("\u{958}", "क", .diacriticInsensitive))
    #expect(StringMatch.equals("مُحَمَّد", "محمد", .diacriticInsensitive))
    #expect(StringMatch.equals("שָׁלוֹם", "שלום", .diacriticInsensitive))
    #expect(!StringMatch.contains("\u{1112}\u{1161}\u{11AB}", "하", .diacriticInsensitive))
  }

  @Test("a letter that folds to several counts as several")
  func expansions() {
    #expect(StringMatch.equals("ß", "SS", .caseInsensitive))
    #expect(StringMatch.contains("ß", "s", .caseInsensitive))
    #expect(StringMatch.equals("ᾳ", "αι", .caseInsensitive))
    #expect(!StringMatch.contains("ß", "s", []))
  }

  @Test("a single mark folds to an empty text with d, and is never contained")
  func loneMarks() {
    #expect(StringMatch.equals("\u{301}", "", .diacriticInsensitive))
    #expect(!StringMatch.contains("e\u{301}", "\u{301}", .diacriticInsensitive))
    #expect(!StringMatch.contains("x\u{301}", "\u{301}", .caseInsensitive))
    #expect(StringMatch.contains("x\u{301}", "\u{301}", []))
  }

  @Test("beyond the basic plane, order is that of code points, not of UTF-16")
  func codePointOrder() {
    #expect(StringMatch.compare("\u{FF5E}", "\u{1F600}", []) == .orderedAscending)
    #expect(StringMatch.compare("\u{FF5E}", "\u{1F600}", .caseInsensitive) == .orderedAscending)
  }

  @Test(
    "regular expressions follow the options",
    arguments: [
      ("Résumé", "resume", "cd"), ("МОСКВА", "москва", "c"), ("Ёлка", "Елка", "d"),
      ("ΣΊΣΥΦΟΣ", "σίσυφος", "c"), ("Việt", "viet", "cd"), ("مُحَمَّد", "محمد", "d"),
      ("שָׁלוֹם", "שלום", "d"), ("日本語", "\\p{Han}{3}", ""), ("한국어", "\\p{Hangul}+", ""),
      ("ՀԱՅ", "հայ", "c"), ("Straße", "stra.e", "c"), ("👍🏽", "👍.", ""), ("ガ", ".", ""),
      ("नमस्ते", "\\p{Devanagari}+", ""), ("ภาษา", "\\p{Thai}+", ""),
    ])
  func expressions(_ text: String, _ pattern: String, _ letters: String) {
    var options: StringOptions = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    #expect(StringMatch.matches(text, pattern, options))
    if !letters.isEmpty { #expect(!StringMatch.matches(text, pattern, [])) }
    #expect(!StringMatch.matches(text + "!", pattern, options))
  }
}
