import Foundation
import OpenGrammarTables
import OpenPredicates
import Testing

extension GrammarRow: CustomTestStringConvertible {
  public var testDescription: String { format }
}

extension GrammarTables.Mistake: CustomTestStringConvertible {
  public var testDescription: String { row.format }
}

@Suite struct GrammarTests {
  @Test("a format has its tree, its canonical text and its result", arguments: GrammarTables.rows)
  func treeTextAndResult(_ row: GrammarRow) throws {
    let predicate = try makePredicate(row.format, row.arguments)
    #expect(TreeText.text(try tree(row.format, row.arguments)) == row.tree)
    #expect(predicate.canonicalFormat == row.canonical)
    if let result = row.result { #expect(predicate.evaluate(with: GrammarRow.sample) == result) }
  }

  @Test("canonical text is read as an equal predicate", arguments: GrammarTables.rows)
  func roundTrip(_ row: GrammarRow) throws {
    let first = try makePredicate(row.format, row.arguments)
    let second = try makePredicate(first.canonicalFormat)
    #expect(first == second)
    #expect(first.hash == second.hash)
    #expect(second.canonicalFormat == row.canonical)
    if let result = row.result { #expect(second.evaluate(with: GrammarRow.sample) == result) }
  }

  @Test("a mistake has its code and column", arguments: GrammarTables.wrongFormats)
  func mistakes(_ mistake: GrammarTables.Mistake) throws {
    let error = try #require(failure(mistake.row.format, mistake.row.arguments))
    #expect(Self.name(of: error.code) == mistake.code)
    #expect(error.column ?? 0 == mistake.column)
    #expect(error.line == (error.position == nil ? nil : 1))
    #expect(!error.message.isEmpty)
  }

  @Test("every prefix of every format is parsed or rejected with a position")
  func truncations() throws {
    for row in GrammarTables.rows + GrammarTables.wrongFormats.map(\.row) {
      for count in 0..<row.format.count {
        let beginning = String(row.format.prefix(count))
        if let error = failure(beginning, row.arguments), error.code != .extraArgument {
          #expect(error.position != nil && error.line != nil && error.column != nil, "\(beginning)")
        }
      }
    }
  }

  @Test(
    "keywords are read in any case",
    arguments: [
      "a == 1 AND b == 2 OR NOT c == 3", "ANY a IN {1} AND ALL b > 1", "NONE a == 1 OR SOME b == 2",
      "a LIKE \"x\" OR a MATCHES \"x\" OR a CONTAINS \"x\"", "TRUEPREDICATE AND FALSEPREDICATE",
      "a BEGINSWITH \"x\" OR a ENDSWITH \"x\"", "a BETWEEN {NULL, NIL}", "SELF == ANYKEY",
      "a[FIRST] == b[LAST]", "a[SIZE] == TERNARY(TRUEPREDICATE, YES, NO)", "TRUE == FALSE",
      "a UNION b == c INTERSECT d MINUS e", "CAST(a, \"x\") == FETCH(a, b, c)",
      "SUBQUERY(a, $x, FALSEPREDICATE) == FUNCTION(a, \"x\")",
    ])
  func keywordCase(_ format: String) throws {
    // Keys have one letter, so the tree of uppercase keys does not test keywords.
    #expect(try tree(format.lowercased()) == tree(format))
    #expect(failure(format.capitalized) == nil)
  }

  @Test("space between tokens changes nothing")
  func spacing() throws {
    let tight = try tree("a+b*2>=-1&&c[0].d.@count==3||!e IN{1,2}")
    let wide = try tree(
      " a\n+ b * 2 >=\t- 1 && c [ 0 ] . d . @count == 3 || ! e IN { 1 , 2 } ")
    #expect(tight == wide)
  }

  @Test("the tables have at least six hundred formats, none twice")
  func tableSize() {
    let rows = GrammarTables.rows + GrammarTables.wrongFormats.map(\.row)
    #expect(rows.count >= 900)
    #expect(Set(rows.map { $0.format + " " + $0.argumentText }).count == rows.count)
  }

  private static func name(of code: PredicateFormatError.Code) -> String {
    let names: [PredicateFormatError.Code: String] = [
      .unexpectedToken: "unexpectedToken", .unexpectedEnd: "unexpectedEnd",
      .unexpectedCharacter: "unexpectedCharacter", .unterminatedString: "unterminatedString",
      .invalidNumber: "invalidNumber", .unknownFunction: "unknownFunction",
      .wrongOperandCount: "wrongOperandCount", .missingArgument: "missingArgument",
      .extraArgument: "extraArgument", .unsuitableArgument: "unsuitableArgument",
      .unknownSpecifier: "unknownSpecifier", .unsupportedSyntax: "unsupportedSyntax",
      .invalidRegularExpression: "invalidRegularExpression", .invalidKeyPath: "invalidKeyPath",
      .unknownCollectionOperator: "unknownCollectionOperator",
    ]
    return names[code] ?? "\(code.rawValue)"
  }
}
