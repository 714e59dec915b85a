import Foundation
import OpenPredicates
import Testing

/// One format with the tree and the canonical text it must have.
struct Sample: Sendable, CustomTestStringConvertible {
  let format: String
  let canonical: String
  let tree: PredicateNode

  init(_ format: String, _ canonical: String? = nil, _ tree: PredicateNode) {
    self.format = format
    self.canonical = canonical ?? format
    self.tree = tree
  }

  var testDescription: String { format }
}

private let a1 = compare(key("a"), .equal, int(1))
private let b2 = compare(key("b"), .equal, int(2))
private let c3 = compare(key("c"), .equal, int(3))
private let flagged = ExpressionNode.constant(.bool(true))

private let comparisons: [Sample] = [
  Sample("a == 1", nil, a1),
  Sample("a = 1", "a == 1", a1),
  Sample("a != 1", nil, compare(key("a"), .notEqual, int(1))),
  Sample("a <> 1", "a != 1", compare(key("a"), .notEqual, int(1))),
  Sample("a < 1", nil, compare(key("a"), .lessThan, int(1))),
  Sample("a <= 1", nil, compare(key("a"), .lessThanOrEqual, int(1))),
  Sample("a =< 1", "a <= 1", compare(key("a"), .lessThanOrEqual, int(1))),
  Sample("a > 1", nil, compare(key("a"), .greaterThan, int(1))),
  Sample("a >= 1", nil, compare(key("a"), .greaterThanOrEqual, int(1))),
  Sample("a => 1", "a >= 1", compare(key("a"), .greaterThanOrEqual, int(1))),
  Sample("1 <= a", nil, compare(int(1), .lessThanOrEqual, key("a"))),
  Sample(
    "a BETWEEN {1, 2}", nil, compare(key("a"), .between, .aggregate([int(1), int(2)]))),
  Sample("a in {1,2}", "a IN {1, 2}", compare(key("a"), .in, .aggregate([int(1), int(2)]))),
  Sample("a IN {}", nil, compare(key("a"), .in, .aggregate([]))),
  Sample("a CONTAINS 'x'", "a CONTAINS \"x\"", compare(key("a"), .contains, text("x"))),
  Sample(
    "a contains [c] \"x\"", "a CONTAINS[c] \"x\"",
    compare(key("a"), .contains, text("x"), .caseInsensitive)),
  Sample(
    "a CONTAINS[dc] \"x\"", "a CONTAINS[cd] \"x\"",
    compare(key("a"), .contains, text("x"), [.caseInsensitive, .diacriticInsensitive])),
  Sample(
    "a BEGINSWITH[n] \"x\"", nil, compare(key("a"), .beginsWith, text("x"), .normalized)),
  Sample(
    "a ENDSWITH[l] \"x\"", nil, compare(key("a"), .endsWith, text("x"), .localeSensitive)),
  Sample("a LIKE \"x*\"", nil, compare(key("a"), .like, text("x*"))),
  Sample("a MATCHES \"[a-z]+\"", nil, compare(key("a"), .matches, text("[a-z]+"))),
  Sample("a ==[c] \"x\"", nil, compare(key("a"), .equal, text("x"), .caseInsensitive)),
  Sample("a == YES", "a == 1", compare(key("a"), .equal, flagged)),
  Sample("a == true", "a == 1", compare(key("a"), .equal, flagged)),
  Sample("a == NO", "a == 0", compare(key("a"), .equal, .constant(.bool(false)))),
  Sample("a == NULL", "a == nil", compare(key("a"), .equal, .constant(.null))),
  Sample("ANY a.b == 1", nil, compare(key("a", "b"), .equal, int(1), modifier: .any)),
  Sample("SOME a.b == 1", "ANY a.b == 1", compare(key("a", "b"), .equal, int(1), modifier: .any)),
  Sample("ALL a.b > 1", nil, compare(key("a", "b"), .greaterThan, int(1), modifier: .all)),
  Sample(
    "NONE a.b == 1", "NOT ANY a.b == 1",
    .not(compare(key("a", "b"), .equal, int(1), modifier: .any))),
]

private let compounds: [Sample] = [
  Sample("TRUEPREDICATE", nil, .constant(true)),
  Sample("falsepredicate", "FALSEPREDICATE", .constant(false)),
  Sample("a == 1 AND b == 2", nil, .and([a1, b2])),
  Sample("a == 1 && b == 2 && c == 3", "a == 1 AND b == 2 AND c == 3", .and([a1, b2, c3])),
  Sample("a == 1 || b == 2", "a == 1 OR b == 2", .or([a1, b2])),
  Sample(
    "a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)", .or([a1, .and([b2, c3])])),
  Sample("(a == 1 OR b == 2) AND c == 3", nil, .and([.or([a1, b2]), c3])),
  Sample("(a == 1 AND b == 2) AND c == 3", nil, .and([.and([a1, b2]), c3])),
  Sample("NOT a == 1", nil, .not(a1)),
  Sample("!a == 1", "NOT a == 1", .not(a1)),
  Sample("not not a == 1", "NOT NOT a == 1", .not(.not(a1))),
  Sample("NOT a == 1 AND b == 2", nil, .and([.not(a1), b2])),
  Sample("NOT (a == 1 AND b == 2)", nil, .not(.and([a1, b2]))),
  Sample("((a == 1))", "a == 1", a1),
]

private let expressions: [Sample] = [
  Sample(
    "a + 1 * 2 == 3", nil,
    compare(
      call("add:to:", key("a"), call("multiply:by:", int(1), int(2))), .equal, int(3))),
  Sample(
    "(a + 1) * 2 == 3", nil,
    compare(call("multiply:by:", call("add:to:", key("a"), int(1)), int(2)), .equal, int(3))),
  Sample(
    "a - b - c == 1", nil,
    compare(
      call("from:subtract:", call("from:subtract:", key("a"), key("b")), key("c")), .equal,
      int(1))),
  Sample(
    "a - (b - c) == 1", nil,
    compare(
      call("from:subtract:", key("a"), call("from:subtract:", key("b"), key("c"))), .equal,
      int(1))),
  Sample(
    "a / 2 ** 3 == 1", nil,
    compare(
      call("divide:by:", key("a"), call("raise:toPower:", int(2), int(3))), .equal, int(1))),
  Sample("a == -5", nil, compare(key("a"), .equal, int(-5))),
  Sample(
    "a == -b", "a == 0 - b",
    compare(key("a"), .equal, call("from:subtract:", int(0), key("b")))),
  Sample("a == 1.5e3", "a == 1500.0", compare(key("a"), .equal, .constant(.double(1500)))),
  Sample("a == 0xFF", "a == 255", compare(key("a"), .equal, int(255))),
  Sample("a == 0o17", "a == 15", compare(key("a"), .equal, int(15))),
  Sample("a == 0b101", "a == 5", compare(key("a"), .equal, int(5))),
  Sample("SELF == 1", nil, compare(.evaluatedObject, .equal, int(1))),
  Sample("self.a.b == 1", "a.b == 1", compare(key("a", "b"), .equal, int(1))),
  Sample("a.@count > 0", nil, compare(key("a", "@count"), .greaterThan, int(0))),
  Sample("a.@sum.b > 0", nil, compare(key("a", "@sum", "b"), .greaterThan, int(0))),
  Sample("#size == 1", nil, compare(key("size"), .equal, int(1))),
  Sample("a.size == 1", nil, compare(key("a", "size"), .equal, int(1))),
  Sample("#\"first name\" == 1", nil, compare(key("first name"), .equal, int(1))),
  Sample("größe == 1", nil, compare(key("größe"), .equal, int(1))),
  Sample("$x.a == 1", nil, compare(.path(of: .variable("x"), ["a"]), .equal, int(1))),
  Sample("a[0] == 1", nil, compare(.index(key("a"), int(0)), .equal, int(1))),
  Sample("a[first] == 1", "a[FIRST] == 1", compare(.first(key("a")), .equal, int(1))),
  Sample("a[LAST].b == 1", nil, compare(.path(of: .last(key("a")), ["b"]), .equal, int(1))),
  Sample("a[SIZE] == 1", nil, compare(.size(key("a")), .equal, int(1))),
  Sample("now() > a", nil, compare(call("now"), .greaterThan, key("a"))),
  Sample("length:(a) > 1", nil, compare(call("length:", key("a")), .greaterThan, int(1))),
  Sample(
    "length(a) > 1", "length:(a) > 1", compare(call("length:", key("a")), .greaterThan, int(1))),
  Sample(
    "modulus:by:(a, 2) == 0", nil,
    compare(call("modulus:by:", key("a"), int(2)), .equal, int(0))),
  Sample(
    "FUNCTION(a, 'uppercase:') == \"X\"", "uppercase:(a) == \"X\"",
    compare(call("uppercase:", key("a")), .equal, text("X"))),
  Sample(
    "CAST(694224000, 'NSDate') < a", "CAST(694224000.000000, \"NSDate\") < a",
    compare(.constant(.date(694_224_000)), .lessThan, key("a"))),
  Sample(
    "CAST(a, \"NSNumber\") < 1", nil, compare(.cast(key("a"), "NSNumber"), .lessThan, int(1))),
  Sample(
    "TERNARY(a == 1, 2, 3) == 2", nil,
    compare(.conditional(a1, int(2), int(3)), .equal, int(2))),
  Sample(
    "a UNION b == c", nil, compare(.setOperation(.union, key("a"), key("b")), .equal, key("c"))),
  Sample(
    "a MINUS b INTERSECT c == c", nil,
    compare(
      .setOperation(.intersect, .setOperation(.minus, key("a"), key("b")), key("c")), .equal,
      key("c"))),
  Sample(
    "SUBQUERY(pages, $x, $x.n > 1).@count > 0", nil,
    compare(
      .path(
        of: .subquery(
          key("pages"), variable: "x",
          compare(.path(of: .variable("x"), ["n"]), .greaterThan, int(1))), ["@count"]),
      .greaterThan, int(0))),
  Sample(
    "a == \"q\\\"b\\\\n\\n\\x41\\u00e9\"", "a == \"q\\\"b\\\\n\\nAé\"",
    compare(key("a"), .equal, text("q\"b\\n\nAé"))),
]

@Suite struct FormatParserTests {
  static let samples = comparisons + compounds + expressions

  @Test("a format has its tree and its canonical text", arguments: samples)
  func treeAndText(_ sample: Sample) throws {
    #expect(try tree(sample.format) == sample.tree)
    #expect(try makePredicate(sample.format).canonicalFormat == sample.canonical)
  }

  @Test("canonical text parses back to an equal predicate", arguments: samples)
  func roundTrip(_ sample: Sample) throws {
    let first = try makePredicate(sample.format)
    let second = try makePredicate(first.canonicalFormat)
    #expect(first == second)
    #expect(first.hash == second.hash)
    #expect(second.canonicalFormat == sample.canonical)
  }

  @Test("there are at least sixty samples")
  func enoughSamples() {
    #expect(Self.samples.count >= 60)
  }

  @Test("whitespace of any kind separates tokens")
  func whitespace() throws {
    let spaced = "a\t==\n1\u{00A0}AND\u{3000}b == 2"
    #expect(try tree(spaced) == .and([a1, b2]))
  }

  @Test("ten thousand terms form one flat chain")
  func longChain() throws {
    let format = Array(repeating: "a == 1", count: 10_000).joined(separator: " AND ")
    guard case .and(let parts) = try tree(format) else { throw UnexpectedForm() }
    #expect(parts.count == 10_000)
    #expect(try holds(format, for: ["a": 1]))
  }
}
