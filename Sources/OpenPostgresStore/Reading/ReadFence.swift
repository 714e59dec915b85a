import OpenSQLCore
import OpenStoreContract

/// A check that rejects reads and saves if another process has migrated the store since it was
/// opened, and saves that are not recorded if another process has started recording the history.
///
/// The statements of fetches contain the check as a condition. Before other reads, a statement
/// reads the generation of the store. Both forms lock `z_store` against migrations until the
/// transaction ends, so the statement or the following statements find the tables of this
/// generation.
struct ReadFence {
  /// The statement that reads the generation, whether the store records the history, and the number
  /// of the last deleted transaction.
  let command: PostgresCommand
  /// The statement that fails if a save must not be written.
  let guardCommand: PostgresCommand
  private let generation: Int64
  private let recordsHistory: Bool
  private let error: StoreError

  /// Creates a check for a store.
  ///
  /// - Parameters:
  ///   - generation: The number of migrations when the store was opened.
  ///   - recordsHistory: Whether the store's own saves are recorded in the history.
  ///   - dialect: The dialect with the schema of the store.
  ///   - place: The URL of the store without its password, for error messages.
  init(
    _ generation: Int64, recordsHistory: Bool, _ dialect: PostgresDialect, _ place: String
  ) {
    let table = dialect.table("Z_STORE")
    command = PostgresCommand("SELECT z_generation, z_history, z_purged FROM \(table)")
    guardCommand = PostgresCommand(
      "SELECT 1 / (count(*) = 1)::int FROM \(table) WHERE z_generation = $1"
        + (recordsHistory ? "" : " AND z_history = 0"),
      [.integer(generation)])
    self.generation = generation
    self.recordsHistory = recordsHistory
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

  /// Checks the result of ``command`` before a save.
  ///
  /// - Throws: The errors of ``check(_:)``, or `StoreError` with code `.readOnly` if the save would
  ///   be missing from the history.
  func checkWriting(_ result: PostgresResult) throws(StoreError) {
    try check(result)
    guard recordsHistory || result.integer(0, 1) == 0 else {
      throw StoreError(
        .readOnly,
        "Another process has started recording the history of the store. Open the store again with "
          + "NSPersistentHistoryTrackingKey.", path: error.path)
    }
  }
}
