import Foundation
import OpenPredicates
import Testing

@Suite struct ArgumentTypeTests {
  @Test("every type of value is an argument of a format")
  func types() throws {
    let uuid = UUID()
    let url = try #require(URL(string: "https://example.org/a"))
    let date = Date(timeIntervalSinceReferenceDate: 7)
    let object = NSObject()
    func equal(_ value: some CVarArg) -> Bool {
      NSPredicate(format: "a == %@", value).evaluate(with: ["a": value])
    }
    #expect(equal(true) && equal("x") && equal(2.5) && equal(Int16(3)) && equal(UInt64.max))
    #expect(equal(uuid) && equal(url) && equal(date) && equal(Data([1, 2])) && equal(Decimal(3)))
    #expect(equal(object) && equal(NSNumber(value: 3)) && equal(NSString("s")))
    #expect(equal([1, 2]) && equal(Set(["a"])))
    #expect(NSPredicate(format: "%@.a == 1", ["a": 1]).evaluate(with: nil))
  }

  @Test("all variables are substituted, except variables that a subquery declares")
  func variables() {
    let row: [String: Any] = ["items": [["n": 1], ["n": 2]], "n": 2]
    let predicate = NSPredicate(
      format: "SUBQUERY(items, $x, $x.n == $y).@count == 1 AND n == TERNARY($y > 1, $y, 0)")
    #expect(predicate.evaluate(with: row, substitutionVariables: ["y": 2, "x": "shadowed"]))
    #expect(predicate.withSubstitutionVariables(["y": 2, "x": 0]).evaluate(with: row))
    #expect(!predicate.evaluate(with: row))
    let compound = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    #expect(!compound.evaluate(with: row, substitutionVariables: ["y": 2]))
    #expect(!compound.withSubstitutionVariables(["y": 2]).evaluate(with: row))
    let block = NSPredicate { _, variables in variables?["y"] as? Int == 2 }
    #expect(block.evaluate(with: nil, substitutionVariables: ["y": 2]))
    #expect(block.withSubstitutionVariables(["y": 2]) === block)
    let expression = OpenPredicates.NSExpression(
      forSubquery: OpenPredicates.NSExpression(forKeyPath: "items"), usingIteratorVariable: "x",
      predicate: NSPredicate(format: "$x.n == $y").withSubstitutionVariables(["y": 2]))
    #expect((expression.expressionValue(with: row, context: nil) as? [Any?])?.count == 1)
  }

  @Test("an expression that replaces a variable becomes part of the predicate")
  func expressions() {
    let key = OpenPredicates.NSExpression(forKeyPath: "b")
    let sum = OpenPredicates.NSExpression(format: "$W + 1")
    let predicate = NSPredicate(format: "a == $V AND c == $W")
      .withSubstitutionVariables(["V": key, "W": 3])
    #expect(predicate.canonicalFormat == "a == b AND c == 3")
    #expect(predicate.evaluate(with: ["a": 1, "b": 1, "c": 3]))
    #expect(!predicate.evaluate(with: ["a": 1, "b": 2, "c": 3]))
    let nested = NSPredicate(format: "a == $V AND $W == 3")
      .withSubstitutionVariables(["V": sum, "W": 3])
    #expect(nested.evaluate(with: ["a": 4]))
    let bound = NSPredicate(format: "SUBQUERY(items, $x, $x == $V).@count == 1")
      .withSubstitutionVariables(["x": key, "V": key])
    #expect(bound.evaluate(with: ["items": [1, 2], "b": 2]))
  }
}
