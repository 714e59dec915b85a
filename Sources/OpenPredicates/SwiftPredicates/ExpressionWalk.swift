internal import Foundation

/// Visits the parts of a Swift predicate.
enum ExpressionWalk {
  /// Returns whether an expression, or a part of it, satisfies a condition.
  static func contains(_ expression: Any, where isWanted: (Any) -> Bool) -> Bool {
    isWanted(expression) || parts(of: expression).contains { contains($0, where: isWanted) }
  }

  /// Returns the direct subexpressions of an expression.
  static func parts(of expression: Any) -> [Any] {
    if let nested = expression as? any NestedPredicate { return nested.parts }
    return Mirror(reflecting: expression).children.map(\.value).filter {
      $0 is any PredicateExpression
    }
  }

  /// Returns the variables whose values an expression provides to its parts.
  static func variables(boundBy expression: Any) -> [PredicateExpressions.VariableID] {
    if let nested = expression as? any NestedPredicate { return nested.variable.map { [$0] } ?? [] }
    return Mirror(reflecting: expression).children.compactMap { label, part in
      label == "variable" ? (part as? any PredicateVariable)?.key : nil
    }
  }
}

/// A variable of a predicate or of a closure in a predicate.
protocol PredicateVariable {
  var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: PredicateVariable {}

/// An expression that evaluates other predicates.
protocol NestedPredicate {
  var parts: [Any] { get }
  /// The variable of the other predicate; nil if the parts have their own variables.
  var variable: PredicateExpressions.VariableID? { get }
}

extension PredicateExpressions.PredicateEvaluate: NestedPredicate {
  var parts: [Any] { [predicate.expression, input] }
  var variable: PredicateExpressions.VariableID? { predicate.variable.key }
}
