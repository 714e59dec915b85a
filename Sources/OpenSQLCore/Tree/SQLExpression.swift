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
  case integer(Int64)
  case real(Double)
  case text(String)
  case data(Data)
  case null
  /// A condition that is always true or always false.
  case truth(Bool)
  case not(SQLExpression)
  case isNull(SQLExpression)
  case isNotNull(SQLExpression)
  /// The condition that a value is not null, in the syntax of Apple's triggers.
  case isPresent(SQLExpression)
  /// The sum of a number and an integer, in the syntax of Apple's triggers.
  case shifted(SQLExpression, by: Int64)
  case binary(SQLOperator, SQLExpression, SQLExpression)
  case all([SQLExpression])
  case any([SQLExpression])
  case between(SQLExpression, SQLExpression, SQLExpression)
  case isIn(SQLExpression, [SQLExpression])
  /// The condition that a value is an element of a bound array.
  case isAny(SQLExpression, SQLParameter)
  case isInResult(SQLExpression, SQLSelect)
  case exists(SQLSelect)
  /// The only value of a SELECT.
  case scalar(SQLSelect)
  case function(String, [SQLExpression])
  case countAll
  /// An aggregate function of all values, or of the distinct values.
  case aggregate(String, SQLExpression, isDistinct: Bool)
  /// The second expression if the first is true, otherwise the third.
  case choice(SQLExpression, SQLExpression, SQLExpression)
  /// Whether the expression is true. The result is false if the expression is unknown (NULL).
  case isTrue(SQLExpression)
  /// The expression in a form for which SQLite does not use an index.
  case noIndex(SQLExpression)
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
  case equal = "="
  case notEqual = "<>"
  /// Inequality that treats null like any other value.
  case distinct = "IS DISTINCT FROM"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case dividedBy = "/"
  case modulo = "%"
  case bitAnd = "&"
  case bitOr = "|"
  case shiftLeft = "<<"
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
