/// An R-tree index: a virtual table of rectangles, and triggers that follow the indexed table.
///
/// The rectangle of a row is the point that the row's columns give.
package struct SQLSpatialIndex: Sendable, Hashable {
  /// A statement that the index is made with.
  package enum Part: String, Sendable, Hashable, CaseIterable {
    case table, insert, update, delete
  }

  package var name: String
  package var table: String
  package var columns: [String]

  package init(_ name: String, on table: String, _ columns: [String]) {
    self.name = name
    self.table = table
    self.columns = columns
  }
}
