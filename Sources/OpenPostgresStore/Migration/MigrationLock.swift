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
      PostgresDialect.lockTimeout(timeout), PostgresDialect.idleTimeout(0),
      Self.exclusion(of: dialect), dialect.lock(.exclusive),
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
    let deadline = Date(timeIntervalSinceNow: Double(timeout) / 1000)
    let isolation = [
      PostgresDialect.savepoint, PostgresDialect.lockTimeout(min(timeout, 500)),
      dialect.lock(.accessExclusive, of: tables), PostgresDialect.lockTimeout(timeout),
      PostgresDialect.release,
    ]
    while true {
      do throws(StoreError) {
        try connection.run(isolation)
        return
      } catch {
        guard error.code == .locked, Date() < deadline else { throw error }
      }
      // A running read may wait for a read behind this request, so the request is withdrawn.
      try connection.run(PostgresDialect.rollBackToSavepoint)
      usleep(20_000)
    }
  }

  /// Returns the statement that prevents other processes from creating or migrating the store until
  /// the transaction ends.
  static func exclusion(of dialect: PostgresDialect) -> PostgresCommand {
    let key = SQLExpression.function("hashtextextended", [.bound(1), .integer(7)])
    let select = SQLSelect([.function("pg_advisory_xact_lock", [key])], from: .nothing)
    return dialect.command(.select(select), [.text(dialect.schema)])
  }
}
