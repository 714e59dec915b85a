extension ExpressionNode {
  /// Replaces argument placeholders and variables.
  ///
  /// - Parameters:
  ///   - bound: The variables of enclosing subqueries, which are not variables of the whole tree.
  ///   - level: The depth of the node; nodes below the depth limit become null.
  ///   - leaf: Returns the replacement of a placeholder or a variable.
  func mapping(
    _ bound: Set<String> = [], level: Int = 1,
    _ leaf: (ExpressionNode, _ bound: Set<String>) -> ExpressionNode
  ) -> ExpressionNode {
    guard level <= TreeDepth.limit else { return .constant(.null) }
    func inner(_ node: ExpressionNode) -> ExpressionNode {
      node.mapping(bound, level: level + 1, leaf)
    }
    switch self {
    case .argument, .variable: return leaf(self, bound)
    case .constant, .evaluatedObject, .keyPath, .anyKey: return self
    case .path(let base, let path): return inner(base).appending(path)
    case .aggregate(let elements): return .aggregate(elements.map(inner))
    case .function(let name, let operands): return .function(name, operands.map(inner))
    case .subquery(let collection, let name, let filter):
      return .subquery(
        inner(collection), variable: name,
        filter.mapping(bound.union([name]), level: level + 1, leaf))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, inner(left), inner(right))
    case .index(let base, let index): return .index(inner(base), inner(index))
    case .first(let base): return .first(inner(base))
    case .last(let base): return .last(inner(base))
    case .size(let base): return .size(inner(base))
    case .conditional(let condition, let first, let second):
      return .conditional(
        condition.mapping(bound, level: level + 1, leaf), inner(first), inner(second))
    case .cast(let operand, let type): return .cast(inner(operand), type)
    case .assignment(let name, let value): return .assignment(name, inner(value))
    case .fetch(let request, let context, let countOnly):
      return .fetch(inner(request), inner(context), countOnly: inner(countOnly))
    }
  }
}

extension PredicateNode {
  /// Replaces argument placeholders and variables, as in expressions.
  func mapping(
    _ bound: Set<String> = [], level: Int = 1,
    _ leaf: (ExpressionNode, _ bound: Set<String>) -> ExpressionNode
  ) -> PredicateNode {
    guard level <= TreeDepth.limit else { return .constant(false) }
    switch self {
    case .constant: return self
    case .not(let part): return .not(part.mapping(bound, level: level + 1, leaf))
    case .and(let parts): return .and(parts.map { $0.mapping(bound, level: level + 1, leaf) })
    case .or(let parts): return .or(parts.map { $0.mapping(bound, level: level + 1, leaf) })
    case .comparison(var node):
      node.left = node.left.mapping(bound, level: level + 1, leaf)
      node.right = node.right.mapping(bound, level: level + 1, leaf)
      return .comparison(node)
    }
  }
}
