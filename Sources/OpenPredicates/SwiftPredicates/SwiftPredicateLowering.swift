internal import Foundation

/// An expression of Foundation's predicates that has a form in the trees of formats.
protocol LowerableExpression {
  /// Returns the form of the expression.
  ///
  /// - Throws: `PredicateFormatError` for a part without a form.
  func lowered(_ lowering: inout SwiftPredicateLowering) throws(PredicateFormatError)
    -> LoweredExpression
}

/// Converts a `#Predicate` of Foundation to the tree of a format with the same meaning.
///
/// The tree is true for the same objects, including for nil values: `$0.title != "x"` is also true
/// for an object without a title. A lowering is confined to one conversion.
struct SwiftPredicateLowering {
  /// The values that the predicate captures.
  private(set) var arguments: [Any?] = []
  /// The meanings of the variables of closures.
  private var variables: [PredicateExpressions.VariableID: LoweredExpression] = [:]
  private let captured: (Any) -> Any?
  private var subqueryCount = 0
  /// The values of known variables, which are those of closures over captured collections.
  private var bindings = PredicateBindings()
  /// The guards of unwrapped values that have not reached a condition.
  var guards = UnwrapGuards()

  /// Creates the lowering of a predicate on one object.
  ///
  /// - Parameters:
  ///   - object: The variable for the object.
  ///   - captured: Converts captured values of a higher layer's types to values of the graph.
  init(object: PredicateExpressions.VariableID, captured: @escaping (Any) -> Any? = { $0 }) {
    self.captured = captured
    variables[object] = .value(.evaluatedObject)
  }

  // MARK: Parts

  /// Lowers a part; a part without variables and without a form is evaluated at once.
  mutating func lower(
    _ expression: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredExpression {
    let (count, guardCount) = (arguments.count, guards.count)
    do throws(PredicateFormatError) {
      guard let known = expression as? any LowerableExpression else {
        throw unsupported(expression)
      }
      let lowered = try known.lowered(&self)
      return guarded(lowered, after: guardCount)
    } catch {
      arguments.removeLast(arguments.count - count)
      _ = guards.take(after: guardCount)
      guard error.code != .invalidKeyPath, let value = constant(expression) else { throw error }
      return try self.value(value)
    }
  }

  /// Returns the value of a part without variables; nil for other parts.
  func constant<Expression: PredicateExpression>(_ expression: Expression) -> Expression.Output? {
    try? expression.valueWithoutTraps(bindings)  // Fails where there are variables.
  }

  /// Lowers a condition to necessary conditions for its truth and for its falsity.
  mutating func relaxed(
    _ expression: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition {
    let count = arguments.count
    do throws(PredicateFormatError) {
      return try condition(expression)
    } catch  where error.code != .invalidKeyPath {
      arguments.removeLast(arguments.count - count)
      if let known = expression as? any RelaxableExpression { return try known.relaxed(&self) }
      return LoweredCondition(holds: .constant(true), fails: .constant(true))
    }
  }

  /// Lowers a part to a value.
  mutating func expression(
    _ expression: any PredicateExpression
  ) throws(PredicateFormatError) -> ExpressionNode {
    switch try lower(expression) {
    case .value(let node): return node
    case .condition(let condition):
      requireResult(of: condition, expression)
      return condition.expression
    case .structure: throw .noForm("a structure as a whole")
    case .encoded: throw .noForm("an encoded value")
    case .order, .range: throw unsupported(expression)
    }
  }

  /// Lowers a part whose member is read.
  mutating func owner(
    _ expression: any PredicateExpression
  ) throws(PredicateFormatError) -> ExpressionNode {
    if case .structure(let node) = try lower(expression) { return node }
    return try self.expression(expression)
  }

  /// Lowers a part to a condition.
  mutating func condition(
    _ expression: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition {
    let count = guards.count
    let lowered = try lower(expression)
    let needed = guards.take(after: count)
    switch lowered {
    case .condition(let condition): return condition
    case .value(let node):
      return Self.condition(node, isOptional: expression.isOptional).guarded(by: needed)
    case .order, .range, .structure, .encoded: throw unsupported(expression)
    }
  }

  /// Returns a Boolean value as a condition.
  private static func condition(_ node: ExpressionNode, isOptional: Bool) -> LoweredCondition {
    if case .constant(.bool(let flag)) = node { return LoweredCondition(flag) }
    return LoweredCondition(
      holds: .compare(node, .equal, .constant(.bool(true))),
      fails: .compare(node, .equal, .constant(.bool(false))),
      isMissing: isOptional ? .isNull(node) : nil)
  }

  // MARK: Values

  /// Lowers a captured value to an argument, so that predicates of one shape share their plans.
  ///
  /// - Throws: `PredicateFormatError` for NaN, which equals nothing in Swift and is null in stores.
  mutating func value(_ value: Any) throws(PredicateFormatError) -> LoweredExpression {
    guard let plain = plain(value) else { return .value(.constant(.null)) }
    if Self.isNaN(plain) { throw .noForm("NaN") }
    if let flag = plain as? Bool { return .value(.constant(.bool(flag))) }
    if let range = plain as? any LowerableRange { return .range(try range.lowered(&self)) }
    arguments.append(plain)
    return .value(.argument(arguments.count - 1))
  }

  private static func isNaN(_ value: Any) -> Bool {
    guard let number = value as? any FloatingPoint else { return false }
    return number.isNaN
  }

  /// Returns a value as stores contain it: without optionals, and with raw values of enumerations.
  private func plain(_ value: Any) -> Any? {
    if let optional = value as? any OptionalWrapping { return optional.wrapped.flatMap(plain) }
    guard let value = captured(value) else { return nil }
    if value is any LowerableRange || Value(any: value) != nil { return value }
    if let raw = value as? any RawRepresentable { return plain(raw.rawValue) }
    guard let elements = value as? any Collection else { return value }
    return plainElements(elements)
  }

  private func plainElements<Elements: Collection>(_ elements: Elements) -> [Any] {
    elements.compactMap { plain($0) }
  }

  mutating func addArgument(_ value: Any?) { arguments.append(value) }

  // MARK: Variables

  /// Returns the meaning of a variable.
  func variable(
    _ id: PredicateExpressions.VariableID
  ) throws(PredicateFormatError) -> LoweredExpression {
    if let known = variables[id] { return known }
    throw .unknownVariable
  }

  /// Lowers the body of a closure.
  ///
  /// - Parameters:
  ///   - id: The variable of the closure.
  ///   - meaning: The meaning of the variable.
  mutating func with<Result>(
    _ id: PredicateExpressions.VariableID, as meaning: LoweredExpression,
    _ body: (inout SwiftPredicateLowering) throws(PredicateFormatError) -> Result
  ) throws(PredicateFormatError) -> Result {
    let outer = variables[id]
    variables[id] = meaning
    defer { variables[id] = outer }
    return try body(&self)
  }

  /// Lowers a condition on each element of a captured collection.
  ///
  /// - Returns: The conditions; nil for an unknown collection.
  mutating func conditions<Element>(
    on sequence: any PredicateExpression, _ variable: PredicateExpressions.Variable<Element>,
    _ condition: any PredicateExpression
  ) throws(PredicateFormatError) -> [LoweredCondition]? {
    guard let elements = elements(sequence, of: Element.self) else { return nil }
    guard elements.count <= 64 else { throw .noForm("a closure over a collection of values") }
    let outer = bindings
    defer { bindings = outer }
    var conditions: [LoweredCondition] = []
    for element in elements {
      bindings[variable] = element
      let meaning = try value(element)
      conditions.append(
        try with(variable.key, as: meaning) {
          (lowering) throws(PredicateFormatError) in try lowering.condition(condition)
        })
    }
    return conditions
  }

  private func elements<Element>(
    _ sequence: any PredicateExpression, of type: Element.Type
  ) -> [Element]? {
    func opened<Expression: PredicateExpression>(_ expression: Expression) -> [Element]? {
      guard let value = constant(expression) else { return nil }
      if let elements = value as? [Element] { return elements }
      return (value as? any Sequence<Element>).map { Array($0) }
    }
    return opened(sequence)
  }

  /// Lowers a condition on the elements of a collection.
  ///
  /// - Returns: The elements that satisfy the condition, and those that do not.
  mutating func elements(
    of sequence: any PredicateExpression, _ id: PredicateExpressions.VariableID,
    _ condition: any PredicateExpression
  ) throws(PredicateFormatError) -> (satisfying: ExpressionNode, others: ExpressionNode) {
    try Self.requireElements(of: sequence)
    let collection = try expression(sequence)
    guard collection.isOfRow else { throw .noForm("a closure over a collection of values") }
    subqueryCount += 1
    let name = "x\(subqueryCount)"
    let test = try with(id, as: .value(.variable(name))) {
      (lowering) throws(PredicateFormatError) in try lowering.condition(condition)
    }
    return (
      .subquery(collection, variable: name, test.holds),
      .subquery(collection, variable: name, test.fails)
    )
  }

  /// Lowers the test whether a collection contains an element; nil matches a nil element.
  mutating func membership(
    of element: any PredicateExpression, in sequence: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition {
    if case .range(let range) = try lower(sequence) {
      return try membership(of: element, in: range)
    }
    if let text = try partOfText(element, in: sequence) { return text }
    try Self.requireElements(of: sequence)
    let collection = try expression(sequence)
    let member = try expression(element)
    let holds = PredicateNode.compare(member, .in, spelledOut(collection))
    guard element.isOptional else { return LoweredCondition(holds: holds, fails: .not(holds)) }
    if let elements = constant(sequence) as? any Collection, Self.hasNil(elements) {
      return LoweredCondition(
        holds: .either(.isNull(member), holds), fails: .all(.isNotNull(member), .not(holds)))
    }
    return LoweredCondition(
      holds: .all(.isNotNull(member), holds), fails: .either(.isNull(member), .not(holds)))
  }

  private static func hasNil<Elements: Collection>(_ elements: Elements) -> Bool {
    elements.contains { ($0 as? any OptionalWrapping).map { $0.wrapped == nil } ?? false }
  }

  // MARK: Equality

  /// Lowers the equality of two values with Swift's meaning: nil equals only nil.
  mutating func equality(
    _ left: any PredicateExpression, _ right: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition {
    let (one, other) = (try lower(left), try lower(right))
    if let test = try nilTest(one, left, other, right) { return test }
    switch (one, other) {
    case (.order(let text, let second, let options), .value(let result)),
      (.value(let result), .order(let text, let second, let options)):
      var condition = try Self.isSame(text, second, options, result, arguments, unsupported(left))
      // After `?.`, the first string is nil if the order is nil.
      if left.isOptional || right.isOptional {
        condition.fails = .either(.isNull(text), condition.fails)
      }
      return condition
    case (.condition, _), (_, .condition):
      return Self.equality(
        try condition(one, left), try condition(other, right))
    case (.value(let one), .value(let other)):
      return equality(one, left, other, right)
    default: throw unsupported(left)
    }
  }

  private func condition(
    _ lowered: LoweredExpression, _ expression: any PredicateExpression
  ) throws(PredicateFormatError) -> LoweredCondition? {
    switch lowered {
    case .condition(let condition): return condition
    case .value(.constant(.null)): return nil
    case .value(let node): return Self.condition(node, isOptional: expression.isOptional)
    case .order, .range, .structure, .encoded: throw unsupported(expression)
    }
  }

  /// Returns the equality of two Boolean values; nil equals nil.
  private static func equality(
    _ one: LoweredCondition?, _ other: LoweredCondition?
  ) -> LoweredCondition {
    guard let one, let other else {
      let missing = (one ?? other)?.isMissing ?? .constant(one == nil && other == nil)
      guard let present = one ?? other else { return LoweredCondition(true) }
      return LoweredCondition(holds: missing, fails: .either(present.holds, present.fails))
    }
    if case .constant(let flag) = other.holds { return flag ? one.settled : one.opposite.settled }
    if case .constant(let flag) = one.holds { return flag ? other.settled : other.opposite.settled }
    var holds = PredicateNode.either(.all(one.holds, other.holds), .all(one.fails, other.fails))
    var fails = PredicateNode.either(.all(one.holds, other.fails), .all(one.fails, other.holds))
    if let first = one.isMissing, let second = other.isMissing {
      holds = .either(holds, .all(first, second))
    }
    if let missing = one.isMissing {
      fails = .either(fails, .all(missing, .either(other.holds, other.fails)))
    }
    if let missing = other.isMissing {
      fails = .either(fails, .all(missing, .either(one.holds, one.fails)))
    }
    return LoweredCondition(holds: holds, fails: fails)
  }

  private mutating func equality(
    _ one: ExpressionNode, _ left: any PredicateExpression, _ other: ExpressionNode,
    _ right: any PredicateExpression
  ) -> LoweredCondition {
    var (holds, fails) = comparisons(
      one, other, areTexts: Self.isText(left) && Self.isText(right))
    if mayBeNaN(one, left) || mayBeNaN(other, right) {
      fails = .either(.either(.isNull(one), .isNull(other)), fails)
    }
    if one == .constant(.null) || other == .constant(.null) {
      return LoweredCondition(holds: holds, fails: fails)
    }
    // An argument is not null, because null is a constant.
    let oneMayBeNull = left.isOptional && !one.isArgument
    let otherMayBeNull = right.isOptional && !other.isArgument
    switch (oneMayBeNull, otherMayBeNull) {
    case (false, false): break
    case (true, false): fails = .either(.isNull(one), fails)
    case (false, true): fails = .either(.isNull(other), fails)
    case (true, true):
      let (null, present) = (PredicateNode.isNull(one), PredicateNode.isNotNull(one))
      holds = .either(.all(null, .isNull(other)), holds)
      fails = .either(
        .all(null, .isNotNull(other)), .either(.all(present, .isNull(other)), fails))
    }
    return LoweredCondition(holds: holds, fails: fails)
  }

  /// Lowers `text.caseInsensitiveCompare(other) == .orderedSame`.
  private static func isSame(
    _ text: ExpressionNode, _ other: ExpressionNode, _ options: StringOptions,
    _ result: ExpressionNode, _ arguments: [Any?], _ failure: PredicateFormatError
  ) throws(PredicateFormatError) -> LoweredCondition {
    guard case .argument(let place) = result, let order = arguments[place] as? Int else {
      throw failure
    }
    let operation: ComparisonOperator = order == 0 ? .equal : order < 0 ? .lessThan : .greaterThan
    // Strings with equal order in a locale may still differ in their bytes.
    guard order != 0 || options.folds else {
      let (before, behind) = (
        PredicateNode.compare(text, .lessThan, other, options),
        PredicateNode.compare(text, .greaterThan, other, options)
      )
      return LoweredCondition(
        holds: .all(.not(before), .not(behind)), fails: .either(before, behind))
    }
    let holds = PredicateNode.compare(text, operation, other, options)
    return LoweredCondition(holds: holds, fails: .not(holds))
  }

  /// Creates the error for a part that has no form.
  func unsupported(_ expression: any PredicateExpression) -> PredicateFormatError {
    .noForm(Self.name(of: expression))
  }

  /// Returns the name of an expression for error messages.
  private static func name(of expression: any PredicateExpression) -> String {
    let type = String(describing: type(of: expression))
    return "the expression \(type.prefix { $0 != "<" })"
  }
}

extension PredicateExpression {
  /// Whether the value may be nil.
  var isOptional: Bool { Output.self is any OptionalWrapping.Type }
}
