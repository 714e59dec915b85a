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
  /// The selector's name, which follows `@` in the predicate format, if the operator is
  /// ``ComparisonOperator/customSelector``; nil for any other operator.
  public var selector: String?

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - left: The expression before the operator.
  ///   - right: The expression after the operator.
  ///   - modifier: Whether to compare the left side, or any or all of its elements.
  ///   - operation: The operator.
  ///   - options: The options of string comparison; empty to compare strings by their bytes.
  ///   - selector: The name after `@` if the operator is ``ComparisonOperator/customSelector``;
  ///     otherwise nil.
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

/// The operators of comparisons.
///
/// The raw values are Apple's, except for ``containsWords``.
public enum ComparisonOperator: Int, Sendable, Hashable {
  /// The operator `<`.
  case lessThan = 0
  /// The operator `<=`.
  case lessThanOrEqual = 1
  /// The operator `>`.
  case greaterThan = 2
  /// The operator `>=`.
  case greaterThanOrEqual = 3
  /// The operator `==`.
  case equal = 4
  /// The operator `!=`.
  case notEqual = 5
  /// `MATCHES`: the whole string matches a regular expression.
  case matches = 6
  /// `LIKE`: the whole string matches a pattern with the wildcards `*` and `?`.
  case like = 7
  /// `BEGINSWITH`: the left string begins with the right string.
  case beginsWith = 8
  /// `ENDSWITH`: the left string ends with the right string.
  case endsWith = 9
  /// `IN`: the left side is a member or a substring of the right side.
  case `in` = 10
  /// `@selector`: a comparison by the registered function that ``ComparisonNode/selector`` names.
  case customSelector = 11
  /// `CONTAINS`: the right side is a member or a substring of the left side.
  case contains = 99
  /// `BETWEEN`: the left side is within a closed range.
  case between = 100
  /// `CONTAINSWORDS`: a full-text search for a ``TextQuery``.
  ///
  /// This is an addition to Apple's API.
  case containsWords = 1000
}

/// Whether the left side itself, all its elements or any of its elements must satisfy a comparison.
///
/// `SOME` is ``any``, and `NONE` is the negation of ``any``.
public enum ComparisonModifier: Int, Sendable, Hashable {
  /// The left side itself must satisfy the comparison.
  case direct = 0
  /// Every element must satisfy the comparison; an empty collection satisfies any comparison.
  case all = 1
  /// At least one element must satisfy the comparison.
  case any = 2
}
