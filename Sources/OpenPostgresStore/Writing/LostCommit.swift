import Foundation
import OpenSQLCore
import OpenStoreContract

/// A commit for which the server's response was lost.
struct LostCommit: Error {
  /// The identifier of the transaction in the history.
  let identifier: UUID
  let hasHistory: Bool
  /// The changes of the commit; nil if they are unknown. Comparing the changes with the stored rows
  /// shows whether the commit took effect.
  let changes: ChangeSet?
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
  /// ends the session of that connection first, so that these statements cannot commit afterward.
  /// The function waits for a server that cannot be reached, because it may be restarting.
  ///
  /// - Throws: `StoreError` with code `.outcomeUnknown` if the outcome cannot be determined.
  func settle(_ lost: LostCommit) throws(StoreError) -> Settlement {
    let patience = min(Self.greatestSettlingTime, Double(lockTimeout) / 1000)
    let deadline = Date(timeIntervalSinceNow: patience)
    var attempt = 0
    while true {
      attempt += 1
      do throws(StoreError) {
        return try pool.lease { (connection) throws(StoreError) in
          try outcome(of: lost, on: connection)
        }
      } catch {
        // After a deadlock with a transaction of another program, the rows can be read again.
        guard error.code == .unreachable || error.isTransient, Date() < deadline else {
          throw unknownOutcome
        }
      }
      pool.dropIdle()
      pause(before: attempt)
    }
  }

  private func outcome(
    of lost: LostCommit, on connection: PostgresConnection
  ) throws(StoreError) -> Settlement {
    if let key = lost.sessionKey {
      let result = try connection.run(ending(ofSession: key))
      guard result.integer(0, 0) == 1 else { throw unknownOutcome }
    }
    if lost.hasHistory, let outcome = try outcomeInHistory(of: lost, on: connection) {
      return outcome
    }
    guard let changes = lost.changes,
      let outcome = try outcomeInRows(of: changes, lost, on: connection)
    else { throw unknownOutcome }
    return outcome
  }

  /// Looks for a lost commit in the history. Returns nil if the commit may be in the deleted part
  /// of the history.
  private func outcomeInHistory(
    of lost: LostCommit, on connection: PostgresConnection
  ) throws(StoreError) -> Settlement? {
    // The lock is granted after a running commit has ended.
    let results = try lookUp([PostgresCommand(historyTexts.lock), entry(of: lost)], on: connection)
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
    var changed = changes
    (changed.unchanged, changed.referenced) = ([], [])
    // Saves also lock rows in this order, and insert rows afterward. All statements wait until a
    // running commit has ended.
    let locks = ChangeFlight(self, on: connection, changed).locks
    let inserted = Dictionary(grouping: changes.inserted.map(\.objectKey), by: model.root(of:))
      .sorted { $0.key < $1.key }
    let insertions = inserted.map { root, ids in
      rowStatements.command(
        .insert(
          schema.entities[root].table, ["Z_PK"], skipsDuplicates: true, returning: ["Z_PK"]),
        keys: ids.map(\.key).sorted())
    }
    let results = try lookUp(locks.map(\.command) + insertions, on: connection)
    // The insertions return the keys that the tables did not contain.
    for (rows, result) in zip(inserted, results.dropFirst(locks.count))
    where result.rowCount < rows.value.count { return .committed(nil) }
    let stored = ChangeFlight.versions(in: results, of: locks)
    for row in changed.expectations
    where stored[model.root(of: row.id)]?[row.id.key] == row.version { return .notCommitted }
    return lost.hasHistory || changes.inserted.isEmpty ? nil : .notCommitted
  }

  /// Runs statements in a transaction that is rolled back, and returns their results.
  private func lookUp(
    _ commands: [PostgresCommand], on connection: PostgresConnection
  ) throws(StoreError) -> [PostgresResult] {
    let preparation = beginning + [fence.command]
    let results = try connection.run(preparation + commands + [.rollback])
    // A migration can change the keys of rows.
    try fence.check(results[preparation.count - 1])
    return Array(results[preparation.count..<results.count - 1])
  }

  /// Returns the statement that ends the session of a lost connection and waits for its end.
  ///
  /// Afterward, the server does not execute any other statement that the lost connection had sent.
  /// The statement returns false if the session did not end within ten seconds.
  ///
  /// - Parameter key: The ``sessionKey`` of the lost connection.
  private func ending(ofSession key: Int64) -> PostgresCommand {
    let isEnded = SQLExpression.function("pg_terminate_backend", [.named("pid"), .integer(10_000)])
    let areEnded = SQLExpression.function(
      "coalesce", [.function("bool_and", [isEnded]), .truth(true)])
    var select = SQLSelect(
      [.choice(areEnded, .integer(1), .integer(0))],
      from: .attached("pg_locks", schema: "pg_catalog", alias: nil))
    func number(_ column: String) -> SQLExpression { .cast(.named(column), dialect.keyType) }
    let lockKey = SQLExpression.binary(
      .bitOr, .binary(.shiftLeft, number("classid"), .integer(32)), number("objid"))
    select.condition = .all([
      .binary(.equal, .named("locktype"), .text("advisory")),
      .binary(.equal, .named("objsubid"), .integer(1)), .named("granted"),
      .binary(.notEqual, .named("pid"), .function("pg_backend_pid", [])),
      .binary(.equal, lockKey, .bound(1)),
    ])
    return dialect.command(.select(select), [.integer(key)])
  }

  /// The number of transactions that a promoted standby may lack.
  private static let greatestLag: Int64 = 10_000

  /// Returns the statement for the number of a transaction in the history.
  ///
  /// The statement reads only the end of the history, because other saves wait for the statement.
  func entry(of commit: LostCommit) -> PostgresCommand {
    dialect.command(
      OwnStatement.findCommit,
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
