/// A statement of a migration, and the table whose rows the statement changes.
package struct MigrationStep: Sendable, Hashable {
  package var statement: SQLStatement
  /// The table whose rows are written or deleted; nil if only the schema changes.
  package var table: String?
  /// The uniqueness constraint that the index of the statement enforces; nil if the statement does
  /// not create such an index.
  package var uniqueness: UniquenessMap?

  /// Creates a step.
  init(_ statement: SQLStatement, rewriting table: String? = nil) {
    self.statement = statement
    self.table = table
  }

  /// Returns a step that changes rows of a table.
  static func rows(of table: String, _ statement: SQLStatement) -> MigrationStep {
    MigrationStep(statement, rewriting: table)
  }

  /// Returns the SQL text of the step.
  package func text(for dialect: any SQLDialect) -> String {
    SQLRenderer.render(statement, for: dialect).text
  }
}
