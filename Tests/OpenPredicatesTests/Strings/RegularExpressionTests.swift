import OpenPredicates
import Testing

@Suite struct RegularExpressionTests {
  private func code(
    _ text: String, _ pattern: String
  ) -> PredicateFormatError.Code? {
    do throws(PredicateFormatError) {
      _ = try StringMatch.matching(text, pattern, [])
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "a hostile expression ends after a bounded number of steps, always the same",
    arguments: [
      ("(a+)+$", 40), ("(a+)+$", 50_000), ("(a*)*b", 10_000), ("(a|aa)+", 200), ("(a|a)*c", 60),
      ("(.*)*x", 100_000), (".*.*.*.*.*x", 2_000), ("(a?){40}a{40}!", 40), ("(x+x+)+y", 40),
      ("([a-z]+)*[0-9]", 100), ("^(([a-z])+.)+[A-Z]([a-z])+$", 40),
    ])
  func hostile(_ pattern: String, _ length: Int) {
    let text = String(repeating: pattern.contains("x+") ? "x" : "a", count: length) + "-"
    let first = code(text, pattern)
    #expect(first == nil || first == .costlyRegularExpression)
    #expect(code(text, pattern) == first)
    #expect(!StringMatch.matches(text, pattern, []))
  }

  @Test("the limit is distinguished from a text that does not match")
  func limit() {
    #expect(code(String(repeating: "a", count: 64) + "-", "(a+)+") == .costlyRegularExpression)
    #expect(code("aaa-", "(a+)+") == nil)
    #expect(code("a", "(") == .invalidRegularExpression)
  }

  @Test("long texts and harmless expressions are within the limit")
  func harmless() throws {
    let text = String(repeating: "ab c", count: 250_000)
    #expect(try StringMatch.matching(text, ".*", []))
    #expect(try StringMatch.matching(text, "[a-c ]+", []))
    #expect(try !StringMatch.matching(text, ".*x", []))
  }

  @Test("an invalid expression matches nothing, regardless of length and nesting")
  func invalid() {
    for pattern in [
      "(", ")", "[", "*", "a)(b", "(?<x", "\\", "a{2,1}", "(?P<n>a)", "[z-a]", "\\p{Nope}",
      String(repeating: "(", count: 10_000) + String(repeating: ")", count: 10_000),
      String(repeating: "a", count: 100_000), String(repeating: "(?=", count: 5_000),
    ] {
      #expect(!StringMatch.matches("a", pattern, []), "\(pattern.prefix(20))")
      #expect(code("a", pattern) == .invalidRegularExpression, "\(pattern.prefix(20))")
    }
  }

  @Test("an expression must match the whole text")
  func wholeText() {
    #expect(StringMatch.matches("abc", "(?x) a b c # the end", []))
    #expect(!StringMatch.matches("abcd", "(?x) a b c # the end", []))
    #expect(StringMatch.matches("a+b", "\\Qa+b", []))
    #expect(!StringMatch.matches("a+b)", "\\Qa+b", []))
    #expect(StringMatch.matches("", "", []))
    #expect(!StringMatch.matches("a", "", []))
    #expect(StringMatch.matches("a\nb", "a\\nb", []))
    #expect(StringMatch.matches("ab", "a|ab", []))
  }

  @Test("expressions that differ in composition only are different")
  func composition() {
    #expect(StringMatch.matches("e\u{301}", "e.", []))
    #expect(StringMatch.matches("\u{E9}", "\u{E9}", []))
    #expect(StringMatch.matches("e\u{301}\u{301}", "e\u{301}+", []))
    #expect(!StringMatch.matches("e\u{301}\u{301}", "\u{E9}+", []))
  }
}
