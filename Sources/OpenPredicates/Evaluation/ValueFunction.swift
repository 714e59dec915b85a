/// A namespace for applying the built-in functions of predicates to values.
///
/// Evaluation in memory, filters and the SQL functions of stores all use these functions.
///
/// > Concurrency: Usable on any thread.
public enum ValueFunction {
  /// Applies a built-in function to operands.
  ///
  /// - Parameters:
  ///   - name: The canonical name of the function, such as `add:to:`.
  ///   - operands: The operands of the function; a list represents a collection.
  /// - Returns: The result of the function; null if the function is unknown or an operand is
  ///   unsuitable.
  public static func apply(_ name: String, _ operands: [Value]) -> Value {
    let result = FunctionEvaluation.apply(name, operands.map { EvaluatedOperand($0) })
    switch result {
    case .value(let value): return value
    case .collection(let members): return .list(members.compactMap(\.value))
    case .object: return .null
    }
  }

  /// Returns whether the result of a built-in function depends only on the function's operands.
  ///
  /// The result is false for an unknown function, and for `now`, `random` and `randomn:`.
  ///
  /// - Parameter name: The canonical name of the function, such as `add:to:`.
  public static func isPure(_ name: String) -> Bool {
    PredicateFunction(named: name) != nil && !["now", "random", "randomn:"].contains(name)
  }
}

/// A namespace for evaluating expressions that do not refer to an object.
public enum TreeEvaluation {
  /// Returns the value of an expression that does not refer to an object.
  ///
  /// - Parameters:
  ///   - node: The expression.
  ///   - arguments: The values of the argument placeholders in the expression.
  ///   - variables: The values of the expression's variables, keyed by name.
  /// - Returns: The value; ``Value/null`` for null; nil if the result is an object that no
  ///   ``Value`` can represent.
  public static func value(
    of node: ExpressionNode, arguments: [Any?], variables: [String: Any]
  ) -> Value? {
    let evaluator = PredicateEvaluator(
      arguments: PreparedArguments(arguments), variables: variables)
    return Value(any: evaluator.any(node, for: nil))
  }

  /// Returns the value of an expression that does not refer to the evaluated object.
  ///
  /// The method does not convert objects in the value to a ``Value``. In the predicates of
  /// subqueries, a comparison with nil is unknown, as in SQL, unless the predicate contains a
  /// literal `== nil` or `!= nil`.
  ///
  /// - Parameters:
  ///   - node: The expression.
  ///   - arguments: The values of the argument placeholders in the expression.
  ///   - variables: The values of the expression's variables, by name.
  /// - Returns: The value; nil for null.
  package static func object(
    of node: ExpressionNode, arguments: [Any?], variables: [String: Any]
  ) -> Any? {
    var evaluator = PredicateEvaluator(
      arguments: PreparedArguments(arguments), variables: variables)
    evaluator.rules = .stores
    return evaluator.any(node, for: nil)
  }
}
