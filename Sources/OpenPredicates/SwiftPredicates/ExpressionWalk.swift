internal import Foundation

/// Visits the parts of a Swift predicate.
enum ExpressionWalk {
  /// Returns whether an expression, or a part of it, satisfies a condition.
  static func contains(_ expression: Any, where isWanted: (Any) -> Bool) -> Bool {
    isWanted(expression) || parts(of: expression).contains { contains($0, where: isWanted) }
  }

  /// Returns the expressions of which an expression consists.
  static func parts(of expression: Any) -> [Any] {
    if let nested = expression as? any NestedPredicate { return nested.parts }
    return Mirror(reflecting: expression).children.map(\.value).filter {
      $0 is any PredicateExpression
    }
  }
}

/// An expression that evaluates another predicate.
protocol NestedPredicate {
  var parts: [Any] { get }
}

extension PredicateExpressions.PredicateEvaluate: NestedPredicate {
  var parts: [Any] { [predicate.expression, input] }
}
