import OpenStoreContract

/// Refuses reads of a store that another process has migrated since it was opened.
///
/// A read's first statement reads the store's generation. That locks `z_store` against migrations until the end of the
/// transaction, so the statements behind it find the tables that the generation belongs to.
struct ReadFence {
  let command: PostgresCommand
  let generation: Int64
  let error: StoreError

  init(_ generation: Int64, _ dialect: PostgresDialect, _ place: String) {
    command = PostgresCommand("SELECT z_generation FROM \(dialect.table("Z_STORE"))")
    self.generation = generation
    error = StoreError(
      .incompatibleSchema,
      "Another process has migrated the store to another version of the model. Open it again with that version.",
      path: place)
  }

  /// Checks the result of the statement.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema` if the store has another generation.
  func check(_ result: PostgresResult) throws(StoreError) {
    guard result.rowCount == 1, result.integer(0, 0) == generation else { throw error }
  }
}
