import Foundation
import OpenPredicates
import Testing

private typealias NSExpression = OpenPredicates.NSExpression

@Suite struct ExpressionTests {
  private static func key(_ path: String) -> NSExpression { NSExpression(forKeyPath: path) }

  @Test("constants of any type are kept unchanged")
  func constants() {
    let object = NSObject()
    let expression = NSExpression(forConstantValue: object)
    #expect(expression.expressionType == .constantValue)
    #expect(expression.constantValue as? NSObject === object)
    #expect(expression.expressionValue(with: nil, context: nil) as? NSObject === object)
    #expect(expression == NSExpression(forConstantValue: object))
    #expect(expression != NSExpression(forConstantValue: NSObject()))
    #expect(NSExpression(forConstantValue: true).constantValue as? Bool == true)
    #expect(NSExpression(forConstantValue: nil).constantValue == nil)
    let list = NSExpression(forAggregate: [object, 1, Self.key("a")])
    let members = list.expressionValue(with: ["a": 5], context: nil) as? [Any?]
    #expect(members?.count == 3)
    #expect(members?.first as? NSObject === object)
  }

  @Test("each initializer creates an expression of its type, with its parts and text")
  func making() throws {
    let union = NSExpression(forUnionSet: Self.key("a"), with: Self.key("b"))
    #expect(union.expressionType == .unionSet)
    #expect(union.left.keyPath == "a")
    #expect(union.right.keyPath == "b")
    #expect(union.description == "a UNION b")
    #expect(
      NSExpression(forIntersectSet: union, with: union).expressionType == .intersectSet)
    #expect(NSExpression(forMinusSet: union, with: union).expressionType == .minusSet)
    let variable = NSExpression(forVariable: "X")
    #expect(variable.expressionType == .variable)
    #expect(variable.variable == "X")
    let call = NSExpression(forFunction: "add:to:", arguments: [Self.key("a"), 2])
    #expect(call.expressionType == .function)
    #expect(call.function == "add:to:")
    #expect(call.arguments?.last?.constantValue as? Int == 2)
    #expect(call.description == "a + 2")
    let list = NSExpression(forAggregate: [1, Self.key("a")])
    #expect(list.expressionType == .aggregate)
    #expect((list.collection as? [NSExpression])?.last == Self.key("a"))
    let choice = NSExpression(
      forConditional: NSPredicate(format: "a > %d", 1), trueExpression: Self.key("b"),
      falseExpression: NSExpression(forConstantValue: 0))
    #expect(choice.expressionType == .conditional)
    #expect(choice.predicate == NSPredicate(format: "a > 1"))
    #expect(choice.true.keyPath == "b")
    #expect(choice.false.constantValue as? Int == 0)
    #expect(choice.description == "TERNARY(a > 1, b, 0)")
    #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
    #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
    let kinds: [NSExpression.ExpressionType] = [.evaluatedObject, .anyKey, .constantValue]
    #expect(kinds.map { NSExpression(expressionType: $0).expressionType } == kinds)
    #expect(
      NSExpression(expressionType: .evaluatedObject).expressionValue(with: 3, context: nil) as? Int
        == 3)
    #expect(NSExpression(expressionType: .function).formatError?.code == .unsupportedSyntax)
    #expect(Self.key("SELF").expressionType == .evaluatedObject)
    #expect(Self.key("SELF.a") == Self.key("a"))
  }

  @Test("a subquery selects elements by a predicate of any class")
  func subqueries() throws {
    let shelf: [String: Any] = ["books": [["n": 1], ["n": 5]], "limit": 3]
    let plain = NSExpression(
      forSubquery: Self.key("books"), usingIteratorVariable: "b",
      predicate: NSPredicate(format: "$b.n > limit"))
    #expect(plain.expressionType == .subquery)
    #expect(plain.variable == "b")
    #expect((plain.collection as? NSExpression)?.keyPath == "books")
    #expect(plain.predicate == NSPredicate(format: "$b.n > limit"))
    #expect((plain.expressionValue(with: shelf, context: nil) as? [Any?])?.count == 1)
    #expect(plain.description == "SUBQUERY(books, $b, $b.n > limit)")
    let block = NSPredicate { _, variables in
      ((variables?["b"] as? [String: Any])?["n"] as? Int) == 5
    }
    let embedded = NSExpression(
      forSubquery: Self.key("books"), usingIteratorVariable: "b", predicate: block)
    #expect((embedded.expressionValue(with: shelf, context: nil) as? [Any?])?.count == 1)
    #expect(embedded.predicate === block)
    let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [
      NSPredicate(format: "$b.n == %d", 1), block,
    ])
    let both = NSExpression(
      forSubquery: Self.key("books"), usingIteratorVariable: "b", predicate: compound)
    #expect((both.expressionValue(with: shelf, context: nil) as? [Any?])?.count == 2)
  }

  @Test("a key path that starts with a dollar sign reads a variable")
  func pathsOfVariables() {
    let path = Self.key("$b.n")
    #expect(path.expressionType == .keyPath)
    #expect(path.operand.variable == "b")
    #expect(Self.key("$b").expressionType == .variable)
    let large = OpenPredicates.NSComparisonPredicate(
      leftExpression: path, rightExpression: NSExpression(forConstantValue: 3),
      modifier: .direct, type: .greaterThan, options: [])
    let selected = NSExpression(
      forSubquery: Self.key("books"), usingIteratorVariable: "b", predicate: large)
    let shelf: [String: Any] = ["books": [["n": 1], ["n": 5]]]
    #expect((selected.expressionValue(with: shelf, context: nil) as? [Any?])?.count == 1)
  }

  @Test("the parts of a function create an equal function")
  func rebuiltFunctions() {
    let row: [String: Any] = ["a": "x", "n": 2, "list": [3, 4]]
    for format in [
      "n + 2", "uppercase:(a)", "sum:(list)", "max:({n, 7})", "CAST(n, 'NSString')", "list[1]",
    ] {
      let expression = NSExpression(format: format)
      let rebuilt = NSExpression(
        forFunction: expression.operand, selectorName: expression.function,
        arguments: expression.arguments)
      #expect(rebuilt.description == expression.description, "\(format)")
      let value = rebuilt.expressionValue(with: row, context: nil)
      let wanted = expression.expressionValue(with: row, context: nil)
      #expect(wanted != nil, "\(format)")
      #expect(Value(any: value) == Value(any: wanted), "\(format)")
    }
  }

  @Test("a built-in function with a wrong number of operands is invalid")
  func wrongCounts() {
    let short = NSExpression(forFunction: "add:to:", arguments: [1])
    #expect(short.formatError?.code == .wrongOperandCount)
    let long = NSExpression(
      forFunction: Self.key("a"), selectorName: "abs:", arguments: [Self.key("b")])
    #expect(long.formatError?.code == .wrongOperandCount)
    #expect(long.expressionValue(with: ["a": -1, "b": -2], context: nil) == nil)
  }

  @Test("a block gets the object, the values of its arguments and the variables")
  func blocks() {
    let expression = NSExpression(
      block: { object, operands, context in
        let row = object as? [String: Any]
        let sum = operands.compactMap { $0 as? Int }.reduce(0, +)
        return sum + (row?["a"] as? Int ?? 0) + (context?["X"] as? Int ?? 0)
      }, arguments: [NSExpression(forConstantValue: 10), Self.key("missing")])
    #expect(expression.expressionType == .block)
    #expect(expression.arguments?.count == 2)
    #expect(expression.expressionValue(with: ["a": 1], context: ["X": 100]) as? Int == 111)
    #expect(expression.expressionValue(with: ["a": 1], context: nil) as? Int == 11)
    #expect(expression.expressionBlock(nil, [7], nil) as? Int == 7)
    let doubled = NSExpression(forFunction: "add:to:", arguments: [expression, expression])
    #expect(doubled.expressionValue(with: ["a": 1], context: nil) as? Int == 22)
  }

  @Test("the result of a set operator is a set with the members of the collections, without nil")
  func setOperators() {
    func value(_ format: String, _ row: [String: Any]) -> Any? {
      NSExpression(format: format).expressionValue(with: row, context: nil)
    }
    let row: [String: Any] = ["a": Set([1, 2]), "b": [2, 3, 3], "few": [NSNull(), 1] as [Any]]
    #expect(value("a UNION b", row) as? Set<Int> == [1, 2, 3])
    #expect(value("a INTERSECT b", row) as? Set<Int> == [2])
    #expect(value("a MINUS b", row) as? Set<Int> == [1])
    #expect(value("few UNION {nil, 4}", row) as? Set<Int> == [1, 4])
    #expect(value("missing UNION (a MINUS b)", row) as? Set<Int> == [1])
    let books = [Shelf(key: 1, [:]), Shelf(key: 2, [:])]
    let objects = value("a UNION b", ["a": [books[0]], "b": books]) as? NSSet
    #expect(objects?.count == 2)
    #expect(objects?.allObjects.allSatisfy { $0 is Shelf } == true)
  }

  @Test("variables have the values in the context; a variable without a value is nil")
  func variables() throws {
    let expression = NSExpression(format: "$X + 1")
    #expect(expression.expressionValue(with: nil, context: ["X": 2]) as? Int == 3)
    #expect(expression.expressionValue(with: nil, context: nil) == nil)
    let context: NSMutableDictionary = [:]
    let assignment = try NSExpression.parsing("$total := a + 1")
    #expect(assignment.expressionValue(with: ["a": 2], context: context) as? Int == 3)
    #expect(context["total"] as? Int == 3)
    #expect(assignment.variable == "total")
  }

  @Test("formats and arguments create expressions; key arguments do not shift the values")
  func formats() throws {
    let expression = NSExpression(format: "%K * %d + %@", "a", 3, NSExpression(format: "b"))
    #expect(expression.expressionValue(with: ["a": 2, "b": 1], context: nil) as? Int == 7)
    #expect(expression == NSExpression(format: "a * 3 + b"))
    #expect(expression.hash == NSExpression(format: "a * 3 + b").hash)
    #expect(expression.copy() as? NSExpression == expression)
    let listed = NSExpression(format: "%K + %d", arguments: getVaList(["a", 4]))
    #expect(listed.expressionValue(with: ["a": 1], context: nil) as? Int == 5)
    #expect(NSExpression(format: "a", argumentArray: []).keyPath == "a")
    #expect(throws: PredicateFormatError.self) { try NSExpression.parsing("a + %d", []) }
    #expect(throws: PredicateFormatError.self) { try NSExpression.parsing("a", [1]) }
    #expect(NSExpression(format: "1 +").formatError?.code == .unexpectedEnd)
    let foreign = Swift.withVaList([1]) { NSExpression(format: "%d", arguments: $0) }
    #expect(foreign.formatError?.code == .unknownArgumentList)
    #expect(foreign.expressionValue(with: nil, context: nil) == nil)
  }

  @Test("parts that an expression does not have are empty")
  func missingParts() {
    let expression = NSExpression(forConstantValue: 1)
    #expect(expression.keyPath == "")
    #expect(expression.function == "")
    #expect(expression.variable == "")
    #expect(expression.arguments == nil)
    #expect((expression.collection as? [NSExpression])?.isEmpty == true)
    #expect(expression.operand.constantValue == nil)
    #expect(expression.left.constantValue == nil)
    #expect(expression.right.constantValue == nil)
    #expect(expression.true.constantValue == nil)
    #expect(expression.false.constantValue == nil)
    #expect(!expression.predicate.evaluate(with: nil))
    #expect(expression.expressionBlock(nil, [], nil) is NSNull)
  }

  @Test("a Swift key path without a name is read in memory")
  func swiftKeyPaths() {
    let expression = NSExpression(forKeyPath: \Sized.size)
    #expect(expression.expressionType == .keyPath)
    #expect(expression.keyPath == "")
    #expect(expression.expressionValue(with: Sized(size: 4), context: nil) as? Int == 4)
    #expect(expression.expressionValue(with: "other", context: nil) == nil)
  }

  @Test("a Swift key path of a type that knows its names is one by name")
  func namedKeyPaths() {
    #expect(NSExpression(forKeyPath: \Named.size).keyPath == "size")
    #expect(NSSortDescriptor(keyPath: \Named.size, ascending: true).key == "size")
  }

  @Test("expressions that are too deep or too large are errors, not crashes")
  func limits() {
    var deep = Self.key("a")
    for _ in 0..<1_000 { deep = NSExpression(forFunction: "abs:", arguments: [deep]) }
    #expect(deep.formatError?.code == .tooDeep)
    #expect(deep.expressionValue(with: ["a": 1], context: nil) == nil)
    var large = NSExpression(forConstantValue: 1)
    for _ in 0..<100 { large = NSExpression(forFunction: "add:to:", arguments: [large, large]) }
    #expect(large.formatError?.code == .tooLong)
    var node = ExpressionNode.evaluatedObject
    for _ in 0..<300 { node = .first(node) }
    #expect(NSExpression(node: node).formatError?.code == .tooDeep)
    #expect(NSExpression(node: .argument(7)).constantValue == nil)
    #expect(NSExpression(node: .argument(-1)).expressionValue(with: nil, context: nil) == nil)
  }

  @Test("operands that do not fit and wrong numbers of operands are nil")
  func badOperands() {
    func value(_ name: String, _ operands: [Any]) -> Any? {
      NSExpression(forFunction: name, arguments: operands).expressionValue(with: nil, context: nil)
    }
    #expect(value("add:to:", [1]) == nil)
    #expect(value("add:to:", [1, 2, 3]) == nil)
    #expect(value("add:to:", [NSNull(), 1]) == nil)
    #expect(value("abs:", []) == nil)
    #expect(value("noSuchFunctionForTests:", [1]) == nil)
    #expect(value("objectFrom:withIndex:", [[1, 2], 99]) == nil)
    #expect(value("evaluateBlock:", [1]) == nil)
    #expect(value("valueForSwiftKeyPath:", []) == nil)
  }
}

private struct Named: KeyPathNaming {
  let size: Int

  static func name(ofKeyPath keyPath: AnyKeyPath) -> String? {
    keyPath == \Named.size ? "size" : nil
  }
}

private struct Sized {
  let size: Int
}
