/// A SELECT statement as a tree.
package struct SQLSelect: Sendable, Hashable {
  /// What rows come from.
  package indirect enum Source: Sendable, Hashable {
    case table(String, alias: String?)
    /// A table of another database that the connection reads.
    case attached(String, schema: String, alias: String?)
    case function(String, [SQLExpression], alias: String?)
    case select(SQLSelect, alias: String? = nil)
  }

  /// A further source, joined to those before it.
  package struct Join: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case inner
      case leftOuter
      /// For each row of the sources before it, in their order.
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

    package init(expression: SQLExpression, isAscending: Bool) {
      self.expression = expression
      self.isAscending = isAscending
    }
  }

  package var columns: [SQLExpression]
  package var source: Source
  package var joins: [Join] = []
  package var condition: SQLExpression?
  package var groups: [SQLExpression] = []
  /// Condition on groups.
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
