import OpenSQLCore
import OpenStoreContract

/// A check that rejects reads and saves if another process has migrated or recreated the store
/// since it was opened, and saves that are not recorded if another process has started recording
/// the history.
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
  ///   - generation: The generation of the store when it was opened.
  ///   - recordsHistory: Whether the store's own saves are recorded in the history.
  ///   - dialect: The dialect with the schema of the store.
  ///   - place: The URL of the store without its password, for error messages.
  init(
    _ generation: Int64, recordsHistory: Bool, _ dialect: PostgresDialect, _ place: String
  ) {
    command = PostgresCommand(dialect.text(of: OwnStatement.readFence))
    var conditions = [SQLExpression.binary(.equal, .named("Z_GENERATION"), .bound(1))]
    if !recordsHistory { conditions.append(.binary(.equal, .named("Z_HISTORY"), .integer(0))) }
    let check = SQLSelect(
      [.requirement(.binary(.equal, .countAll, .integer(1)))], from: "Z_STORE",
      where: .all(conditions))
    guardCommand = PostgresCommand(dialect.text(of: .select(check)), [.integer(generation)])
    self.generation = generation
    self.recordsHistory = recordsHistory
    error = StoreError(
      .incompatibleSchema,
      "Another process migrated the store to another version of the model, or deleted the store and created it again. "
        + "Open the store again with its present version.",
      path: place)
  }

  /// Returns the condition that divides by zero if the store has another generation. The server
  /// evaluates the condition once, before it reads a row.
  static func condition(_ generation: Int64) -> SQLExpression {
    let isSame = SQLExpression.binary(.equal, .named("Z_GENERATION"), .integer(generation))
    let check = SQLSelect([.requirement(isSame)], from: "Z_STORE")
    return .binary(.equal, .scalar(check), .integer(1))
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
