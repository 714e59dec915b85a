import Foundation
import OpenPredicates
import Testing

@Suite struct StringMatchTests {
  private static let folding: StringOptions = [.caseInsensitive, .diacriticInsensitive]

  @Test(
    "texts of several scripts are equal without case and diacritics",
    arguments: [
      ("Résumé", "resume"), ("ÅNGSTRÖM", "angstrom"), ("ΑΒΓ", "αβγ"), ("ΆΛΦΑ", "αλφα"),
      ("МОСКВА", "москва"), ("Ёлка", "елка"), ("Việt Nam", "viet nam"), ("e\u{301}", "É"),
      ("東京", "東京"), ("שלום", "שלום"), ("ABC", "abc"), ("", ""), ("\u{1F600}", "\u{1F600}"),
    ])
  func folded(_ text: String, _ other: String) {
    #expect(StringMatch.equals(text, other, Self.folding))
    #expect(StringMatch.equals(other, text, Self.folding))
    #expect(StringMatch.compare(text, other, Self.folding) == .orderedSame)
    #expect(StringMatch.hasPrefix(text + "!", other, Self.folding))
    #expect(StringMatch.hasSuffix("!" + text, other, Self.folding))
    #expect(StringMatch.like(text, other + "*", Self.folding))
    if !text.isEmpty { #expect(StringMatch.contains("<\(text)>", other, Self.folding)) }
  }

  @Test("each option does its part only")
  func singleOptions() {
    #expect(StringMatch.equals("É", "é", .caseInsensitive))
    #expect(!StringMatch.equals("É", "e", .caseInsensitive))
    #expect(StringMatch.equals("é", "e", .diacriticInsensitive))
    #expect(!StringMatch.equals("É", "e", .diacriticInsensitive))
    #expect(!StringMatch.equals("A", "a", []))
    #expect(!StringMatch.equals("A", "a", [.caseInsensitive, .normalized]))
    #expect(!StringMatch.equals("é", "e\u{301}", []))
    #expect(StringMatch.equals("é", "e\u{301}", .caseInsensitive))
  }

  @Test("without options the order is that of bytes")
  func byteOrder() {
    #expect(StringMatch.compare("Z", "a", []) == .orderedAscending)
    #expect(StringMatch.compare("a", "Z", .caseInsensitive) == .orderedAscending)
    #expect(StringMatch.compare("\u{FF5E}", "\u{1F600}", []) == .orderedAscending)
    #expect(StringMatch.compare("a", "aa", .caseInsensitive) == .orderedAscending)
    #expect(StringMatch.compare("", "a", []) == .orderedAscending)
  }

  @Test("parts are found anywhere, and an empty part never")
  func parts() {
    #expect(StringMatch.contains("aaab", "aab", []))
    #expect(StringMatch.contains("aaAb", "AAB", .caseInsensitive))
    #expect(!StringMatch.contains("ab", "abc", []))
    #expect(!StringMatch.contains("abc", "", []))
    #expect(StringMatch.hasPrefix("abc", "", []))
    #expect(StringMatch.hasSuffix("", "", []))
    #expect(!StringMatch.hasPrefix("", "a", .caseInsensitive))
    let long = String(repeating: "ab", count: 50_000)
    #expect(StringMatch.contains(long + "c", "abc", []))
    #expect(!StringMatch.contains(long, "abc", .caseInsensitive))
  }

  @Test(
    "wildcards fit whole texts",
    arguments: [
      ("abc", "abc", true), ("abc", "a*", true), ("abc", "*c", true), ("abc", "*b*", true),
      ("abc", "a?c", true), ("abc", "?", false), ("abc", "a", false), ("", "*", true),
      ("", "?", false), ("", "", true), ("a*c", "a\\*c", true), ("abc", "a\\*c", false),
      ("é", "?", true), ("東京都", "??都", true), ("aéb", "a?b", true), ("éa", "*?a", true),
      ("éé", "*??", true), ("é", "*??", false), ("abcabd", "*ab?", true), ("\\", "\\", true),
      ("mississippi", "m*iss*ip*i", true), ("mississippi", "m*iss*x", false), ("a", "a***", true),
    ])
  func wildcards(_ text: String, _ pattern: String, _ fits: Bool) {
    #expect(StringMatch.like(text, pattern, []) == fits)
  }

  @Test("wildcards do not take exponential time")
  func wildcardCost() {
    let pattern = String(repeating: "*a", count: 50) + "*b"
    #expect(!StringMatch.like(String(repeating: "a", count: 5_000), pattern, []))
  }

  @Test("regular expressions match whole texts")
  func expressions() {
    #expect(StringMatch.matches("ab", "a|ab", []))
    #expect(!StringMatch.matches("abc", "ab", []))
    #expect(!StringMatch.matches("ab\n", "ab", []))
    #expect(StringMatch.matches("ÄB", "äb", .caseInsensitive))
    #expect(StringMatch.matches("Été", "ete", Self.folding))
    #expect(StringMatch.matches("日本語", "\\p{Han}+", []))
    #expect(StringMatch.matches("\u{1F600}", ".", []))
    #expect(!StringMatch.matches("x", "(", []))
  }
}

@Suite struct FoldingTests {
  @Test("folding each letter has the same result as Foundation's folding of whole texts")
  func tableAgreesWithFoundation() {
    let samples = [
      "Straße ÆØÅ Ŀ ŉ ǰ İıI ſ", "Ἀλέξανδρος ς Σ ΐ ΰ", "Ёлка Йод Ї Ў ҐЃ", "東京 Tōkyō",
      "Ĳssel Ǆ Œuvre",
    ]
    for sample in samples {
      let composed = sample.precomposedStringWithCanonicalMapping
      let expected = composed.folding(
        options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      #expect(StringMatch.equals(sample, expected, [.caseInsensitive, .diacriticInsensitive]))
    }
  }
}
