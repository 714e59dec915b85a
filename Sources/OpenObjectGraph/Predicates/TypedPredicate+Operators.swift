internal import OpenPredicates

// The operators of conditions on key paths. The operators are few and generic, so that long
// conditions compile quickly. `==` and `!=` promote values to the optional types of properties. The
// ordering operators need `Comparable` and therefore have overloads for optional properties, whose
// null is neither less nor greater than any value.

/// Returns a condition that is true if a property equals a value.
///
/// If the value is nil, the condition is true for objects whose property is nil.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func == <Root: NSManagedObject, Value>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.equal, value)
}

/// Returns a condition that is true if a property differs from a value.
///
/// If the value is nil, the condition is true for objects whose property is not nil. If the value
/// is not nil, a fetch does not return objects whose property is nil.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func != <Root: NSManagedObject, Value>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.notEqual, value)
}

/// Returns a condition that is true if a property is less than a value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func < <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThan, value)
}

/// Returns a condition that is true if an optional property has a value less than the given value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func < <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThan, value)
}

/// Returns a condition that is true if a property is less than or equal to a value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func <= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThanOrEqual, value)
}

/// Returns a condition that is true if an optional property has a value less than or equal to the
/// given value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func <= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.lessThanOrEqual, value)
}

/// Returns a condition that is true if a property is greater than a value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func > <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThan, value)
}

/// Returns a condition that is true if an optional property has a value greater than the given
/// value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func > <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThan, value)
}

/// Returns a condition that is true if a property is greater than or equal to a value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
public func >= <Root: NSManagedObject, Value: Comparable>(
  property: KeyPath<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  TypedExpression(property).comparing(.greaterThanOrEqual, value)
}

/// Returns a condition that is true if an optional property has a value greater than or equal to
/// the given value.
///
/// - Parameters:
///   - property: A key path of managed properties. With any other key path, a fetch throws
///     `PredicateFormatError` with code `.invalidKeyPath`.
///   - value: The value to compare the property with.
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
/// In a fetch, a comparison with a property that has no value is neither true nor false. The
/// negation of the comparison is also neither true nor false, so the fetch does not return the
/// object.
public prefix func ! <Root>(condition: TypedPredicate<Root>) -> TypedPredicate<Root> {
  condition.negated
}
