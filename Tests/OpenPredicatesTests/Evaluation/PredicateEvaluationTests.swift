import Foundation
import OpenPredicates
import Testing

/// A class that can be read by key, with a to-many relationship.
final class Shelf: KeyValueReadable, ObjectReferencing, Sendable {
  let objectReference: ObjectReference?
  let values: [String: any Sendable]

  init(key: Int64? = nil, _ values: [String: any Sendable]) {
    objectReference = key.map { ObjectReference(entityToken: 1, storeToken: 1, key: $0) }
    self.values = values
  }

  func readableValue(forKey key: String) -> Any? { values[key] }
}

@Suite struct PredicateEvaluationTests {
  static let books = [
    Shelf(key: 1, ["title": "Dune", "pages": 600, "rating": 4.5]),
    Shelf(key: 2, ["title": "Emma", "pages": 400]),
    Shelf(key: 3, ["title": "Ægir", "pages": 100, "rating": 3.0]),
  ]

  private func library() -> [String: Any] {
    [
      "name": "Città", "books": Self.books, "count": 3, "open": true, "empty": [Any](),
      "date": Date(timeIntervalSinceReferenceDate: 100), "nested": ["a": ["b": 7]],
      "tags": Set(["x", "y"]), "ordered": NSOrderedSet(array: [5, 6, 7]), "null": NSNull(),
    ]
  }

  @Test(
    "a predicate holds",
    arguments: [
      "count == 3", "count == 3.0", "count != 4", "3 >= count", "count < 3.5", "open == YES",
      "open == 1", "nested.a.b == 7", "nested.missing.b == nil", "null == nil", "missing == NULL",
      "missing != 'v'", "nil == nil", "NOT missing < 1", "NOT missing > 1", "NOT missing <= nil",
      "NOT missing CONTAINS 'x'", "name == 'Città'", "name ==[cd] 'CITTA'", "name BEGINSWITH 'C'",
      "name ENDSWITH[d] 'a'", "name CONTAINS[c] 'ITT'", "name LIKE 'C*à'", "name LIKE '?itt?'",
      "name LIKE[cd] 'c*A'", "name MATCHES 'C.{4}'", "name MATCHES[c] 'cit.*'", "'itt' IN name",
      "count IN {1, 2, 3}", "NOT count IN {}", "count BETWEEN {1, 3}", "NOT count BETWEEN {4, 5}",
      "tags CONTAINS 'x'", "'y' IN tags", "NOT tags CONTAINS 'z'", "ordered CONTAINS 6",
      "ordered[0] == 5", "ordered[FIRST] == 5", "ordered[LAST] == 7", "ordered[SIZE] == 3",
      "ordered[9] == nil", "books.@count == 3", "empty.@count == 0", "books.@sum.pages == 1100",
      "books.pages.@sum == 1100", "books.@avg.rating == 3.75", "books.@min.pages == 100",
      "books.@max.pages == 600", "empty.@max.pages == nil", "empty.@sum.pages == 0",
      "books.@max.title == 'Ægir'", "400 IN books.@unionOfObjects.pages",
      "'Dune' IN books.@distinctUnionOfObjects.title", "ANY books.pages > 500",
      "NOT ANY books.pages > 600", "SOME books.title == 'Emma'", "ALL books.pages >= 100",
      "NOT ALL books.pages > 100", "ALL empty.pages > 9", "NOT ANY empty.pages > 9",
      "NONE books.title == 'X'", "NONE empty.a == 1", "ANY books.rating == nil",
      "SUBQUERY(books, $b, $b.pages > 300).@count == 2",
      "SUBQUERY(books, $b, $b.pages > 300 AND $b.rating != nil)[FIRST].title == 'Dune'",
      "SUBQUERY(books, $b, $b.pages > 900).@count == 0",
      "SUBQUERY(missing, $b, TRUEPREDICATE).@count == 0",
      "SUBQUERY(books, $b, SUBQUERY(books, $c, $c.pages > $b.pages).@count == 2).@count == 1",
      "SUBQUERY(books, $b, $b.pages > 300) != nil", "1 + 2 > 2", "4 + 5 - 2**3 == 1", "7 / 2 == 3",
      "7 / 2.0 == 3.5", "count * 2 == 6", "1 / 0 == nil", "modulus:by:(7, 4) == 3",
      "count - -1 == 4", "-count == -3", "abs:(-3) == 3", "floor:(1.7) == 1", "ceiling:(1.2) == 2",
      "sqrt:(16) == 4", "raise:toPower:(2, 10) == 1024", "length:(name) == 5",
      "uppercase:(name) == 'CITTÀ'", "lowercase:(name) == 'città'", "canonical:(name) == 'citta'",
      "sum:(books.pages) == 1100", "count:(books) == 3", "min:(books.pages) == 100",
      "max:(1, 5, 3) == 5", "average:({1, 2, 3}) == 2", "median:({1, 9, 3}) == 3",
      "now() > date", "date < CAST(101, 'NSDate')", "date == CAST(100, 'NSDate')",
      "CAST(date, 'NSNumber') == 100", "CAST('12', 'NSNumber') == 12",
      "CAST(count, 'NSString') == '3'",
      "TERNARY(count > 2, 'many', 'few') == 'many'", "bitwiseAnd:with:(6, 3) == 2",
      "({1, 2} UNION {2, 3})[SIZE] == 3", "({1, 2} INTERSECT {2, 3})[FIRST] == 2",
      "({1, 2} MINUS {2, 3})[SIZE] == 1", "TRUEPREDICATE", "NOT FALSEPREDICATE",
      "0.1 + 0.2 > 0.3", "9223372036854775807 + 1 > 1",
      "--9223372036854775808 > 0", "name IN {'x', 'Città'}",
      "name IN[cd] {'citta'}", "'9' == 9", "NOT 'abc' < 5 OR TRUEPREDICATE", "SELF.count == 3",
      "SELF.name == name", "noindex:(count) == 3", "indexed:by:(count, 'byCount') == 3",
      "CAST(count + 0.0, 'NSString') == '3'", "onesComplement:(0) == -1",
    ])
  func holding(_ format: String) throws {
    #expect(try holds(format, for: library()))
    #expect(try holds("NOT (\(format))", for: library()) == false)
  }

  @Test("plain values are SELF")
  func plainValues() throws {
    #expect(try holds("SELF == 'x'", for: "x"))
    #expect(try holds("SELF BEGINSWITH[c] %@", ["A"], for: "abc"))
    #expect(try holds("SELF > 3 AND SELF < 5", for: 4))
    #expect(try holds("SELF IN %@", [[1, 2, 3]], for: 2))
    #expect(try holds("SELF == nil", for: nil))
    #expect(try holds("SELF.length > 1 AND length == 3", for: "abc"))
    #expect(try holds("SELF.size > 1", for: "abc") == false)
    #expect(try holds("length:(SELF) > 1", for: "abc"))
    #expect(try holds("length:(SELF) == 5 AND SELF.length == 8", for: "👨‍👩‍👧"))
    #expect(
      try holds(
        "SELF == %@", [Date(timeIntervalSinceReferenceDate: 5)],
        for: NSDate(timeIntervalSinceReferenceDate: 5)))
    let optional: String? = nil
    #expect(try holds("SELF == nil", for: optional as Any))
    #expect(try holds("SELF == 'x'", for: Optional("x") as Any))
  }

  @Test("Foundation's classes and Swift's scalars compare")
  func bridging() throws {
    let object: NSDictionary = [
      "n": NSNumber(value: 5), "s": NSString("t"), "d": NSDecimalNumber(string: "1.5"),
      "a": NSArray(array: [1, 2]), "set": NSSet(array: ["p"]),
    ]
    for number in [5, 5.0, Int16(5), UInt8(5), Float(5), NSNumber(value: 5), Decimal(5)] as [Any] {
      #expect(try holds("n == %@", [number], for: object))
    }
    #expect(
      try holds("s == 't' AND d == 1.5 AND d > 1 AND 2 IN a AND set CONTAINS 'p'", for: object))
    #expect(try holds("%@ IN a", [2.0], for: object))
    #expect(try holds("d BETWEEN %@", [[1, 2]], for: object))
  }

  @Test("objects are compared with their own equality, or by identity if they have none")
  func objects() throws {
    let book = Self.books[0]
    let twin = Shelf(key: 1, [:])
    #expect(try holds("SELF == %@", [book], for: book))
    #expect(try holds("SELF == %@", [twin], for: book))
    #expect(try holds("SELF != %@", [Self.books[1]], for: book))
    #expect(try holds("SELF IN %@", [Self.books], for: twin))
    #expect(try holds("books CONTAINS %@", [book], for: library()))
    #expect(
      try holds("SELF IN %@", [[ObjectReference(entityToken: 1, storeToken: 1, key: 1)]], for: book)
    )
    let (one, other) = (Shelf([:]), Shelf([:]))
    #expect(try holds("SELF == %@", [one], for: one))
    #expect(try holds("SELF == %@", [other], for: one) == false)
    #expect(try holds("SELF IN %@", [[other, one]], for: one))
  }

  @Test("a path and a subquery can start at the result of a set operator on objects")
  func objectsOfSets() throws {
    let row: [String: Any] = ["few": [Self.books[0]], "books": Self.books]
    for format in [
      "SUBQUERY(few UNION books, $b, $b.pages > 300).@count == 2",
      "ANY (books MINUS few).pages == 400",
      "(books INTERSECT few)[FIRST].title == 'Dune'", "(few UNION books).@max.pages == 600",
      "SUBQUERY(books MINUS (few UNION few), $b, $b.pages > 300).@count == 1",
    ] {
      #expect(try NSPredicate(format: format).evaluating(with: row), "\(format)")
    }
  }

  @Test("a product of decimal numbers that is too small or too large for one is a real number")
  func products() throws {
    let row: [String: Any] = [
      "tiny": NSDecimalNumber(string: "1e-100"), "huge": NSDecimalNumber(string: "1e100"),
    ]
    for format in [
      "tiny * tiny == 1e-200", "huge * huge == 1e200", "huge / tiny == 1e200", "tiny * huge == 1",
    ] {
      #expect(NSPredicate(format: format).evaluate(with: row), "\(format)")
    }
  }

  @Test("a string that only begins with a number is not cast to a decimal number")
  func decimalCasts() throws {
    for text in ["12abc", "0x10", "1.5 kg", "", "e"] {
      #expect(try holds("CAST(SELF, 'NSDecimalNumber') == nil", for: text), "\(text)")
    }
    #expect(try holds("CAST(SELF, 'NSDecimalNumber') == -125", for: "-1.25e2"))
  }

  @Test("long lists are searched by hash with the same result")
  func longLists() throws {
    let numbers = Array(0..<1_000)
    #expect(try holds("SELF IN %@", [numbers], for: 999))
    #expect(try holds("SELF IN %@", [numbers], for: 999.0))
    #expect(try holds("SELF IN %@", [numbers], for: true))
    #expect(try holds("SELF IN %@", [numbers], for: 1_000) == false)
    #expect(try holds("SELF IN %@", [Set(numbers.map { "é\($0)" })], for: "é7"))
    #expect(try holds("SELF IN %@", [numbers.map { "é\($0)" }], for: "e\u{301}7") == false)
    #expect(try holds("SELF IN %@", [numbers.map(String.init)], for: 7))
    #expect(try holds("SELF IN[c] %@", [numbers.map { "A\($0)" }], for: "a7"))
  }

  @Test("arrays and sets map their members over a key")
  func mapping() throws {
    #expect(try holds("title.@count == 3", for: Self.books))
    #expect(try holds("@count == 3", for: Self.books))
    #expect(try holds("ANY SELF.pages == 400", for: Self.books))
    let nested: [String: Any] = [
      "groups": [["items": [["n": 1], ["n": 2]]], ["items": [["n": 3]]]]
    ]
    #expect(try holds("ANY groups.items.n == 3", for: nested))
    #expect(try holds("ALL groups.items.n < 4", for: nested))
    #expect(try holds("3 IN groups.@unionOfArrays.items.n", for: nested))
  }

  @Test("filtering a collection evaluates the predicate")
  func filtering() {
    let numbers: NSArray = [1, 2, 3, 4]
    let kept = numbers.filtered(using: NSPredicate(format: "SELF > %d", 2))
    #expect(kept.count == 2)
  }

  @Test("a regular expression that is not valid never matches")
  func invalidExpression() throws {
    #expect(try holds("SELF MATCHES %@", ["["], for: "[") == false)
    #expect(try holds("SELF MATCHES %@", ["a)(b"], for: "ab") == false)
    #expect(throws: PredicateFormatError.self) { try StringMatch.prepare(pattern: "(") }
  }

  @Test("long lists are searched by hash, whatever the types of numbers and the options are")
  func hashedLists() throws {
    let numbers = (0..<20).map { Double($0) + 0.5 } + [7.0, -0.0]
    let decimals = (0..<20).map { Decimal($0) / 10 }
    let large = [9_007_199_254_740_993] + Array(0..<20)
    let dates = (0..<20).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
    let optional: [Any] = (Array(0..<20) as [Any]) + [NSNull()]
    let texts = (0..<20).map { "Äpfel \($0)" }
    let cases: [(list: [Any], value: Any, options: String, isMember: Bool)] = [
      (numbers, 3.5, "", true), (numbers, 7, "", true), (numbers, 0, "", true),
      (numbers, true, "", false), (numbers, Decimal(7), "", true),
      (decimals, Decimal(3) / 10, "", true), (decimals, 0.3, "", true), (decimals, 1, "", true),
      (decimals, 2, "", false), (large, 9_007_199_254_740_993, "", true),
      (large, 9_007_199_254_740_992.0, "", true), (large, 9_007_199_254_740_992, "", false),
      (dates, Date(timeIntervalSinceReferenceDate: 7), "", true),
      (dates, Date(timeIntervalSinceReferenceDate: 7.5), "", false), (optional, 7, "", true),
      (optional, 21, "", false), (optional, NSNull(), "", true), (texts, "äpfel 7", "", false),
      (texts, "äpfel 7", "[c]", true), (texts, "apfel 7", "[c]", false),
      (texts, "APFEL 7", "[cd]", true), (texts, "A\u{308}PFEL 7", "[c]", true),
    ]
    for (list, value, options, isMember) in cases {
      #expect(try holds("SELF IN\(options) %@", [list], for: value) == isMember, "\(value)")
      #expect(try holds("%@ CONTAINS\(options) SELF", [list], for: value) == isMember, "\(value)")
    }
  }

  @Test(
    "collections are equal if they have equal members equally often, in any order",
    .timeLimit(.minutes(30)))
  func equalCollections() throws {
    let many = Array(0..<50_000)
    let reversed = Array(many.reversed())
    let reals = reversed.map { Double($0) }
    let repeating = [0] + many.dropLast()
    let texts = ["Äpfel", "birne", "Birne"]
    let cases: [(one: [Any], other: [Any], options: String, areEqual: Bool)] = [
      (many, reversed, "", true), (many, reals, "", true), (many, repeating, "", false),
      ([1, 2, 2], [2, 1, 2.0], "", true),
      ([1, 2, 2], [1, 1, 2], "", false), ([1, NSNull()], [NSNull(), 1], "", true),
      ([1, NSNull()], [NSNull(), NSNull()], "", false), ([1, "2"], ["1", 2], "", true),
      ([Decimal(7), 0.5], [0.5, 7], "", true), (texts, ["BIRNE", "birne", "äpfel"], "", false),
      (texts, ["BIRNE", "birne", "äpfel"], "[c]", true),
      (texts, ["apfel", "birne", "birne"], "[c]", false),
      (texts, ["apfel", "birne", "birne"], "[cd]", true),
      (texts, ["äpfel", "äpfel", "birne"], "[c]", false),
    ]
    for (one, other, options, areEqual) in cases {
      let isEqual = try holds("SELF ==\(options) %@", [other], for: one)
      #expect(isEqual == areEqual, "\(one.prefix(3)) \(other.prefix(3))")
    }
  }

  @Test("set operators compare the members of long collections by value")
  func longSets() throws {
    func count(_ format: String, _ one: [Any], _ other: [Any]) -> Int? {
      let expression = OpenPredicates.NSExpression(format: format, argumentArray: [one, other])
      return (expression.expressionValue(with: nil, context: nil) as? NSSet)?.count
    }
    let (one, other) = (Array(0..<2_000), (1_000..<3_000).map { Double($0) })
    #expect(count("%@ UNION %@", one, other) == 3_000)
    #expect(count("%@ INTERSECT %@", one, other) == 1_000)
    #expect(count("%@ MINUS %@", one, other) == 1_000)
    // A number equals its text.
    #expect(count("%@ MINUS %@", one, ["0", "1", NSNull()]) == 1_998)
    #expect(count("%@ UNION %@", [1, "a", NSNull(), 1.0], ["1", "a"]) == 2)
  }
}
