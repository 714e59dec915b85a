public import Foundation
internal import OpenPredicates

// Conditions on the members of to-many relationships. The functions exist in addition to the
// methods, because their arguments can omit the class of a key path: `any(\.posts, \.text == "x")`.

/// The types of to-many relationships: `Set`, `NSSet`, `NSOrderedSet` and their optionals.
///
/// Only these types conform to the protocol.
public protocol ToManyProperty {
  /// The class of the members; `NSManagedObject` if the collection type does not specify a class.
  associatedtype Member: NSManagedObject
}

extension Set: ToManyProperty where Element: NSManagedObject {
  /// The class of the members: the type of the set's elements.
  public typealias Member = Element
}

extension NSSet: ToManyProperty {
  /// The class of the members: `NSManagedObject`, because the collection type does not specify a
  /// class.
  public typealias Member = NSManagedObject
}

extension NSOrderedSet: ToManyProperty {
  /// The class of the members: `NSManagedObject`, because the collection type does not specify a
  /// class.
  public typealias Member = NSManagedObject
}

extension Optional: ToManyProperty where Wrapped: ToManyProperty {
  /// The class of the members: the same class as without the optional.
  public typealias Member = Wrapped.Member
}

extension TypedOperand where Value: ToManyProperty {
  /// An expression for the number of members.
  public var count: TypedExpression<Root, Int> { reduced("@count") }

  /// Returns an expression for the sum of a property of the members.
  ///
  /// If there are no members, the expression has no value in a fetch, but has the value 0 in
  /// `evaluate(with:)`.
  ///
  /// - Parameter property: A numeric property of the members.
  public func sum<Number>(_ property: KeyPath<Value.Member, Number>) -> TypedExpression<
    Root, Number
  > {
    reduced("@sum", property)
  }

  /// Returns an expression for the average of a property of the members.
  ///
  /// The expression has no value if there are no members.
  ///
  /// - Parameter property: A numeric property of the members.
  public func average<Number>(
    _ property: KeyPath<Value.Member, Number>
  ) -> TypedExpression<Root, Double?> {
    reduced("@avg", property)
  }

  /// Returns an expression for the minimum value of a property of the members.
  ///
  /// The expression has no value if there are no members.
  ///
  /// - Parameter property: A property of the members whose values can be ordered.
  public func min<Property>(
    _ property: KeyPath<Value.Member, Property>
  ) -> TypedExpression<Root, Property?> {
    reduced("@min", property)
  }

  /// Returns an expression for the maximum value of a property of the members.
  ///
  /// The expression has no value if there are no members.
  ///
  /// - Parameter property: A property of the members whose values can be ordered.
  public func max<Property>(
    _ property: KeyPath<Value.Member, Property>
  ) -> TypedExpression<Root, Property?> {
    reduced("@max", property)
  }

  private func reduced<Result>(_ name: String) -> TypedExpression<Root, Result> {
    TypedExpression(steps: typedExpression.steps + [.collectionOperator(name)])
  }

  private func reduced<Member, Property, Result>(
    _ name: String, _ property: KeyPath<Member, Property>
  ) -> TypedExpression<Root, Result> {
    TypedExpression(
      steps: typedExpression.steps + [.collectionOperator(name)] + PathStep.steps(property))
  }

  fileprivate func quantified<Member>(
    _ quantifier: TypedNode.Quantifier, _ condition: TypedPredicate<Member>
  ) -> TypedPredicate<Root> {
    TypedPredicate(
      .quantified(quantifier, typedExpression.steps, condition.node), depth: condition.depth + 3)
  }
}

extension TypedOperand where Value: ToManyProperty {
  /// Returns a condition that is true if at least one member satisfies `condition`.
  ///
  /// The condition is false if there are no members.
  ///
  /// - Parameter condition: A closure that returns the condition on a member.
  public func any(
    where condition: (TypedExpression<Value.Member, Value.Member>) -> TypedPredicate<Value.Member>
  ) -> TypedPredicate<Root> {
    quantified(.any, condition(TypedExpression(steps: [])))
  }

  /// Returns a condition that is true if every member satisfies `condition`.
  ///
  /// The condition is also true if there are no members.
  ///
  /// - Parameter condition: A closure that returns the condition on a member.
  public func all(
    where condition: (TypedExpression<Value.Member, Value.Member>) -> TypedPredicate<Value.Member>
  ) -> TypedPredicate<Root> {
    quantified(.all, condition(TypedExpression(steps: [])))
  }

  /// Returns a condition that is true if no member satisfies `condition`.
  ///
  /// The condition is also true if there are no members.
  ///
  /// - Parameter condition: A closure that returns the condition on a member.
  public func none(
    where condition: (TypedExpression<Value.Member, Value.Member>) -> TypedPredicate<Value.Member>
  ) -> TypedPredicate<Root> {
    quantified(.none, condition(TypedExpression(steps: [])))
  }

  /// Returns a condition that is true if an object is a member of the relationship.
  ///
  /// - Parameter object: The object to find among the members.
  public func contains(_ object: Value.Member) -> TypedPredicate<Root> {
    quantified(
      .any, TypedExpression<Value.Member, Value.Member>(steps: []).comparing(.equal, object))
  }
}

/// Returns an expression for the number of members of a to-many relationship.
///
/// - Parameter members: A to-many relationship.
public func count<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>
) -> TypedExpression<Root, Int> {
  members.count
}

/// Returns a condition that is true if at least one member of a relationship satisfies `condition`.
///
/// The condition is false if there are no members.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member.
public func any<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Members.Member>
) -> TypedPredicate<Root> {
  members.quantified(.any, condition)
}

/// Returns a condition that is true if every member of a relationship satisfies `condition`.
///
/// The condition is also true if there are no members.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member.
public func all<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Members.Member>
) -> TypedPredicate<Root> {
  members.quantified(.all, condition)
}

/// Returns a condition that is true if no member of a relationship satisfies `condition`.
///
/// The condition is also true if there are no members.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member.
public func none<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Members.Member>
) -> TypedPredicate<Root> {
  members.quantified(.none, condition)
}

/// Returns a condition that is true if at least one member of an untyped relationship satisfies
/// `condition`.
///
/// The condition is false if there are no members.
///
/// - Parameters:
///   - members: A to-many relationship of the type `NSSet` or `NSOrderedSet`.
///   - condition: The condition on a member. The key paths of the condition specify the class of
///     the members.
public func any<Root: NSManagedObject, Members: ToManyProperty, Member>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Member>
) -> TypedPredicate<Root> where Members.Member == NSManagedObject {
  members.quantified(.any, condition)
}

/// Returns a condition that is true if every member of an untyped relationship satisfies
/// `condition`.
///
/// The condition is also true if there are no members.
///
/// - Parameters:
///   - members: A to-many relationship of the type `NSSet` or `NSOrderedSet`.
///   - condition: The condition on a member. The key paths of the condition specify the class of
///     the members.
public func all<Root: NSManagedObject, Members: ToManyProperty, Member>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Member>
) -> TypedPredicate<Root> where Members.Member == NSManagedObject {
  members.quantified(.all, condition)
}

/// Returns a condition that is true if no member of an untyped relationship satisfies `condition`.
///
/// The condition is also true if there are no members.
///
/// - Parameters:
///   - members: A to-many relationship of the type `NSSet` or `NSOrderedSet`.
///   - condition: The condition on a member. The key paths of the condition specify the class of
///     the members.
public func none<Root: NSManagedObject, Members: ToManyProperty, Member>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Member>
) -> TypedPredicate<Root> where Members.Member == NSManagedObject {
  members.quantified(.none, condition)
}
