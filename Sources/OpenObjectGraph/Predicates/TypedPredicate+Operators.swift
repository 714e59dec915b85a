internal import OpenPredicates

// The operators of conditions on key paths. Few and generic, so that long conditions compile quickly: values
// of optional properties are promoted for `==` and `!=`; the ordering operators, which need `Comparable`, exist
// once more for optional properties, whose null is neither less nor greater than anything.

/// Returns a condition that is true if a property equals a value.
///
/// If the value is nil, the condition is true for objects without a value.
public func == <Root: NSManagedObject, Value>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.equal, value)
}

/// Returns a condition that is true if a property differs from a value.
///
/// If the value is nil, the condition is true for objects with a value. If the value is not nil, a
/// fetch does not return objects without a value.
public func != <Root: NSManagedObject, Value>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.notEqual, value)
}

/// Returns a condition that is true if a property is less than a value.
public func < <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThan, value)
}

/// Returns a condition that is true if an optional property has a value that is less than another
/// value.
public func < <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThan, value)
}

/// Returns a condition that is true if a property is less than or equal to a value.
public func <= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThanOrEqual, value)
}

/// Returns a condition that is true if an optional property has a value that is less than or equal
/// to another value.
public func <= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThanOrEqual, value)
}

/// Returns a condition that is true if a property is greater than a value.
public func > <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThan, value)
}

/// Returns a condition that is true if an optional property has a value that is greater than another
/// value.
public func > <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThan, value)
}

/// Returns a condition that is true if a property is greater than or equal to a value.
public func >= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThanOrEqual, value)
}

/// Returns a condition that is true if an optional property has a value that is greater than or
/// equal to another value.
public func >= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThanOrEqual, value)
}

/// Returns a condition that is true if both operands are true.
public func && <Root>(
  left: TypedPredicate<Root>, right: TypedPredicate<Root>
) -> TypedPredicate<Root> {
  left.and(right)
}

/// Returns a condition that is true if at least one operand is true.
public func || <Root>(
  left: TypedPredicate<Root>, right: TypedPredicate<Root>
) -> TypedPredicate<Root> {
  left.or(right)
}

/// Returns a condition that is true if the operand is false.
///
/// In a fetch, a comparison of a property without a value is neither true nor false, and neither is
/// its negation.
public prefix func ! <Root>(condition: TypedPredicate<Root>) -> TypedPredicate<Root> {
  condition.negated
}
