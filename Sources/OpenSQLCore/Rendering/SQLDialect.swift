import Foundation
package import OpenObjectModel
package import OpenStoreContract

/// The differences between SQL products.
package protocol SQLDialect: Sendable {
  /// Returns an identifier for a statement, quoted if necessary.
  func quoted(_ identifier: String) -> String
  /// Returns the name of a table for a statement.
  func table(_ name: String) -> String
  /// Returns the placeholder for the parameter with the given number, starting with 1.
  func placeholder(_ number: Int) -> String
  /// Returns the declared type of an attribute's column, or nil if the attribute has no column.
  func columnType(for type: AttributeType) -> String?
  /// The type of the columns of keys, entity numbers, versions and member positions.
  var keyType: String { get }
  /// Whether a tag byte precedes data that may be stored in an external file; see
  /// ``SlotColumn/isTagged``.
  var tagsExternalData: Bool { get }
  /// Returns the condition for a Boolean value.
  func truth(_ value: Bool) -> String
  /// Returns the suffix of a sort term that makes null the least value.
  func sortSuffix(isAscending: Bool) -> String
  /// Returns the suffix of an index column that matches ``sortSuffix(isAscending:)`` and orders
  /// strings by their bytes.
  func indexSuffix(isAscending: Bool) -> String
  /// Whether rows with equal sort values are in the order of their keys. Otherwise, statements with
  /// a limit or an offset also sort by the key, or by the values if these must be distinct.
  var keepsKeyOrder: Bool { get }
  /// The clause that must precede an offset without a limit; nil if no clause is necessary.
  var unlimited: String? { get }
  /// The join operator that keeps the row order of the first source.
  var orderedJoin: String { get }
  /// The alias that a SELECT in a FROM clause must have; nil if no alias is necessary.
  var resultAlias: String? { get }
  /// The name of the function that returns the first argument that is not null.
  var firstPresentFunction: String { get }
  /// Returns the alias of a table that a function returns. The column of the table is `value`.
  ///
  /// - Parameter name: The quoted alias, without a name for the column.
  func alias(ofList name: String) -> String
  /// Returns the name of a collation for sort terms, or nil for the order of bytes.
  func collation(_ collation: SortTerm.Collation) -> String?
  /// Returns the name of the SQL function for an operation on strings.
  func function(_ operation: TextFunction) -> String
  /// The name of the function that returns a bound list as a table with the column `value`.
  var listTable: String { get }
  /// Whether triggers update derived attributes and virtual tables.
  var hasTriggers: Bool { get }
  /// Returns the expression for the default value of a column; nil for null and for NaN.
  ///
  /// - Parameters:
  ///   - content: The default value.
  ///   - target: The column.
  func constant(_ content: SlotContent, for target: SQLTarget) -> SQLExpression?
  /// The beginning and the end of an INSERT statement that leaves existing rows unchanged.
  var duplicateWords: (String, String) { get }
  /// The beginning and the end of a binary literal, with the hexadecimal digits in between.
  var dataQuotes: (String, String) { get }
  /// The name of the function that returns the time of the running save, in seconds since
  /// 2001-01-01 UTC.
  var saveTimeFunction: String { get }
}

extension SQLDialect {
  package func table(_ name: String) -> String { quoted(name) }

  package var keepsKeyOrder: Bool { true }

  package var hasTriggers: Bool { true }

  package var duplicateWords: (String, String) { ("INSERT OR IGNORE INTO ", "") }

  package var dataQuotes: (String, String) { ("X'", "'") }

  package func constant(_ content: SlotContent, for target: SQLTarget) -> SQLExpression? {
    switch content {
    case .null: nil
    case .integer(let integer): .integer(integer)
    case .real(let real): real.isNaN ? nil : .real(real)
    // SQLite reads a statement only up to its first zero byte.
    case .text(let text) where text.utf8.contains(0): .cast(.data(Data(text.utf8)), "TEXT")
    case .text(let text): .text(text)
    case .data(let data): .data(data)
    }
  }
}

/// An operation on strings for which SQL products have no operator.
package enum TextFunction: String, Sendable, CaseIterable {
  /// A test of two strings, or for `compare` their order. The arguments are the two strings and the
  /// raw value of the ``StringOptions``.
  case contains, prefix, suffix, like, matches, equals, compare
  /// The result of the predicate function with this name, such as `uppercase:`. The argument is the
  /// string.
  case uppercase, lowercase, canonical
  /// A full-text search. The arguments are the query and the strings to search.
  case containsWords
  /// Any other predicate function. The arguments are the name of the function and the operands.
  case value
  /// The value of an element in a list of the form ``ListForm/taggedJSON``. The argument is the
  /// element.
  case listElement

  /// The number of arguments, or -1 for any number.
  package var argumentCount: Int {
    switch self {
    case .uppercase, .lowercase, .canonical, .listElement: 1
    case .value, .containsWords: -1
    default: 3
    }
  }
}
