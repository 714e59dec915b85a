public import Foundation

/// The raw value of `NSExpression.ExpressionType.fetchRequest`.
///
/// > Reference: Apple, `NSFetchRequestExpressionType`.
public let NSFetchRequestExpressionType: UInt = 50

extension NSExpression {
  /// The kind of an expression; the raw values equal the raw values of Apple's type.
  ///
  /// > Reference: Apple, NSExpression.ExpressionType.
  public enum ExpressionType: UInt, Sendable, Hashable {
    /// A constant value.
    case constantValue = 0
    /// The evaluated object, `SELF`.
    case evaluatedObject = 1
    /// A variable, `$NAME`.
    case variable = 2
    /// The value at a key path.
    case keyPath = 3
    /// A function call, an index, a cast or an assignment.
    case function = 4
    /// The union of two collections.
    case unionSet = 5
    /// The intersection of two collections.
    case intersectSet = 6
    /// The elements of the first collection that are not in the second.
    case minusSet = 7
    /// The elements of a collection that satisfy a predicate.
    case subquery = 13
    /// A list of expressions.
    case aggregate = 14
    /// Any key of the evaluated object.
    case anyKey = 15
    /// An expression that a block evaluates.
    case block = 19
    /// One of two expressions, depending on a predicate.
    case conditional = 20
    /// A fetch request, `NSFetchRequestExpressionType`.
    case fetchRequest = 50
  }

  /// The kind of the expression.
  public var expressionType: ExpressionType {
    switch tree {
    case .constant(.list), .aggregate: .aggregate
    case .constant, .argument: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath, .path: .keyPath
    case .function(EmbeddedCode.block, _): .block
    case .function(EmbeddedCode.keyPath, _): .keyPath
    case .function, .index, .first, .last, .size, .cast, .assignment: .function
    case .setOperation(.union, _, _): .unionSet
    case .setOperation(.intersect, _, _): .intersectSet
    case .setOperation(.minus, _, _): .minusSet
    case .subquery: .subquery
    case .anyKey: .anyKey
    case .conditional: .conditional
    case .fetch: .fetchRequest
    }
  }

  /// The value of a constant; nil if the expression is not a constant.
  public var constantValue: Any? {
    switch tree {
    case .constant(let value): value.anyValue
    case .argument(let number): value(number)
    default: nil
    }
  }

  /// The names in a key path, separated by dots.
  ///
  /// The string is empty for a Swift key path whose properties have no names, and for an expression
  /// that is not a key path.
  public var keyPath: String {
    switch tree {
    case .keyPath(let steps), .path(of: _, let steps): steps.joined(separator: ".")
    case .function(EmbeddedCode.keyPath, let operands):
      (constant(operands.first) as? AnyKeyPath).flatMap(KeyPathNames.name) ?? ""
    default: ""
    }
  }

  /// The name of the function, including the colons; empty if the expression is not a function.
  ///
  /// For a cast, the name is `castObject:toType:`. For an index, the name is
  /// `objectFrom:withIndex:`.
  public var function: String {
    switch tree {
    case .function(let name, _) where expressionType == .function: name
    case .cast: "castObject:toType:"
    case .index, .first, .last, .size: "objectFrom:withIndex:"
    default: ""
    }
  }

  /// The name of the variable that the expression reads, assigns or, in a subquery, declares.
  ///
  /// The name does not include the dollar sign. If the expression has no variable, the name is
  /// empty.
  public var variable: String {
    switch tree {
    case .variable(let name), .assignment(let name, _), .subquery(_, variable: let name, _): name
    default: ""
    }
  }

  /// The target of a function, the expression to which a key path is applied, the operand of a
  /// cast, or the assigned value of an assignment.
  ///
  /// For other expressions, the property returns a constant expression with the value nil. Built-in
  /// functions such as `sum:` have no target; ``arguments`` contains all of their arguments.
  public var operand: NSExpression {
    switch tree {
    case .function(let name, let operands) where !PredicateFunctions.isBuiltIn(name):
      operands.first.map(part) ?? .null
    case .keyPath: .expressionForEvaluatedObject()
    case .path(let base, _), .cast(let base, _), .assignment(_, let base): part(base)
    default: .null
    }
  }

  /// The operands of a function, an index, a cast or a fetch, or the arguments of a block; nil for
  /// any other expression.
  ///
  /// The target of a function is in ``operand``.
  public var arguments: [NSExpression]? {
    switch tree {
    case .function(let name, let operands):
      PredicateFunctions.isBuiltIn(name) ? operands.map(part) : operands.dropFirst().map(part)
    case .index(let base, let index): [part(base), part(index)]
    case .first(let base), .last(let base), .size(let base): [part(base)]
    case .cast(let base, let type): [part(base), NSExpression(forConstantValue: type)]
    case .fetch(let request, let context, let countOnly):
      [part(request), part(context), part(countOnly)]
    default: nil
    }
  }

  /// The expressions of a list, or the collection of a subquery.
  ///
  /// If the expression has neither, the property returns an empty array.
  public var collection: Any {
    switch tree {
    case .aggregate(let elements): elements.map(part)
    case .constant(.list(let values)): values.map { NSExpression(node: .constant($0)) }
    case .subquery(let collection, variable: _, _): part(collection)
    default: [NSExpression]()
    }
  }

  /// The predicate of a subquery or conditional.
  ///
  /// If the expression has no predicate, the property returns a predicate that is always false.
  public var predicate: NSPredicate {
    let root: PredicateNode
    switch tree {
    case .subquery(_, variable: _, let filter): root = filter
    case .conditional(let condition, _, _): root = condition
    default: return NSPredicate(value: false)
    }
    if let embedded = EmbeddedCode.place(in: root).flatMap(value) as? NSPredicate {
      return embedded
    }
    var assembly = TreeAssembly()
    let tree = assembly.insert(root, values, [:])
    return FormatPredicate.make(
      SharedTemplates.template(of: tree, argumentCount: assembly.arguments.count),
      arguments: assembly.arguments)
  }

  /// The first collection of a set operation; the constant null if the expression is not a set
  /// operation.
  public var left: NSExpression {
    if case .setOperation(_, let node, _) = tree { part(node) } else { .null }
  }

  /// The second collection of a set operation; the constant null if the expression is not a set
  /// operation.
  public var right: NSExpression {
    if case .setOperation(_, _, let node) = tree { part(node) } else { .null }
  }

  /// The expression that a conditional evaluates if its predicate is true.
  ///
  /// If the expression is not a conditional, the property returns the constant null.
  public var `true`: NSExpression {
    if case .conditional(_, let node, _) = tree { part(node) } else { .null }
  }

  /// The expression that a conditional evaluates if its predicate is not true.
  ///
  /// If the expression is not a conditional, the property returns the constant null.
  public var `false`: NSExpression {
    if case .conditional(_, _, let node) = tree { part(node) } else { .null }
  }

  /// The block of a block expression.
  ///
  /// If the expression has no block, the property returns a block that always returns `NSNull`.
  public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
    if case .function(EmbeddedCode.block, let operands) = tree,
      let block = constant(operands.first) as? EmbeddedCode.Block
    {
      return block.body
    }
    return { _, _, _ in NSNull() }
  }

  // MARK: Parts of the tree

  private func part(_ node: ExpressionNode) -> NSExpression {
    var assembly = TreeAssembly()
    let tree = assembly.insert(node, values, [:])
    return NSExpression(tree, assembly)
  }

  private func constant(_ node: ExpressionNode?) -> Any? {
    if case .argument(let number)? = node { value(number) } else { nil }
  }

  private func value(_ number: Int) -> Any? {
    values.indices.contains(number) ? values[number] : nil
  }
}
