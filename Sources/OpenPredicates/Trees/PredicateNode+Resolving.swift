import Foundation

extension PredicateNode {
  /// The tree with arguments and variables replaced by their values, in the form equality uses.
  ///
  /// Truth values are numbers and aggregates of constants are lists there, as in canonical text.
  func resolved(with values: TreeValues) -> PredicateNode {
    switch self {
    case .constant: self
    case .not(let inner): .not(inner.resolved(with: values))
    case .and(let parts): .and(parts.map { $0.resolved(with: values) })
    case .or(let parts): .or(parts.map { $0.resolved(with: values) })
    case .comparison(var node):
      {
        node.left = node.left.resolved(with: values)
        node.right = node.right.resolved(with: values)
        return .comparison(node)
      }()
    }
  }
}

/// What replaces argument places and variables.
struct TreeValues {
  /// Values by argument number; nil leaves the place as it is.
  let arguments: [Value?]
  /// Values by variable name.
  let variables: [String: Value]

  func without(variable name: String) -> TreeValues {
    var remaining = variables
    remaining[name] = nil
    return TreeValues(arguments: arguments, variables: remaining)
  }
}

extension ExpressionNode {
  /// The expression with arguments and variables replaced.
  func resolved(with values: TreeValues) -> ExpressionNode {
    switch self {
    case .constant(let value): .constant(value.normalized)
    case .argument(let number):
      values.arguments.indices.contains(number)
        ? values.arguments[number].map { .constant($0.normalized) } ?? self : self
    case .variable(let name):
      values.variables[name].map { .constant($0.normalized) } ?? self
    case .evaluatedObject, .keyPath: self
    case .path(let base, let path): .path(of: base.resolved(with: values), path)
    case .aggregate(let elements):
      Self.folded(elements.map { $0.resolved(with: values) })
    case .function(let name, let operands):
      .function(name, operands.map { $0.resolved(with: values) })
    case .subquery(let collection, let name, let filter):
      .subquery(
        collection.resolved(with: values), variable: name,
        filter.resolved(with: values.without(variable: name)))
    case .setOperation(let operation, let left, let right):
      .setOperation(operation, left.resolved(with: values), right.resolved(with: values))
    case .index(let base, let index):
      .index(base.resolved(with: values), index.resolved(with: values))
    case .first(let base): .first(base.resolved(with: values))
    case .last(let base): .last(base.resolved(with: values))
    case .size(let base): .size(base.resolved(with: values))
    case .conditional(let condition, let first, let second):
      .conditional(
        condition.resolved(with: values), first.resolved(with: values),
        second.resolved(with: values))
    case .cast(let operand, let type): .cast(operand.resolved(with: values), type)
    }
  }

  /// An aggregate of constants is one list.
  private static func folded(_ elements: [ExpressionNode]) -> ExpressionNode {
    var values: [Value] = []
    for element in elements {
      guard case .constant(let value) = element else { return .aggregate(elements) }
      values.append(value)
    }
    return .constant(.list(values))
  }
}

extension Value {
  /// The value with truth values as the numbers they are written as.
  var normalized: Value {
    switch self {
    case .bool(let flag): .int(flag ? 1 : 0)
    case .list(let values): .list(values.map(\.normalized))
    default: self
    }
  }
}
