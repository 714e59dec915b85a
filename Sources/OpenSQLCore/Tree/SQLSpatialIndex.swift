/// An R-tree index, which consists of a virtual table of rectangles and of triggers that update the
/// virtual table after changes of the indexed table.
///
/// The rectangle of a row is a point whose coordinates are the values of the row's columns.
package struct SQLSpatialIndex: Sendable, Hashable {
  /// A statement that creates a part of the index.
  package enum Part: String, Sendable, Hashable, CaseIterable {
    /// The virtual table, or the trigger for one kind of change.
    case table, insert, update, delete
  }

  /// The name of the virtual table.
  package var name: String
  /// The table that is indexed.
  package var table: String
  /// The indexed columns, one for each dimension.
  package var columns: [String]

  /// Creates an R-tree index.
  ///
  /// - Parameters:
  ///   - name: The name of the virtual table.
  ///   - table: The table that is indexed.
  ///   - columns: The indexed columns, one for each dimension.
  package init(_ name: String, on table: String, _ columns: [String]) {
    self.name = name
    self.table = table
    self.columns = columns
  }
}
