internal import Foundation
internal import OpenPredicates

/// Converts archived predicates and expressions to trees.
///
/// `remaining` counts down over all nodes that one reader decodes, so that trees that share their
/// branches cannot grow without bound.
struct ArchivedPredicates {
  /// The calls that expressions may contain.
  enum Calls {
    /// Functions of the predicate language only.
    case functions
    /// Functions, and methods of objects as in mapping models. A method becomes a function whose
    /// first operand is the object.
    case methods
  }

  private static let greatestDepth = 256
  private let calls: Calls
  private var remaining = 1_000_000
  private var contents = ArchivedContents()

  init(calls: Calls = .functions) { self.calls = calls }

  /// Returns the tree of a predicate.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the predicate is damaged, is nested too
  ///   deeply, or has an unknown class.
  mutating func predicate(_ object: ArchivedObject) throws(ModelError) -> PredicateNode {
    try predicate(object, depth: 0)
  }

  /// Returns the tree of an expression.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the expression is damaged, is nested too
  ///   deeply, or has an unknown class.
  mutating func expression(_ object: ArchivedObject) throws(ModelError) -> ExpressionNode {
    try expression(object, depth: 0)
  }

  private mutating func enter(_ depth: Int) throws(ModelError) {
    remaining -= 1
    guard depth < Self.greatestDepth, remaining > 0 else {
      throw .damaged("a predicate is nested too deeply")
    }
  }

  // MARK: Predicates

  private mutating func predicate(
    _ object: ArchivedObject, depth: Int
  ) throws(ModelError) -> PredicateNode {
    try enter(depth)
    if object.isKind(of: "NSComparisonPredicate") { return try comparison(object, depth) }
    if object.isKind(of: "NSCompoundPredicate") { return try compound(object, depth) }
    if object.isKind(of: "NSTruePredicate") { return .constant(true) }
    if object.isKind(of: "NSFalsePredicate") { return .constant(false) }
    throw .damaged("the predicate class \(object.className) is unknown")
  }

  private mutating func compound(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> PredicateNode {
    var parts: [PredicateNode] = []
    for member in try object.members("NSSubpredicates") ?? [] {
      guard let part = member.object else { throw object.mismatch("NSSubpredicates") }
      parts.append(try predicate(part, depth: depth + 1))
    }
    switch try object.integer("NSCompoundPredicateType") {
    case 0?:
      guard let first = parts.first else { throw object.mismatch("NSSubpredicates") }
      return .not(first)
    case 1?: return .and(parts)
    case 2?: return .or(parts)
    default: throw object.mismatch("NSCompoundPredicateType")
    }
  }

  private mutating func comparison(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> PredicateNode {
    guard let symbol = try object.object("NSPredicateOperator", of: "NSPredicateOperator"),
      let operation = try symbol.integer("NSOperatorType").flatMap(ComparisonOperator.init),
      operation != .customSelector, operation != .containsWords,
      let modifier = ComparisonModifier(rawValue: try symbol.integer("NSModifier") ?? 0)
    else { throw object.mismatch("NSPredicateOperator") }
    let flags = try symbol.integer("NSFlags") ?? 0
    let options = try symbol.integer("NSOptions") ?? flags
    return .comparison(
      ComparisonNode(
        left: try expression("NSLeftExpression", of: object, depth),
        right: try expression("NSRightExpression", of: object, depth),
        modifier: modifier, operation: operation,
        options: StringOptions(rawValue: UInt(bitPattern: options) & 0x0F)))
  }

  // MARK: Expressions

  private mutating func expression(
    _ key: String, of object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> ExpressionNode {
    guard let operand = try object.object(key) else { throw object.mismatch(key) }
    return try expression(operand, depth: depth + 1)
  }

  private mutating func predicate(
    _ key: String, of object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> PredicateNode {
    guard let condition = try object.object(key) else { throw object.mismatch(key) }
    return try predicate(condition, depth: depth + 1)
  }

  private mutating func expressions(
    _ key: String, of object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> [ExpressionNode] {
    var nodes: [ExpressionNode] = []
    for member in try object.members(key) ?? [] {
      guard let operand = member.object else { throw object.mismatch(key) }
      nodes.append(try expression(operand, depth: depth + 1))
    }
    return nodes
  }

  private mutating func expression(
    _ object: ArchivedObject, depth: Int
  ) throws(ModelError) -> ExpressionNode {
    try enter(depth)
    // Key paths descend from functions, so they are tested first.
    if object.isKind(of: "NSKeyPathExpression") { return try keyPath(object, depth) }
    if object.isKind(of: "NSFunctionExpression") { return try function(object, depth) }
    if object.isKind(of: "NSSelfExpression") { return .evaluatedObject }
    if object.isKind(of: "NSConstantValueExpression") { return try constant(object) }
    if object.isKind(of: "NSKeyPathSpecifierExpression") { return .keyPath(try steps(object)) }
    if object.isKind(of: "NSVariableExpression") {
      guard let name = try object.string("NSVariable") else { throw object.mismatch("NSVariable") }
      return .variable(name)
    }
    if object.isKind(of: "NSAggregateExpression") {
      return .aggregate(try expressions("NSCollection", of: object, depth))
    }
    if object.isKind(of: "NSSetExpression") { return try set(object, depth) }
    if object.isKind(of: "NSSubqueryExpression") { return try subquery(object, depth) }
    if object.isKind(of: "NSFetchRequestExpression") { return try fetch(object, depth) }
    if object.isKind(of: "NSTernaryExpression") { return try conditional(object, depth) }
    throw .damaged("the expression class \(object.className) is unknown")
  }

  private mutating func constant(_ object: ArchivedObject) throws(ModelError) -> ExpressionNode {
    guard let value = try object.value("NSConstantValue") else { return .constant(.null) }
    guard let constant = Value(any: try contents.any(value)) else {
      throw object.mismatch("NSConstantValue")
    }
    return .constant(constant)
  }

  private func steps(_ object: ArchivedObject) throws(ModelError) -> [String] {
    guard let path = try object.string("NSKeyPath"), !path.isEmpty else {
      throw object.mismatch("NSKeyPath")
    }
    return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private mutating func keyPath(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> ExpressionNode {
    guard let path = try object.members("NSArguments")?.first?.object,
      path.isKind(of: "NSKeyPathSpecifierExpression")
    else { throw object.mismatch("NSArguments") }
    let steps = try steps(path)
    let operand = try expression("NSOperand", of: object, depth)
    return operand == .evaluatedObject ? .keyPath(steps) : .path(of: operand, steps)
  }

  private mutating func function(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> ExpressionNode {
    guard let selector = try object.string("NSSelectorName"),
      let target = try object.object("NSOperand")
    else { throw object.mismatch("NSSelectorName") }
    let arguments = try expressions("NSArguments", of: object, depth)
    let className = try target.string("NSConstantValueClassName")
    if className == "_NSPredicateUtilities" {
      return ArchivedFunction(selector: selector, operands: arguments).node
    }
    guard calls == .methods, className == nil else {
      throw .damaged("an expression calls a method of an object")
    }
    // A tree cannot distinguish such a method from the function with the same name.
    guard !PredicateFunctions.isBuiltIn(selector) else {
      throw .damaged("an expression calls a method with the same name as the function \(selector)")
    }
    return .named(selector, [try expression(target, depth: depth + 1)] + arguments)
  }

  private mutating func fetch(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> ExpressionNode {
    .fetch(
      try expression("NSFRExpression", of: object, depth),
      try expression("NSMOCExpression", of: object, depth),
      countOnly: .constant(.int(try object.flag("NSCountOnlyFlag") ? 1 : 0)))
  }

  private mutating func conditional(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> ExpressionNode {
    .conditional(
      try predicate("NSPredicate", of: object, depth),
      try expression("NSTrueExpression", of: object, depth),
      try expression("NSFalseExpression", of: object, depth))
  }

  private mutating func set(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> ExpressionNode {
    let operations: [Int: SetOperation] = [5: .union, 6: .intersect, 7: .minus]
    guard let operation = try object.integer("NSExpressionType").flatMap({ operations[$0] }) else {
      throw object.mismatch("NSExpressionType")
    }
    return .setOperation(
      operation, try expression("NSLeftExpression", of: object, depth),
      try expression("NSRightExpression", of: object, depth))
  }

  private mutating func subquery(
    _ object: ArchivedObject, _ depth: Int
  ) throws(ModelError) -> ExpressionNode {
    guard
      case .variable(let name) = try expression("NSVariableExpression", of: object, depth)
    else { throw object.mismatch("NSVariableExpression") }
    return .subquery(
      try expression("NSExpression", of: object, depth), variable: name,
      try predicate("NSPredicate", of: object, depth))
  }
}
