import Foundation
import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension PostgresStore {
  public func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome {
    try refuseReadOnly()
    changes.assignKeys(try reserveKeys(changes.newRowCounts), in: model)
    let set = changes
    var conflicts: [StoreConflict] = []
    var recomputed: [ObjectKey] = []
    let origin = set.origin
    let number = try transaction(by: origin, settledBy: set) { (connection) throws(StoreError) in
      conflicts = []
      let flight = ChangeFlight(self, on: connection, set)
      switch try flight.run() {
      case .written(let history, let keys):
        recomputed = keys
        return .commit(history)
      case .conflicts(let found):
        conflicts = found
        return .rollback
      case .failed(let failure, let statement):
        return .failed(failure, statement: statement)
      }
    } explaining: { (connection) throws(StoreError) in
      conflicts = try ConstraintCheck(ChangeFlight(self, on: connection, set)).conflicts()
      return !conflicts.isEmpty
    }
    return conflicts.isEmpty
      ? .committed(recomputed: recomputed, transaction: number) : .conflicts(conflicts)
  }

  /// The ending of a transaction's work.
  enum Ending {
    /// The transaction is committed, with the given changes in the history.
    case commit([StoreHistoryChange])
    case rollback
    /// The server rejected a statement.
    case failed(PostgresFailure, statement: String)
  }

  private static let greatestAttemptCount = 6

  /// Runs work in a transaction, and repeats the transaction if it conflicts with other
  /// transactions.
  ///
  /// - Parameters:
  ///   - origin: The origin of the changes for the history.
  ///   - settling: The change set by which the outcome of a commit is determined if the server's
  ///     response was lost.
  ///   - work: A closure that writes the changes. It may be called several times.
  ///   - explain: A closure that searches, in a new transaction, for the rows that violate a
  ///     uniqueness constraint, and returns whether it has found any.
  /// - Returns: The number of the transaction in the history, or nil if the transaction is not
  ///   recorded.
  func transaction(
    by origin: ChangeOrigin, settledBy settling: ChangeSet? = nil,
    _ work: (PostgresConnection) throws(StoreError) -> Ending,
    explaining explain: (PostgresConnection) throws(StoreError) -> Bool = { _ in false }
  ) throws(StoreError) -> Int64? {
    var attempt = 0
    while true {
      attempt += 1
      let last = attempt == Self.greatestAttemptCount
      do throws(StoreError) {
        switch try attemptTransaction(by: origin, work, explain) {
        case .done(let number): return number
        case .again(let error): if last { throw error }
        }
      } catch {
        guard error.code == .unreachable else { throw error }
        pool.dropIdle()
        if let settlement = error.underlying as? LostCommit {
          return try settle(settlement, settling)
        }
        if attempt > 1 { throw error }
      }
      pause(before: attempt)
    }
  }

  private func pause(before attempt: Int) {
    let longest = min(500_000, 10_000 << attempt)
    usleep(UInt32.random(in: 10_000...UInt32(longest)))
  }

  private enum Attempt {
    case done(Int64?)
    case again(StoreError)
  }

  /// A commit for which the server's response was lost.
  private struct LostCommit: Error {
    let identifier: UUID
    let hasHistory: Bool
  }

  private func attemptTransaction(
    by origin: ChangeOrigin, _ work: (PostgresConnection) throws(StoreError) -> Ending,
    _ explain: (PostgresConnection) throws(StoreError) -> Bool
  ) throws(StoreError) -> Attempt {
    try pool.lease { (connection) throws(StoreError) in
      try begin(on: connection)
      let ending: Ending
      do throws(StoreError) { ending = try work(connection) } catch {
        connection.rollBack()
        throw error
      }
      switch ending {
      case .rollback:
        connection.rollBack()
        return .done(nil)
      case .commit(let history): return try finish(history, by: origin, on: connection)
      case .failed(let failure, let statement):
        connection.rollBack()
        let error = failure.error(in: connection.place, statement: statement)
        if failure.isTransient { return .again(error) }
        guard failure.isUniqueViolation else { throw error }
        try begin(on: connection)
        defer { connection.rollBack() }
        // If the other row no longer exists, another attempt may succeed.
        return try explain(connection) ? .done(nil) : .again(error)
      }
    }
  }

  private func begin(on connection: PostgresConnection) throws(StoreError) {
    let results = try connection.run([
      PostgresCommand("BEGIN"), PostgresCommand("SET LOCAL lock_timeout = \(lockTimeout)"),
      PostgresCommand("SET LOCAL idle_in_transaction_session_timeout = 60000"),
      // A migration acquires a lock that conflicts with this lock.
      PostgresCommand("LOCK TABLE \(dialect.table("Z_STORE")) IN ROW SHARE MODE"),
      fence.command,
    ])
    do throws(StoreError) { try fence.check(results[4]) } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Writes the history and commits.
  private func finish(
    _ changes: [StoreHistoryChange], by origin: ChangeOrigin, on connection: PostgresConnection
  ) throws(StoreError) -> Attempt {
    let writer = HistoryRecorder(store: self)
    let identifier = UUID()
    let recorded = tracksHistory && !changes.isEmpty
    var commands =
      recorded ? try writer.commands(for: changes, by: origin, commit: identifier) : []
    let place = commands.count - 2
    commands.append(PostgresCommand("COMMIT"))
    if recorded { commands.append(ChangeListener.notice(of: self)) }
    let outcome: PostgresConnection.Outcome
    do throws(StoreError) { outcome = try connection.attempt(commands) } catch {
      var error = error
      error.underlying = LostCommit(identifier: identifier, hasHistory: recorded)
      throw error
    }
    switch outcome {
    case .done(let results):
      return .done(recorded ? results[place].integer(0, 0) : nil)
    case .failed(let index, let failure):
      // The statement after the commit is only a notification.
      if recorded, index == commands.count - 1 {
        return .done(try connection.run([entry(of: identifier)])[0].integer(0, 0))
      }
      connection.rollBack()
      let error = failure.error(in: connection.place, statement: commands[index].text)
      if failure.isTransient { return .again(error) }
      throw error
    }
  }

  // MARK: Lost answers

  /// Determines whether a commit succeeded although the server's response was lost.
  private func settle(
    _ lost: LostCommit, _ changes: ChangeSet?
  ) throws(StoreError) -> Int64? {
    do throws(StoreError) {
      return try pool.lease { (connection) throws(StoreError) in
        if lost.hasHistory {
          // The lock is granted after a running commit has ended.
          let results = try connection.run([
            PostgresCommand("SELECT z_id FROM \(dialect.table("Z_STORE")) FOR NO KEY UPDATE"),
            entry(of: lost.identifier),
          ])
          if results[1].rowCount == 1 { return results[1].integer(0, 0) }
          throw Self.notCommitted(connection.place)
        }
        guard let row = changes?.inserted.first else { throw Self.unknown(connection.place) }
        return try settle(by: row, on: connection)
      }
    } catch {
      if error.code == .unreachable, error.message != Self.notCommitted("").message {
        throw Self.unknown(pool.settings.description)
      }
      throw error
    }
  }

  /// Inserts a row with a key of the lost commit, which waits until that commit has ended, and
  /// rolls the insertion back.
  private func settle(
    by row: Row, on connection: PostgresConnection
  ) throws(StoreError) -> Int64? {
    let table = dialect.table(schema.entities[row.entityIndex].table)
    let results = try connection.run([
      PostgresCommand("BEGIN"),
      PostgresCommand(
        "INSERT INTO \(table) (z_pk) VALUES ($1) ON CONFLICT DO NOTHING RETURNING z_pk",
        [.integer(row.key)]),
      PostgresCommand("ROLLBACK"),
    ])
    if results[1].rowCount == 1 { throw Self.notCommitted(connection.place) }
    return nil
  }

  private static func notCommitted(_ place: String) -> StoreError {
    StoreError(
      .unreachable, "The connection to the server was lost; nothing was written. Save again.",
      path: place)
  }

  private static func unknown(_ place: String) -> StoreError {
    StoreError(
      .outcomeUnknown,
      "The connection to the server was lost during a commit, and it is unknown whether it was carried out. Refresh the objects, "
        + "compare, and save again.", path: place)
  }

  /// Returns the statement for the number of a transaction in the history.
  private func entry(of identifier: UUID) -> PostgresCommand {
    PostgresCommand(
      "SELECT z_pk FROM \(dialect.table("ATRANSACTION")) WHERE zcommit = $1",
      [PostgresValue(identifier)])
  }
}

extension PostgresValue {
  init(_ identifier: UUID) {
    self.init(
      type: PostgresType.uuid.rawValue,
      bytes: withUnsafeBytes(of: identifier.uuid) { Array($0) })
  }
}
