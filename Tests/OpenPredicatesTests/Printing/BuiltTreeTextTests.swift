import Foundation
import OpenPredicates
import Testing

/// Trees that programs build, whose names and values no format has.
@Suite struct BuiltTreeTextTests {
  static let oddNames = [
    "", " ", "a b", "size", "SELF", "null", "@count", "@foo", "a.b", "1a", "a\"b", "a\\b", "a'b",
    "é", "e\u{301}", "日本", "\u{1F600}", "\n", "\0", "a:", "a:b:", "#a", "$a", "%@", "UTI-EQUALS",
    "(", "now()", "now", "add:to:", "sum:", "TRUEPREDICATE",
  ]

  static let anyValues: [Value] = [
    .null, .bool(true), .bool(false), .int(0), .int(-1), .int(.max), .int(.min), .double(0.1),
    .double(-0.0), .double(-5), .double(-0x1p63), .double(0x1p63), .double(.infinity),
    .double(-.infinity), .double(.nan), .double(.greatestFiniteMagnitude),
    .double(.leastNonzeroMagnitude), .date(0), .date(-1.5), .date(1e300), .date(.nan),
    .date(.infinity), .string(""), .string("a\"b\\c\n\0é\u{1F600}"), .data(Data()),
    .data(Data([0, 255])),
    .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0))),
    .decimal(DecimalValue(Decimal(-12))), .decimal(DecimalValue(Decimal.nan)),
    .decimal(DecimalValue(Decimal.greatestFiniteMagnitude)), .url(URL(filePath: "/a b")),
    .object(ObjectReference(entityToken: 1, storeToken: 2, key: -3)), .list([]),
    .list([.int(1), .list([.bool(true), .double(.nan)]), .null]),
  ]

  private func expectRoundTrip(_ root: PredicateNode, _ note: String = "") throws {
    let first = NSPredicate.from(root)
    let text = first.canonicalFormat
    let second = try makePredicate(text)
    #expect(second == first, "\(note) \(text)")
    #expect(second.hash == first.hash, "\(note) \(text)")
    #expect(second.canonicalFormat == text, "\(note) \(text)")
  }

  @Test("any name is written so that it is read back", arguments: oddNames)
  func names(_ name: String) throws {
    let trees: [ExpressionNode] = [
      .keyPath([name]), .keyPath(["a", name, "b"]), .path(of: .first(key("a")), [name]),
      .variable(name), .assignment(name, int(1)), .cast(key("a"), name),
      .subquery(key("a"), variable: name, compare(.variable(name), .equal, int(1))),
      .index(key("a"), .keyPath([name])), .constant(.string(name)),
    ]
    for node in trees { try expectRoundTrip(compare(node, .equal, int(1)), name) }
    guard !name.isEmpty else { return }
    try expectRoundTrip(compare(.function(name, [key("a")]), .equal, int(1)), name)
    try expectRoundTrip(compare(.function(name, [key("a"), int(2)]), .equal, int(1)), name)
    try expectRoundTrip(compare(.function(name, []), .equal, int(1)), name)
    let node = ComparisonNode(
      left: key("a"), right: int(1), operation: .customSelector, options: .caseInsensitive,
      selector: name)
    try expectRoundTrip(.comparison(node), name)
  }

  @Test("any value is written so that it is read back, in any place", arguments: anyValues.indices)
  func values(_ index: Int) throws {
    let value = ExpressionNode.constant(Self.anyValues[index])
    let trees: [ExpressionNode] = [
      value, .aggregate([value, key("a")]), .path(of: value, ["x"]), .path(of: value, ["e5"]),
      .path(of: value, ["@count"]), .index(value, value), .first(value), .size(value),
      call("raise:toPower:", value, value), call("from:subtract:", value, value),
      call("multiply:by:", call("add:to:", value, value), value), .cast(value, "NSString"),
      .cast(value, "NSNumber"), .cast(value, "NSDate"), .cast(value, "Other"),
      .setOperation(.union, value, .setOperation(.minus, value, value)),
      .conditional(compare(value, .equal, value), value, value), call("abs:", value),
      .assignment("v", value), .fetch(value, value, countOnly: value),
    ]
    for node in trees {
      try expectRoundTrip(compare(node, .equal, value), "\(Self.anyValues[index])")
    }
  }

  @Test("empty chains, chains of one part and empty paths print their meaning")
  func degenerate() throws {
    let a1 = compare(key("a"), .equal, int(1))
    let trees: [PredicateNode] = [
      .and([]), .or([]), .and([a1]), .or([.and([a1])]), .not(.and([])),
      .not(.or([.and([a1, a1])])),
      .and([.or([]), .and([]), .not(.and([a1]))]), .and([.and([a1, a1]), .or([a1])]),
      compare(.keyPath([]), .equal, .path(of: key("a"), [])),
      compare(.path(of: .evaluatedObject, ["a"]), .equal, .path(of: key("a"), ["b"])),
      compare(.path(of: .path(of: .variable("x"), ["a"]), ["b"]), .equal, .anyKey),
      compare(.function("length", [key("a")]), .equal, int(1)),
      compare(.setOperation(.union, .assignment("x", key("a")), key("b")), .equal, int(1)),
    ]
    for tree in trees { try expectRoundTrip(tree) }
    #expect(NSPredicate.from(.or([.and([a1])])) == NSPredicate.from(a1))
    #expect(NSPredicate.from(.and([])).canonicalFormat == "TRUEPREDICATE")
  }

  @Test("an expression of `MATCHES` that is not valid is read back")
  func invalidPattern() throws {
    try expectRoundTrip(compare(key("a"), .matches, text("[")))
    let predicate = try makePredicate("a MATCHES %@", ["["])
    #expect(predicate.canonicalFormat == "a MATCHES CAST(\"[\", \"NSString\")")
    #expect(try makePredicate(predicate.canonicalFormat) == predicate)
  }
}
