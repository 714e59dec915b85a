/// An R-tree index: a virtual table of rectangles, and triggers that follow the indexed table.
///
/// The rectangle of a row is the point that the row's columns give.
package struct SQLSpatialIndex: Sendable, Hashable {
  /// A statement that the index is made with.
  package enum Part: String, Sendable, Hashable, CaseIterable {
    case table, insert, update, delete
  }

  /// The name of the virtual table.
  package var name: String
  /// The table that is indexed.
  package var table: String
  /// Its columns, one for each dimension.
  package var columns: [String]

  /// Creates an index.
  package init(_ name: String, on table: String, _ columns: [String]) {
    self.name = name
    self.table = table
    self.columns = columns
  }
}
