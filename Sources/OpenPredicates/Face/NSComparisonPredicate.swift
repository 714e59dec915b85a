public import Foundation

/// A predicate that compares two expressions.
///
/// Immutable. Foundation's class of this name cannot be made on this platform; in a file that imports
/// Foundation beside `CoreData`, `import typealias CoreData.NSComparisonPredicate` says which one is meant.
/// `NSPredicate(format:)` makes one for a format that is a comparison; its expressions are made when
/// they are asked for.
///
/// > Concurrency: Confined, like the values it holds.
/// > Reference: Apple, NSComparisonPredicate.
open class NSComparisonPredicate: NSPredicate {
  let content: FormatContent

  /// Makes a comparison of two expressions.
  ///
  /// An expression that could not be made makes a predicate that never holds, and whose `form` says why.
  ///
  /// - Parameters:
  ///   - left: The expression before the operator.
  ///   - right: The expression behind the operator.
  ///   - modifier: Whether the left side itself, all or any of its elements count.
  ///   - type: The operator.
  ///   - options: How texts are compared.
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

  /// Makes a comparison by a function that was registered with ``PredicateFunctions``.
  ///
  /// Evaluated in memory only. Without a function of the name it never holds.
  ///
  /// - Parameters:
  ///   - left: The expression before the operator.
  ///   - right: The expression behind the operator.
  ///   - selector: The name of the function; it is given both sides.
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

  /// The canonical text, which parses back to an equal predicate.
  open override var predicateFormat: String { canonicalFormat }

  /// The canonical text.
  open override var description: String { canonicalFormat }

  open override func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both predicates have the same meaning, whatever their classes.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map(hasSameMeaning) ?? false
  }

  open override var hash: Int { form.comparableNode?.hashValue ?? 0 }
}
