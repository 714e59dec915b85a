/// The format in which a command prints rows.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// A table with aligned columns.
  case table
  /// One JSON array with an object for each row.
  case json
  /// One JSON object in each line.
  case ndjson
  /// Comma-separated values with a header line.
  case csv

  /// Whether all rows have the same columns.
  package var hasColumns: Bool { self == .table || self == .csv }
}
