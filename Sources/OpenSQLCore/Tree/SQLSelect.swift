/// A SELECT statement as a tree.
package struct SQLSelect: Sendable, Hashable {
  /// A source of rows.
  package indirect enum Source: Sendable, Hashable {
    /// A table of the database; the name of the table is the name of the source if `alias` is nil.
    case table(String, alias: String?)
    /// A table of an attached database or of another schema.
    case attached(String, schema: String, alias: String?)
    /// The table that a function returns.
    case function(String, [SQLExpression], alias: String?)
    /// The rows of a nested SELECT.
    case select(SQLSelect, alias: String? = nil)
    /// The rows whose columns `c0`, `c1` and so on contain the elements of arrays, which the caller
    /// binds to the first parameters.
    case arrays(count: Int, alias: String)
    /// A SELECT that is executed once, before the statement.
    case materialized(SQLSelect, name: String)
    /// One row without columns.
    case nothing
  }

  /// A source that is joined to the previous sources.
  package struct Join: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// An inner join.
      case inner
      /// A left outer join, which keeps the rows without a matching row.
      case leftOuter
      /// An inner join that keeps the row order of the previous sources.
      case inOrder
    }

    package var kind: Kind
    package var source: Source
    package var condition: SQLExpression
  }

  /// An element of ORDER BY.
  package struct Order: Sendable, Hashable {
    package var expression: SQLExpression
    package var isAscending: Bool
    /// Whether the expression can be null.
    ///
    /// For an expression that cannot be null, the SQL text does not specify a position for nulls
    /// (`NULLS FIRST`). PostgreSQL uses the index of a primary key only if the text does not
    /// specify this position.
    package var isOptional: Bool

    package init(expression: SQLExpression, isAscending: Bool, isOptional: Bool = true) {
      self.expression = expression
      self.isAscending = isAscending
      self.isOptional = isOptional
    }
  }

  package var columns: [SQLExpression]
  package var source: Source
  package var joins: [Join] = []
  package var condition: SQLExpression?
  package var groups: [SQLExpression] = []
  /// The condition that the groups in the result satisfy; nil for all groups.
  package var groupCondition: SQLExpression?
  package var isDistinct = false
  package var order: [Order] = []
  package var limit: SQLExpression?
  package var offset: SQLExpression?
  /// The lock on the selected rows, held until the transaction ends; nil if the statement does not
  /// lock rows.
  package var lock: SQLRowLock?

  package init(_ columns: [SQLExpression], from source: Source) {
    self.columns = columns
    self.source = source
  }

  /// Creates a SELECT of values of a table.
  ///
  /// - Parameters:
  ///   - columns: The values to select.
  ///   - table: The name of the table.
  ///   - condition: The condition that selected rows satisfy; nil for all rows.
  package init(
    _ columns: [SQLExpression], from table: String, where condition: SQLExpression? = nil
  ) {
    self.init(columns, from: .table(table, alias: nil))
    self.condition = condition
  }

  /// Creates a SELECT of columns of a table, sorted by columns that cannot be null.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns to select.
  ///   - table: The name of the table.
  ///   - condition: The condition that selected rows satisfy; nil for all rows.
  ///   - order: The names of the columns to sort by, in ascending order; empty for no order.
  ///   - lock: The lock on the selected rows; nil to lock no rows.
  package init(
    _ columns: [String], from table: String, where condition: SQLExpression? = nil,
    sortedBy order: [String] = [], lock: SQLRowLock? = nil
  ) {
    self.init(columns.map { SQLExpression.named($0) }, from: table, where: condition)
    self.order = order.map { .init(expression: .named($0), isAscending: true, isOptional: false) }
    self.lock = lock
  }
}

extension SQLSelect.Join {
  /// Creates a join with the rows of a table that have a value in a column.
  init(
    _ kind: Kind, _ table: String, as alias: String, having column: String,
    _ value: SQLExpression
  ) {
    self.init(
      kind: kind, source: .table(table, alias: alias),
      condition: .binary(.equal, .column(table: alias, column), value))
  }
}

/// The strength of a PostgreSQL lock on the selected rows.
package enum SQLRowLock: String, Sendable, Hashable {
  /// The lock blocks all other locks on the row, but not reads without a lock.
  case update = "FOR UPDATE"
  /// The lock blocks transactions that write the row, but not transactions that insert foreign keys
  /// to the row.
  case noKeyUpdate = "FOR NO KEY UPDATE"
  /// The lock blocks transactions that change or delete the row, but not other shared locks.
  case share = "FOR SHARE"
  /// The lock blocks only transactions that delete the row or change its key.
  case keyShare = "FOR KEY SHARE"
}
