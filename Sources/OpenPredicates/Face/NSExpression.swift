public import Foundation
import Synchronization

/// An expression: a value, a key path, or a function of other expressions.
///
/// An expression is an immutable tree. The constants in the tree can be values and objects of any
/// type. Foundation's class `NSExpression` cannot be instantiated on Linux. In a file that imports
/// both Foundation and `CoreData`, `import typealias CoreData.NSExpression` makes the name refer to
/// this class.
///
/// An expression with an invalid format or invalid parts evaluates to nil, and ``formatError``
/// contains the error. If an expression does not have a part, such as a function name, the property
/// for this part returns nil, an empty value, or a constant expression for null. On Apple
/// platforms, the property raises an exception.
///
/// > Concurrency: Confined to one thread or queue, like the constants in the tree.
/// > Reference: Apple, NSExpression.
open class NSExpression: NSObject, NSCopying {
  /// The tree, with placeholders for the constants.
  package let tree: ExpressionNode
  /// The constants, by the number of their placeholder.
  package let values: [Any?]
  /// The error in the format or in a part of the expression; nil for a valid expression. An
  /// expression with an error evaluates to nil.
  ///
  /// This is an addition to Apple's API.
  public let formatError: PredicateFormatError?

  private let prepared = Mutex<Prepared?>(nil)

  /// Unchecked: the arguments do not change after their creation, and evaluations only read them.
  private struct Prepared: @unchecked Sendable {
    let arguments: PreparedArguments
  }

  /// Creates an expression from a tree.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - node: The tree. If the tree has more than 200 levels, the expression evaluates to nil, and
  ///     ``formatError`` has the code `.tooDeep`.
  ///   - values: The constants that replace the argument placeholders of the tree.
  public init(node: ExpressionNode, values: [Any?] = []) {
    formatError = TreeAssembly().checked(node)
    tree = formatError == nil ? node : .constant(.null)
    self.values = formatError == nil ? values : []
    super.init()
  }

  /// Creates an expression of a kind that has no parts.
  ///
  /// The kinds without parts are the evaluated object, any key, and a constant; the value of the
  /// constant is null. For any other kind, the expression evaluates to nil, and ``formatError``
  /// contains the error. For these kinds, use the initializer that takes the parts.
  ///
  /// - Parameter type: The kind of the expression.
  /// > Reference: Apple, NSExpression, init(expressionType:).
  public init(expressionType type: ExpressionType) {
    let node: ExpressionNode? =
      switch type {
      case .evaluatedObject: .evaluatedObject
      case .anyKey: .anyKey
      case .constantValue: .constant(.null)
      default: nil
      }
    tree = node ?? .constant(.null)
    formatError = node == nil ? .unsupported("An expression of this kind needs its parts.") : nil
    values = []
    super.init()
  }

  init(_ node: ExpressionNode, _ assembly: TreeAssembly) {
    formatError = assembly.checked(node)
    tree = formatError == nil ? node : .constant(.null)
    values = formatError == nil ? assembly.arguments : []
    super.init()
  }

  init(failure: PredicateFormatError) {
    (formatError, tree, values) = (failure, .constant(.null), [])
    super.init()
  }

  /// The constant null, which represents a part that an expression does not have.
  static var null: NSExpression { NSExpression(node: .constant(.null)) }

  /// The expression tree that query planning uses, in which constants replace the placeholders.
  ///
  /// If no ``Value`` can represent a constant, such as an object that is not a managed object, the
  /// placeholder remains in the tree.
  ///
  /// This is an addition to Apple's API.
  public var node: ExpressionNode {
    if values.isEmpty { return tree }
    return tree.resolved(
      with: TreeValues(arguments: values.map { Value(any: $0) }, variables: [:]))
  }

  // MARK: Evaluation

  /// Returns the value of the expression for an object.
  ///
  /// The value is nil for unknown keys, variables without a value, unregistered functions and
  /// unsuitable operands. In these cases, ``evaluating(with:context:)`` throws an error.
  ///
  /// - Parameters:
  ///   - object: The object, dictionary or value to which `SELF` refers; nil for no value.
  ///   - context: The values of the variables, keyed by name; nil for no variables. If the
  ///     expression is an assignment, the method adds the assigned variable to the dictionary.
  /// - Returns: The value; nil for null. The method returns numbers as `NSNumber`, collections as
  ///   arrays, and objects unchanged. The result of a union, an intersection or a difference of
  ///   collections is an `NSSet` without nil.
  /// > Reference: Apple, NSExpression, expressionValue(with:context:).
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    value(for: object, context, nil)
  }

  /// Returns the value of the expression for an object, or throws an error if the evaluation fails.
  ///
  /// The method throws for unknown keys, variables without a value, unregistered functions,
  /// unsuitable operands, invalid expressions and failed fetches. See also
  /// ``Foundation/NSPredicate/evaluating(with:substitutionVariables:)``.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - object: The object, dictionary or value to which `SELF` refers; nil for no value.
  ///   - context: The values of the variables, keyed by name; nil for no variables. If the
  ///     expression is an assignment, the method adds the assigned variable to the dictionary.
  /// - Returns: The value of the expression; nil for null.
  /// - Throws: `PredicateEvaluationError` for the first failure, with code `.unknownKey`,
  ///   `.unboundVariable`, `.unknownFunction`, `.typeMismatch`, `.invalidPredicate` or
  ///   `.failedFetch`. The error contains the name of the key, function or variable, if there is
  ///   one.
  public final func evaluating(
    with object: Any?, context: NSMutableDictionary? = nil
  ) throws(PredicateEvaluationError) -> Any? {
    let failures = EvaluationFailures()
    let result = value(for: object, context, failures)
    if let error = failures.first { throw error }
    return result
  }

  private func value(
    for object: Any?, _ context: NSMutableDictionary?, _ failures: EvaluationFailures?
  ) -> Any? {
    if let formatError { failures?.add(.invalid(formatError)) }
    var variables: [String: Any] = [:]
    for (key, value) in context ?? [:] {
      if let name = key as? String { variables[name] = value }
    }
    let evaluator = PredicateEvaluator(
      arguments: prepare(), variables: variables, failures: failures)
    let result = evaluator.result(of: tree, for: object)
    if case .assignment(let name, _) = tree, let context {
      context.setObject(result ?? NSNull(), forKey: NSString(string: name))
    }
    return result
  }

  private func prepare() -> PreparedArguments {
    if let ready = prepared.withLock({ $0 }) { return ready.arguments }
    let made = Prepared(arguments: PreparedArguments(values))
    prepared.withLock { $0 = made }
    return made.arguments
  }

  // MARK: As an object

  /// The canonical text of the expression.
  ///
  /// If all constants can be written as text, parsing the text creates an equal expression.
  open override var description: String {
    PredicatePrinter { _ in nil }.text(node, within: .or)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another expression has an equal tree and equal constants.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression else { return false }
    if self === other { return true }
    return comparableNode == other.comparableNode && formatError == other.formatError
      && EvaluatedOperand.areSame(unnamedObjects, other.unnamedObjects)
  }

  open override var hash: Int { comparableNode.hashValue }

  /// The tree without the numbers of the remaining placeholders.
  private var comparableNode: ExpressionNode {
    node.mapping { leaf, _ in
      if case .argument = leaf { .argument(0) } else { leaf }
    }
  }

  private var unnamedObjects: [EvaluatedOperand] {
    values.filter { Value(any: $0) == nil }.map(EvaluatedOperand.init(any:))
  }
}
