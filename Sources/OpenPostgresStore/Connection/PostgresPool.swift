import Foundation
import OpenStoreContract
import Synchronization

/// The connections of a store. During a lease, one thread uses a connection exclusively.
final class PostgresPool: Sendable {
  private struct State {
    var idle: [PostgresConnection] = []
    /// The number of open connections, including leased connections.
    var count = 0
    var isClosed = false
    /// Whether the pinned state no longer exists.
    var isLost = false
    /// The connection that exported the pinned state; nil for other pools.
    var exporter: PostgresConnection?
    /// The pools of pinned states, which are closed together with this pool.
    var pins: [Pin] = []

    mutating func dropIdle() {
      count -= idle.count
      idle = []
    }
  }

  private struct Pin: Sendable {
    weak let pool: PostgresPool?
  }

  let settings: PostgresSettings
  private let configuration: StoreConfiguration
  /// The identifier of the exported state in which all connections read; nil for the newest state.
  private let snapshot: String?
  private let state = Mutex(State())
  private let returns = NSCondition()
  /// The maximum number of idle connections.
  private static let greatestIdleCount = 4
  /// The maximum age of a connection in seconds.
  private static let greatestAge = 1800.0

  init(_ settings: PostgresSettings, _ configuration: StoreConfiguration) {
    self.settings = settings
    self.configuration = configuration
    snapshot = nil
  }

  private init(_ pool: PostgresPool, snapshot: String, of exporter: PostgresConnection) {
    settings = pool.settings
    configuration = pool.configuration
    self.snapshot = snapshot
    state.withLock { $0.exporter = exporter }
  }

  /// Creates a pool whose connections all read the current state of the database.
  ///
  /// The pool keeps a transaction open until the pool is released or this pool is closed, but no
  /// longer than the URL's `pin` option allows.
  ///
  /// - Parameter check: Checks the connection at the beginning of the transaction.
  func pinned(
    _ check: (PostgresConnection) throws(StoreError) -> Void
  ) throws(StoreError) -> PostgresPool {
    if state.withLock({ $0.isClosed }) { throw closedError }
    let exporter = try PostgresConnection(settings, configuration)
    try exporter.run([.beginSnapshot, Self.noTimeout])
    try check(exporter)
    let result = try exporter.run([
      PostgresCommand("SELECT pg_export_snapshot()", isKept: false)
    ])[0]
    guard let name = result.text(0, 0), name.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw lostError
    }
    let pool = PostgresPool(self, snapshot: name, of: exporter)
    state.withLock { state in
      state.pins.removeAll { $0.pool == nil }
      state.pins.append(Pin(pool: pool))
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + settings.pinTime) { [weak pool] in
      pool?.loseSnapshot()
    }
    return pool
  }

  private static let noTimeout = PostgresCommand(
    "SET LOCAL idle_in_transaction_session_timeout = 0", isKept: false)

  /// Opens a connection, which reads the pinned state if there is one.
  private func connect() throws(StoreError) -> PostgresConnection {
    let connection = try PostgresConnection(settings, configuration)
    guard let snapshot else { return connection }
    let importing = PostgresCommand("SET TRANSACTION SNAPSHOT '\(snapshot)'", isKept: false)
    do throws(StoreError) {
      try connection.run([.beginSnapshot, importing, Self.noTimeout])
    } catch {
      loseSnapshot()
      throw lostError
    }
    return connection
  }

  /// Ends the transactions of the pinned state, so that the server can remove old rows.
  private func loseSnapshot() {
    state.withLock { state in
      state.isLost = true
      state.exporter = nil
      state.dropIdle()
    }
  }

  private var lostError: StoreError {
    StoreError(
      .snapshotLost,
      "The store no longer has the state to which the context is pinned: it was pinned for too long, or the connection was lost. "
        + "Set the context's query generation again.", path: settings.description)
  }

  /// Runs work with a connection that the calling thread uses exclusively.
  ///
  /// - Throws: `StoreError` with code `.closed` after ``close()``, `.unreachable` if no connection
  ///   becomes available within the store's timeout. Also throws any error that `work` throws.
  @discardableResult
  func lease<Result>(
    _ work: (PostgresConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let connection = try take()
    defer { giveBack(connection) }
    return try work(connection)
  }

  /// Runs a closure with a connection that can receive notices.
  func listen(
    _ work: (PostgresConnection) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard settings.listeningHost != nil else { return try lease(work) }
    if state.withLock({ $0.isClosed }) { throw closedError }
    try work(PostgresConnection(settings, configuration, settings.listeningParameters))
  }

  private var closedError: StoreError {
    StoreError(
      .closed, "The store is closed; open it again before using it.", path: settings.description)
  }

  private func take() throws(StoreError) -> PostgresConnection {
    let deadline = Date(timeIntervalSinceNow: configuration.timeout)
    while true {
      switch choice {
      case .idle(let connection): return connection
      case .new:
        do throws(StoreError) { return try connect() } catch {
          state.withLock { $0.count -= 1 }
          signal()
          throw error
        }
      case .closed: throw closedError
      case .lost: throw lostError
      case .none: break
      }
      returns.lock()
      let isWoken = hasRoom || returns.wait(until: deadline)
      returns.unlock()
      if !isWoken {
        throw StoreError(
          .unreachable,
          "All \(settings.poolSize) connections of the pool were in use for longer than the timeout.",
          path: settings.description)
      }
    }
  }

  private enum Choice {
    case idle(PostgresConnection)
    case new
    case none
    case closed
    case lost
  }

  private var choice: Choice {
    state.withLock { state in
      if state.isClosed { return .closed }
      if state.isLost { return .lost }
      if let connection = state.idle.popLast() { return .idle(connection) }
      guard state.count < settings.poolSize else { return .none }
      state.count += 1
      return .new
    }
  }

  private var hasRoom: Bool {
    state.withLock { $0.isClosed || $0.isLost || !$0.idle.isEmpty || $0.count < settings.poolSize }
  }

  private func giveBack(_ connection: PostgresConnection) {
    let age = Date().timeIntervalSinceReferenceDate - connection.birth
    var isKept = connection.isReusable && age < Self.greatestAge
    if snapshot != nil {
      isKept = connection.isInTransaction
    } else if isKept {
      isKept = (try? connection.trimStatements()) != nil
    }
    state.withLock { state in
      if isKept, !state.isClosed, !state.isLost, state.idle.count < Self.greatestIdleCount {
        state.idle.append(connection)
      } else {
        state.count -= 1
      }
    }
    signal()
  }

  private func signal() {
    returns.lock()
    returns.signal()
    returns.unlock()
  }

  /// Closes the idle connections after the server was lost.
  func dropIdle() {
    state.withLock { $0.dropIdle() }
  }

  /// Closes all connections. Leased connections are closed when they are returned.
  func close() {
    let pins = state.withLock { state in
      state.isClosed = true
      state.exporter = nil
      state.dropIdle()
      return state.pins
    }
    for pin in pins { pin.pool?.close() }
    returns.lock()
    returns.broadcast()
    returns.unlock()
  }
}
