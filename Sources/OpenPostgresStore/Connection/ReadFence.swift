import OpenStoreContract

/// A check that rejects reads if another process has migrated the store since it was opened.
///
/// The first statement of a read reads the generation of the store. This statement locks `z_store`
/// against migrations until the transaction ends, so the following statements find the tables of
/// this generation.
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
      "Another process has migrated the store to another version of the model. Open it again with that version.",
      path: place)
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
