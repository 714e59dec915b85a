import Foundation
import OpenSQLCore
import OpenStoreContract

/// The lock of a store during a migration. Other processes can read the store, but their saves
/// wait.
///
/// Confined to one thread.
final class MigrationLock {
  let session: PostgresSession
  private let timeout: Int
  private var connection: PostgresConnection { session.connection }
  private var dialect: PostgresDialect { session.dialect }

  init(_ place: PostgresPlace) throws(StoreError) {
    session = try place.connect()
    timeout = place.configuration.lockTimeout
  }

  /// Begins the transaction after other migrations and saves have ended.
  func take() throws(StoreError) {
    try connection.run([
      .begin,
      PostgresCommand("SET LOCAL lock_timeout = \(timeout)", isKept: false),
      PostgresCommand("SET LOCAL idle_in_transaction_session_timeout = 0", isKept: false),
      Self.exclusion(of: dialect),
      PostgresCommand(
        "LOCK TABLE \(dialect.table("Z_STORE")) IN EXCLUSIVE MODE", isKept: false),
    ])
  }

  /// Waits for running reads of tables, and blocks new reads of these tables until the transaction
  /// ends.
  ///
  /// While the method waits, new reads wait for at most half a second for each of these tables.
  ///
  /// - Parameter tables: The names of the tables. All reads of the store read `Z_STORE`.
  /// - Throws: `StoreError` with code `.locked` if a read takes longer than the store's timeout.
  func excludeReads(of tables: [String] = ["Z_STORE"]) throws(StoreError) {
    if tables.isEmpty { return }
    let list = tables.map(dialect.table).joined(separator: ", ")
    let deadline = Date(timeIntervalSinceNow: Double(timeout) / 1000)
    let isolation = [
      "SAVEPOINT reads", "SET LOCAL lock_timeout = \(min(timeout, 500))",
      "LOCK TABLE \(list) IN ACCESS EXCLUSIVE MODE",
      "SET LOCAL lock_timeout = \(timeout)", "RELEASE SAVEPOINT reads",
    ].map { PostgresCommand($0, isKept: false) }
    while true {
      do throws(StoreError) {
        try connection.run(isolation)
        return
      } catch {
        guard error.code == .locked, Date() < deadline else { throw error }
      }
      // A running read may wait for a read behind this request, so the request is withdrawn.
      try connection.run([PostgresCommand("ROLLBACK TO SAVEPOINT reads", isKept: false)])
      usleep(20_000)
    }
  }

  /// Returns the statement that prevents other processes from creating or migrating the store until
  /// the transaction ends.
  static func exclusion(of dialect: PostgresDialect) -> PostgresCommand {
    PostgresCommand(
      "SELECT pg_advisory_xact_lock(hashtextextended($1, 7))", [.text(dialect.schema)],
      isKept: false)
  }
}
