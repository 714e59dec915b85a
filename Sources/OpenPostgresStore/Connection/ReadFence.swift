import OpenSQLCore
import OpenStoreContract

/// A check that rejects reads if another process has migrated the store since it was opened.
///
/// The statements of fetches contain the check as a condition. Before other reads, a statement
/// reads the generation of the store. Both forms lock `z_store` against migrations until the
/// transaction ends, so the statement or the following statements find the tables of this
/// generation.
struct ReadFence {
  let command: PostgresCommand
  /// The statement that fails if the store has another generation.
  let guardCommand: PostgresCommand
  let generation: Int64
  let error: StoreError

  init(_ generation: Int64, _ dialect: PostgresDialect, _ place: String) {
    command = PostgresCommand("SELECT z_generation FROM \(dialect.table("Z_STORE"))")
    guardCommand = PostgresCommand(
      "SELECT 1 / (count(*) = 1)::int FROM \(dialect.table("Z_STORE")) WHERE z_generation = $1",
      [.integer(generation)])
    self.generation = generation
    error = StoreError(
      .incompatibleSchema,
      "Another process migrated the store to another version of the model. Open the store again with that version.",
      path: place)
  }

  /// Returns the condition that divides by zero if the store has another generation. The server
  /// evaluates the condition once, before it reads a row.
  static func condition(_ generation: Int64) -> SQLExpression {
    let isSame = SQLExpression.binary(
      .equal, .column(table: nil, "Z_GENERATION"), .integer(generation))
    let quotient = SQLExpression.binary(
      .dividedBy, .integer(1), .choice(isSame, .integer(1), .integer(0)))
    return .binary(
      .equal, .scalar(SQLSelect([quotient], from: .table("Z_STORE", alias: nil))), .integer(1))
  }

  /// Returns the statement that keeps migrations out before a transaction takes its snapshot.
  static func lock(_ dialect: PostgresDialect) -> PostgresCommand {
    PostgresCommand("LOCK TABLE \(dialect.table("Z_STORE")) IN ACCESS SHARE MODE")
  }

  /// Checks the result of ``command``.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema` if the store has another generation.
  func check(_ result: PostgresResult) throws(StoreError) {
    guard result.rowCount == 1, result.integer(0, 0) == generation else { throw error }
  }
}
