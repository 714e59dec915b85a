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
  /// Whether a prepared statement no longer exists or no longer matches the tables.
  private var hasForgottenStatements = false
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
  /// The maximum size of the values, in bytes, that libpq stores until the server receives them.
  private static let greatestUnsentSize = 1 << 20

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

  /// Runs statements in one round trip and returns their results. Outside a transaction, runs them
  /// again if a prepared statement no longer exists on the server.
  ///
  /// - Parameter opensTransaction: Whether the statements begin a transaction and check the store's
  ///   generation themselves. Such statements are not run again.
  /// - Throws: `StoreError` with its ``StoreError/failure`` for the first statement that the server
  ///   rejects; the server does not execute the statements after it. Throws `StoreError` with code
  ///   `.unreachable` if the connection is lost.
  @discardableResult
  func run(
    _ commands: [PostgresCommand], opensTransaction: Bool = false
  ) throws(StoreError) -> [PostgresResult] {
    let isAlone = !opensTransaction && PQtransactionStatus(connection) == PQTRANS_IDLE
    let fence = isAlone ? self.fence : nil
    do throws(StoreError) { return try runOnce(commands, behind: fence) } catch {
      guard isAlone, error.isForgottenStatement else { throw error }
      try forgetStatements()
      return try runOnce(commands, behind: fence)
    }
  }

  /// Runs a statement and returns its result.
  @discardableResult
  func run(_ command: PostgresCommand) throws(StoreError) -> PostgresResult {
    try run([command])[0]
  }

  /// Runs work in a transaction, which is rolled back if the work throws an error.
  ///
  /// - Parameters:
  ///   - beginning: The statements that begin the transaction, in one round trip.
  ///   - work: A closure that receives the results of these statements.
  func inTransaction<Result>(
    _ beginning: [PostgresCommand], _ work: ([PostgresResult]) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      let result = try work(try run(beginning))
      try run([.commit])
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Rolls back the open transaction. Does nothing on a lost connection, because the server has
  /// rolled back its transaction.
  func rollBack() {
    if isStanding { _ = try? run(.rollback) }
  }

  @discardableResult
  private func runOnce(
    _ commands: [PostgresCommand], behind fence: ReadFence? = nil
  ) throws(StoreError) -> [PostgresResult] {
    var size = 0
    for command in commands { size += try command.fittingSize(in: place) }
    let start = trace == nil ? 0 : Date().timeIntervalSinceReferenceDate
    var steps: [PipelineStep] = []
    try sendRoundTrip(ofSize: size) { () throws(StoreError) in
      if let fence { try send(fence.command, at: PipelineStep.fence, &steps) }
      for (index, command) in commands.enumerated() {
        observer?(command.text)
        try send(command, at: index, &steps)
      }
    }
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
      let failed = failure.index == PipelineStep.fence ? fence?.command : commands[failure.index]
      throw error(of: failure.1, in: failed)
    }
    if let fence { try fence.check(results.removeFirst()) }
    trace?.reportRoundTrip(of: commands, results.map(\.rowCount), since: start)
    return results
  }

  /// Sends the statements of a round trip, and its end.
  ///
  /// Large values are sent in libpq's blocking mode, in which libpq also receives results. In its
  /// other mode, libpq stores at most two gigabytes, and moves all unsent bytes whenever it has
  /// sent some of them. During such a send, an interruption and `patience` have no effect.
  ///
  /// - Parameters:
  ///   - size: The size of the values, in bytes.
  ///   - add: A closure that passes the statements to libpq.
  private func sendRoundTrip(
    ofSize size: Int, _ add: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let isLarge = size > Self.greatestUnsentSize
    if isLarge { PQsetnonblocking(connection, 0) }
    defer { if isLarge { PQsetnonblocking(connection, 1) } }
    try add()
    try check(PQpipelineSync(connection))
  }

  private func send(
    _ command: PostgresCommand, at index: Int, _ steps: inout [PipelineStep]
  ) throws(StoreError) {
    var types = command.values.map { Oid($0.type) }
    let count = Int32(command.values.count)
    guard command.isKept, keepsStatements else {
      try check(
        command.values.withParameters { pointers, lengths, formats in
          PQsendQueryParams(
            connection, command.text, count, &types, pointers, lengths, formats, 1)
        })
      steps.append(PipelineStep(index: index, preparing: nil))
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
      steps.append(PipelineStep(index: index, preparing: (key, name)))
    }
    try check(
      command.values.withParameters { pointers, lengths, formats in
        PQsendQueryPrepared(connection, name, count, pointers, lengths, formats, 1)
      })
    steps.append(PipelineStep(index: index, preparing: nil))
  }

  private func note(_ step: PipelineStep) {
    if let (key, name) = step.preparing { prepared[key] = name }
  }

  /// Drops all prepared statements. Call only between transactions.
  func forgetStatements() throws(StoreError) {
    prepared = [:]
    hasForgottenStatements = false
    try runOnce([PostgresCommand("DEALLOCATE ALL", isKept: false)])
  }

  /// Drops the prepared statements on the server if there are too many, or if one of them can no
  /// longer be used. Call only between transactions.
  func trimStatements() throws(StoreError) {
    let areTooMany = prepared.count > Self.greatestPreparedCount
    if areTooMany || hasForgottenStatements { try forgetStatements() }
  }

  private func error(of failure: PostgresFailure, in command: PostgresCommand?) -> StoreError {
    if failure.isForgottenStatement { hasForgottenStatements = true }
    return failure.error(in: place, statement: command?.text)
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
    let size = try command.fittingSize(in: place)
    let isSmall = plan.shape.hasLimit && plan.limit <= Self.smallRowCount
    let start = trace == nil ? 0 : Date().timeIntervalSinceReferenceDate
    observer?(command.text)
    var steps: [PipelineStep] = []
    try sendRoundTrip(ofSize: size) { () throws(StoreError) in
      try send(command, at: 0, &steps)
    }
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
      throw error(of: failure, in: command)
    }
    trace?.reportRoundTrip(of: [command], [rowCount], since: start)
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
