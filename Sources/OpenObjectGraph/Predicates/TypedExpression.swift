internal import OpenPredicates

/// A property of a managed object, or a value computed from properties, for use in conditions.
///
/// In the closure of `NSFetchRequest.where(_:)`, an expression represents the object, and the
/// expression's members represent the object's properties. To continue a path after an optional
/// relationship, omit the question mark:
///
/// ```swift
/// request.where { $0.author.name == "Ann" && $0.title.contains("x", .caseInsensitive) }
/// ```
///
/// This is an addition to Apple's API.
///
/// > Concurrency: An immutable value type; not `Sendable`.
@dynamicMemberLookup
public struct TypedExpression<Root: NSManagedObject, Value> {
  let steps: [PathStep]

  init(steps: [PathStep]) { self.steps = steps }

  /// Creates an expression for the property at the end of a key path.
  ///
  /// - Parameter keyPath: A key path of managed properties. If the key path contains any other
  ///   property, a fetch throws `PredicateFormatError` with code `.invalidKeyPath`.
  public init(_ keyPath: KeyPath<Root, Value>) { steps = PathStep.steps(keyPath) }

  /// An expression for a property of the object or value that this expression represents.
  public subscript<Next>(dynamicMember keyPath: KeyPath<Value, Next>) -> TypedExpression<Root, Next>
  {
    TypedExpression<Root, Next>(steps: steps + PathStep.steps(keyPath))
  }

  /// An expression for a property of the object or value that this optional expression represents.
  public subscript<Wrapped, Next>(
    dynamicMember keyPath: KeyPath<Wrapped, Next>
  ) -> TypedExpression<Root, Next?> where Value == Wrapped? {
    TypedExpression<Root, Next?>(steps: steps + PathStep.steps(keyPath))
  }

  /// An expression for an optional property of the object or value that this optional expression
  /// represents.
  public subscript<Wrapped, Next>(
    dynamicMember keyPath: KeyPath<Wrapped, Next?>
  ) -> TypedExpression<Root, Next?> where Value == Wrapped? {
    TypedExpression<Root, Next?>(steps: steps + PathStep.steps(keyPath))
  }

  /// Returns a condition that compares the expression with a value.
  func comparing(
    _ operation: ComparisonOperator, _ value: Any?, _ options: StringOptions = []
  ) -> TypedPredicate<Root> {
    TypedPredicate(
      .comparison(
        TypedComparison(
          left: .path(steps), operation: operation, right: .value(value), options: options)))
  }

  /// Returns a condition that compares two expressions.
  func comparing<Other>(
    _ operation: ComparisonOperator, to other: TypedExpression<Root, Other>
  ) -> TypedPredicate<Root> {
    TypedPredicate(
      .comparison(
        TypedComparison(left: .path(steps), operation: operation, right: .path(other.steps))))
  }
}

/// An operand of a condition: a key path of managed properties or a ``TypedExpression``.
///
/// No other types conform to the protocol.
public protocol TypedOperand<Root, Value> {
  /// The class of the objects to which the condition applies.
  associatedtype Root: NSManagedObject
  /// The type of the operand's value.
  associatedtype Value

  /// The operand as an expression.
  var typedExpression: TypedExpression<Root, Value> { get }
}

extension TypedExpression: TypedOperand {
  /// The expression itself.
  public var typedExpression: TypedExpression<Root, Value> { self }
}

extension KeyPath: TypedOperand where Root: NSManagedObject {
  /// The expression for the property at the end of the key path.
  public var typedExpression: TypedExpression<Root, Value> { TypedExpression(self) }
}
