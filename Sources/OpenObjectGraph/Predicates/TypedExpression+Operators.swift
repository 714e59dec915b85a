internal import OpenPredicates

// The operators of conditions on expressions, with a value or another expression on the right.

/// Whether an expression equals a value; nil means no value.
///
/// - Returns: The condition.
public func == <Root, Value>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.equal, value)
}

/// Whether an expression differs from a value; nil means no value.
///
/// - Returns: The condition.
public func != <Root, Value>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.notEqual, value)
}

/// Whether an expression equals another expression of the same root type.
///
/// - Returns: The condition.
public func == <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.equal, to: right)
}

/// Whether an expression differs from another expression of the same root type.
///
/// - Returns: The condition.
public func != <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.notEqual, to: right)
}

/// Whether an expression is less than a value.
///
/// - Returns: The condition.
public func < <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThan, value)
}

/// Whether an optional expression is less than a value.
///
/// - Returns: The condition.
public func < <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThan, value)
}

/// Whether an expression is less than another expression of the same root type.
///
/// - Returns: The condition.
public func < <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.lessThan, to: right)
}

/// Whether an expression is less than or equal to a value.
///
/// - Returns: The condition.
public func <= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThanOrEqual, value)
}

/// Whether an optional expression is less than or equal to a value.
///
/// - Returns: The condition.
public func <= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.lessThanOrEqual, value)
}

/// Whether an expression is less than or equal to another expression of the same root type.
///
/// - Returns: The condition.
public func <= <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.lessThanOrEqual, to: right)
}

/// Whether an expression is greater than a value.
///
/// - Returns: The condition.
public func > <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThan, value)
}

/// Whether an optional expression is greater than a value.
///
/// - Returns: The condition.
public func > <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThan, value)
}

/// Whether an expression is greater than another expression of the same root type.
///
/// - Returns: The condition.
public func > <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.greaterThan, to: right)
}

/// Whether an expression is greater than or equal to a value.
///
/// - Returns: The condition.
public func >= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThanOrEqual, value)
}

/// Whether an optional expression is greater than or equal to a value.
///
/// - Returns: The condition.
public func >= <Root, Value: Comparable>(
  expression: TypedExpression<Root, Value?>, value: Value
) -> TypedPredicate<Root> {
  expression.comparing(.greaterThanOrEqual, value)
}

/// Whether an expression is greater than or equal to another expression of the same root type.
///
/// - Returns: The condition.
public func >= <Root, Value>(
  left: TypedExpression<Root, Value>, right: TypedExpression<Root, Value>
) -> TypedPredicate<Root> {
  left.comparing(.greaterThanOrEqual, to: right)
}
