/// A comparison of two expressions.
public struct ComparisonNode: Sendable, Hashable {
  /// The expression before the operator.
  public var left: ExpressionNode
  /// The expression after the operator.
  public var right: ExpressionNode
  /// Whether the comparison applies to the left side itself, or to any or all of its elements.
  public var modifier: ComparisonModifier
  /// The operator of the comparison.
  public var operation: ComparisonOperator
  /// The options of string comparison, which are the letters in brackets after the operator.
  public var options: StringOptions
  /// The name of the selector after `@` for ``ComparisonOperator/customSelector``; nil for other
  /// operators.
  public var selector: String?

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - left: The expression before the operator.
  ///   - right: The expression after the operator.
  ///   - modifier: Whether to compare the left side, or any or all of its elements.
  ///   - operation: The operator.
  ///   - options: The options of string comparison.
  ///   - selector: The name after `@` if the operator is a selector; otherwise nil.
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

/// The operators of comparisons; the raw values are Apple's.
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
  /// `MATCHES`: the whole string matches a regular expression.
  case matches = 6
  /// `LIKE`: the whole string matches a pattern with the wildcards `*` and `?`.
  case like = 7
  /// `BEGINSWITH`
  case beginsWith = 8
  /// `ENDSWITH`
  case endsWith = 9
  /// `IN`: the left side is a member or a substring of the right side.
  case `in` = 10
  /// `@selector`: a function that is registered with a name; see ``ComparisonNode/selector``.
  case customSelector = 11
  /// `CONTAINS`: the right side is a member or a substring of the left side.
  case contains = 99
  /// `BETWEEN`: the left side is within a closed range.
  case between = 100
  /// `CONTAINSWORDS`: a full-text search for a ``TextQuery``. This is an addition to Apple's API.
  case containsWords = 1000
}

/// How many elements of a to-many left side must satisfy a comparison.
///
/// `SOME` is ``any``, and `NONE` is the negation of ``any``.
public enum ComparisonModifier: Int, Sendable, Hashable {
  /// The left side itself must satisfy the comparison.
  case direct = 0
  /// Every element must satisfy the comparison; true for an empty collection.
  case all = 1
  /// At least one element must satisfy the comparison.
  case any = 2
}
