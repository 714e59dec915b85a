/// The tree of an expression, such as one side of a comparison.
///
/// Arguments are placeholders, so predicates with the same format share a tree.
public indirect enum ExpressionNode: Sendable, Hashable {
  /// A constant in the format.
  case constant(Value)
  /// The argument at a position, starting at 0; arguments of `%K` are not counted.
  case argument(Int)
  /// The evaluated object, `SELF`.
  case evaluatedObject
  /// A key path from the evaluated object; operators such as `@count` are separate steps.
  case keyPath([String])
  /// A key path from the result of an expression.
  case path(of: ExpressionNode, [String])
  /// A variable, `$NAME`; the associated name does not include the dollar sign.
  case variable(String)
  /// A list of expressions, `{a, b}`.
  case aggregate([ExpressionNode])
  /// A function with its canonical name, such as `add:to:`, `sum:` or `now`.
  case function(String, [ExpressionNode])
  /// The elements of a collection for which a predicate is true; the variable refers to the
  /// element.
  case subquery(ExpressionNode, variable: String, PredicateNode)
  /// A combination of two collections.
  case setOperation(SetOperation, ExpressionNode, ExpressionNode)
  /// The element at an index, `collection[index]`.
  case index(ExpressionNode, ExpressionNode)
  /// The first element, `collection[FIRST]`.
  case first(ExpressionNode)
  /// The last element, `collection[LAST]`.
  case last(ExpressionNode)
  /// The number of elements, `collection[SIZE]`.
  case size(ExpressionNode)
  /// One of two expressions, `TERNARY(predicate, first, second)`.
  case conditional(PredicateNode, ExpressionNode, ExpressionNode)
  /// A cast, `CAST(expression, "type")`.
  case cast(ExpressionNode, String)
  /// Any key of the evaluated object, `ANYKEY`.
  case anyKey
  /// An assignment, `$NAME := expression`; the associated name does not include the dollar sign.
  case assignment(String, ExpressionNode)
  /// The objects that a fetch request finds, or their number: `FETCH(request, context, countOnly)`.
  case fetch(ExpressionNode, ExpressionNode, countOnly: ExpressionNode)
}

/// The operations that combine two collections.
public enum SetOperation: Int, Sendable, Hashable {
  /// The elements of the first and of the second collection, without duplicates.
  case union
  /// The elements that are in both collections.
  case intersect
  /// The elements of the first collection that are not in the second.
  case minus
}
