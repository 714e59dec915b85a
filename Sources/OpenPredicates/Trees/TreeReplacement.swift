/// Replaces parts of trees.
///
/// Trees have at most 200 levels, so the recursion is bounded.
package struct TreeReplacement {
  /// A function that returns the replacement of an expression, given the enclosing subqueries.
  ///
  /// If the result is nil, the expression remains, and its parts are replaced.
  package typealias Choice = (ExpressionNode, Subqueries) throws -> ExpressionNode?

  private let choice: Choice
  private let finish: (inout ComparisonNode, Subqueries) throws -> Void
  private var subqueries = Subqueries()

  /// Creates a replacement with functions for comparisons and expressions.
  ///
  /// - Parameters:
  ///   - finish: A function that changes a comparison after both sides have been replaced.
  ///   - choice: A function that returns the replacement of an expression; nil to replace the parts
  ///     of the expression instead.
  package init(
    finish: @escaping (inout ComparisonNode, Subqueries) throws -> Void = { _, _ in },
    _ choice: @escaping Choice
  ) {
    self.choice = choice
    self.finish = finish
  }

  /// The subqueries that enclose a part of a tree.
  package struct Subqueries {
    private var all: [(variable: String, collection: ExpressionNode)] = []

    /// Returns whether a variable is the element of an enclosing subquery.
    package func have(_ variable: String) -> Bool { all.contains { $0.variable == variable } }

    /// Returns the collection of the subquery that declares a variable, and the subqueries that
    /// enclose this subquery; nil if no enclosing subquery declares the variable.
    package func collection(of variable: String) -> (ExpressionNode, Subqueries)? {
      guard let place = all.lastIndex(where: { $0.variable == variable }) else { return nil }
      var around = Subqueries()
      around.all = Array(all[..<place])
      return (all[place].collection, around)
    }

    fileprivate mutating func enter(_ variable: String, _ collection: ExpressionNode) {
      all.append((variable, collection))
    }
  }

  /// Returns a predicate with replaced expressions.
  ///
  /// - Throws: The error that the choice or `finish` throws.
  package func node(_ node: PredicateNode) throws -> PredicateNode {
    switch node {
    case .constant: return node
    case .not(let part): return .not(try self.node(part))
    case .and(let parts): return .and(try parts.map { try self.node($0) })
    case .or(let parts): return .or(try parts.map { try self.node($0) })
    case .comparison(var comparison):
      comparison.left = try expression(comparison.left)
      comparison.right = try expression(comparison.right)
      try finish(&comparison, subqueries)
      return .comparison(comparison)
    }
  }

  /// Returns the replacement of an expression, or the expression with replaced parts.
  ///
  /// - Throws: The error that the choice or `finish` throws.
  package func expression(_ node: ExpressionNode) throws -> ExpressionNode {
    if let replaced = try choice(node, subqueries) { return replaced }
    switch node {
    case .constant, .argument, .variable, .evaluatedObject, .keyPath, .anyKey: return node
    case .path(let base, let path): return .path(of: try expression(base), path)
    case .aggregate(let parts): return .aggregate(try parts.map { try expression($0) })
    case .function(let name, let parts):
      return .function(name, try parts.map { try expression($0) })
    case .subquery(let collection, let name, let filter):
      var inner = self
      inner.subqueries.enter(name, collection)
      return .subquery(
        try expression(collection), variable: name, try inner.node(filter))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, try expression(left), try expression(right))
    case .index(let base, let index): return .index(try expression(base), try expression(index))
    case .first(let base): return .first(try expression(base))
    case .last(let base): return .last(try expression(base))
    case .size(let base): return .size(try expression(base))
    case .conditional(let condition, let first, let second):
      return .conditional(
        try self.node(condition), try expression(first), try expression(second))
    case .cast(let inner, let type): return .cast(try expression(inner), type)
    case .assignment(let name, let value): return .assignment(name, try expression(value))
    case .fetch(let request, let context, let countOnly):
      return .fetch(
        try expression(request), try expression(context), countOnly: try expression(countOnly))
    }
  }
}
