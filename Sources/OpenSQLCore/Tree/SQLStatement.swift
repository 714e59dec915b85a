/// A SQL statement as a tree, which ``SQLRenderer`` renders as text.
package enum SQLStatement: Sendable, Hashable {
  case select(SQLSelect)
  case insert(SQLInsert)
  case update(SQLUpdate)
  case delete(SQLDelete)
  case createTable(SQLCreateTable)
  case createIndex(SQLCreateIndex)
  case createTrigger(SQLCreateTrigger)
  case createSpatialIndex(SQLSpatialIndex, SQLSpatialIndex.Part)
  case createTextIndex(SQLTextIndex, SQLTextIndex.Part)
  case alter(SQLAlteration)
}

/// An INSERT statement.
package struct SQLInsert: Sendable, Hashable {
  package var table: String
  package var columns: [String]
  package var values: [SQLExpression]
  /// The table whose rows the statement inserts; nil to insert ``values`` or the rows of
  /// ``select``.
  ///
  /// If a row cannot be inserted, the rows that were inserted before this row are kept.
  package var source: String?
  /// The SELECT whose rows the statement inserts; nil to insert ``values`` or the rows of
  /// ``source``.
  ///
  /// The statement inserts either all rows or none.
  package var select: SQLSelect?
  /// Whether the statement leaves existing rows unchanged.
  package var ignoresDuplicates = false
  /// The action if a row violates a uniqueness constraint; nil to fail.
  package var collision: Collision?
  /// The columns that the statement returns for each written row; empty to return no rows.
  package var returning: [String] = []

  /// The action of an insertion if a row violates a uniqueness constraint.
  package enum Collision: Sendable, Hashable {
    /// Leaves the existing row unchanged.
    case keep
    /// Sets columns of the existing row to the new values, and increments its version column.
    case replace([String], raising: String)
    /// Sets columns of the existing row with the same value of `key` to the new values, if the
    /// version of the existing row is the new version minus 1.
    case update([String], key: String, version: String)
    /// Sets columns of the existing row with the same value of `key` to the given values. The name
    /// `excluded` refers to the new row.
    case assign([String], [SQLExpression], key: String)
  }

  package init(into table: String, _ values: [(column: String, value: SQLExpression)]) {
    self.table = table
    columns = values.map(\.column)
    self.values = values.map(\.value)
  }

  /// Creates a statement that inserts the rows of another table.
  ///
  /// - Parameters:
  ///   - table: The table that receives the rows.
  ///   - columns: The columns of both tables.
  ///   - source: The table whose rows the statement inserts.
  package init(into table: String, columns: [String], from source: String) {
    self.init(into: table, columns.map { ($0, .null) })
    self.source = source
  }

  /// Creates a statement that inserts the rows of a SELECT.
  ///
  /// - Parameters:
  ///   - table: The table that receives the rows.
  ///   - columns: The columns of the table, in the order of the selected values.
  ///   - select: The SELECT whose rows the statement inserts.
  package init(into table: String, columns: [String], _ select: SQLSelect) {
    self.init(into: table, columns.map { ($0, .null) })
    self.select = select
  }
}

/// An UPDATE statement for one table.
package struct SQLUpdate: Sendable, Hashable {
  package var table: String
  /// The alias of the table in expressions; if nil, expressions use the table's name.
  package var alias: String?
  package var columns: [String]
  package var values: [SQLExpression]
  /// An additional source of rows, to which the values and the condition can refer; nil if there is
  /// none.
  package var source: SQLSelect.Source?
  package var condition: SQLExpression?
  /// The columns that the statement returns for each changed row; empty to return no rows.
  package var returning: [String] = []

  package init(
    _ table: String, set values: [(column: String, value: SQLExpression)],
    where condition: SQLExpression?
  ) {
    self.table = table
    columns = values.map(\.column)
    self.values = values.map(\.value)
    self.condition = condition
  }
}

/// A DELETE statement for one table.
package struct SQLDelete: Sendable, Hashable {
  package var table: String
  /// The alias of the table in expressions; if nil, expressions use the table's name.
  package var alias: String?
  /// An additional source of rows, to which the condition can refer; nil if there is none.
  package var source: SQLSelect.Source?
  package var condition: SQLExpression?

  package init(from table: String, where condition: SQLExpression?) {
    self.table = table
    self.condition = condition
  }
}

/// A CREATE TABLE statement. The text is identical to Apple's, including spaces.
package struct SQLCreateTable: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    package var name: String
    package var type: String

    package init(_ name: String, _ type: String) {
      self.name = name
      self.type = type
    }
  }

  package var name: String
  package var columns: [Column]
  /// The columns of a primary key with several columns; empty if the table has no such key.
  package var primaryKey: [String] = []
  /// Whether the text has spaces inside the parentheses, as for entity tables.
  package var isPadded = true

  package init(_ name: String, _ columns: [Column]) {
    self.name = name
    self.columns = columns
  }
}

/// A CREATE INDEX statement.
package struct SQLCreateIndex: Sendable, Hashable {
  package struct Element: Sendable, Hashable {
    package var column: String
    /// Whether the index sorts the column in ascending order.
    ///
    /// If the value is not nil, the statement contains the dialect's collation and the direction;
    /// if nil, the statement contains neither.
    package var isAscending: Bool?

    package init(_ column: String, isAscending: Bool? = nil) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  package var name: String
  package var table: String
  package var elements: [Element]
  package var isUnique = false
  /// The condition that the rows of a partial index satisfy; nil to index all rows.
  package var condition: SQLExpression?

  package init(_ name: String, on table: String, _ elements: [Element]) {
    self.name = name
    self.table = table
    self.elements = elements
  }
}
