import Foundation
import OpenPredicates
import Testing

@Suite("Queries of full-text searches")
struct TextQueryTests {
  @Test(
    "a query finds words ignoring case and diacritics",
    arguments: [
      ("apple pie", "A PIE of Apples, and one apple", true), ("apple pie", "apple tree", false),
      ("cafe", "Café", true), ("CAFÉ", "cafe\u{301} noir", true), ("straße", "STRASSE", false),
      ("ngoc", "Ngọc", true), ("app", "apple", false), ("app*", "apple", true),
      ("*", "apple", false),
      ("\"apple pie\"", "an apple pie", true), ("\"apple pie\"", "apple and pie", false),
      ("\"apple p\"*", "apple pie", true), ("\"apple pie", "apple pie", true),
      ("e-mail", "E Mail", true), ("e-mail", "mail e", false), ("don't", "don t", true),
      ("apple OR pear", "a pear", true), ("apple OR pear plum", "a pear", false),
      ("apple NOT pie", "apple tree", true), ("apple NOT pie", "apple pie", false),
      ("apple AND pie", "pie apple", true), ("apple and pie", "pie apple", false),
      ("NOT apple", "not an apple", true), ("NOT apple", "pear", false),
      ("apple OR", "an apple or two", true), ("OR", "either or", true),
      ("apple OR OR pear", "pear", false), ("日本", "日本語", false), ("日本*", "日本語", true),
      ("42", "the 42nd", false), ("😀", "😀", false), ("", "", false), ("\"\"", "a", false),
    ])
  func meaning(_ query: String, _ text: String, _ finds: Bool) {
    #expect(TextQuery(query).matches(text) == finds)
    let predicate = NSPredicate(search: TextQuery(query), in: "text")
    #expect(predicate.evaluate(with: ["text": text]) == finds)
    #expect(!predicate.evaluate(with: [String: String]()))
  }

  @Test("a query without words is empty")
  func empty() {
    for text in ["", " ", "\"", "***", "( ) : ^ - +", "😀", "\u{0}", "\u{301}"] {
      #expect(TextQuery(text).isEmpty, "\(text.debugDescription)")
    }
    #expect(!TextQuery("a").isEmpty)
  }

  @Test("what is typed is never syntax: every mark stands between words (D-384)")
  func hostileTexts() {
    let text = "near a b col x"
    for query in [
      "NEAR(a b)", "col:x", "col : x", "{col} : x", "^near", "a\u{0}b", "near + col", "(a", "a)",
    ] {
      #expect(TextQuery(query).matches(text), "\(query)")
    }
  }

  @Test(
    "CONTAINSWORDS is read and written by formats, and is an addition to Apple's grammar (D-384)")
  func format() throws {
    let predicate = try NSPredicate.parsing(
      "ANY notes.text CONTAINSWORDS %@ AND number > 2", ["a b"])
    #expect(
      predicate.canonicalFormat == "ANY notes.text CONTAINSWORDS \"a b\" AND number > 2")
    #expect(NSPredicate(format: predicate.canonicalFormat) == predicate)
    let comparison = try #require(
      NSPredicate(format: "title containswords 'a'") as? OpenPredicates.NSComparisonPredicate)
    #expect(comparison.predicateOperatorType == .containsWords)
  }

  @Test("values other than text cannot be searched")
  func mismatch() {
    #expect(throws: PredicateEvaluationError.self) {
      _ = try NSPredicate(format: "number CONTAINSWORDS 'a'").evaluating(with: ["number": 3])
    }
  }
}
