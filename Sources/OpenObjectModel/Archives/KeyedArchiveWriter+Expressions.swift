internal import Foundation
internal import OpenPredicates

extension KeyedArchiveWriter {
  /// Writes an expression and returns its reference.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` if archives cannot contain the expression.
  mutating func add(_ node: ExpressionNode) throws(ModelError) -> Int {
    if case .function(let selector, let operands) = node, calls == .methods,
      !PredicateFunctions.isBuiltIn(selector), let target = operands.first
    {
      return try add(method: selector, of: target, Array(operands.dropFirst()))
    }
    if let function = ArchivedFunction(node) { return try add(function) }
    switch node {
    case .constant(let value): return try add(constant: value)
    case .evaluatedObject: return evaluatedObject()
    case .variable(let name):
      let text = add(name)
      return add(
        "NSVariableExpression", [("NSExpressionType", .int(2)), ("NSVariable", .reference(text))])
    case .keyPath(let steps):
      return add(steps, of: evaluatedObject(), isDirect: true)
    case .path(let base, let steps): return add(steps, of: try add(base), isDirect: false)
    case .aggregate(let elements):
      let list = try add(list: elements, "NSArray")
      return add(
        "NSAggregateExpression",
        [("NSExpressionType", .int(14)), ("NSCollection", .reference(list))])
    case .setOperation(let operation, let left, let right):
      return try add(operation, left, right)
    case .subquery(let collection, let variable, let condition):
      return try add(subqueryOf: collection, variable, condition)
    case .fetch(let request, let context, let countOnly):
      return try add(fetch: request, context, countOnly)
    case .conditional(let condition, let first, let second):
      return try add(conditional: condition, first, second)
    case .function, .index, .cast, .argument, .first, .last, .size, .anyKey, .assignment:
      throw .unarchivable(
        "A compiled model cannot contain an expression with FIRST, LAST, SIZE, ANYKEY, an assignment, a block or an object."
      )
    }
  }

  private mutating func add(
    method selector: String, of target: ExpressionNode, _ arguments: [ExpressionNode]
  ) throws(ModelError) -> Int {
    let operand = try add(target)
    let list = try add(list: arguments, "NSArray")
    let name = add(selector)
    return add(
      "NSFunctionExpression",
      [
        ("NSExpressionType", .int(4)), ("NSSelectorName", .reference(name)),
        ("NSOperand", .reference(operand)), ("NSArguments", .reference(list)),
      ])
  }

  private mutating func add(
    fetch request: ExpressionNode, _ context: ExpressionNode, _ countOnly: ExpressionNode
  ) throws(ModelError) -> Int {
    let flag: Bool
    switch countOnly {
    case .constant(.bool(let value)): flag = value
    case .constant(.int(let value)): flag = value != 0
    default:
      throw .unarchivable(
        "A compiled model cannot contain a FETCH expression whose count-only operand is not a constant."
      )
    }
    let first = try add(request)
    let second = try add(context)
    return add(
      "NSFetchRequestExpression",
      [
        ("NSExpressionType", .int(50)), ("NSFRExpression", .reference(first)),
        ("NSMOCExpression", .reference(second)), ("NSCountOnlyFlag", .bool(flag)),
      ])
  }

  private mutating func add(
    conditional condition: PredicateNode, _ first: ExpressionNode, _ second: ExpressionNode
  ) throws(ModelError) -> Int {
    let predicate = try add(.from(condition))
    let yes = try add(first)
    let no = try add(second)
    return add(
      "NSTernaryExpression",
      [
        ("NSExpressionType", .int(20)), ("NSPredicate", .reference(predicate)),
        ("NSTrueExpression", .reference(yes)), ("NSFalseExpression", .reference(no)),
      ])
  }

  private mutating func add(constant value: Value) throws(ModelError) -> Int {
    if value == .null {
      return add(
        "NSConstantValueExpression",
        [("NSExpressionType", .int(0)), ("NSConstantValueClassName", .reference(Self.null))])
    }
    let constant = try add(value)
    return add(
      "NSConstantValueExpression",
      [("NSExpressionType", .int(0)), ("NSConstantValue", .reference(constant))])
  }

  private mutating func add(_ steps: [String], of operand: Int, isDirect: Bool) -> Int {
    let path = add(steps.joined(separator: "."))
    let specifier = add(
      "NSKeyPathSpecifierExpression",
      [("NSExpressionType", .int(10)), ("NSKeyPath", .reference(path))])
    let arguments = add("NSMutableArray", of: [specifier])
    let selector = add(isDirect && steps.count == 1 ? "valueForKey:" : "valueForKeyPath:")
    return add(
      "NSKeyPathExpression",
      [
        ("NSExpressionType", .int(isDirect ? 3 : 4)), ("NSSelectorName", .reference(selector)),
        ("NSOperand", .reference(operand)), ("NSArguments", .reference(arguments)),
      ])
  }

  private mutating func add(_ function: ArchivedFunction) throws(ModelError) -> Int {
    let arguments = try add(list: function.operands, "NSArray")
    let selector = add(function.selector)
    let target = functionTarget()
    return add(
      "NSFunctionExpression",
      [
        ("NSExpressionType", .int(4)), ("NSSelectorName", .reference(selector)),
        ("NSOperand", .reference(target)), ("NSArguments", .reference(arguments)),
      ])
  }

  /// Functions are methods of a Foundation class.
  private mutating func functionTarget() -> Int {
    let name = add("_NSPredicateUtilities")
    return add(
      "NSConstantValueExpression",
      [("NSExpressionType", .int(0)), ("NSConstantValueClassName", .reference(name))])
  }

  private mutating func add(
    list nodes: [ExpressionNode], _ className: String
  ) throws(ModelError) -> Int {
    var members: [Int] = []
    for node in nodes { members.append(try add(node)) }
    return add(className, of: members)
  }

  private mutating func add(
    _ operation: SetOperation, _ left: ExpressionNode, _ right: ExpressionNode
  ) throws(ModelError) -> Int {
    let type = 5 + operation.rawValue
    let first = try add(left)
    let second = try add(right)
    return add(
      "NSSetExpression",
      [
        ("NSExpressionType", .int(type)), ("NSLeftExpression", .reference(first)),
        ("NSRightExpression", .reference(second)),
      ])
  }

  private mutating func add(
    subqueryOf collection: ExpressionNode, _ variable: String, _ condition: PredicateNode
  ) throws(ModelError) -> Int {
    let source = try add(collection)
    let iterator = try add(.variable(variable))
    let predicate = try add(.from(condition))
    return add(
      "NSSubqueryExpression",
      [
        ("NSExpressionType", .int(13)), ("NSExpression", .reference(source)),
        ("NSVariableExpression", .reference(iterator)), ("NSPredicate", .reference(predicate)),
      ])
  }
}
