import COpenPostgres
import Foundation
import Glibc
import OpenStoreContract

/// A connection to a server. Only one thread at a time runs statements on the connection.
///
/// A list of statements is sent without waiting for results, so that the list takes only one round
/// trip.
// Invariant of the unchecked conformance: the pool lends a connection to one thread at a time.
final class PostgresConnection: @unchecked Sendable {
  /// The outcome of a list of statements.
  enum Outcome {
    case done([PostgresResult])
    /// The server rejected the statement at an index and did not execute the statements after it.
    case failed(at: Int, PostgresFailure)
  }

  /// The URL of the store without its password, for error messages.
  let place: String
  /// A check that is sent before the first statement outside a transaction, in the same round trip.
  var fence: ReadFence?
  /// The maximum time to wait for a response, in seconds; nil for no limit. After this time, the
  /// connection counts as lost.
  var patience: Double?
  private let connection: OpaquePointer
  /// The names of the prepared statements that the server has confirmed.
  private var prepared: [PreparedKey: String] = [:]
  private var statementCount = 0
  private let observer: (@Sendable (String) -> Void)?
  private let trace: StatementTrace?
  private let keepsStatements: Bool
  /// The key of the advisory lock that the session holds until it ends; nil behind a pooler, where
  /// a session can serve several clients.
  private(set) var sessionKey: Int64?
  /// The time when the connection was opened, in seconds since the reference date.
  let birth = Date().timeIntervalSinceReferenceDate
  private static let greatestPreparedCount = 300
  /// The number of rows up to which a result is read completely before its rows are passed on.
  private static let smallRowCount = 256

  /// Connects to the server.
  ///
  /// - Parameter parameters: The connection parameters for libpq; nil for those of the settings.
  /// - Throws: `StoreError` with code `.unreachable` if the server cannot be reached, `.permission`
  ///   if the server rejects the user, `.unusableLocation` if the server or database is unsuitable.
  init(
    _ settings: PostgresSettings, _ configuration: StoreConfiguration,
    _ parameters: [String: String]? = nil
  ) throws(StoreError) {
    place = settings.description
    keepsStatements = !settings.sharesSessions
    observer = configuration.statementObserver
    trace = configuration.statementTrace
    let entries = (parameters ?? settings.parameters).sorted { $0.key < $1.key }
    let keywords = entries.map { strdup($0.key) }
    let values = entries.map { strdup($0.value) }
    defer { for pointer in keywords + values { free(pointer) } }
    var names = keywords.map { UnsafePointer($0) } + [nil]
    var texts = values.map { UnsafePointer($0) } + [nil]
    guard let new = PQconnectdbParams(&names, &texts, 0) else {
      throw StoreError(
        .unreachable, "There is not enough memory to open a connection.", path: place)
    }
    connection = new
    try ConnectionCheck.run(new, to: place)
    PQsetNoticeProcessor(new, { _, _ in }, nil)
    PQsetnonblocking(new, 1)
    PQenterPipelineMode(new)
    if keepsStatements {
      let key = Int64.random(in: .min ... .max)
      try run([
        PostgresCommand("SELECT pg_advisory_lock($1)", [.integer(key)], isKept: false),
        // If this setting is off, the server reads a null in the text of an array as a string.
        PostgresCommand("SET array_nulls = on", isKept: false),
        // Statements outside a transaction must see what other transactions have committed.
        PostgresCommand("SET default_transaction_isolation = 'read committed'", isKept: false),
      ])
      sessionKey = key
    }
  }

  deinit { PQfinish(connection) }

  /// Whether the connection can be reused, because it is open and has no open transaction.
  var isReusable: Bool {
    PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE
  }

  /// Whether the connection is open and has an open transaction in which no statement has failed.
  var isInTransaction: Bool {
    PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_INTRANS
  }

  var isStanding: Bool { PQstatus(connection) == CONNECTION_OK }

  // MARK: Running

  /// Runs statements in one round trip and returns their results.
  ///
  /// - Throws: `StoreError` for the first statement that fails.
  @discardableResult
  func run(_ commands: [PostgresCommand]) throws(StoreError) -> [PostgresResult] {
    switch try attempt(commands) {
    case .done(let results): return results
    case .failed(let index, let failure):
      throw failure.error(in: place, statement: commands[index].text)
    }
  }

  @discardableResult
  func run(
    _ text: String, _ values: [PostgresValue] = []
  ) throws(StoreError) -> PostgresResult {
    try run([PostgresCommand(text, values)])[0]
  }

  /// Rolls back the open transaction. Does nothing on a lost connection, because the server has
  /// rolled back its transaction.
  func rollBack() {
    if isStanding { _ = try? attempt([PostgresCommand("ROLLBACK")]) }
  }

  /// Runs statements in one round trip. Outside a transaction, runs them again if a prepared
  /// statement no longer exists on the server.
  ///
  /// - Parameter opensTransaction: Whether the statements begin a transaction and check the store's
  ///   generation themselves. Such statements are not run again.
  /// - Throws: `StoreError` with code `.unreachable` if the connection is lost.
  func attempt(
    _ commands: [PostgresCommand], opensTransaction: Bool = false
  ) throws(StoreError) -> Outcome {
    let isAlone = !opensTransaction && PQtransactionStatus(connection) == PQTRANS_IDLE
    let fence = isAlone ? self.fence : nil
    var outcome = try attemptOnce(commands, behind: fence)
    if case .failed(_, let failure) = outcome, isAlone, failure.isForgottenStatement {
      try forgetStatements()
      outcome = try attemptOnce(commands, behind: fence)
    }
    return outcome
  }

  private func attemptOnce(
    _ commands: [PostgresCommand], behind fence: ReadFence? = nil
  ) throws(StoreError) -> Outcome {
    for command in commands { try requireFit(command) }
    let start = trace == nil ? 0 : Date().timeIntervalSinceReferenceDate
    var steps: [Step] = []
    if let fence { try send(fence.command, at: Step.fence, &steps) }
    for (index, command) in commands.enumerated() {
      observer?(command.text)
      try send(command, at: index, &steps)
    }
    try check(PQpipelineSync(connection))
    var results: [PostgresResult] = []
    var failure: (index: Int, PostgresFailure)?
    for step in steps {
      guard let result = try next(nil) else { throw lost(nil) }
      switch result.status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
        note(step)
        if step.isQuery { results.append(result) }
      case PGRES_FATAL_ERROR where failure == nil: failure = (step.index, result.failure)
      default: break
      }
      while try next(nil) != nil {}
    }
    try finishSync()
    if let failure {
      guard isStanding else { throw lost(nil) }
      if let fence, failure.index == Step.fence {
        throw failure.1.error(in: place, statement: fence.command.text)
      }
      return .failed(at: failure.index, failure.1)
    }
    if let fence { try fence.check(results.removeFirst()) }
    report(commands, results, since: start)
    return .done(results)
  }

  /// What a prepared statement depends on.
  private struct PreparedKey: Hashable {
    let text: String
    let types: [Oid]
  }

  /// A message to the server whose response must be read.
  private struct Step {
    /// The index of the statement in the list, or the constant ``fence``.
    let index: Int
    /// The key and the name of the statement to prepare; nil for a statement that is executed.
    let preparing: (key: PreparedKey, name: String)?
    var isQuery: Bool { preparing == nil }

    static let fence = -1
  }

  private func requireFit(_ command: PostgresCommand) throws(StoreError) {
    guard command.values.fitInStatement else {
      throw StoreError(
        .unfitValue, "The values are larger than one gigabyte. The server does not accept them.",
        path: place, statement: command.text)
    }
  }

  private func send(
    _ command: PostgresCommand, at index: Int, _ steps: inout [Step]
  ) throws(StoreError) {
    var types = command.values.map { Oid($0.type) }
    let count = Int32(command.values.count)
    guard command.isKept, keepsStatements else {
      try check(
        command.values.withParameters { pointers, lengths, formats in
          PQsendQueryParams(
            connection, command.text, count, &types, pointers, lengths, formats, 1)
        })
      steps.append(Step(index: index, preparing: nil))
      return
    }
    let key = PreparedKey(text: command.text, types: types)
    let known = prepared[key] ?? steps.lazy.compactMap(\.preparing).first { $0.key == key }?.name
    let name: String
    if let known {
      name = known
    } else {
      statementCount += 1
      name = "ocd_\(statementCount)"
      try check(PQsendPrepare(connection, name, command.text, count, &types))
      steps.append(Step(index: index, preparing: (key, name)))
    }
    try check(
      command.values.withParameters { pointers, lengths, formats in
        PQsendQueryPrepared(connection, name, count, pointers, lengths, formats, 1)
      })
    steps.append(Step(index: index, preparing: nil))
  }

  private func note(_ step: Step) {
    if let (key, name) = step.preparing { prepared[key] = name }
  }

  /// Drops all prepared statements. Call only between transactions.
  func forgetStatements() throws(StoreError) {
    prepared = [:]
    _ = try attemptOnce([PostgresCommand("DEALLOCATE ALL", isKept: false)])
  }

  /// Drops the prepared statements on the server if there are too many. Call only between
  /// transactions.
  func trimStatements() throws(StoreError) {
    if prepared.count > Self.greatestPreparedCount { try forgetStatements() }
  }

  private func report(
    _ commands: [PostgresCommand], _ results: [PostgresResult], since start: Double
  ) {
    guard let trace else { return }
    // The statements of one round trip share its time.
    let seconds = Date().timeIntervalSinceReferenceDate - start
    for (command, result) in zip(commands, results) {
      trace.report(
        StatementTrace.Run(
          text: command.text, seconds: seconds / Double(commands.count),
          rowCount: trace.detail >= .rows ? result.rowCount : nil))
    }
  }

  // MARK: Reading row by row

  /// Runs the statement of a plan, which contains the check for migrations, and passes each row to
  /// a closure.
  ///
  /// Rows are passed on as they arrive, which limits the memory but costs libpq a result for each
  /// row. Therefore, a result with few rows is read completely first.
  ///
  /// - Parameter body: A closure that receives a result and the index of a row.
  func stream(
    _ command: PostgresCommand, of plan: FetchPlan,
    _ body: (PostgresResult, Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    try requireFit(command)
    let isSmall = plan.shape.hasLimit && plan.limit <= Self.smallRowCount
    let start = trace == nil ? 0 : Date().timeIntervalSinceReferenceDate
    observer?(command.text)
    var steps: [Step] = []
    try send(command, at: 0, &steps)
    try check(PQpipelineSync(connection))
    var failure: PostgresFailure?
    var thrown: StoreError?
    var rowCount = 0
    for step in steps {
      if step.isQuery, !isSmall { PQsetSingleRowMode(connection) }
      while let result = try next(plan.interruption) {
        switch result.status {
        case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
          if result.status == PGRES_TUPLES_OK { note(step) }
          for row in 0..<result.rowCount where thrown == nil {
            rowCount += 1
            do throws(StoreError) {
              try plan.throwIfInterrupted()
              try body(result, row)
            } catch {
              thrown = error
              cancel()
            }
          }
        case PGRES_COMMAND_OK: note(step)
        case PGRES_FATAL_ERROR where failure == nil: failure = result.failure
        default: break
        }
      }
    }
    try finishSync()
    if let thrown { throw thrown }
    if let failure {
      guard isStanding else { throw lost(command.text) }
      if failure.isCancellation { try plan.throwIfInterrupted() }
      // After a migration, the tables may lack what the statement needs.
      if fence != nil { try run([]) }
      throw failure.error(in: place, statement: command.text)
    }
    guard let trace else { return }
    trace.report(
      StatementTrace.Run(
        text: command.text, seconds: Date().timeIntervalSinceReferenceDate - start,
        rowCount: trace.detail >= .rows ? rowCount : nil))
  }

  // MARK: libpq

  /// Reads the results up to the end of a round trip.
  private func finishSync() throws(StoreError) {
    while true {
      guard let result = try next(nil) else {
        if isStanding { continue }
        throw lost(nil)
      }
      if result.status == PGRES_PIPELINE_SYNC { return }
      if !isStanding { throw lost(nil) }
    }
  }

  /// Waits for the next result and returns it; nil at the end of the results of a message.
  private func next(_ interruption: ReadInterruption?) throws(StoreError) -> PostgresResult? {
    var isCancelled = false
    let deadline = patience.map { Date().timeIntervalSinceReferenceDate + $0 }
    while true {
      let unsent = PQflush(connection)
      guard unsent >= 0 else { throw lost(nil) }
      if PQisBusy(connection) == 0 { return PQgetResult(connection).map(PostgresResult.init) }
      if !isCancelled, interruption?.isInterrupted == true {
        isCancelled = true
        cancel()
      }
      try wait(toWrite: unsent == 1)
      if let deadline, Date().timeIntervalSinceReferenceDate > deadline { throw lost(nil) }
      guard PQconsumeInput(connection) == 1 else { throw lost(nil) }
    }
  }

  private func wait(toWrite: Bool) throws(StoreError) {
    var descriptor = pollfd(
      fd: PQsocket(connection), events: Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0), revents: 0)
    guard descriptor.fd >= 0 else { throw lost(nil) }
    let count = poll(&descriptor, 1, 50)
    if count < 0, errno != EINTR { throw lost(nil) }
  }

  /// Requests, on a separate connection, that the server cancel the running statement.
  func cancel() {
    guard let cancel = PQgetCancel(connection) else { return }
    defer { PQfreeCancel(cancel) }
    var message = [CChar](repeating: 0, count: 256)
    PQcancel(cancel, &message, 256)
  }

  private func check(_ code: Int32) throws(StoreError) {
    if code != 1 { throw lost(nil) }
  }

  private func lost(_ statement: String?) -> StoreError {
    StoreError(
      .unreachable, "The connection to the server was lost. Try again.", path: place,
      statement: statement)
  }

  /// The socket, for waiting for notifications.
  var socket: Int32 { PQsocket(connection) }

  /// Reads the notifications that have arrived, and returns whether there were any.
  func takeNotices() throws(StoreError) -> Bool {
    guard PQconsumeInput(connection) == 1 else { throw lost(nil) }
    var hasCome = false
    while let notice = PQnotifies(connection) {
      hasCome = true
      PQfreemem(notice)
    }
    return hasCome
  }
}
