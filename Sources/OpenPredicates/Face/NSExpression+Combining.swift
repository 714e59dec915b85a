public import Foundation

extension NSExpression {
  /// Returns the expression for the evaluated object itself, `SELF`.
  public class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(node: .evaluatedObject)
  }

  /// Returns the expression for any key of the evaluated dictionary, `ANYKEY`.
  ///
  /// A comparison with this expression is true if the value of at least one key satisfies the
  /// comparison. If the evaluated object is not a dictionary, the comparison
  /// is false.
  public class func expressionForAnyKey() -> NSExpression {
    NSExpression(node: .anyKey)
  }

  /// Creates an expression for the union of two collections, with each element once.
  ///
  /// Nil counts as an empty collection. Any other value that is not a collection counts as a
  /// collection with one element.
  ///
  /// - Parameters:
  ///   - left: The expression for the first collection.
  ///   - right: The expression for the second collection.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.union, $0.add(left), $0.add(right)) }
  }

  /// Creates an expression for the intersection of two collections, with each element once.
  ///
  /// Nil counts as an empty collection. Any other value that is not a collection counts as a
  /// collection with one element.
  ///
  /// - Parameters:
  ///   - left: The expression for the first collection.
  ///   - right: The expression for the second collection.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.intersect, $0.add(left), $0.add(right)) }
  }

  /// Creates an expression for the elements of a collection that are not in another collection,
  /// with each element once.
  ///
  /// Nil counts as an empty collection. Any other value that is not a collection counts as a
  /// collection with one element.
  ///
  /// - Parameters:
  ///   - left: The expression for the first collection.
  ///   - right: The expression for the second collection.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init { .setOperation(.minus, $0.add(left), $0.add(right)) }
  }

  /// Creates an expression for the elements of a collection that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - expression: The expression for the collection.
  ///   - variable: The variable that represents an element in the predicate, without the dollar
  ///     sign.
  ///   - predicate: The condition for an element, which can be an instance of any subclass of
  ///     `NSPredicate`. Use the variable to refer to the element; `SELF`, and key paths that do not
  ///     start with the variable, refer to the outer object.
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String,
    predicate: NSPredicate
  ) {
    self.init { assembly in
      .subquery(
        assembly.add(expression), variable: variable, assembly.add(predicate))
    }
  }

  /// Creates an expression that evaluates one of two expressions, depending on a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The condition, which can be an instance of any subclass of `NSPredicate`.
  ///   - first: The expression to evaluate if the predicate is true for the object.
  ///   - second: The expression to evaluate if the predicate is not true for the object.
  public convenience init(
    forConditional predicate: NSPredicate, trueExpression first: NSExpression,
    falseExpression second: NSExpression
  ) {
    self.init { .conditional($0.add(predicate), $0.add(first), $0.add(second)) }
  }

  /// Creates an expression whose value a block computes.
  ///
  /// Stores cannot execute the block, so the expression is evaluated only in memory.
  ///
  /// - Parameters:
  ///   - block: A block that receives the evaluated object, the values of the arguments, and the
  ///     variables. A null argument is `NSNull`; the variables are nil if there are none.
  ///   - arguments: The expressions whose values the block receives; nil for no arguments.
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
