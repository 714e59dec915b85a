internal import OpenPredicates

// The comparison operators of expressions. The right operand is a value or another expression.

/// Returns a condition that is true if an expression equals a value.
///
/// With the value nil, the condition is true if the expression is nil.
public func == <Root, Value>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.equal, value)
}

/// Returns a condition that is true if an expression differs from a value.
///
/// With the value nil, the condition is true if the expression is not nil. With any other value, a
/// fetch does not return objects for which the expression is nil.
public func != <Root, Value>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.notEqual, value)
}

/// Returns a condition that is true if an expression equals another expression of the same root
/// type.
///
/// A fetch does not return objects for which either expression is nil.
public func == <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.equal, to: right)
}

/// Returns a condition that is true if an expression differs from another expression of the same
/// root type.
///
/// A fetch does not return objects for which either expression is nil.
public func != <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.notEqual, to: right)
}

/// Returns a condition that is true if an expression is less than a value.
public func < <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThan, value)
}

/// Returns a condition that is true if an optional expression has a value less than the given
/// value.
public func < <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThan, value)
}

/// Returns a condition that is true if an expression is less than another expression of the same
/// root type.
///
/// The condition is not true if either expression is nil.
public func < <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.lessThan, to: right)
}

/// Returns a condition that is true if an expression is less than or equal to a value.
public func <= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThanOrEqual, value)
}

/// Returns a condition that is true if an optional expression has a value less than or equal to the
/// given value.
public func <= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThanOrEqual, value)
}

/// Returns a condition that is true if an expression is less than or equal to another expression of
/// the same root type.
///
/// The condition is not true if either expression is nil.
public func <= <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.lessThanOrEqual, to: right)
}

/// Returns a condition that is true if an expression is greater than a value.
public func > <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThan, value)
}

/// Returns a condition that is true if an optional expression has a value greater than the given
/// value.
public func > <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThan, value)
}

/// Returns a condition that is true if an expression is greater than another expression of the same
/// root type.
///
/// The condition is not true if either expression is nil.
public func > <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.greaterThan, to: right)
}

/// Returns a condition that is true if an expression is greater than or equal to a value.
public func >= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThanOrEqual, value)
}

/// Returns a condition that is true if an optional expression has a value greater than or equal to
/// the given value.
public func >= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThanOrEqual, value)
}

/// Returns a condition that is true if an expression is greater than or equal to another expression
/// of the same root type.
///
/// The condition is not true if either expression is nil.
public func >= <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.greaterThanOrEqual, to: right)
}
