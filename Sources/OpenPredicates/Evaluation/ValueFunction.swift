/// Applies the functions of predicates to values outside predicates.
///
/// Predicates in memory, filters, and the SQL functions of stores share these functions.
///
/// > Concurrency: Usable on any thread.
public enum ValueFunction {
  /// Applies a function; the result is null if the function is unknown, or an operand is
  /// unsuitable.
  ///
  /// - Parameters:
  ///   - name: The canonical name of the function, such as `add:to:`.
  ///   - operands: The operands of the function; lists are collections.
  /// - Returns: The result of the function.
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
  public static func isPure(_ name: String) -> Bool {
    PredicateFunction(named: name) != nil && !["now", "random", "randomn:"].contains(name)
  }
}

/// Evaluates trees that need no object.
public enum TreeEvaluation {
  /// Evaluates an expression without an object.
  ///
  /// - Parameters:
  ///   - node: The expression.
  ///   - arguments: The values for the argument placeholders of the expression.
  ///   - variables: The values of the expression's variables, by name.
  /// - Returns: The value; nil if the result is an object that no ``Value`` can represent.
  public static func value(
    of node: ExpressionNode, arguments: [Any?], variables: [String: Any]
  ) -> Value? {
    let evaluator = PredicateEvaluator(
      arguments: PreparedArguments(arguments), variables: variables)
    return Value(any: evaluator.any(node, for: nil))
  }
}
