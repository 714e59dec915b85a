import Foundation
import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract
import Synchronization

extension PostgresStore {
  public func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome {
    try refuseReadOnly()
    changes.assignKeys(try reserveKeys(changes.newRowCounts), in: model)
    let set = changes
    var conflicts: [StoreConflict] = []
    var recomputed: [ObjectKey] = []
    let flight = SingleFlight(self, set)
    let number = try transaction(by: set.origin, flight) {
      (connection) throws(StoreError) in
      conflicts = []
      switch try ChangeFlight(self, on: connection, set).run() {
      case .written(let history, let keys):
        recomputed = keys
        return .commit(history, of: set)
      case .conflicts(let found):
        conflicts = found
        return .rollback
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
    /// The transaction is committed, with the given changes in the history. The change set is nil
    /// if it is not known.
    case commit([StoreHistoryChange], of: ChangeSet?)
    case rollback
  }

  private static let greatestAttemptCount = 6

  /// Runs work in a transaction, and repeats the transaction if it conflicts with other
  /// transactions.
  ///
  /// - Parameters:
  ///   - origin: The origin of the changes for the history.
  ///   - flight: The same changes in one round trip, which are tried first. If the server rejects
  ///     the flight, `work` writes the changes step by step.
  ///   - isBegun: A closure that returns whether `work` must not be called again.
  ///   - work: A closure that writes the changes. It may be called several times.
  ///   - explain: A closure that searches, in a new transaction, for the rows that violate a
  ///     uniqueness constraint, and returns whether it has found any.
  /// - Returns: The number of the transaction in the history, or nil if the transaction is not
  ///   recorded.
  func transaction(
    by origin: ChangeOrigin, _ flight: SingleFlight? = nil,
    unless isBegun: () -> Bool = { false },
    _ work: (PostgresConnection) throws(StoreError) -> Ending,
    explaining explain: (PostgresConnection) throws(StoreError) -> Bool = { _ in false }
  ) throws(StoreError) -> Int64? {
    var attempt = 0
    var flight = flight
    while true {
      attempt += 1
      let last = attempt == Self.greatestAttemptCount
      do throws(StoreError) {
        if let single = flight {
          let ending = try pool.lease { (connection) throws(StoreError) in
            try single.run(on: connection)
          }
          if case .committed(let number) = ending { return number }
          flight = nil
        }
        switch try attemptTransaction(by: origin, work, explain) {
        case .done(let number): return number
        case .again(let error): if last || isBegun() { throw error }
        }
      } catch {
        guard error.code == .unreachable, !(error.underlying is Exhaustion) else { throw error }
        pool.dropIdle()
        var failure = error
        var isRepeated = attempt == 1 && !isBegun()
        if let lost = error.underlying as? LostCommit {
          if case .committed(let number) = try settle(lost) { return number }
          failure = Self.notCommitted(pool.settings.description)
          isRepeated = isRepeated && lost.changes != nil
        }
        if !isRepeated { throw failure }
      }
      pause(before: attempt)
    }
  }

  /// Waits for a random time of up to half a second. The maximum grows with the attempts.
  func pause(before attempt: Int) {
    let longest = min(500_000, 10_000 << min(attempt, 6))
    usleep(UInt32.random(in: 10_000...UInt32(longest)))
  }

  private enum Attempt {
    case done(Int64?)
    case again(StoreError)
  }

  private func attemptTransaction(
    by origin: ChangeOrigin, _ work: (PostgresConnection) throws(StoreError) -> Ending,
    _ explain: (PostgresConnection) throws(StoreError) -> Bool
  ) throws(StoreError) -> Attempt {
    try pool.lease { (connection) throws(StoreError) in
      let ending: Ending
      do throws(StoreError) {
        try begin(on: connection)
        ending = try work(connection)
      } catch {
        connection.rollBack()
        if error.isTransient || error.isForgottenStatement { return .again(error) }
        guard error.isUniqueViolation else { throw error }
        defer { connection.rollBack() }
        try begin(on: connection)
        // If the other row no longer exists, another attempt may succeed.
        return try explain(connection) ? .done(nil) : .again(error)
      }
      switch ending {
      case .rollback:
        connection.rollBack()
        return .done(nil)
      case .commit(let history, let changes):
        do throws(StoreError) {
          return .done(try conclude([], history, of: changes, by: origin, on: connection))
        } catch {
          guard error.isRejection else { throw error }
          connection.rollBack()
          if error.isTransient { return .again(error) }
          throw error
        }
      }
    }
  }

  private func begin(on connection: PostgresConnection) throws(StoreError) {
    let commands = beginning + [fence.command]
    let facts = try connection.run(commands, opensTransaction: true)[commands.count - 1]
    try fence.checkWriting(facts)
    // The commit will not be in the part of the history that is already deleted.
    _ = note(facts.integer(0, 2))
  }

  /// Runs one statement that writes, in a transaction that contains only this statement.
  @discardableResult
  func write(
    _ command: PostgresCommand, on connection: PostgresConnection
  ) throws(StoreError) -> PostgresResult {
    // Behind a pooler, sessions have the server's default isolation level.
    guard pool.settings.sharesSessions else { return try connection.run(command) }
    return try connection.run([.begin, command, .commit])[1]
  }

  /// Runs the last statements of a transaction, writes the history and commits, in one round trip.
  ///
  /// - Parameters:
  ///   - statements: The statements before the history.
  ///   - history: The changes for the history.
  ///   - set: The changes of the transaction; nil if they are not known.
  ///   - opensTransaction: Whether the statements also begin the transaction.
  /// - Returns: The number of the committed transaction; nil if the store records no history.
  /// - Throws: `StoreError` if the server rejects a statement; nothing is committed. Throws
  ///   `StoreError` with code `.unreachable` and the underlying error ``LostCommit`` if the outcome
  ///   of the commit is not known.
  func conclude(
    _ statements: [PostgresCommand], _ history: [StoreHistoryChange], of set: ChangeSet?,
    by origin: ChangeOrigin, on connection: PostgresConnection, opensTransaction: Bool = false
  ) throws(StoreError) -> Int64? {
    let recorded = tracksHistory && !history.isEmpty
    let commit = LostCommit(
      identifier: UUID(), hasHistory: recorded, changes: set,
      precedingNumber: lastNumber.load(ordering: .relaxed), sessionKey: connection.sessionKey)
    var commands = statements
    if recorded {
      let writer = HistoryRecorder(store: self)
      commands += try writer.commands(for: history, by: origin, commit: commit.identifier)
    }
    commands.append(.commit)
    if recorded { commands.append(ChangeListener.notice(of: self)) }
    do throws(StoreError) {
      let results = try connection.run(commands, opensTransaction: opensTransaction)
      guard recorded else { return nil }
      return note(results[statements.count + HistoryRecorder.entryIndex].integer(0, 0))
    } catch {
      // The statement after the commit is only a notification.
      if recorded, error.isRejection, error.statement == commands.last?.text {
        // If the entry cannot be read, the outcome is not known.
        let found = try? connection.run(entry(of: commit))
        if let found, found.rowCount == 1 { return note(found.integer(0, 0)) }
      } else if error.isRejection || error.code == .unfitValue {
        // The connection refuses values that are too large before it sends a statement.
        throw error
      }
      var error = error
      error.code = .unreachable
      error.underlying = commit
      throw error
    }
  }

  /// Records the number of a committed transaction and returns the number.
  func note(_ number: Int64) -> Int64 {
    _ = lastNumber.max(number, ordering: .relaxed)
    return number
  }
}

extension PostgresValue {
  init(_ identifier: UUID) {
    self.init(
      type: PostgresType.uuid.rawValue,
      bytes: withUnsafeBytes(of: identifier.uuid) { Array($0) })
  }
}
