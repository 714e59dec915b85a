import Foundation
import OpenPredicates
import Testing

@Suite struct FormatErrorTests {
  @Test("every beginning of a format parses or fails with a place")
  func truncation() throws {
    let format =
      "NOT (ANY a.@sum.b >= -1.5e3 OR SUBQUERY(c, $x, $x.d LIKE[cd] 'é\\n').@count IN {1, 0x2})"
      + " AND TERNARY(TRUEPREDICATE, e[FIRST], %@) BETWEEN {uppercase:(f), %K} && g == $h"
    let arguments: [Any?] = [1, "k"]
    var failures = 0
    for count in 0..<format.count {
      guard let error = failure(String(format.prefix(count)), arguments) else { continue }
      failures += 1
      if error.code != .extraArgument { #expect(error.position != nil, "\(count)") }
    }
    #expect(failures > 100)
    #expect(failure(format, arguments) == nil)
  }

  @Test(
    "a mistake has its code and place",
    arguments: [
      ("", PredicateFormatError.Code.unexpectedEnd, 0),
      ("a", .unexpectedEnd, 1),
      ("a ==", .unexpectedEnd, 4),
      ("a == 1 b", .unexpectedToken, 7),
      ("(a == 1", .unexpectedEnd, 7),
      ("a == 1)", .unexpectedToken, 6),
      ("a == {1, 2", .unexpectedEnd, 10),
      ("a == 'x", .unterminatedString, 5),
      ("a == 1x", .invalidNumber, 5),
      ("a == 0x", .invalidNumber, 5),
      ("a == 1e", .invalidNumber, 5),
      ("a == ^", .unexpectedToken, 5),
      ("a == b == c", .unexpectedToken, 0),
      ("size == 1", .unexpectedToken, 0),
      ("a CONTAINS[x] 'b'", .unexpectedToken, 11),
      ("a == frobnicate:(1)", .unknownFunction, 5),
      ("a == add:to:(1)", .wrongOperandCount, 5),
      ("a == now(1)", .wrongOperandCount, 5),
      ("a.@frob == 1", .unknownCollectionOperator, 2),
      ("a MATCHES '['", .invalidRegularExpression, 10),
      ("FETCH(a, b) == 1", .wrongOperandCount, 0),
      ("a UTI-EQUALS 'b'", .unsupportedSyntax, 2),
      ("a == %", .unexpectedEnd, 5),
      ("a == %y", .unknownSpecifier, 5),
      ("(a == 1) + 2 == 3", .unexpectedToken, 0),
      ("a == (b == 1)", .unexpectedToken, 5),
      ("a.", .unexpectedEnd, 2),
      ("$", .unexpectedEnd, 1),
      ("#", .unexpectedEnd, 1),
    ])
  func mistakes(
    _ format: String, _ code: PredicateFormatError.Code, _ position: Int
  ) throws {
    let error = try #require(failure(format))
    #expect(error.code == code)
    #expect(error.position == position)
    #expect(error.format == format)
  }

  @Test("arguments must be as many as specifiers")
  func argumentCounts() {
    #expect(failure("a == %@ AND b == %d", [1])?.code == .missingArgument)
    #expect(failure("%K == 1")?.code == .missingArgument)
    #expect(failure("a == %@", [1, 2])?.code == .extraArgument)
    #expect(failure("a == 1", [1])?.code == .extraArgument)
    #expect(failure("%K == 1", [5])?.code == .unsuitableArgument)
    #expect(failure("%K == 1", ["a..b"])?.code == .invalidKeyPath)
    #expect(failure("%K == 1", [""])?.code == .invalidKeyPath)
  }

  @Test("every kind of nesting beyond the limit is an error")
  func nesting() {
    let many = 100_000
    let nested: [String] = [
      String(repeating: "(", count: many) + "a == 1" + String(repeating: ")", count: many),
      String(repeating: "NOT ", count: many) + "a == 1",
      "a == " + String(repeating: "-", count: many) + "b",
      "a == " + String(repeating: "{", count: many),
      "a == 1" + String(repeating: " + 1", count: many),
      "a == b" + String(repeating: "[0]", count: many),
      "a == " + String(repeating: "abs:(", count: many),
      "a == " + String(repeating: "1 ** ", count: many) + "1",
      String(repeating: "ANY ", count: many),
      "a == " + String(repeating: "TERNARY(", count: many),
    ]
    for format in nested {
      #expect(failure(format)?.code == .tooDeep, "\(format.prefix(40))")
    }
    let allowed = String(repeating: "(", count: 190) + "a == 1" + String(repeating: ")", count: 190)
    #expect(failure(allowed) == nil)
  }

  @Test("a format of one megabyte is parsed, a longer one is rejected")
  func length() {
    let list = Array(repeating: "1", count: 500_000).joined(separator: ",")
    #expect(failure("a IN {\(list)}") == nil)
    #expect(failure("a == '" + String(repeating: "x", count: 1_048_000) + "'") == nil)
    #expect(failure("a == '" + String(repeating: "x", count: 1 << 20) + "'")?.code == .tooLong)
    let path = Array(repeating: "a", count: 500_000).joined(separator: ".")
    #expect(failure("\(path) == 1") == nil)
  }

  @Test("line and column follow from the place")
  func lines() throws {
    let error = try #require(failure("a == 'é'\nAND é == ^"))
    #expect(error.line == 2)
    #expect(error.column == 10)
    #expect("\(error)".contains("line 2, column 10"))
  }

  @Test("random bytes never crash the parser")
  func randomText() {
    var state: UInt64 = 42
    let pieces = [
      "a", " ", "(", ")", "==", "AND", "NOT ", "%@", "%K", "'", "\"", "\\", "{", "}", "[", "]", ".",
      "@count", "SUBQUERY(", "$x", ",", "1", "0x", "é", "\u{1F600}", "\u{0}", "CAST(", ":", "#",
    ]
    for _ in 0..<5_000 {
      var format = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        format += pieces[Int(state >> 33) % pieces.count]
      }
      if let made = try? makePredicate(format, ["k", "l", "m"]) {
        _ = made.evaluate(with: ["a": 1])
        #expect((try? makePredicate(made.canonicalFormat)) == made)
      }
    }
  }
}
