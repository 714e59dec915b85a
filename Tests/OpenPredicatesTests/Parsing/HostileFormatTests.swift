import Foundation
import OpenPredicates
import Testing

@Suite struct HostileFormatTests {
  /// Fragments whose repetition could slow a lexer or parser or nest deeply.
  static let pieces = [
    "(", ")", "[", "]", "{", "}", "!", "-", "+", "*", "**", ".", ",", ":", "a:", ":a", "=", "==",
    "<", "&&", "||", "|", "&", "@", "@a", "@a:", "#", "#a", "$", "$a", "%", "%@", "%K", "%%", "%l",
    "'", "\"", "\\", "'\\", "\"\\u", "\\u00", "0", "0x", "1e", "1.", "é", "e\u{301}", "\u{301}",
    "\u{1F600}", "\u{200D}", "\u{0}", "\n", " ", "\u{3000}", "\u{FEFF}", "\u{FFFD}", "a", "a ",
    "a.", "a(", "a[", "a {", "ANY ", "NOT ", "AND ", "a AND ", "a == 1 AND ", "a == 1 OR ",
    "a == {", "abs:(", "abs:", "CAST(", "SUBQUERY(", "SUBQUERY(a,$x,", "TERNARY(", "FUNCTION(",
    "FETCH(", "$x := ", "a @b ", "a IN ", "a CONTAINS[", "a CONTAINS[c", "{1,", "1,", "UNION ",
    "a UNION ", "a + ", "a ** ", "a MATCHES 'x' AND ", "UTI-", "a UTI-EQUALS ", "SELF.",
    "a.@count.", "a.b().", "x'", "''", "'%@' == ",
  ]

  /// The fragments whose repetition is parsed the furthest before it is rejected.
  static let longest = ["(", "a.", "a AND ", "a == 1 OR ", "1,", " ", "'", "'\\", "#a", "a.b()."]

  // A time that grows with the square of the length would be hours.
  @Test("a long repetition of any fragment is rejected with a position")
  func repetitions() throws {
    for piece in Self.pieces { try refuse(piece, bytes: 1 << 16) }
    for piece in Self.longest { try refuse(piece, bytes: 1 << 20) }
  }

  private func refuse(_ piece: String, bytes: Int) throws {
    let format = String(repeating: piece, count: bytes / piece.utf8.count)
    let problem = try #require(failure(format, Array(repeating: "k", count: 64)), "\(piece)")
    #expect(problem.description.utf8.count < 1_000, "\(piece)")
    #expect(problem.position != nil && problem.column != nil, "\(piece)")
  }

  @Test("long legal formats are read and written")
  func longFormats() throws {
    let formats = [
      Array(repeating: "a == 1", count: 50_000).joined(separator: " OR "),
      "a IN {" + Array(repeating: "'x'", count: 100_000).joined(separator: ",") + "}",
      Array(repeating: "a", count: 100_000).joined(separator: ".") + " == 1",
      "a == '" + String(repeating: "\\n", count: 200_000) + "'",
    ]
    for format in formats {
      let predicate = try makePredicate(format)
      #expect(try makePredicate(predicate.canonicalFormat) == predicate)
    }
  }

  @Test("invalid UTF-8, repaired by String, and zero bytes never trap")
  func bytes() {
    var state: UInt64 = 7
    for length in 0..<400 {
      var bytes: [UInt8] = []
      for _ in 0..<length {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 33))
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(failure(text) != nil)
      let quotable = String(
        String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "'" && $0 != "\\" }))
      #expect(failure("a == '\(quotable)'") == nil)
      _ = failure("a == " + text)
      _ = failure(text + " == 1")
    }
  }

  @Test("formats that differ in composition only have their own templates and results")
  func composition() throws {
    let composed = "a == '\u{E9}'"
    let decomposed = "a == 'e\u{301}'"
    #expect(try holds(composed, for: ["a": "\u{E9}"]))
    #expect(try !holds(decomposed, for: ["a": "\u{E9}"]))
    #expect(try holds(decomposed, for: ["a": "e\u{301}"]))
  }
}
