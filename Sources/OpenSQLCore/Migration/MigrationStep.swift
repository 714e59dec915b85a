/// A statement of a migration, and what it does to rows.
package struct MigrationStep: Sendable, Hashable {
  package var statement: SQLStatement
  /// The table whose rows are written or deleted; nil for a change of the schema alone.
  package var table: String?
  /// The constraint that the statement's index keeps.
  package var uniqueness: UniquenessMap?

  /// Creates a step.
  init(_ statement: SQLStatement, rewriting table: String? = nil) {
    self.statement = statement
    self.table = table
  }

  /// A step that changes rows.
  static func rows(of table: String, _ statement: SQLStatement) -> MigrationStep {
    MigrationStep(statement, rewriting: table)
  }

  /// The step's text.
  package func text(for dialect: any SQLDialect) -> String {
    SQLRenderer.render(statement, for: dialect).text
  }
}
