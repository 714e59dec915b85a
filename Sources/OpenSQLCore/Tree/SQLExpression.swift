package import Foundation

/// A value or condition in SQL, as a tree.
///
/// Constants of a request stand in it as parameters only; the literals are numbers and names of the
/// schema, constants of an index's condition, or options.
package indirect enum SQLExpression: Sendable, Hashable {
  /// A column, of the source with the given alias when there are several.
  case column(table: String?, String)
  /// A value bound when the statement runs.
  case parameter(SQLParameter)
  case integer(Int64)
  case real(Double)
  case text(String)
  case data(Data)
  case null
  /// A condition that is always true, or never.
  case truth(Bool)
  case not(SQLExpression)
  case isNull(SQLExpression)
  case isNotNull(SQLExpression)
  /// That a value is there, in the words of Apple's triggers.
  case isPresent(SQLExpression)
  /// A number and an integer added to it, in the words of Apple's triggers.
  case shifted(SQLExpression, by: Int64)
  case binary(SQLOperator, SQLExpression, SQLExpression)
  case all([SQLExpression])
  case any([SQLExpression])
  case between(SQLExpression, SQLExpression, SQLExpression)
  case isIn(SQLExpression, [SQLExpression])
  /// That a value is an element of a bound array.
  case isAny(SQLExpression, SQLParameter)
  case isInResult(SQLExpression, SQLSelect)
  case exists(SQLSelect)
  /// The one value of a select.
  case scalar(SQLSelect)
  case function(String, [SQLExpression])
  case countAll
  /// An aggregate function, of the values that differ if it says so.
  case aggregate(String, SQLExpression, isDistinct: Bool)
  /// The second expression where the first is true, else the third.
  case choice(SQLExpression, SQLExpression, SQLExpression)
  /// True or false, where the expression may be unknown.
  case isTrue(SQLExpression)
  /// The expression, kept from being looked up in an index.
  case noIndex(SQLExpression)
  case collated(SQLExpression, String)
  /// The value as one of a type of the product.
  case cast(SQLExpression, String)
  /// The value as an integer, without its fraction.
  case whole(SQLExpression)
  /// The second expression, or unknown while the first is null.
  case unlessNull(SQLExpression, SQLExpression)
}

/// An operator between two expressions, by its SQL sign.
package enum SQLOperator: String, Sendable, Hashable {
  case equal = "="
  case notEqual = "<>"
  /// As `notEqual`, but null is a value like others.
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
