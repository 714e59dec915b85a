public import Foundation

/// An expression: a value, a key path, a function of other expressions.
///
/// Immutable. Foundation's class of this name is not available on this platform; in a file that imports
/// Foundation beside this module, `import typealias CoreData.NSExpression` says which one is meant.
///
/// > Concurrency: Confined, like the values it holds.
/// > Reference: Apple, NSExpression.
open class NSExpression: NSObject, NSCopying {
  /// The tree, with values in the places of arguments.
  public let node: ExpressionNode

  /// Makes an expression of a tree.
  public init(node: ExpressionNode) {
    self.node = node
    super.init()
  }

  /// Parses the text of an expression.
  ///
  /// An addition beside `init(format:_:)`, which cannot throw.
  ///
  /// - Throws: `PredicateFormatError` with the place of the mistake.
  public static func parsing(
    _ format: String, _ arguments: [Any?] = []
  ) throws(PredicateFormatError) -> NSExpression {
    var parser = try FormatParser(format: format, arguments: arguments)
    let node = try parser.parseWholeExpression()
    let values = TreeValues(arguments: arguments.map { Value(any: $0) }, variables: [:])
    return NSExpression(node: node.resolved(with: values))
  }

  /// Makes an expression from a format; one that cannot be parsed is the constant null.
  public convenience init(format: String, argumentArray arguments: [Any]) {
    let parsed = try? Self.parsing(format, arguments)  // `parsing` tells why.
    self.init(node: parsed?.node ?? .constant(.null))
  }

  /// Makes an expression from a format; one that cannot be parsed is the constant null.
  public convenience init(format: String, _ arguments: any CVarArg...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// Makes a constant; objects that are no values count as null.
  public convenience init(forConstantValue object: Any?) {
    self.init(node: .constant(Value(any: object) ?? .null))
  }

  /// Makes a key path from the evaluated object.
  public convenience init(forKeyPath keyPath: String) {
    let steps = keyPath.split(separator: ".", omittingEmptySubsequences: true).map(String.init)
    self.init(node: steps == ["SELF"] || steps.isEmpty ? .evaluatedObject : .keyPath(steps))
  }

  /// Makes a variable, without its dollar sign.
  public convenience init(forVariable name: String) { self.init(node: .variable(name)) }

  /// Makes a function call; `name` is the selector, such as `sum:` or `add:to:`.
  public convenience init(forFunction name: String, arguments: [Any]) {
    self.init(
      node: .function(
        name, arguments.map { ($0 as? NSExpression)?.node ?? .constant(Value(any: $0) ?? .null) }))
  }

  /// Makes a list of expressions.
  public convenience init(forAggregate subexpressions: [Any]) {
    self.init(
      node: .aggregate(
        subexpressions.map { ($0 as? NSExpression)?.node ?? .constant(Value(any: $0) ?? .null) }))
  }

  /// The evaluated object itself, `SELF`.
  open class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(node: .evaluatedObject)
  }

  /// The key path; empty for other expressions.
  open var keyPath: String {
    guard case .keyPath(let steps) = node else { return "" }
    return steps.joined(separator: ".")
  }

  /// The function's selector; empty for other expressions.
  open var function: String {
    guard case .function(let name, _) = node else { return "" }
    return name
  }

  /// The function's operands; nil for other expressions.
  open var arguments: [NSExpression]? {
    guard case .function(_, let operands) = node else { return nil }
    return operands.map { NSExpression(node: $0) }
  }

  /// The value of a constant; nil for other expressions.
  open var constantValue: Any? {
    guard case .constant(let value) = node else { return nil }
    return value.anyValue
  }

  /// The canonical text, which parses back to an equal tree.
  open override var description: String {
    PredicatePrinter { _ in nil }.text(node, within: .or)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSExpression)?.node == node
  }

  open override var hash: Int { node.hashValue }
}
