/// The tree of an expression, one side of a comparison.
///
/// A value. Arguments are placeholders, so predicates with the same format share a tree.
public indirect enum ExpressionNode: Sendable, Hashable {
  /// A value written in the format.
  case constant(Value)
  /// The n-th argument of the predicate that is not a `%K`.
  case argument(Int)
  /// `SELF`.
  case evaluatedObject
  /// Steps from the evaluated object; operators such as `@count` are steps of their own.
  case keyPath([String])
  /// Steps from the result of an expression.
  case path(of: ExpressionNode, [String])
  /// `$NAME`, without the dollar sign.
  case variable(String)
  /// `{a, b}`.
  case aggregate([ExpressionNode])
  /// A function by its selector name, such as `add:to:`, `sum:` or `now`.
  case function(String, [ExpressionNode])
  /// The elements of a collection that satisfy a predicate of a variable.
  case subquery(ExpressionNode, variable: String, PredicateNode)
  /// Two collections combined.
  case setOperation(SetOperation, ExpressionNode, ExpressionNode)
  /// `collection[index]`.
  case index(ExpressionNode, ExpressionNode)
  /// `collection[FIRST]`.
  case first(ExpressionNode)
  /// `collection[LAST]`.
  case last(ExpressionNode)
  /// `collection[SIZE]`.
  case size(ExpressionNode)
  /// `TERNARY(predicate, first, second)`.
  case conditional(PredicateNode, ExpressionNode, ExpressionNode)
  /// `CAST(expression, "type")`.
  case cast(ExpressionNode, String)
  /// `ANYKEY`: any key of the evaluated object.
  case anyKey
  /// `$NAME := expression`, without the dollar sign.
  case assignment(String, ExpressionNode)
  /// `FETCH(request, context, countOnly)`: the objects a fetch request finds, or their number.
  case fetch(ExpressionNode, ExpressionNode, countOnly: ExpressionNode)
}

/// How two collections are combined.
public enum SetOperation: Int, Sendable, Hashable {
  /// Elements of either.
  case union
  /// Elements of both.
  case intersect
  /// Elements of the first that are not in the second.
  case minus
}
