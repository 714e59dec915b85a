import Foundation
import OpenPredicates
import Testing

private typealias NSExpression = OpenPredicates.NSExpression
private typealias NSComparisonPredicate = OpenPredicates.NSComparisonPredicate

@Suite struct ComparisonPredicateTests {
  @Test("a comparison has its parts, evaluates correctly, and prints")
  func parts() {
    let predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "name"),
      rightExpression: NSExpression(forConstantValue: "ANNA"), modifier: .direct,
      type: .beginsWith, options: [.caseInsensitive, .diacriticInsensitive])
    #expect(predicate.evaluate(with: ["name": "Ännabel"]))
    #expect(!predicate.evaluate(with: ["name": "Bob"]))
    #expect(predicate.leftExpression.keyPath == "name")
    #expect(predicate.rightExpression.constantValue as? String == "ANNA")
    #expect(predicate.predicateOperatorType == .beginsWith)
    #expect(predicate.comparisonPredicateModifier == .direct)
    #expect(predicate.options == [.caseInsensitive, .diacriticInsensitive])
    #expect(predicate.customSelector == nil)
    #expect(predicate.predicateFormat == "name BEGINSWITH[cd] \"ANNA\"")
    #expect(predicate == NSPredicate(format: "name BEGINSWITH[cd] %@", "ANNA"))
    #expect(predicate.hash == NSPredicate(format: "name BEGINSWITH[cd] 'ANNA'").hash)
    #expect(predicate.copy() as? NSPredicate == predicate)
  }

  @Test("the numbers of operators, modifiers and options are Apple's")
  func numbers() {
    #expect(NSComparisonPredicate.Operator.contains.rawValue == 99)
    #expect(NSComparisonPredicate.Operator.between.rawValue == 100)
    #expect(NSComparisonPredicate.Operator.customSelector.rawValue == 11)
    #expect(NSComparisonPredicate.Modifier.any.rawValue == 2)
    #expect(NSComparisonPredicate.Options.normalized.rawValue == 4)
    for number in Array(0...11) + [99, 100] {
      let type = NSComparisonPredicate.Operator(rawValue: UInt(number))
      #expect(type != nil)
      let made = NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: "a"),
        rightExpression: NSExpression(forConstantValue: 1), modifier: .all,
        type: type ?? .equalTo)
      #expect(made.predicateOperatorType == type)
      #expect(made.comparisonPredicateModifier == .all)
    }
  }

  @Test("the format of a comparison creates a comparison predicate")
  func ofFormats() throws {
    let predicate = try #require(
      NSPredicate(format: "ANY %K >= %d", "pages.count", 7) as? NSComparisonPredicate)
    #expect(predicate.leftExpression.keyPath == "pages.count")
    #expect(predicate.rightExpression.constantValue as? Int == 7)
    #expect(predicate.predicateOperatorType == .greaterThanOrEqualTo)
    #expect(predicate.comparisonPredicateModifier == .any)
    #expect(try NSPredicate.parsing("a == $X") is NSComparisonPredicate)
    let bound = NSPredicate(format: "a == $X").withSubstitutionVariables(["X": 4])
    let right = try #require(bound as? NSComparisonPredicate).rightExpression
    #expect(right.constantValue as? Int == 4)
    #expect(!(NSPredicate(format: "TRUEPREDICATE") is NSComparisonPredicate))
    #expect(NSComparisonPredicate(format: "a == 1").evaluate(with: ["a": 1]))
  }

  @Test("the format of a chain creates a compound predicate with its parts")
  func chains() throws {
    let object = NSObject()
    let predicate = try #require(
      NSPredicate(format: "a == %@ AND NOT (b < %d OR c == %@)", "x", 2, object)
        as? NSCompoundPredicate)
    #expect(predicate.compoundPredicateType == .and)
    #expect(predicate.subpredicates.count == 2)
    #expect(predicate.subpredicates.first == NSPredicate(format: "a == 'x'"))
    let not = try #require(predicate.subpredicates.last as? NSCompoundPredicate)
    #expect(not.compoundPredicateType == .not)
    let or = try #require(not.subpredicates.first as? NSCompoundPredicate)
    #expect(or.compoundPredicateType == .or)
    #expect(or.subpredicates.last == NSPredicate(format: "c == %@", object))
    #expect(or.subpredicates.last != NSPredicate(format: "c == %@", NSObject()))
    #expect(or == NSPredicate(format: "b < 2 OR c == %@", object))
    #expect(or.subpredicates.first?.evaluate(with: ["b": 1]) == true)
    #expect(predicate.evaluate(with: ["a": "x", "b": 3]))
    #expect(predicate.canonicalFormat.hasPrefix("a == \"x\" AND NOT (b < 2 OR"))
    #expect(predicate.copy() as? NSPredicate == predicate)
    #expect(
      predicate.hash == NSPredicate(format: "a == 'x' AND NOT (b < 2 OR c == %@)", object).hash)
    #expect(NSPredicate(format: "a == 1 OR b == 2") != NSPredicate(format: "a == 1 AND b == 2"))
    let rebuilt = NSCompoundPredicate(
      type: predicate.compoundPredicateType, subpredicates: predicate.subpredicates)
    #expect(predicate.hasSameMeaning(as: rebuilt))
  }

  @Test("predicates with equal parts share a template, as do the parts of one format")
  func sharing() {
    func identity(_ predicate: NSPredicate?) -> UInt64? {
      guard case .template(let template, _, _)? = predicate?.form else { return nil }
      return template.identity
    }
    func made(_ value: Any) -> NSPredicate {
      NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: "sharing"),
        rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: .equalTo)
    }
    #expect(identity(made(1)) == identity(made("x")))
    #expect(identity(made(1)) != nil)
    func part(_ value: Int) -> NSPredicate? {
      (NSPredicate(format: "sharing == %d AND b == 2", value) as? NSCompoundPredicate)?
        .subpredicates.first
    }
    #expect(identity(part(1)) == identity(part(2)))
    #expect(identity(part(1)) == identity(made(3)))
    let texts = ["\u{e9}", "e\u{301}"].map { NSExpression(node: .constant(.string($0))) }
    let identities = texts.map {
      identity(
        NSComparisonPredicate(
          leftExpression: NSExpression(forKeyPath: "a"), rightExpression: $0, modifier: .direct,
          type: .equalTo))
    }
    #expect(identities.first != identities.last)
  }

  @Test("a custom selector is a registered function of both sides; otherwise, the result is false")
  func customSelectors() throws {
    let name = "isTwiceForTests:"
    PredicateFunctions.register(name) { operands in
      guard operands.count == 2, let one = operands[0] as? Int, let other = operands[1] as? Int
      else { return false }
      return one == 2 * other
    }
    defer { PredicateFunctions.unregister(name) }
    let predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "a"),
      rightExpression: NSExpression(forConstantValue: 3), customSelector: name)
    #expect(predicate.customSelector == name)
    #expect(predicate.predicateOperatorType == .customSelector)
    #expect(predicate.evaluate(with: ["a": 6]))
    #expect(!predicate.evaluate(with: ["a": 7]))
    #expect(!predicate.evaluate(with: nil))
    #expect(NSPredicate(format: "a @isTwiceForTests: 3").evaluate(with: ["a": 6]))
    #expect(NSPredicate(format: "ANY a @isTwiceForTests: 3").evaluate(with: ["a": [1, 6]]))
    #expect(!NSPredicate(format: "ALL a @isTwiceForTests: 3").evaluate(with: ["a": [1, 6]]))
    // A single value is its own element.
    #expect(NSPredicate(format: "ANY a @isTwiceForTests: 3").evaluate(with: ["a": 6]))
    #expect(!NSPredicate(format: "ALL a @isTwiceForTests: 3").evaluate(with: ["a": 7]))
    let unknown = NSPredicate(format: "a @noSuchSelectorForTests: 3")
    #expect(!unknown.evaluate(with: ["a": 6]))
    #expect(throws: PredicateEvaluationError.self) { try unknown.evaluating(with: ["a": 6]) }
  }

  @Test("an expression can be an argument of a format")
  func expressionArguments() {
    let sum = NSExpression(format: "a + %d", 2)
    let predicate = NSPredicate(format: "%@ == %@", argumentArray: [sum, 5])
    #expect(predicate.evaluate(with: ["a": 3]))
    #expect(predicate.canonicalFormat == "a + 2 == 5")
    #expect(predicate == NSPredicate(format: "a + 2 == 5"))
    #expect((predicate as? NSComparisonPredicate)?.leftExpression == sum)
  }

  @Test("an invalid part creates a predicate that is always false and has an error")
  func brokenParts() {
    let predicate = NSComparisonPredicate(
      leftExpression: NSExpression(format: "1 +"),
      rightExpression: NSExpression(forConstantValue: nil), modifier: .direct, type: .equalTo)
    #expect(!predicate.evaluate(with: nil))
    guard case .invalid(let error) = predicate.form else {
      Issue.record("The predicate must be invalid.")
      return
    }
    #expect(error.code == .unexpectedEnd)
    #expect(predicate.leftExpression.formatError?.code == .unexpectedEnd)
    #expect(predicate.canonicalFormat == "FALSEPREDICATE")
  }

  @Test("endlessly nested compounds are invalid and report an error")
  func deepCompounds() throws {
    var predicate: NSPredicate = NSPredicate(format: "a == 1")
    for _ in 0..<500 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
    guard case .compound = predicate.form else {
      Issue.record("The outermost compound is a compound.")
      return
    }
    #expect(predicate.form.resolvedNode() == nil)
    let error = #expect(throws: PredicateEvaluationError.self) {
      try predicate.evaluating(with: ["a": 1])
    }
    #expect(error?.underlying?.code == .tooDeep)
  }
}
