import Foundation

extension NSComparisonPredicate {
  /// The operators of comparison predicates.
  ///
  /// The raw values are Apple's, except for ``containsWords``.
  ///
  /// > Reference: Apple, NSComparisonPredicate.Operator.
  public enum Operator: UInt, Sendable, Hashable {
    /// The operator `<`.
    case lessThan = 0
    /// The operator `<=`.
    case lessThanOrEqualTo = 1
    /// The operator `>`.
    case greaterThan = 2
    /// The operator `>=`.
    case greaterThanOrEqualTo = 3
    /// The operator `==`.
    case equalTo = 4
    /// The operator `!=`.
    case notEqualTo = 5
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
    /// A custom comparison with a function registered with ``PredicateFunctions``.
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

  /// The options of string comparison, which have Apple's raw values.
  ///
  /// > Reference: Apple, NSComparisonPredicate.Options.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from their raw value.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// `c`: ignores the difference between uppercase and lowercase.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `d`: ignores diacritics.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `n`: compares the bytes of strings that are already normalized; overrides all other options.
    public static let normalized = Options(rawValue: 4)
  }

  /// Whether the left side itself, all its elements or any of its elements must satisfy a
  /// comparison.
  ///
  /// The raw values are Apple's.
  ///
  /// > Reference: Apple, NSComparisonPredicate.Modifier.
  public enum Modifier: UInt, Sendable, Hashable {
    /// The left side itself must satisfy the comparison.
    case direct = 0
    /// Every element must satisfy the comparison; an empty collection satisfies any comparison.
    case all = 1
    /// At least one element must satisfy the comparison.
    case any = 2
  }

  /// The expression before the operator, with arguments and variables replaced by their values. For
  /// an invalid predicate, the expression evaluates to nil, and its ``NSExpression/formatError``
  /// contains the error.
  public var leftExpression: NSExpression { expression { $0.left } }

  /// The expression after the operator, with arguments and variables replaced by their values. For
  /// an invalid predicate, the expression evaluates to nil, and its ``NSExpression/formatError``
  /// contains the error.
  public var rightExpression: NSExpression { expression { $0.right } }

  /// Whether the comparison applies to the left side itself, or to all or any of its elements;
  /// ``Modifier/direct`` for an invalid predicate.
  public var comparisonPredicateModifier: Modifier {
    (node?.modifier.rawValue).flatMap { Modifier(rawValue: UInt($0)) } ?? .direct
  }

  /// The operator of the comparison; ``Operator/equalTo`` for an invalid predicate.
  public var predicateOperatorType: Operator {
    (node?.operation.rawValue).flatMap { Operator(rawValue: UInt($0)) } ?? .equalTo
  }

  /// The options of string comparison; empty for an invalid predicate.
  public var options: Options { Options(rawValue: node?.options.rawValue ?? 0) }

  /// The name of the registered function that compares the two sides; nil for any other operator.
  ///
  /// The property is a string and not a selector, because this platform has no selectors.
  public var customSelector: String? { node?.selector }

  private var node: ComparisonNode? {
    guard case .template(let template) = content.source,
      case .comparison(let node) = template.root
    else { return nil }
    return node
  }

  private func expression(_ side: (ComparisonNode) -> ExpressionNode) -> NSExpression {
    guard let node else {
      guard case .invalid(let error) = content.source else { return .null }
      return NSExpression(failure: error)
    }
    var assembly = TreeAssembly()
    let tree = assembly.insert(side(node), content.arguments, content.variables)
    return NSExpression(tree, assembly)
  }
}

extension NSComparisonPredicate.Operator {
  var node: ComparisonOperator { ComparisonOperator(rawValue: Int(rawValue)) ?? .equal }
}

extension NSComparisonPredicate.Modifier {
  var node: ComparisonModifier { ComparisonModifier(rawValue: Int(rawValue)) ?? .direct }
}
