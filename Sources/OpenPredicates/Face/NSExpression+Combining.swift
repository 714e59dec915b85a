public import Foundation

extension NSExpression {
  /// Returns the expression for the evaluated object itself, `SELF`.
  public class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(node: .evaluatedObject)
  }

  /// Returns the expression for any key of the evaluated object, `ANYKEY`.
  ///
  /// A comparison with this expression applies to the value of each key, and is true if at least
  /// one value satisfies the comparison. Only the keys of dictionaries are known.
  public class func expressionForAnyKey() -> NSExpression {
    NSExpression(node: .anyKey)
  }

  /// Creates the union of two collections.
  ///
  /// - Parameters:
  ///   - left: A collection.
  ///   - right: A collection.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.union, $0.add(left), $0.add(right)) }
  }

  /// Creates the intersection of two collections.
  ///
  /// - Parameters:
  ///   - left: A collection.
  ///   - right: A collection.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.intersect, $0.add(left), $0.add(right)) }
  }

  /// Creates the difference of two collections: the elements of the first that are not in the
  /// second.
  ///
  /// - Parameters:
  ///   - left: A collection.
  ///   - right: A collection.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.minus, $0.add(left), $0.add(right)) }
  }

  /// Creates an expression for the elements of a collection that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - expression: The collection.
  ///   - variable: The variable that represents an element in the predicate, without the dollar
  ///     sign.
  ///   - predicate: A predicate of any class, whose `SELF` and key paths refer to the outer object.
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String,
    predicate: NSPredicate
  ) {
    self.init { assembly in
      .subquery(
        assembly.add(expression), variable: variable, assembly.add(predicate))
    }
  }

  /// Creates an expression with the value of one of two expressions, depending on a predicate.
  ///
  /// - Parameters:
  ///   - predicate: A predicate of any class.
  ///   - first: The expression for objects for which the predicate is true.
  ///   - second: The expression for all other objects.
  public convenience init(
    forConditional predicate: NSPredicate, trueExpression first: NSExpression,
    falseExpression second: NSExpression
  ) {
    self.init { .conditional($0.add(predicate), $0.add(first), $0.add(second)) }
  }

  /// Creates an expression that a block evaluates; such an expression is evaluated only in memory.
  ///
  /// - Parameters:
  ///   - block: A block that receives the evaluated object, the values of the arguments with
  ///     `NSNull` for null, and the variables, if any.
  ///   - arguments: The expressions whose values the block receives.
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
