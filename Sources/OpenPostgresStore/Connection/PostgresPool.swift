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

    mutating func dropIdle() {
      count -= idle.count
      idle = []
    }
  }

  let settings: PostgresSettings
  private let configuration: StoreConfiguration
  private let state = Mutex(State())
  private let returns = NSCondition()
  /// The maximum number of idle connections.
  private static let greatestIdleCount = 4
  /// The maximum age of a connection in seconds.
  private static let greatestAge = 1800.0

  init(_ settings: PostgresSettings, _ configuration: StoreConfiguration) {
    self.settings = settings
    self.configuration = configuration
  }

  /// Runs work with a connection that the calling thread uses exclusively.
  ///
  /// - Throws: `StoreError` with code `.closed` after ``close()``, `.unreachable` if no connection
  ///   becomes available within the store's timeout; otherwise the error of the work.
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
        do throws(StoreError) { return try PostgresConnection(settings, configuration) } catch {
          state.withLock { $0.count -= 1 }
          signal()
          throw error
        }
      case .closed: throw closedError
      case .none: break
      }
      returns.lock()
      let isWoken = hasRoom || returns.wait(until: deadline)
      returns.unlock()
      if !isWoken {
        throw StoreError(
          .unreachable,
          "All \(settings.poolSize) connections of the pool were in use for longer than the time-out.",
          path: settings.description)
      }
    }
  }

  private enum Choice {
    case idle(PostgresConnection)
    case new
    case none
    case closed
  }

  private var choice: Choice {
    state.withLock { state in
      if state.isClosed { return .closed }
      if let connection = state.idle.popLast() { return .idle(connection) }
      guard state.count < settings.poolSize else { return .none }
      state.count += 1
      return .new
    }
  }

  private var hasRoom: Bool {
    state.withLock { $0.isClosed || !$0.idle.isEmpty || $0.count < settings.poolSize }
  }

  private func giveBack(_ connection: PostgresConnection) {
    let age = Date().timeIntervalSinceReferenceDate - connection.birth
    var isKept = connection.isReusable && age < Self.greatestAge
    if isKept { isKept = (try? connection.trimStatements()) != nil }
    state.withLock { state in
      if isKept, !state.isClosed, state.idle.count < Self.greatestIdleCount {
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
    state.withLock { state in
      state.isClosed = true
      state.dropIdle()
    }
    returns.lock()
    returns.broadcast()
    returns.unlock()
  }
}
