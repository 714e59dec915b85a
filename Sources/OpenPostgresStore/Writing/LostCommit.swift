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
    /// The number in the history is nil if the store records no history, or if the transaction was
    /// deleted from the history.
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
    if lost.hasHistory, let outcome = try outcomeInHistory(of: lost, on: connection) {
      return outcome
    }
    guard let changes, let outcome = try outcomeInRows(of: changes, lost, on: connection)
    else { throw unknownOutcome }
    return outcome
  }

  /// Looks for a lost commit in the history. Returns nil if the commit may be in the deleted part
  /// of the history.
  private func outcomeInHistory(
    of lost: LostCommit, on connection: PostgresConnection
  ) throws(StoreError) -> Settlement? {
    // The lock is granted after a running commit has ended.
    let lock = PostgresCommand(
      "SELECT z_purged FROM \(dialect.table("Z_STORE")) FOR NO KEY UPDATE")
    let results = try lookUp([lock, entry(of: lost)], on: connection)
    if results[1].rowCount == 1 { return .committed(note(results[1].integer(0, 0))) }
    return note(results[0].integer(0, 0)) <= lost.precedingNumber ? .notCommitted : nil
  }

  /// Looks for the effects of a lost commit in the rows of the save.
  ///
  /// If the store contains a row that the save inserted, the commit took effect. If a row that the
  /// save changed or deleted still has its former version, the commit did not take effect. Returns
  /// nil if the rows do not show the outcome.
  ///
  /// If the store does not record history, and contains none of the inserted rows, the function
  /// assumes that the commit did not take effect. Another program may have deleted the rows since.
  private func outcomeInRows(
    of changes: ChangeSet, _ lost: LostCommit, on connection: PostgresConnection
  ) throws(StoreError) -> Settlement? {
    let inserted = Dictionary(grouping: changes.inserted.map(\.objectKey), by: model.root(of:))
    var former: [Int: [Int64: Int64]] = [:]
    for row in changes.updated.map(\.expectation) + changes.deleted.map(\.expectation) {
      former[model.root(of: row.id), default: [:]][row.id.key] = row.version
    }
    // Saves also lock rows in the order of the root entities.
    let insertions = inserted.sorted { $0.key < $1.key }
    let versions = former.sorted { $0.key < $1.key }
    let statements = RowStatements(schema: schema, dialect: dialect)
    // Both kinds of statements wait until a running commit has ended.
    let commands =
      insertions.map { root, ids in
        insertion(of: ids.map(\.key), into: schema.entities[root].table)
      }
      + versions.map {
        statements.locking($0.value.keys, of: schema.entities[$0.key].table, "FOR UPDATE")
      }
    let results = try lookUp(commands, on: connection)
    for (insertion, result) in zip(insertions, results)
    where result.rowCount < insertion.value.count { return .committed(nil) }
    for (expected, result) in zip(versions, results.dropFirst(insertions.count)) {
      for row in 0..<result.rowCount
      where expected.value[result.integer(row, 0)] == result.integer(row, 1) {
        return .notCommitted
      }
    }
    return lost.hasHistory || changes.inserted.isEmpty ? nil : .notCommitted
  }

  /// Runs statements in a transaction that is rolled back, and returns their results.
  private func lookUp(
    _ commands: [PostgresCommand], on connection: PostgresConnection
  ) throws(StoreError) -> [PostgresResult] {
    let preparation = beginning + [fence.command]
    let results = try connection.run(preparation + commands + [PostgresCommand("ROLLBACK")])
    // A migration can change the keys of rows.
    try fence.check(results[preparation.count - 1])
    return Array(results[preparation.count..<results.count - 1])
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

  /// Returns the statement that inserts rows with the given keys. The statement waits until a
  /// commit that inserts one of the keys has ended, and returns the keys that the table did not
  /// contain.
  private func insertion(of keys: [Int64], into table: String) -> PostgresCommand {
    PostgresCommand(
      """
      INSERT INTO \(dialect.table(table)) (z_pk) SELECT unnest($1) \
      ON CONFLICT DO NOTHING RETURNING z_pk
      """, [.keys(keys.sorted())])
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
