public import Foundation

extension NSExpression {
  /// The evaluated object itself, `SELF`.
  ///
  /// - Returns: The evaluated object itself, `SELF`.
  public class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(node: .evaluatedObject)
  }

  /// Any key of the evaluated object, `ANYKEY`: a comparison is true if it is true for one of the values.
  ///
  /// Only dictionaries have keys; other objects have none.
  ///
  /// - Returns: The expression.
  public class func expressionForAnyKey() -> NSExpression {
    NSExpression(node: .anyKey)
  }

  /// The union of two collections.
  ///
  /// - Parameters:
  ///   - left: A collection.
  ///   - right: A collection.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.union, $0.add(left), $0.add(right)) }
  }

  /// The intersection of two collections.
  ///
  /// - Parameters:
  ///   - left: A collection.
  ///   - right: A collection.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.intersect, $0.add(left), $0.add(right)) }
  }

  /// The elements of the first collection that are not in the second.
  ///
  /// - Parameters:
  ///   - left: A collection.
  ///   - right: A collection.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.minus, $0.add(left), $0.add(right)) }
  }

  /// The elements of a collection that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - expression: The collection.
  ///   - variable: The variable for an element in the predicate, without the dollar sign.
  ///   - predicate: A predicate of any class; its `SELF` and key paths refer to the outer object.
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String,
    predicate: NSPredicate
  ) {
    self.init { assembly in
      .subquery(
        assembly.add(expression), variable: variable, assembly.add(predicate))
    }
  }

  /// One of two expressions, depending on a predicate.
  ///
  /// - Parameters:
  ///   - predicate: A predicate of any class.
  ///   - first: The expression if the predicate is true.
  ///   - second: The expression if the predicate is not true.
  public convenience init(
    forConditional predicate: NSPredicate, trueExpression first: NSExpression,
    falseExpression second: NSExpression
  ) {
    self.init { .conditional($0.add(predicate), $0.add(first), $0.add(second)) }
  }

  /// Creates an expression that a block evaluates, in memory only.
  ///
  /// - Parameters:
  ///   - block: Receives the evaluated object, the values of the arguments with `NSNull` for null, and the variables,
  ///     if any.
  ///   - arguments: Expressions whose values the block receives.
  public convenience init(
    block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
  ) {
    self.init { assembly in
      let place = assembly.constant(EmbeddedCode.Block(block))
      return .function(
        EmbeddedCode.block, [place] + (arguments ?? []).map { assembly.add($0) })
    }
  }
}
