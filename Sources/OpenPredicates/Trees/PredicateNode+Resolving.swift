extension PredicateNode {
  /// Returns the tree with values in place of arguments and variables, in the form that equality
  /// uses.
  ///
  /// Boolean values become numbers, lists of constants become constants, and chains with one part
  /// become that part, as in canonical text. Nodes deeper than ``TreeDepth/limit`` are omitted, so
  /// that writing, comparing and hashing the result needs a bounded stack.
  func resolved(with values: TreeValues) -> PredicateNode {
    resolved(values, level: 1)
  }

  func resolved(_ values: TreeValues, level: Int) -> PredicateNode {
    guard level <= TreeDepth.limit else { return .constant(false) }
    switch self {
    case .constant: return self
    case .not(let inner): return .not(inner.resolved(values, level: level + 1))
    case .and(let parts):
      let resolved = parts.map { $0.resolved(values, level: level + 1) }
      return resolved.count == 1 ? resolved[0] : resolved.isEmpty ? .constant(true) : .and(resolved)
    case .or(let parts):
      let resolved = parts.map { $0.resolved(values, level: level + 1) }
      return resolved.count == 1 ? resolved[0] : resolved.isEmpty ? .constant(false) : .or(resolved)
    case .comparison(var node):
      node.left = node.left.resolved(values, level: level + 1)
      node.right = node.right.resolved(values, level: level + 1)
      if node.operation != .customSelector || node.selector == "" { node.selector = nil }
      return .comparison(node)
    }
  }
}

/// The values that replace argument placeholders and variables.
struct TreeValues {
  /// The values by argument number; nil leaves the placeholder unchanged.
  let arguments: [Value?]
  /// The values by variable name.
  let variables: [String: Value]

  func without(variable name: String) -> TreeValues {
    guard variables[name] != nil else { return self }
    var remaining = variables
    remaining[name] = nil
    return TreeValues(arguments: arguments, variables: remaining)
  }
}

extension ExpressionNode {
  /// Returns the expression with values in place of arguments and variables, in the form that
  /// equality uses.
  func resolved(with values: TreeValues) -> ExpressionNode {
    resolved(values, level: 1)
  }

  func resolved(_ values: TreeValues, level: Int) -> ExpressionNode {
    guard level <= TreeDepth.limit else { return .constant(.null) }
    func inner(_ node: ExpressionNode) -> ExpressionNode {
      node.resolved(values, level: level + 1)
    }
    switch self {
    case .constant(let value): return Self.literal(value)
    case .argument(let number):
      guard values.arguments.indices.contains(number) else { return self }
      return values.arguments[number].map(Self.literal) ?? self
    case .variable(let name): return values.variables[name].map(Self.literal) ?? self
    case .evaluatedObject, .anyKey: return self
    case .keyPath(let path): return path.isEmpty ? .evaluatedObject : self
    case .path(let base, let path): return inner(base).appending(path)
    case .aggregate(let elements): return Self.folded(elements.map(inner))
    case .function(let name, let operands): return Self.named(name, operands.map(inner))
    case .subquery(let collection, let name, let filter):
      return .subquery(
        inner(collection), variable: name,
        filter.resolved(values.without(variable: name), level: level + 1))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, inner(left), inner(right))
    case .index(let base, let index): return .index(inner(base), inner(index))
    case .first(let base): return .first(inner(base))
    case .last(let base): return .last(inner(base))
    case .size(let base): return .size(inner(base))
    case .conditional(let condition, let first, let second):
      return .conditional(
        condition.resolved(values, level: level + 1), inner(first), inner(second))
    case .cast(let operand, let type): return inner(operand).cast(to: type)
    case .assignment(let name, let value): return .assignment(name, inner(value))
    case .fetch(let request, let context, let countOnly):
      return .fetch(inner(request), inner(context), countOnly: inner(countOnly))
    }
  }
}
