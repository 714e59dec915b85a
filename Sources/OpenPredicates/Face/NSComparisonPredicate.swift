public import Foundation

/// A predicate that compares two expressions.
///
/// A comparison predicate is immutable. If a format is a single comparison, `NSPredicate(format:)`
/// returns an instance of this class, which creates its expressions lazily. Foundation's
/// `NSComparisonPredicate` cannot be instantiated on this platform. In a file that imports
/// Foundation and `CoreData`, `import typealias CoreData.NSComparisonPredicate` selects this class.
///
/// > Concurrency: Confined to one thread or queue, like the values in its expressions.
/// > Reference: Apple, NSComparisonPredicate.
open class NSComparisonPredicate: NSPredicate {
  let content: FormatContent

  /// Creates a comparison of two expressions.
  ///
  /// If an expression is invalid, the predicate is never true, and its `form` contains the error. A
  /// fetch with the predicate throws this `PredicateFormatError`.
  ///
  /// - Parameters:
  ///   - left: The expression before the operator.
  ///   - right: The expression after the operator.
  ///   - modifier: Whether to compare the left side itself, or all or any of its elements.
  ///   - type: The operator.
  ///   - options: The options of string comparison; empty to compare strings by their bytes.
  public init(
    leftExpression left: NSExpression, rightExpression right: NSExpression, modifier: Modifier,
    type: Operator, options: Options = []
  ) {
    content = Self.content(left, right) { left, right in
      ComparisonNode(
        left: left, right: right, modifier: modifier.node, operation: type.node,
        options: StringOptions(rawValue: options.rawValue))
    }
    super.init(value: false)
  }

  /// Creates a predicate that compares two expressions with a function registered with
  /// ``PredicateFunctions``.
  ///
  /// The predicate is evaluated only in memory. If no function is registered under the name, the
  /// predicate is never true. If an expression is invalid, the predicate is never true either, its
  /// `form` contains the error, and a fetch with the predicate throws this `PredicateFormatError`.
  ///
  /// - Parameters:
  ///   - left: The expression before the operator.
  ///   - right: The expression after the operator.
  ///   - selector: The name of the function, which receives the values of both expressions.
  public init(
    leftExpression left: NSExpression, rightExpression right: NSExpression,
    customSelector selector: String
  ) {
    content = Self.content(left, right) { left, right in
      ComparisonNode(left: left, right: right, operation: .customSelector, selector: selector)
    }
    super.init(value: false)
  }

  init(_ template: PredicateTemplate, arguments: [Any?], variables: [String: Any]) {
    content = FormatContent(.template(template), arguments: arguments, variables: variables)
    super.init(value: false)
  }

  private static func content(
    _ left: NSExpression, _ right: NSExpression,
    _ make: (ExpressionNode, ExpressionNode) -> ComparisonNode
  ) -> FormatContent {
    var assembly = TreeAssembly()
    let (one, other) = (assembly.add(left), assembly.add(right))
    return FormatContent(.comparison(make(one, other)), assembly)
  }

  // MARK: As a predicate

  open override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    content.holds(for: object, bindings)
  }

  /// The canonical format of the predicate; `FALSEPREDICATE` for an invalid predicate.
  ///
  /// If all constants can be written as text, parsing the format creates an equal predicate.
  open override var predicateFormat: String { canonicalFormat }

  /// The canonical format of the predicate.
  open override var description: String { canonicalFormat }

  open override func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another predicate has the same meaning, regardless of its class.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map(hasSameMeaning) ?? false
  }

  open override var hash: Int { form.comparableNode?.hashValue ?? 0 }
}
