import Foundation

/// Combines expressions and predicates into one tree with one list of arguments.
///
/// An assembly is confined to one thread or queue, like its arguments. Placeholders get new
/// numbers, and variables with values become placeholders, so that constants of any type are
/// preserved.
struct TreeAssembly {
  /// The arguments of the placeholders so far.
  private(set) var arguments: [Any?] = []
  /// The first error in a part, which makes the whole tree invalid.
  private(set) var failure: PredicateFormatError?

  /// The maximum number of nodes of a tree, because a tree that repeatedly contains itself would be
  /// endless.
  private static let sizeLimit = 1 << 17

  /// Returns a placeholder for a value.
  mutating func constant(_ value: Any?) -> ExpressionNode {
    arguments.append(value)
    return .argument(arguments.count - 1)
  }

  /// Returns the node of an operand: an expression, or a value, which becomes a constant.
  mutating func add(operand: Any?) -> ExpressionNode {
    if let expression = operand as? NSExpression { return add(expression) }
    return constant(operand)
  }

  mutating func add(_ expression: NSExpression) -> ExpressionNode {
    if let error = expression.formatError { fail(error) }
    if expression.values.isEmpty { return expression.tree }
    return insert(expression.tree, expression.values, [:])
  }

  /// Returns the node of a predicate of any class; a predicate without a tree is called as it is.
  mutating func add(_ predicate: NSPredicate, level: Int = 1) -> PredicateNode {
    guard level <= TreeDepth.limit else {
      fail(.tooDeep)
      return .constant(false)
    }
    if let compound = predicate.plainCompound {
      let nodes = compound.subpredicates.map { add($0, level: level + 1) }
      return PredicateNode.combined(compound.compoundPredicateType, nodes)
    }
    switch predicate.form {
    case .template(let template, let arguments, let variables):
      return insert(template.root, arguments, variables)
    case .constant(let flag): return .constant(flag)
    case .invalid(let error):
      fail(error)
      return .constant(false)
    case .block, .memory, .compound: return EmbeddedCode.node(of: constant(predicate))
    }
  }

  mutating func insert(
    _ node: ExpressionNode, _ values: [Any?], _ variables: [String: Any]
  ) -> ExpressionNode {
    var places: [Int: ExpressionNode] = [:]
    return node.mapping { replacement(of: $0, $1, values, variables, &places) }
  }

  mutating func insert(
    _ node: PredicateNode, _ values: [Any?], _ variables: [String: Any]
  ) -> PredicateNode {
    var places: [Int: ExpressionNode] = [:]
    return node.mapping { replacement(of: $0, $1, values, variables, &places) }
  }

  private mutating func replacement(
    of leaf: ExpressionNode, _ bound: Set<String>, _ values: [Any?], _ variables: [String: Any],
    _ places: inout [Int: ExpressionNode]
  ) -> ExpressionNode {
    switch leaf {
    case .argument(let number):
      if let place = places[number] { return place }
      let value = values.indices.contains(number) ? values[number] : nil
      let place = add(operand: value)
      places[number] = place
      return place
    case .variable(let name) where !bound.contains(name):
      return variables[name].map { add(operand: $0) } ?? leaf
    default: return leaf
    }
  }

  private mutating func fail(_ error: PredicateFormatError) {
    failure = failure ?? error
  }

  // MARK: Limits

  /// Returns the first error in the parts, or an error if the tree is too deep or too large.
  func checked(_ node: ExpressionNode) -> PredicateFormatError? {
    checked { () throws(PredicateFormatError) in
      try TreeDepth.check(node)
    } counting: {
      node.count(&$0)
    }
  }

  /// Returns the first error in the parts, or an error if the tree is too deep or too large.
  func checked(_ node: PredicateNode) -> PredicateFormatError? {
    checked { () throws(PredicateFormatError) in
      try TreeDepth.check(node)
    } counting: {
      node.count(&$0)
    }
  }

  private func checked(
    depth: () throws(PredicateFormatError) -> Void, counting: (inout Int) -> Void
  ) -> PredicateFormatError? {
    if let failure { return failure }
    do throws(PredicateFormatError) { try depth() } catch { return error }
    var room = Self.sizeLimit
    counting(&room)
    return room > 0 ? nil : .tooLarge
  }
}

extension PredicateNode {
  /// Returns a node that combines parts by AND, OR or NOT.
  static func combined(
    _ type: NSCompoundPredicate.LogicalType, _ parts: [PredicateNode]
  ) -> PredicateNode {
    switch type {
    case .and: .and(parts)
    case .or: .or(parts)
    case .not: .not(parts.first ?? .constant(true))
    }
  }
}

extension PredicateFormatError {
  static var tooDeep: PredicateFormatError {
    PredicateFormatError(
      code: .tooDeep, message: "The predicate is nested more than \(TreeDepth.limit) levels deep.")
  }

  fileprivate static var tooLarge: PredicateFormatError {
    PredicateFormatError(
      code: .tooLong, message: "The expression has too many parts. Combine fewer expressions.")
  }
}
