package import Foundation

/// A value or condition in SQL, as a tree.
///
/// Constants of a request are always parameters. Literals are used only for numbers and names of
/// the schema, constants of index conditions, and options.
package indirect enum SQLExpression: Sendable, Hashable {
  /// A column. The alias of its source is necessary if the statement has several sources.
  case column(table: String?, String)
  /// A value bound when the statement runs.
  case parameter(SQLParameter)
  /// An integer literal.
  case integer(Int64)
  /// A floating-point literal.
  case real(Double)
  /// A string literal.
  case text(String)
  /// A binary literal.
  case data(Data)
  /// The literal `NULL`.
  case null
  /// A condition that is always true or always false.
  case truth(Bool)
  /// The negation of a condition.
  case not(SQLExpression)
  /// The condition that a value is null.
  case isNull(SQLExpression)
  /// The condition that a value is not null.
  case isNotNull(SQLExpression)
  /// The condition that a value is not null, in the syntax of Apple's triggers.
  case isPresent(SQLExpression)
  /// The sum of a number and an integer, in the syntax of Apple's triggers.
  case shifted(SQLExpression, by: Int64)
  /// An operator with its left and right operand.
  case binary(SQLOperator, SQLExpression, SQLExpression)
  /// The conjunction of conditions.
  case all([SQLExpression])
  /// The disjunction of conditions.
  case any([SQLExpression])
  /// The condition that the first value is in the closed range from the second to the third value.
  case between(SQLExpression, SQLExpression, SQLExpression)
  /// The condition that a value is in a list of values.
  case isIn(SQLExpression, [SQLExpression])
  /// The condition that a value is an element of a bound array.
  case isAny(SQLExpression, SQLParameter)
  /// The condition that a value is in the only column of a SELECT.
  case isInResult(SQLExpression, SQLSelect)
  /// The condition that a SELECT returns at least one row.
  case exists(SQLSelect)
  /// The only value of a SELECT.
  case scalar(SQLSelect)
  /// A function call with its arguments.
  case function(String, [SQLExpression])
  /// The number of rows, `COUNT(*)`.
  case countAll
  /// An aggregate function of all values, or of the distinct values.
  case aggregate(String, SQLExpression, isDistinct: Bool)
  /// The second expression if the first is true, otherwise the third.
  case choice(SQLExpression, SQLExpression, SQLExpression)
  /// Whether the expression is true. The result is false if the expression is unknown (NULL).
  case isTrue(SQLExpression)
  /// The expression in a form for which SQLite does not use an index.
  case noIndex(SQLExpression)
  /// A string that is compared with a named collation.
  case collated(SQLExpression, String)
  /// The value, converted to a type of the SQL product.
  case cast(SQLExpression, String)
  /// The value as an integer, without its fraction.
  case whole(SQLExpression)
  /// The second expression, or null if the first is null.
  case unlessNull(SQLExpression, SQLExpression)
}

extension SQLExpression {
  /// Returns a column of the only source of a statement.
  package static func named(_ column: String) -> SQLExpression { .column(table: nil, column) }

  /// Returns a value that the caller binds, by the number of its parameter.
  package static func bound(_ number: Int) -> SQLExpression { .parameter(.numbered(number)) }

  /// Returns an expression that is 1 if a condition is true, and divides by zero otherwise.
  package static func requirement(_ condition: SQLExpression) -> SQLExpression {
    .binary(.dividedBy, .integer(1), .choice(condition, .integer(1), .integer(0)))
  }
}

/// An operator between two expressions. The raw value is its SQL symbol.
package enum SQLOperator: String, Sendable, Hashable {
  /// Equality; unknown if an operand is null.
  case equal = "="
  /// Inequality; unknown if an operand is null.
  case notEqual = "<>"
  /// Inequality that treats null like any other value.
  case distinct = "IS DISTINCT FROM"
  /// The left operand is less than the right operand.
  case less = "<"
  /// The left operand is less than or equal to the right operand.
  case lessOrEqual = "<="
  /// The left operand is greater than the right operand.
  case greater = ">"
  /// The left operand is greater than or equal to the right operand.
  case greaterOrEqual = ">="
  /// The sum.
  case plus = "+"
  /// The difference.
  case minus = "-"
  /// The product.
  case times = "*"
  /// The quotient.
  case dividedBy = "/"
  /// The remainder of a division.
  case modulo = "%"
  /// The bits that are set in both operands.
  case bitAnd = "&"
  /// The bits that are set in at least one operand.
  case bitOr = "|"
  /// The left operand, shifted to the left by the right operand.
  case shiftLeft = "<<"
  /// The left operand, shifted to the right by the right operand.
  case shiftRight = ">>"
  /// A full-text search in an index for the query on the right side.
  case match = "MATCH"

  /// Whether the result is a number rather than a truth value.
  var isArithmetic: Bool {
    switch self {
    case .plus, .minus, .times, .dividedBy, .modulo: true
    case .bitAnd, .bitOr, .shiftLeft, .shiftRight: true
    default: false
    }
  }
}
