/// How rows are printed.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// Aligned columns.
  case table
  /// One JSON array.
  case json
  /// One object a line; begins at once, however many rows there are.
  case ndjson
  case csv

  /// Whether all rows have the same columns.
  package var hasColumns: Bool { self == .table || self == .csv }
}
