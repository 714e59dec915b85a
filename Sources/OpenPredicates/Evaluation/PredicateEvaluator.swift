import Foundation

/// Evaluates trees for objects, dictionaries and plain values.
///
/// An evaluator is confined to one evaluation. Comparisons with nil are false except for `==` and
/// `!=`, unless the rules are those of stores.
struct PredicateEvaluator {
  /// The meaning of a comparison with nil.
  enum Rules {
    /// The rules of Foundation: nil equals only nil, and every other comparison with nil is false.
    case foundation
    /// The rules of SQL: a comparison with nil is unknown; see
    /// ``PredicateEvaluator/meaning(_:for:)``.
    case stores
  }

  /// The arguments of the predicate, which are prepared once.
  let arguments: PreparedArguments
  /// The values of `$` variables, including those of enclosing subqueries.
  var variables: [String: Any]
  /// Records the first error; nil if errors are not reported.
  var failures: EvaluationFailures?
  var rules = Rules.foundation
  /// What a `FETCH` expression returns for a fetch whose results are dictionaries.
  var fetchForm = FetchEvaluation.Form.values
  /// The names of the variables of the enclosing subqueries, whose values are elements.
  var elementNames: Set<String> = []

  /// Returns whether the predicate is true for an object.
  func holds(_ node: PredicateNode, for object: Any?) -> Bool {
    if rules == .stores { return meaning(node, for: object) == true }
    return switch node {
    case .constant(let flag): flag
    case .not(let inner): !holds(inner, for: object)
    case .and(let parts): parts.allSatisfy { holds($0, for: object) }
    case .or(let parts): parts.contains { holds($0, for: object) }
    case .comparison(let comparison): holds(comparison, for: object)
    }
  }

  func holds(_ node: ComparisonNode, for object: Any?) -> Bool {
    if node.operation == .customSelector {
      return holds(node.selector, node.left, node.right, node.modifier, for: object)
    }
    if node.operation == .containsWords { return finds(node, for: object) }
    let left = operand(node.left, for: object)
    let right = operand(node.right, for: object)
    switch modifier(of: node) {
    case .direct: return holds(left, node, right)
    case .any: return left.elements.contains { holds($0, node, right) }
    case .all: return left.elements.allSatisfy { holds($0, node, right) }
    }
  }

  /// Returns whether a search finds its words in a string or in the strings of an object; false for
  /// nil.
  func finds(_ node: ComparisonNode, for object: Any?) -> Bool {
    let right = operand(node.right, for: object)
    let left = any(node.left, for: object)
    func finds(_ element: Any?) -> Bool {
      guard case .value(.string(let text)) = right,
        let texts = (element as? any WordSearchable)?.searchedTexts
      else { return holds(EvaluatedOperand(any: element), node, right) }
      return TextQuery.reading(text).matches(texts)
    }
    guard node.modifier != .direct else { return finds(left) }
    let members = left.flatMap(Collections.members) ?? (left.map { [$0] } ?? [])
    return node.modifier == .any
      ? members.contains(where: finds) : members.allSatisfy(finds)
  }

  private func holds(_ left: EvaluatedOperand, _ node: ComparisonNode, _ right: EvaluatedOperand)
    -> Bool
  {
    // A lookup by hash compares only values of one kind, which need no conversion.
    if node.operation == .in, let answer = membership(of: left, in: node.right, node.options) {
      return answer
    }
    if node.operation == .contains, node.modifier == .direct,
      let answer = membership(of: right, in: node.left, node.options)
    {
      return answer
    }
    let (left, right) = converted(left, node, right)
    if let failures,
      let problem = OperandComparison.problem(left, node.operation, right, node.options)
    {
      failures.add(problem)
      return false
    }
    return OperandComparison.evaluate(left, node.operation, right, node.options)
  }

  /// Returns the modifier of a comparison; `ANYKEY` is never compared as a whole, because it has
  /// many values.
  func modifier(of node: ComparisonNode) -> ComparisonModifier {
    if case .anyKey = node.left, node.modifier == .direct { .any } else { node.modifier }
  }

  /// Returns whether an argument list contains a value, by hash; nil if the list cannot be searched
  /// by hash.
  func membership(
    of value: EvaluatedOperand, in list: ExpressionNode, _ options: StringOptions
  ) -> Bool? {
    guard case .argument(let number) = list else { return nil }
    return arguments.contains(value, inList: number, options)
  }

  // MARK: Expressions

  func operand(_ node: ExpressionNode, for object: Any?) -> EvaluatedOperand {
    switch node {
    case .constant(let value): EvaluatedOperand(value)
    case .argument(let number): arguments.operand(number)
    case .aggregate(let elements): .collection(elements.map { operand($0, for: object) })
    case .function(let name, let operands) where PredicateFunctions.isBuiltIn(name):
      FunctionEvaluation.apply(name, operands.map { operand($0, for: object) })
    case .setOperation(let operation, let left, let right):
      combined(operation, operand(left, for: object), operand(right, for: object))
    case .size(let base): size(operand(base, for: object))
    case .conditional(let condition, let first, let second):
      operand(holds(condition, for: object) ? first : second, for: object)
    case .cast(let inner, let type):
      .value(operand(inner, for: object).value?.cast(to: type) ?? .null)
    case .keyPath(let path) where rules == .stores && path.contains { $0.hasPrefix("@") }:
      statistic(.evaluatedObject, path, for: object)
    case .path(let base, let path) where rules == .stores && path.contains { $0.hasPrefix("@") }:
      statistic(base, path, for: object)
    default: EvaluatedOperand(any: any(node, for: object))
    }
  }

  /// Returns the result of an expression as an object to which the next step of a key path can be
  /// applied.
  func any(_ node: ExpressionNode, for object: Any?) -> Any? {
    switch node {
    case .constant(let value): value.anyValue
    case .argument(let number): arguments.any(number)
    case .evaluatedObject: object
    case .keyPath(let path): KeyPathReader.value(at: path[...], of: object, failures)
    case .path(let base, let path):
      KeyPathReader.value(at: path[...], of: start(base, for: object), failures)
    case .variable(let name): variable(name)
    case .assignment(_, let value): any(value, for: object)
    case .anyKey: values(of: object)
    case .fetch(let request, let context, let countOnly):
      FetchEvaluation.result(
        FetchEvaluation.Call(
          request: any(request, for: object), context: any(context, for: object) ?? object,
          countOnly: Value(any: any(countOnly, for: object))?.wholeNumber == 1, form: fetchForm),
        failures)
    case .function(let name, let operands) where !PredicateFunctions.isBuiltIn(name):
      called(name, operands, for: object)
    case .subquery(let collection, let name, let filter):
      selected(start(collection, for: object), name, filter, for: object)
    case .index(let base, let index): member(of: base, at: index, for: object)
    case .first(let base): members(of: base, for: object)?.first ?? nil
    case .last(let base): members(of: base, for: object)?.last ?? nil
    case .conditional(let condition, let first, let second):
      any(holds(condition, for: object) ? first : second, for: object)
    case .aggregate(let elements): elements.map { any($0, for: object) }
    case .setOperation(let operation, let left, let right):
      combinedObjects(operation, start(left, for: object), start(right, for: object))
    default: operand(node, for: object).anyValue
    }
  }

  /// Returns the object at which a path or a subquery starts, or that a whole expression returns.
  func start(_ node: ExpressionNode, for object: Any?) -> Any? {
    guard node.selectsFetchResults else { return any(node, for: object) }
    var inner = self
    inner.fetchForm = .results
    return inner.any(node, for: object)
  }

  /// Returns the value of a variable; nil for a variable without a value.
  private func variable(_ name: String) -> Any? {
    if let value = variables[name] { return value }
    failures?.add(.unboundVariable(name))
    return nil
  }

  /// Returns the values of a dictionary; nil for other objects.
  private func values(of object: Any?) -> [Any?]? {
    let values = Collections.values(of: object)
    if values == nil, object != nil { failures?.add(.noDictionary) }
    return values
  }

  private func members(of node: ExpressionNode, for object: Any?) -> [Any?]? {
    any(node, for: object).flatMap(Collections.members)
  }

  /// Returns the elements that satisfy a subquery, whose predicate can use the outer object and the
  /// variable.
  private func selected(
    _ collection: Any?, _ name: String, _ filter: PredicateNode, for object: Any?
  ) -> Any? {
    guard let members = collection.flatMap(Collections.members) else { return [Any?]() }
    var inner = self
    inner.elementNames.insert(name)
    return members.filter { member in
      // A nil would remove the variable.
      inner.variables[name] = member ?? NSNull()
      return inner.holds(filter, for: object)
    }
  }

  private func member(
    of base: ExpressionNode, at index: ExpressionNode, for object: Any?
  ) -> Any? {
    let key = operand(index, for: object).value
    if case .string(let name)? = key {
      return KeyPathReader.value(at: [name], of: any(base, for: object), failures)
    }
    guard let position = key?.wholeNumber, let members = members(of: base, for: object),
      position >= 0, position < members.count
    else { return nil }
    return members[Int(position)]
  }

  private func size(_ operand: EvaluatedOperand) -> EvaluatedOperand {
    guard case .collection(let members) = operand else { return .value(.null) }
    return .value(.int(Int64(members.count)))
  }

  /// Returns the result of a whole expression; the result of a set operator is a set without nil.
  func result(of node: ExpressionNode, for object: Any?) -> Any? {
    let value = start(node, for: object)
    guard case .setOperation = node else { return value }
    return NSSet(array: Self.elements(value))
  }

  /// Returns the result of a set operator, with managed objects as objects.
  private func combinedObjects(_ operation: SetOperation, _ left: Any?, _ right: Any?) -> [Any?] {
    let members = combined(operation, EvaluatedOperand(any: left), EvaluatedOperand(any: right))
    // An operand contains a reference in place of a managed object.
    let objects = Self.elements(left) + Self.elements(right)
    let table = OperandTable(objects.map { EvaluatedOperand(any: $0) })
    return members.elements.map { member in
      table.firstIndex(of: member).map { objects[$0] } ?? member.anyValue
    }
  }

  /// Returns the elements of a collection at any depth, without nil.
  private static func elements(_ object: Any?) -> [Any] {
    guard let object, !(object is NSNull) else { return [] }
    return Collections.members(of: object).map { $0.flatMap(elements) } ?? [object]
  }

  /// Returns the result of a set operator, with each member once.
  private func combined(
    _ operation: SetOperation, _ left: EvaluatedOperand, _ right: EvaluatedOperand
  ) -> EvaluatedOperand {
    let other = OperandTable(right.elements)
    let members =
      switch operation {
      case .union: left.elements + other.operands
      case .intersect: left.elements.filter { other.contains($0) }
      case .minus: left.elements.filter { !other.contains($0) }
      }
    var result = OperandTable()
    for member in members where !result.contains(member) { result.append(member) }
    return .collection(result.operands)
  }
}

extension EvaluatedOperand {
  /// The operand as an object, with collections as arrays.
  var anyValue: Any? {
    switch self {
    case .value(let value): value.anyValue
    case .object(let object): object
    case .collection(let members): members.map(\.anyValue)
    }
  }
}
