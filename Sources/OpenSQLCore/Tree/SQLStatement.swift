/// A statement that can be rendered.
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

/// An INSERT of one row.
package struct SQLInsert: Sendable, Hashable {
  package var table: String
  package var columns: [String]
  package var values: [SQLExpression]
  /// A table whose rows are inserted, column by column, instead of values. Rows before one that fails are kept.
  package var source: String?
  /// What is inserted instead of values; every row or none.
  package var select: SQLSelect?
  /// Whether a row that is there already is left as it is.
  package var ignoresDuplicates = false
  /// What happens when the row collides with another one under a uniqueness constraint.
  package var collision: Collision?
  /// Columns returned for the written row; empty for none.
  package var returning: [String] = []

  /// What an insertion does instead of failing.
  package enum Collision: Sendable, Hashable {
    /// Leaves the other row as it is.
    case keep
    /// Gives columns of the other row the new values, and one column, its version, the next number.
    case replace([String], raising: String)
    /// Gives columns of the row with the same value of `key` the new values, if its version is the one before the new
    /// version.
    case update([String], key: String, version: String)
  }

  package init(into table: String, _ values: [(column: String, value: SQLExpression)]) {
    self.table = table
    columns = values.map(\.column)
    self.values = values.map(\.value)
  }

  /// Inserts the rows of another table.
  package init(into table: String, columns: [String], from source: String) {
    self.init(into: table, columns.map { ($0, .null) })
    self.source = source
  }

  /// Inserts the rows of a select.
  package init(into table: String, columns: [String], _ select: SQLSelect) {
    self.init(into: table, columns.map { ($0, .null) })
    self.select = select
  }
}

/// An UPDATE of one table.
package struct SQLUpdate: Sendable, Hashable {
  package var table: String
  /// The name of the row to change in expressions; nil for the table's own.
  package var alias: String?
  package var columns: [String]
  package var values: [SQLExpression]
  package var condition: SQLExpression?
  /// Columns returned for each row; empty for none.
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

/// A DELETE from one table.
package struct SQLDelete: Sendable, Hashable {
  package var table: String
  /// The name of the row to delete in expressions; nil for the table's own.
  package var alias: String?
  package var condition: SQLExpression?

  package init(from table: String, where condition: SQLExpression?) {
    self.table = table
    self.condition = condition
  }
}

/// A CREATE TABLE; its text is that of Apple's files, blanks included.
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
  /// Columns of a primary key of several columns, empty for none.
  package var primaryKey: [String] = []
  /// Whether blanks stand inside the parentheses, as in tables of entities.
  package var isPadded = true

  package init(_ name: String, _ columns: [Column]) {
    self.name = name
    self.columns = columns
  }
}

/// A CREATE INDEX.
package struct SQLCreateIndex: Sendable, Hashable {
  package struct Element: Sendable, Hashable {
    package var column: String
    /// Direction, written with the collation; nil writes the bare column.
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
  /// Restricts the index to rows that satisfy it.
  package var condition: SQLExpression?

  package init(_ name: String, on table: String, _ elements: [Element]) {
    self.name = name
    self.table = table
    self.elements = elements
  }
}
