internal import OpenPredicates

// The operators of conditions on key paths. Few and generic, so that long conditions compile quickly: values
// of optional properties are promoted for `==` and `!=`; the ordering operators, which need `Comparable`, exist
// once more for optional properties, whose null is neither less nor greater than anything.

/// Whether a property equals a value; nil means no value.
///
/// - Returns: The condition.
public func == <Root: NSManagedObject, Value>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.equal, value)
}

/// Whether a property differs from a value; nil means no value.
///
/// - Returns: The condition.
public func != <Root: NSManagedObject, Value>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.notEqual, value)
}

/// Whether a property is less than a value.
///
/// - Returns: The condition.
public func < <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThan, value)
}

/// Whether an optional property is less than a value.
///
/// - Returns: The condition.
public func < <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThan, value)
}

/// Whether a property is less than or equal to a value.
///
/// - Returns: The condition.
public func <= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThanOrEqual, value)
}

/// Whether an optional property is less than or equal to a value.
///
/// - Returns: The condition.
public func <= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThanOrEqual, value)
}

/// Whether a property is greater than a value.
///
/// - Returns: The condition.
public func > <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThan, value)
}

/// Whether an optional property is greater than a value.
///
/// - Returns: The condition.
public func > <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThan, value)
}

/// Whether a property is greater than or equal to a value.
///
/// - Returns: The condition.
public func >= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThanOrEqual, value)
}

/// Whether an optional property is greater than or equal to a value.
///
/// - Returns: The condition.
public func >= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThanOrEqual, value)
}

/// Whether both conditions are true.
///
/// - Returns: The condition.
public func && <Root>(
  left: TypedPredicate<Root>, right: TypedPredicate<Root>
) -> TypedPredicate<Root> {
  left.and(right)
}

/// Whether at least one of two conditions is true.
///
/// - Returns: The condition.
public func || <Root>(
  left: TypedPredicate<Root>, right: TypedPredicate<Root>
) -> TypedPredicate<Root> {
  left.or(right)
}

/// Whether a condition is not true.
///
/// - Returns: The condition.
public prefix func ! <Root>(condition: TypedPredicate<Root>) -> TypedPredicate<Root> {
  condition.negated
}
