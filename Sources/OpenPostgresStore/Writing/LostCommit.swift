import Foundation
import OpenSQLCore
import OpenStoreContract

/// A commit for which the server's response was lost.
struct LostCommit: Error {
  /// The identifier of the transaction in the history.
  let identifier: UUID
  let hasHistory: Bool
  /// The number of an earlier transaction in the history, which was committed before this commit
  /// was sent.
  let precedingNumber: Int64
  /// The key of the session of the lost connection; nil behind a pooler.
  let sessionKey: Int64?
}

extension PostgresStore {
  enum Settlement {
    /// The number in the history is nil if the store records no history.
    case committed(Int64?)
    case notCommitted
  }

  /// The maximum time, in seconds, for which the store tries to reach the server again.
  private static let greatestSettlingTime = 30.0

  /// Determines whether a commit succeeded although the server's response was lost.
  ///
  /// The server may receive the last statements of a lost connection late. The function therefore
  /// ends the session of that connection first, so that these statements cannot commit afterwards.
  /// The function waits for a server that cannot be reached, because it may be restarting.
  ///
  /// - Parameter changes: The changes of the commit; nil for a batch request.
  /// - Throws: `StoreError` with code `.outcomeUnknown` if the outcome cannot be determined.
  func settle(_ lost: LostCommit, _ changes: ChangeSet?) throws(StoreError) -> Settlement {
    let patience = min(Self.greatestSettlingTime, Double(lockTimeout) / 1000)
    let deadline = Date(timeIntervalSinceNow: patience)
    var attempt = 0
    while true {
      attempt += 1
      do throws(StoreError) {
        return try pool.lease { (connection) throws(StoreError) in
          try outcome(of: lost, changes, on: connection)
        }
      } catch {
        guard error.code == .unreachable, Date() < deadline else { throw unknownOutcome }
      }
      pool.dropIdle()
      pause(before: attempt)
    }
  }

  private func outcome(
    of lost: LostCommit, _ changes: ChangeSet?, on connection: PostgresConnection
  ) throws(StoreError) -> Settlement {
    if let key = lost.sessionKey {
      let result = try connection.run([Self.ending(ofSession: key)])[0]
      guard result.integer(0, 0) == 1 else { throw unknownOutcome }
    }
    let lookUp: [PostgresCommand]
    if lost.hasHistory {
      // The lock is granted after a running commit has ended.
      lookUp = [
        PostgresCommand("SELECT z_purged FROM \(dialect.table("Z_STORE")) FOR NO KEY UPDATE"),
        entry(of: lost),
      ]
    } else {
      guard let row = changes?.inserted.first else { throw unknownOutcome }
      lookUp = [insertion(ofKeyOf: row)]
    }
    let preparation = beginning + [fence.command]
    let results = try connection.run(preparation + lookUp + [PostgresCommand("ROLLBACK")])
    // A migration can change the keys of rows.
    try fence.check(results[preparation.count - 1])
    let found = results[results.count - 2]  // The last statement is the rollback.
    guard lost.hasHistory else { return found.rowCount == 0 ? .committed(nil) : .notCommitted }
    if found.rowCount == 1 { return .committed(note(found.integer(0, 0))) }
    // The transaction may be in the deleted part of the history.
    guard results[preparation.count].integer(0, 0) <= lost.precedingNumber else {
      throw unknownOutcome
    }
    return .notCommitted
  }

  /// Returns the statement that ends the session of a lost connection and waits for its end.
  ///
  /// Afterwards, the server does not execute any further statement that the lost connection had
  /// sent. The statement returns false if the session did not end within ten seconds.
  ///
  /// - Parameter key: The ``sessionKey`` of the lost connection.
  private static func ending(ofSession key: Int64) -> PostgresCommand {
    PostgresCommand(
      """
      SELECT coalesce(bool_and(pg_terminate_backend(pid, 10000)), true)::int::bigint FROM pg_locks \
      WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid <> pg_backend_pid() \
      AND (classid::bigint << 32 | objid::bigint) = $1
      """, [.integer(key)])
  }

  /// Returns the statement that inserts a row with a key of the lost commit. The statement waits
  /// until that commit has ended, and returns no row if the store already contains the key.
  private func insertion(ofKeyOf row: Row) -> PostgresCommand {
    PostgresCommand(
      """
      INSERT INTO \(dialect.table(schema.entities[row.entityIndex].table)) (z_pk) VALUES ($1) \
      ON CONFLICT DO NOTHING RETURNING z_pk
      """, [.integer(row.key)])
  }

  /// The number of transactions that a promoted standby may lack.
  private static let greatestLag: Int64 = 10_000

  /// Returns the statement for the number of a transaction in the history.
  ///
  /// The statement reads only the end of the history, because other saves wait for the statement.
  func entry(of commit: LostCommit) -> PostgresCommand {
    PostgresCommand(
      "SELECT z_pk FROM \(dialect.table("ATRANSACTION")) WHERE z_pk > $1 AND zcommit = $2",
      [.integer(commit.precedingNumber - Self.greatestLag), PostgresValue(commit.identifier)])
  }

  static func notCommitted(_ place: String) -> StoreError {
    StoreError(
      .unreachable, "The connection to the server was lost. Nothing was written. Save again.",
      path: place)
  }

  var unknownOutcome: StoreError {
    StoreError(
      .outcomeUnknown,
      "The connection to the server was lost during a commit. The changes may or may not have been saved. Refresh the objects, "
        + "compare them with your changes, and save again.", path: pool.settings.description)
  }
}
