import Dispatch
import Foundation
import OpenGrammarTables
import OpenPredicates
import Synchronization
import Testing

/// What a small thread found out.
private final class Outcome: Sendable {
  let message = Mutex<String>("not run")
}

@Suite struct NestingTests {
  /// Formats at the limit, of every kind of nesting, with the number of levels as parameter.
  static let nested: [(name: String, format: @Sendable (Int) -> String)] = [
    ("parentheses", { wrapped("(", "a == 1", ")", $0 - 2) }),
    ("not", { wrapped("NOT ", "a == 1", "", $0 - 2) }),
    (
      "compounds",
      { wrapped("(NOT (b == 2 OR ", "a == 1", "))", ($0 - 2) / 2) }
    ),
    ("sums", { "a" + String(repeating: " + 1", count: $0 - 3) + " == 1" }),
    ("differences", { wrapped("1 - (", "a", ")", $0 - 3) + " == 1" }),
    ("signs", { wrapped("-", "a", "", $0 - 3) + " == 1" }),
    ("powers", { wrapped("2 ** (", "a", ")", $0 - 3) + " == 1" }),
    ("aggregates", { wrapped("{", "1", "}", $0 - 3) + " == 1" }),
    ("functions", { wrapped("abs:(", "a", ")", $0 - 3) + " == 1" }),
    ("indexes", { wrapped("a[", "0", "]", $0 - 3) + " == 1" }),
    ("casts", { wrapped("CAST(", "a", ", \"NSNumber\")", $0 - 3) + " == 1" }),
    ("assignments", { wrapped("$x := ", "a", "", $0 - 3) + " == 1" }),
    (
      "ternaries",
      { wrapped("TERNARY(a == 1, 1, ", "0", ")", $0 - 3) + " == 1" }
    ),
    (
      "subqueries",
      { wrapped("SUBQUERY(", "a", ", $x, TRUEPREDICATE)", $0 - 3) + " == 1" }
    ),
    (
      "conditions",
      { wrapped("TERNARY(", "a == 1", ", 1, 0) == 1", ($0 - 3) / 2) }
    ),
    ("sets", { wrapped("a UNION (", "a", ")", $0 - 3) + " == 1" }),
  ]

  private static func wrapped(
    _ opening: String, _ core: String, _ closing: String, _ count: Int
  ) -> String {
    String(repeating: opening, count: count) + core + String(repeating: closing, count: count)
  }

  /// Runs `body` on a thread with a stack of half the usual size.
  private func onSmallThread(_ body: @escaping @Sendable () throws -> Void) throws -> String {
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      do {
        try body()
        outcome.message.withLock { $0 = "" }
      } catch {
        outcome.message.withLock { $0 = "\(error)" }
      }
      done.signal()
    }
    thread.stackSize = 4 * 1_024 * 1_024
    thread.start()
    done.wait()
    return outcome.message.withLock { $0 }
  }

  @Test("a predicate at the limit is read, written, compared and evaluated on half a stack")
  func deepest() throws {
    for (name, format) in Self.nested {
      let problem = try onSmallThread {
        let text = format(FormatLimits.depth)
        let predicate = try makePredicate(text)
        let again = try makePredicate(predicate.canonicalFormat)
        guard again == predicate, again.hash == predicate.hash,
          again.canonicalFormat == predicate.canonicalFormat
        else { throw UnexpectedForm() }
        _ = predicate.evaluate(with: ["a": 1])
      }
      #expect(problem.isEmpty, "\(name)")
    }
  }

  @Test("beyond the limit every kind of nesting is an error")
  func tooDeep() {
    for (name, format) in Self.nested {
      for levels in [FormatLimits.depth * 2 + 8, 20_000] {
        #expect(failure(format(levels))?.code == .tooDeep, "\(name) \(levels)")
      }
    }
  }

  @Test("trees that a program builds deeper than the limit are cut, not followed")
  func builtTrees() {
    var node = compare(key("a"), .equal, int(1))
    for _ in 0..<5_000 { node = .not(node) }
    #expect(throws: PredicateFormatError.self) { try TreeDepth.check(node) }
    let predicate = NSPredicate.from(node)
    #expect(predicate.canonicalFormat.hasPrefix("NOT NOT "))
    #expect(predicate == NSPredicate.from(node))
    #expect(predicate.hash == NSPredicate.from(node).hash)
    var operand = key("a")
    for _ in 0..<5_000 { operand = call("abs:", operand) }
    #expect(throws: PredicateFormatError.self) { try TreeDepth.check(operand) }
    #expect(NSPredicate.from(compare(operand, .equal, int(1))).canonicalFormat.count < 3_000)
  }

  @Test("trees within the limit pass the check")
  func shallowTrees() throws {
    for row in GrammarTables.rows {
      let root = try tree(row.format, row.arguments)
      #expect(throws: Never.self) { try TreeDepth.check(root) }
    }
  }
}

private enum FormatLimits {
  static let depth = TreeDepth.limit
}
