/// The functions of predicates applied to values, for evaluation outside predicates.
///
/// Predicates in memory, filters, and the SQL functions of stores share these functions.
///
/// > Concurrency: Any thread.
public enum ValueFunction {
  /// Applies a function; the result is null if an operand is null or unsuitable.
  ///
  /// - Parameters:
  ///   - name: The canonical name, such as `add:to:`.
  ///   - operands: Its operands; lists are collections.
  /// - Returns: The value.
  public static func apply(_ name: String, _ operands: [Value]) -> Value {
    let result = FunctionEvaluation.apply(name, operands.map { EvaluatedOperand($0) })
    switch result {
    case .value(let value): return value
    case .collection(let members): return .list(members.compactMap(\.value))
    case .object: return .null
    }
  }

  /// Whether a function depends only on its operands, and therefore always returns the same value for a row.
  ///
  /// - Returns: `true` if a function depends only on its operands, and therefore always returns the same value
  ///   for a row.
  public static func isPure(_ name: String) -> Bool {
    PredicateFunction(named: name) != nil && !["now", "random", "randomn:"].contains(name)
  }
}

/// The value of a tree that needs no object.
public enum TreeEvaluation {
  /// Evaluates an expression without an object.
  ///
  /// - Parameters:
  ///   - node: The expression.
  ///   - arguments: The values of its argument places.
  ///   - variables: The values of its variables.
  /// - Returns: nil when the result is an object that no value can name.
  public static func value(
    of node: ExpressionNode, arguments: [Any?], variables: [String: Any]
  ) -> Value? {
    let evaluator = PredicateEvaluator(
      arguments: PreparedArguments(arguments), variables: variables)
    return Value(any: evaluator.any(node, for: nil))
  }
}
