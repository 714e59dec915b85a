import Foundation
import OpenCoreData
import Testing

/// Comparisons whose type no property determines: constants of several types, and collections.
@Suite("Comparisons without a property")
struct UntypedComparisonTests {
  private static let list: [any Sendable] = []
  private static let pair: [any Sendable] = [1, NSNull()]

  /// Comparisons of constants with arguments, and their results; nil for unknown.
  private static let constants: [(format: String, arguments: [any Sendable], holds: Bool?)] = [
    ("1 == %@", ["1"], true), ("%@ == %@", ["10", 10], true), ("%@ != %@", ["10", 10], false),
    ("1 < 'a'", [], true), ("%@ >= %@", [1, ""], true), ("%@ < %@", ["9", 10], false),
    ("'10' <[c] 9", [], true), ("-5 BETWEEN {'', 0}", [], true),
    ("-5 BETWEEN {'', 'a'}", [], true), ("%@ BETWEEN %@", [-5, ["", "a"]], true),
    ("-5 BETWEEN {nil, ''}", [], false), ("-5 BETWEEN {nil, 'a'}", [], nil),
    ("'1' IN {1, 2}", [], true), ("%@ IN %@", ["1", [1, 2]], true),
    ("%@ IN %@", [1, ["1"]], true), ("%@ IN %@", [3, ["1"]], false),
    ("%@ IN %@", [NSNull(), ["1"]], nil), ("%@ IN %@", ["b", "abc"], true),
    ("%@ CONTAINS %@", [["1"], 1], true), ("ANY {1, 'a'} == %@", ["a"], true),
    ("%@ == %@", [1, Data([0x31])], false), ("%@ < %@", ["a", Data([1])], false),
    ("1 + 1 == '2'", [], true), ("%@ < %@", [1, Double.nan], nil),
    ("%@ != %@", [1.5, Decimal(1.5)], false),
  ]

  @Test(
    "constants of different types compare as in evaluation, regardless of the database's rules",
    arguments: FetchingModel.stores)
  func constants(type: String) throws {
    try FetchingStack(type).run { stack throws in
      for (format, arguments, holds) in Self.constants {
        let names = try [format, "NOT (\(format))"].map {
          try stack.names(FetchingStack.request($0, arguments))
        }
        let expected = [holds == true, holds == false].map { $0 ? "abcde" : "" }
        #expect(names == expected, "\(format) \(arguments)")
        // The condition needs no evaluation of objects in memory.
        let strict = FetchingStack.request(format, arguments)
        strict.allowsEvaluationInMemory = false
        #expect(try stack.names(strict) == expected[0], "\(format) \(arguments)")
      }
    }
  }

  /// Choices of constants with arguments, and the names of the items that they select.
  private static let choices: [(format: String, arguments: [any Sendable], names: String)] = [
    ("TERNARY(isSold == 1, '1', 2) == 1", [], "ace"),
    ("TERNARY(isSold == 1, 1, 2) == %@", ["1"], "ace"),
    ("TERNARY(isSold == 1, %@, 2) == 1", ["1"], "ace"),
    ("TERNARY(isSold == 1, %@, 2) IN %@", ["1", [1]], "ace"),
    ("TERNARY(isSold == 1, 1, 2) IN {'1'}", [], "ace"),
    ("TERNARY(isSold == 1, '2', 2) == rank + 0", [], "cd"),
    ("TERNARY(isSold == 1, '2', 2) == rank", [], "cd"),
    ("TERNARY(isSold == 1, 1, 2) == 2", [], "bd"),
  ]

  @Test("a choice of constants equals the evaluated result", arguments: FetchingModel.stores)
  func choices(type: String) throws {
    try FetchingStack(type).run { stack throws in
      for (format, arguments, names) in Self.choices {
        #expect(
          try stack.names(FetchingStack.request(format, arguments)) == names,
          "\(format) \(arguments)")
      }
    }
  }

  /// Formats with arguments, and the names of the items that they select.
  /// The result of a fetch whose condition cannot be evaluated.
  private static let error = "error"

  private static let cases: [(format: String, arguments: [any Sendable], names: String)] = [
    ("1 == %@", [list], ""), ("%@ == 1", [list], ""),
    ("1 != %@", [list], "abcde"), ("%@ != 1", [list], "abcde"),
    ("1 != %@", [pair], "abcde"), ("1 != {}", [], "abcde"), ("{} != 1", [], "abcde"),
    ("1 != {1}", [], "abcde"), ("1 == {nil}", [], ""),
    ("NOT (1 == %@)", [list], "abcde"), ("NOT (1 != %@)", [list], ""),
    ("1 < %@", [list], error), ("1 <= %@", [list], error), ("%@ > 1", [list], error),
    ("%@ >= 1", [list], error), ("NOT (1 < %@)", [list], error),
    ("NOT (%@ >= 'a')", [pair], error), ("NOT ({} < 1)", [], error),
    ("%@ == nil", [list], ""), ("%@ != nil", [list], "abcde"), ("nil == %@", [pair], ""),
    ("nil != %@", [pair], "abcde"), ("{} == nil", [], ""), ("NOT (nil < %@)", [list], ""),
    ("%@ BEGINSWITH 'a'", [list], error), ("NOT ('a' LIKE %@)", [list], error),
    ("1 IN {%@, 2}", [list], ""), ("NOT (1 IN {%@, 2})", [list], "abcde"),
    ("1 IN {%@, 1}", [list], "abcde"), ("NOT (1 IN %@)", [[[1], 2] as [any Sendable]], "abcde"),
    ("1 BETWEEN {%@, 2}", [list], error), ("NOT (1 BETWEEN {%@, 2})", [list], error),
    ("NOT (1 BETWEEN %@)", [[[1], 2] as [any Sendable]], error),
    ("NOT (1 BETWEEN {nil, %@})", [list], error),
    ("%@ BETWEEN {1, 2}", [list], error), ("NOT (%@ BETWEEN {1, 2})", [list], error),
    ("1 BETWEEN {nil, nil}", [], ""), ("NOT (1 BETWEEN {nil, nil})", [], ""),
    ("NOT (1 BETWEEN {2, nil})", [], "abcde"), ("NOT (nil BETWEEN {1, 2})", [], ""),
    ("TERNARY(isSold == 1, %@, 1) == %@", [list, list], "ace"),
    ("TERNARY(isSold == 1, %@, 1) != 1", [list], "ace"),
    ("TERNARY(1 == 1, %@, 1) != 1", [pair], "abcde"),
    ("rank == 1 AND 1 != %@", [list], "ab"), ("rank == 1 OR -9 != %@", [list], "abcde"),
    ("ANY owner.items.price == 4 AND %@ != 2.5", [list], "ab"),
  ]

  @Test(
    "a collection equals no single value and is not nil; ordering it relative to a value is an error (D-417)",
    arguments: FetchingModel.stores)
  func meaning(type: String) throws {
    try FetchingStack(type).run { stack throws in
      for (format, arguments, names) in Self.cases {
        var found = Self.error
        do {
          found = try stack.names(FetchingStack.request(format, arguments))
        } catch let error as CocoaError where error.code.rawValue == 134060 {}
        #expect(found == names, "\(format) \(arguments)")
      }
    }
  }

  @Test(
    "a collection beside a property is an error, and a request without evaluation in memory refuses one beside a choice",
    arguments: FetchingModel.stores)
  func refused(type: String) throws {
    try FetchingStack(type).run { stack throws in
      for format in ["rank == %@", "rank != %@", "%@ < rank", "name BETWEEN {'a', %@}"] {
        let request = FetchingStack.request(format, [Self.list])
        #expect(throws: CocoaError.self, "\(format)") { try stack.context.fetch(request) }
      }
      let strict = FetchingStack.request("TERNARY(isSold == 1, %@, 1) != 1", [Self.list])
      strict.allowsEvaluationInMemory = false
      #expect(throws: CocoaError.self) { try stack.context.fetch(strict) }
    }
  }
}
