import Foundation
import Glibc
import OpenStoreContract
import Synchronization

/// The connections of a store. During a lease, one thread uses a connection exclusively.
///
/// A thread that leases a connection may lease another one, for example to reserve keys during a
/// batch insertion. For each connection that the thread already has, the pool may exceed its size
/// by one connection. One of the threads with the most connections therefore never has to wait, so
/// that threads cannot wait for each other.
final class PostgresPool: Sendable {
  private struct State {
    /// The connections that are not leased, in the order in which they were returned.
    var idle: [Idle] = []
    /// The number of open connections, including leased connections.
    var count = 0
    /// The number of connections in ``count`` that are being opened.
    var newCount = 0
    /// The number of connections that each thread leases.
    var leases: [pthread_t: Int] = [:]
    var isClosed = false
    /// Whether the pinned state no longer exists.
    var isLost = false
    /// The connection that exported the pinned state; nil for other pools.
    var exporter: PostgresConnection?
    /// The pools of pinned states, which are closed together with this pool.
    var pins: [Pin] = []

    /// Removes the idle connections that were returned before a time. They are closed when the
    /// caller releases them, which must be after the pool's lock is released.
    mutating func takeIdle(before time: Double = .infinity) -> [Idle] {
      let expired = Array(idle.prefix { $0.time < time })
      count -= expired.count
      idle.removeFirst(expired.count)
      return expired
    }

    /// Ends a lease of the calling thread.
    mutating func endLease() {
      let count = leases[pthread_self(), default: 1] - 1
      leases[pthread_self()] = count > 0 ? count : nil
    }

    /// Returns whether a thread may lease a connection.
    func hasRoom(for thread: pthread_t, in size: Int) -> Bool {
      count - idle.count < size + leases[thread, default: 0]
    }
  }

  private struct Idle {
    let connection: PostgresConnection
    /// The time when the connection was returned, in seconds since the reference date.
    let time: Double
  }

  private struct Pin: Sendable {
    weak let pool: PostgresPool?
  }

  private struct Snapshot: Sendable {
    /// The name with which another connection imports the state. A restarted server assigns the
    /// same names again.
    let name: String
    /// The transactions whose changes the state contains.
    let contents: String

    /// The expression whose value is ``contents`` on a connection that reads the state.
    static let expression = "pg_current_snapshot()::text"
  }

  let settings: PostgresSettings
  private let configuration: StoreConfiguration
  /// The exported state in which all connections read; nil for the newest state.
  private let snapshot: Snapshot?
  private let state = Mutex(State())
  private let returns = NSCondition()
  /// The maximum number of idle connections.
  private static let greatestIdleCount = 4
  /// The maximum age of a connection in seconds.
  private static let greatestAge = 1800.0
  /// The time in seconds after which an idle connection is not used again. Networks drop
  /// connections that have been idle for a long time.
  private static let greatestIdleTime = 300.0

  init(_ settings: PostgresSettings, _ configuration: StoreConfiguration) {
    self.settings = settings
    self.configuration = configuration
    snapshot = nil
  }

  private init(_ pool: PostgresPool, snapshot: Snapshot, of exporter: PostgresConnection) {
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
    try requireOpen()
    let exporter = try PostgresConnection(settings, configuration)
    try exporter.run([.beginSnapshot, Self.noTimeout])
    try check(exporter)
    let result = try exporter.run(
      PostgresCommand("SELECT pg_export_snapshot(), \(Snapshot.expression)", isKept: false))
    guard let name = result.text(0, 0), name.allSatisfy({ $0.isHexDigit || $0 == "-" }),
      let contents = result.text(0, 1)
    else { throw lostError }
    let snapshot = Snapshot(name: name, contents: contents)
    let pool = PostgresPool(self, snapshot: snapshot, of: exporter)
    let isClosed = state.withLock { state in
      state.pins.removeAll { $0.pool == nil }
      state.pins.append(Pin(pool: pool))
      return state.isClosed
    }
    // The other thread that closed this pool does not know the new pool.
    if isClosed { throw closedError }
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
    let importing = PostgresCommand("SET TRANSACTION SNAPSHOT '\(snapshot.name)'", isKept: false)
    let reading = PostgresCommand("SELECT \(Snapshot.expression)", isKept: false)
    let results = try? connection.run([.beginSnapshot, importing, Self.noTimeout, reading])
    guard results?.last?.text(0, 0) == snapshot.contents else {
      loseSnapshot()
      throw lostError
    }
    return connection
  }

  /// Ends the transactions of the pinned state, so that the server can remove old rows.
  private func loseSnapshot() {
    _ = state.withLock { state in
      state.isLost = true
      return (state.exporter.take(), state.takeIdle())
    }
  }

  private var lostError: StoreError {
    StoreError(
      .snapshotLost,
      "The query generation of the context no longer exists, because it was pinned for too long or the connection was lost. "
        + "Set the context's query generation again.", path: settings.description)
  }

  /// Runs work with a connection that the calling thread uses exclusively.
  ///
  /// If the server accepts no more connections, the thread waits until a connection of the pool is
  /// idle.
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

  /// Runs work with a leased connection. If the connection is lost, or one of its prepared
  /// statements can no longer be used, runs the work again on a new connection, because the same
  /// is probably true of the other idle connections.
  ///
  /// - Parameters:
  ///   - isBegun: Whether the work must not run again.
  ///   - work: A closure that has the same effect if it runs twice.
  /// - Throws: The same errors as ``lease(_:)``.
  @discardableResult
  func repeatingLease<Result>(
    unless isBegun: () -> Bool = { false },
    _ work: (PostgresConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) { return try lease(work) } catch {
      let isLost = error.code == .unreachable && !(error.underlying is Exhaustion)
      guard isLost || error.isForgottenStatement, !isBegun() else { throw error }
      dropIdle()
      return try lease(work)
    }
  }

  /// Runs a closure with a connection that can receive notifications. The connection is not
  /// part of the pool, and is closed afterward.
  func listen(
    _ work: (PostgresConnection) throws(StoreError) -> Void
  ) throws(StoreError) {
    try requireOpen()
    try work(PostgresConnection(settings, configuration, settings.listeningParameters))
  }

  /// Throws `StoreError` with code `.closed` after ``close()``.
  func requireOpen() throws(StoreError) {
    if state.withLock({ $0.isClosed }) { throw closedError }
  }

  private var closedError: StoreError {
    StoreError(
      .closed, "The store is closed. Open it again before using it.", path: settings.description)
  }

  private func take() throws(StoreError) -> PostgresConnection {
    let deadline = Date(timeIntervalSinceNow: Double(configuration.lockTimeout) / 1000)
    while true {
      switch choice {
      case .idle(let connection): return connection
      case .new:
        do throws(StoreError) {
          let connection = try connect()
          state.withLock { $0.newCount -= 1 }
          return connection
        } catch {
          let canWait = state.withLock { state in
            state.count -= 1
            state.newCount -= 1
            state.endLease()
            // A thread that leases another connection must not wait, because other threads may be
            // waiting for that connection.
            return state.count > 0 && state.leases[pthread_self()] == nil
          }
          guard canWait, error.underlying is Exhaustion, Date() < deadline else {
            signal()
            throw error
          }
          waitForIdle()
          continue
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
          "Timed out waiting for a connection. All connections of the pool (\(settings.poolSize)) were in use.",
          path: settings.description, underlying: Exhaustion())
      }
    }
  }

  /// Waits up to half a second for an idle connection. The caller then tries again to obtain a
  /// connection.
  private func waitForIdle() {
    let end = Date(timeIntervalSinceNow: 0.5)
    returns.lock()
    while state.withLock({ $0.idle.isEmpty }), returns.wait(until: end) {}
    returns.unlock()
  }

  private enum Choice {
    case idle(PostgresConnection)
    case new
    case none
    case closed
    case lost
  }

  /// Begins a lease of the calling thread if there is a connection for it.
  private var choice: Choice {
    let now = Date().timeIntervalSinceReferenceDate
    var expired: [Idle] = []
    defer { withExtendedLifetime(expired) {} }
    return state.withLock { state in
      if state.isClosed { return .closed }
      if state.isLost { return .lost }
      expired = state.takeIdle(before: now - Self.greatestIdleTime)
      guard state.hasRoom(for: pthread_self(), in: settings.poolSize) else { return .none }
      state.leases[pthread_self(), default: 0] += 1
      if let idle = state.idle.popLast() { return .idle(idle.connection) }
      state.count += 1
      state.newCount += 1
      return .new
    }
  }

  private var hasRoom: Bool {
    state.withLock { state in
      state.isClosed || state.isLost
        || state.hasRoom(for: pthread_self(), in: settings.poolSize)
    }
  }

  private func giveBack(_ connection: PostgresConnection) {
    let now = Date().timeIntervalSinceReferenceDate
    var isKept = connection.isReusable && now - connection.birth < Self.greatestAge
    if snapshot != nil {
      isKept = connection.isInTransaction
    } else if isKept {
      isKept = (try? connection.trimStatements()) != nil
    }
    state.withLock { state in
      state.endLease()
      if isKept, !state.isClosed, !state.isLost, state.count <= settings.poolSize,
        state.idle.count < Self.greatestIdleCount
      {
        state.idle.append(Idle(connection: connection, time: now))
      } else {
        state.count -= 1
      }
    }
    signal()
  }

  /// Wakes all waiting threads, because not every thread may take every place.
  private func signal() {
    returns.lock()
    returns.broadcast()
    returns.unlock()
  }

  /// Closes the idle connections after the server was lost.
  func dropIdle() {
    _ = state.withLock { $0.takeIdle() }
  }

  /// Closes all connections. Leased connections are closed when they are returned.
  func close() {
    let (pins, _, _) = state.withLock { state in
      state.isClosed = true
      return (state.pins, state.exporter.take(), state.takeIdle())
    }
    for pin in pins { pin.pool?.close() }
    signal()
  }
}
