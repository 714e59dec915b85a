public import Foundation
internal import OpenPredicates

// Conditions on the members of to-many relationships. The functions exist beside the methods because the class
// of a key path can be left out in their arguments: `any(\.posts, \.text == "x")`.

/// The types of to-many relationships: `Set`, `NSSet`, `NSOrderedSet` and their optionals.
///
/// Only these conform.
public protocol ToManyProperty {
  /// The class of the members; `NSManagedObject` where the type does not say it.
  associatedtype Member: NSManagedObject
}

extension Set: ToManyProperty where Element: NSManagedObject {
  /// The class of the members.
  public typealias Member = Element
}

extension NSSet: ToManyProperty {
  /// The class of the members is not known.
  public typealias Member = NSManagedObject
}

extension NSOrderedSet: ToManyProperty {
  /// The class of the members is not known.
  public typealias Member = NSManagedObject
}

extension Optional: ToManyProperty where Wrapped: ToManyProperty {
  /// The class of the members.
  public typealias Member = Wrapped.Member
}

extension TypedOperand where Value: ToManyProperty {
  /// The number of members.
  public var count: TypedExpression<Root, Int> { reduced("@count") }

  /// The sum of a property of the members; 0 without members.
  ///
  /// - Parameter property: A numeric property of the members.
  /// - Returns: The expression.
  public func sum<Number>(_ property: KeyPath<Value.Member, Number>) -> TypedExpression<
    Root, Number
  > {
    reduced("@sum", property)
  }

  /// The average of a property of the members; no value without members.
  ///
  /// - Parameter property: A numeric property of the members.
  /// - Returns: The expression.
  public func average<Number>(
    _ property: KeyPath<Value.Member, Number>
  ) -> TypedExpression<Root, Double?> {
    reduced("@avg", property)
  }

  /// The minimum value of a property of the members; no value if there are no members.
  ///
  /// - Parameter property: A property of the members that has an order.
  /// - Returns: The expression.
  public func min<Property>(
    _ property: KeyPath<Value.Member, Property>
  ) -> TypedExpression<Root, Property?> {
    reduced("@min", property)
  }

  /// The maximum value of a property of the members; no value if there are no members.
  ///
  /// - Parameter property: A property of the members that has an order.
  /// - Returns: The expression.
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
  /// Whether at least one member satisfies a condition.
  ///
  /// - Parameter condition: States the condition on a member.
  /// - Returns: The condition.
  public func any(
    where condition: (TypedExpression<Value.Member, Value.Member>) -> TypedPredicate<Value.Member>
  ) -> TypedPredicate<Root> {
    quantified(.any, condition(TypedExpression(steps: [])))
  }

  /// Whether every member satisfies a condition; true without members.
  ///
  /// - Parameter condition: States the condition on a member.
  /// - Returns: The condition.
  public func all(
    where condition: (TypedExpression<Value.Member, Value.Member>) -> TypedPredicate<Value.Member>
  ) -> TypedPredicate<Root> {
    quantified(.all, condition(TypedExpression(steps: [])))
  }

  /// Whether no member satisfies a condition; true without members.
  ///
  /// - Parameter condition: States the condition on a member.
  /// - Returns: The condition.
  public func none(
    where condition: (TypedExpression<Value.Member, Value.Member>) -> TypedPredicate<Value.Member>
  ) -> TypedPredicate<Root> {
    quantified(.none, condition(TypedExpression(steps: [])))
  }

  /// Whether an object is a member.
  ///
  /// - Parameter object: The object.
  /// - Returns: The condition.
  public func contains(_ object: Value.Member) -> TypedPredicate<Root> {
    quantified(
      .any, TypedExpression<Value.Member, Value.Member>(steps: []).comparing(.equal, object))
  }
}

/// The number of members of a to-many relationship.
///
/// - Parameter members: A to-many relationship.
/// - Returns: The expression.
public func count<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>
) -> TypedExpression<Root, Int> {
  members.count
}

/// Whether at least one member of a relationship satisfies a condition.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member.
/// - Returns: The condition.
public func any<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Members.Member>
) -> TypedPredicate<Root> {
  members.quantified(.any, condition)
}

/// Whether every member of a relationship satisfies a condition; true without members.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member.
/// - Returns: The condition.
public func all<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Members.Member>
) -> TypedPredicate<Root> {
  members.quantified(.all, condition)
}

/// Whether no member of a relationship satisfies a condition; true without members.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member.
/// - Returns: The condition.
public func none<Root: NSManagedObject, Members: ToManyProperty>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Members.Member>
) -> TypedPredicate<Root> {
  members.quantified(.none, condition)
}

/// Whether at least one member satisfies a condition, for a relationship whose type does not specify the members'
/// class.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member; its first key path determines the class.
/// - Returns: The condition.
public func any<Root: NSManagedObject, Members: ToManyProperty, Member>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Member>
) -> TypedPredicate<Root> where Members.Member == NSManagedObject {
  members.quantified(.any, condition)
}

/// Whether every member satisfies a condition, for a relationship whose type does not specify the members' class.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member; its first key path determines the class.
/// - Returns: The condition.
public func all<Root: NSManagedObject, Members: ToManyProperty, Member>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Member>
) -> TypedPredicate<Root> where Members.Member == NSManagedObject {
  members.quantified(.all, condition)
}

/// Whether no member satisfies a condition, for a relationship whose type does not specify the members' class.
///
/// - Parameters:
///   - members: A to-many relationship.
///   - condition: The condition on a member; its first key path determines the class.
/// - Returns: The condition.
public func none<Root: NSManagedObject, Members: ToManyProperty, Member>(
  _ members: KeyPath<Root, Members>, _ condition: TypedPredicate<Member>
) -> TypedPredicate<Root> where Members.Member == NSManagedObject {
  members.quantified(.none, condition)
}
