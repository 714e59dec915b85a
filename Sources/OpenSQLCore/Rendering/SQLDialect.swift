package import OpenObjectModel
package import OpenStoreContract

/// What differs between SQL products, named by what it means.
package protocol SQLDialect: Sendable {
  /// An identifier for a statement, quoted if necessary.
  func quoted(_ identifier: String) -> String
  /// A table's name as it stands in a statement.
  func table(_ name: String) -> String
  /// The sign for the parameter with the given number, counted from 1.
  func placeholder(_ number: Int) -> String
  /// Declared type of an attribute's column; nil when it has none.
  func columnType(for type: AttributeType) -> String?
  /// Type of the columns of keys, entity numbers, versions and places.
  var keyType: String { get }
  /// Whether data that may be in a separate file begins with a tag byte.
  var tagsExternalData: Bool { get }
  /// A truth value as a condition.
  func truth(_ value: Bool) -> String
  /// What follows a sort term, so that nulls are least.
  func sortSuffix(isAscending: Bool) -> String
  /// What follows a column of an index, so that it serves ``sortSuffix(isAscending:)`` and orders texts by their bytes.
  func indexSuffix(isAscending: Bool) -> String
  /// The clause that has to stand before an offset without a limit; nil for none.
  var unlimited: String? { get }
  /// The words between sources whose rows come in the order of the first one.
  var orderedJoin: String { get }
  /// The name that a select in FROM must have; nil for none.
  var resultAlias: String? { get }
  /// The name of the function that gives the first of its arguments that is not null.
  var firstPresentFunction: String { get }
  /// The name of a table that a function gives, whose column is `value`.
  func alias(ofList name: String) -> String
  /// The name of the collation that orders texts in the given way; nil for the order of bytes.
  func collation(_ collation: SortTerm.Collation) -> String?
  /// The name of the function that executes an operation on texts.
  func function(_ operation: TextFunction) -> String
  /// The name of the function that gives a bound list as a table, whose column is `value`.
  var listTable: String { get }
  /// Whether triggers update derived attributes and virtual tables.
  var hasTriggers: Bool { get }
  /// A default value as a literal for a column; nil for none.
  func constant(_ content: SlotContent, for target: SQLTarget) -> SQLExpression?
  /// The words before and after an insertion that does not change existing rows.
  var duplicateWords: (String, String) { get }
  /// The beginning and the end of a literal of bytes; its hexadecimal digits are between them.
  var dataQuotes: (String, String) { get }
  /// The name of the function that gives the time of the running save, in seconds since 2001.
  var saveTimeFunction: String { get }
}

extension SQLDialect {
  package func table(_ name: String) -> String { quoted(name) }

  package var hasTriggers: Bool { true }

  package var duplicateWords: (String, String) { ("INSERT OR IGNORE INTO ", "") }

  package var dataQuotes: (String, String) { ("X'", "'") }

  package func constant(_ content: SlotContent, for target: SQLTarget) -> SQLExpression? {
    switch content {
    case .null: nil
    case .integer(let integer): .integer(integer)
    case .real(let real): real.isNaN ? nil : .real(real)
    case .text(let text): .text(text)
    case .data(let data): .data(data)
    }
  }
}

/// An operation on texts that a product's own operators do not offer.
package enum TextFunction: String, Sendable, CaseIterable {
  case contains, prefix, suffix, like, matches, equals, compare
  case uppercase, lowercase, canonical
  /// A full-text search: the query, then texts.
  case containsWords
  /// Any other function of predicates: its name, then its operands.
  case value
  /// The value of an element of a list that names its type.
  case listElement

  /// The number of arguments.
  package var argumentCount: Int {
    switch self {
    case .uppercase, .lowercase, .canonical, .listElement: 1
    case .value, .containsWords: -1
    default: 3
    }
  }
}
