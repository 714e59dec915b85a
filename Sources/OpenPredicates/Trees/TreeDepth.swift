/// The depth limit of trees, for the parser and for code that builds trees from parts.
package enum TreeDepth {
  /// The maximum number of levels from the root to a leaf.
  package static let limit = 200

  /// Throws if the tree of a predicate is deeper than the limit.
  ///
  /// - Parameter node: The tree.
  /// - Throws: `PredicateFormatError` with code `.tooDeep` if the tree has more than 200 levels.
  /// > Concurrency: Usable on any thread.
  /// > Complexity: Visits at most ``limit`` levels.
  package static func check(_ node: PredicateNode) throws(PredicateFormatError) {
    if !fits(node, limit) { throw tooDeep }
  }

  /// Throws if an expression is deeper than the limit.
  ///
  /// - Parameter node: The expression.
  /// - Throws: `PredicateFormatError` with code `.tooDeep` if the tree has more than 200 levels.
  /// > Concurrency: Usable on any thread.
  /// > Complexity: Visits at most ``limit`` levels.
  package static func check(_ node: ExpressionNode) throws(PredicateFormatError) {
    if !fits(node, limit) { throw tooDeep }
  }

  private static var tooDeep: PredicateFormatError {
    PredicateFormatError(
      code: .tooDeep, message: "The predicate is nested more than \(limit) levels deep.")
  }

  private static func fits(_ node: PredicateNode, _ levels: Int) -> Bool {
    guard levels > 0 else { return false }
    return switch node {
    case .constant: true
    case .not(let inner): fits(inner, levels - 1)
    case .and(let parts), .or(let parts): parts.allSatisfy { fits($0, levels - 1) }
    case .comparison(let node): fits(node.left, levels - 1) && fits(node.right, levels - 1)
    }
  }

  private static func fits(_ node: ExpressionNode, _ levels: Int) -> Bool {
    guard levels > 0 else { return false }
    func fit(_ nodes: ExpressionNode...) -> Bool {
      nodes.allSatisfy { fits($0, levels - 1) }
    }
    return switch node {
    case .constant, .argument, .evaluatedObject, .keyPath, .variable, .anyKey: true
    case .path(let base, _), .first(let base), .last(let base), .size(let base),
      .cast(let base, _), .assignment(_, let base):
      fit(base)
    case .aggregate(let nodes), .function(_, let nodes):
      nodes.allSatisfy { fits($0, levels - 1) }
    case .subquery(let collection, _, let filter): fit(collection) && fits(filter, levels - 1)
    case .setOperation(_, let left, let right), .index(let left, let right): fit(left, right)
    case .conditional(let condition, let first, let second):
      fits(condition, levels - 1) && fit(first, second)
    case .fetch(let request, let context, let countOnly): fit(request, context, countOnly)
    }
  }
}
