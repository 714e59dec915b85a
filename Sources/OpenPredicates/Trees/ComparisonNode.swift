/// Two expressions and how they are compared.
public struct ComparisonNode: Sendable, Hashable {
  /// The expression before the operator.
  public var left: ExpressionNode
  /// The expression after the operator.
  public var right: ExpressionNode
  /// Whether the comparison applies to the left side itself, or to any or all of its elements.
  public var modifier: ComparisonModifier
  /// The operator.
  public var operation: ComparisonOperator
  /// The letters in brackets after the operator.
  public var options: StringOptions
  /// The selector's name after `@`, for ``ComparisonOperator/customSelector``; nil for other operators.
  public var selector: String?

  /// Creates a comparison from its parts.
  ///
  /// - Parameters:
  ///   - left: The expression before the operator.
  ///   - right: The expression after the operator.
  ///   - modifier: Whether to compare the left side, or any or all of its elements.
  ///   - operation: The operator.
  ///   - options: The letters in brackets after the operator.
  ///   - selector: The name after `@`, if the operator is a selector.
  public init(
    left: ExpressionNode, right: ExpressionNode, modifier: ComparisonModifier = .direct,
    operation: ComparisonOperator, options: StringOptions = [], selector: String? = nil
  ) {
    self.left = left
    self.right = right
    self.modifier = modifier
    self.operation = operation
    self.options = options
    self.selector = selector
  }
}

/// The operators of comparisons, with Apple's numbers.
public enum ComparisonOperator: Int, Sendable, Hashable {
  /// `<`
  case lessThan = 0
  /// `<=`
  case lessThanOrEqual = 1
  /// `>`
  case greaterThan = 2
  /// `>=`
  case greaterThanOrEqual = 3
  /// `==`
  case equal = 4
  /// `!=`
  case notEqual = 5
  /// `MATCHES`: a regular expression for the whole text.
  case matches = 6
  /// `LIKE`: `*` and `?` for the whole text.
  case like = 7
  /// `BEGINSWITH`
  case beginsWith = 8
  /// `ENDSWITH`
  case endsWith = 9
  /// `IN`: the left is a member, or a part, of the right.
  case `in` = 10
  /// `@selector`: a comparison registered under a name, see ``ComparisonNode/selector``.
  case customSelector = 11
  /// `CONTAINS`: the right is a member, or a part, of the left.
  case contains = 99
  /// `BETWEEN`: within a closed range.
  case between = 100
  /// `CONTAINSWORDS`: a full-text search for a ``TextQuery``. An addition to Apple's API.
  case containsWords = 1000
}

/// How many elements of a to-many left side must satisfy a comparison.
///
/// `SOME` is ``any``; `NONE` is a `NOT` around ``any``.
public enum ComparisonModifier: Int, Sendable, Hashable {
  /// The left side itself.
  case direct = 0
  /// Every element; true for an empty collection.
  case all = 1
  /// At least one element.
  case any = 2
}
