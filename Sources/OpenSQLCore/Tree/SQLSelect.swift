/// A SELECT statement as a tree.
package struct SQLSelect: Sendable, Hashable {
  /// A source of rows.
  package indirect enum Source: Sendable, Hashable {
    case table(String, alias: String?)
    /// A table of an attached database.
    case attached(String, schema: String, alias: String?)
    case function(String, [SQLExpression], alias: String?)
    case select(SQLSelect, alias: String? = nil)
  }

  /// A source that is joined to the previous sources.
  package struct Join: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case inner
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
    /// The term of an expression that cannot be null has no position for nulls. PostgreSQL uses the
    /// index of a primary key only for such terms.
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
  /// The condition on groups.
  package var groupCondition: SQLExpression?
  package var isDistinct = false
  package var order: [Order] = []
  package var limit: SQLExpression?
  package var offset: SQLExpression?

  package init(_ columns: [SQLExpression], from source: Source) {
    self.columns = columns
    self.source = source
  }
}
