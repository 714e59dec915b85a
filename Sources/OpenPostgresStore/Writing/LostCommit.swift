import Foundation
import OpenSQLCore
import OpenStoreContract

/// A commit for which the server's response was lost.
struct LostCommit: Error {
  /// The identifier of the transaction in the history.
  let identifier: UUID
  let hasHistory: Bool
  /// The key of the session of the lost connection; nil behind a pooler.
  let sessionKey: Int64?
}

extension PostgresStore {
  enum Settlement {
    /// The number in the history is nil if the store records no history.
    case committed(Int64?)
    case notCommitted
  }

  /// Determines whether a commit succeeded although the server's response was lost.
  ///
  /// The server may receive the last statements of a lost connection late. The function therefore
  /// ends the session of that connection first, so that these statements cannot commit afterwards.
  ///
  /// - Parameter changes: The changes of the commit; nil for a batch request.
  /// - Throws: `StoreError` with code `.outcomeUnknown` if the outcome cannot be determined.
  func settle(_ lost: LostCommit, _ changes: ChangeSet?) throws(StoreError) -> Settlement {
    do throws(StoreError) {
      return try pool.lease { (connection) throws(StoreError) in
        if let key = lost.sessionKey {
          let result = try connection.run([Self.ending(ofSession: key)])[0]
          guard result.integer(0, 0) == 1 else { throw unknown }
        }
        if lost.hasHistory {
          // The lock is granted after a running commit has ended.
          let results = try connection.run([
            PostgresCommand("SELECT z_id FROM \(dialect.table("Z_STORE")) FOR NO KEY UPDATE"),
            entry(of: lost.identifier),
          ])
          return results[1].rowCount == 1
            ? .committed(results[1].integer(0, 0)) : .notCommitted
        }
        guard let row = changes?.inserted.first else { throw unknown }
        return try contains(row, on: connection) ? .committed(nil) : .notCommitted
      }
    } catch {
      throw unknown
    }
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

  /// Inserts a row with a key of the lost commit, which waits until that commit has ended, and
  /// rolls the insertion back.
  ///
  /// - Returns: Whether the store already contains the key.
  private func contains(
    _ row: Row, on connection: PostgresConnection
  ) throws(StoreError) -> Bool {
    let table = dialect.table(schema.entities[row.entityIndex].table)
    let results = try connection.run([
      PostgresCommand("BEGIN"),
      PostgresCommand(
        "INSERT INTO \(table) (z_pk) VALUES ($1) ON CONFLICT DO NOTHING RETURNING z_pk",
        [.integer(row.key)]),
      PostgresCommand("ROLLBACK"),
    ])
    return results[1].rowCount == 0
  }

  static func notCommitted(_ place: String) -> StoreError {
    StoreError(
      .unreachable, "The connection to the server was lost. Nothing was written. Save again.",
      path: place)
  }

  private var unknown: StoreError {
    StoreError(
      .outcomeUnknown,
      "The connection to the server was lost during a commit. The changes may or may not have been saved. Refresh the objects, "
        + "compare them with your changes, and save again.", path: pool.settings.description)
  }

  /// Returns the statement for the number of a transaction in the history.
  func entry(of identifier: UUID) -> PostgresCommand {
    PostgresCommand(
      "SELECT z_pk FROM \(dialect.table("ATRANSACTION")) WHERE zcommit = $1",
      [PostgresValue(identifier)])
  }
}
