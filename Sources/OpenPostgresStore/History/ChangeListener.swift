import Foundation
import Glibc
import OpenObjectGraph
import OpenSQLCore
public import OpenStoreContract
import Synchronization

/// Waits for notifications of other processes' commits, on a separate connection and a separate
/// thread.
///
/// A notification only reports that a transaction was committed. The listener reads the transaction
/// from the history. The listener also checks the history every five seconds, so that a lost
/// notification has no lasting effect.
final class ChangeListener: Sendable {
  /// The identifier of this process in the history.
  static let process = UUID()

  private let store: @Sendable () -> PostgresStore?
  private let handler: @Sendable (Int64) -> Void
  private let isStopped = Atomic<Bool>(false)

  init(_ store: PostgresStore, _ handler: @escaping @Sendable (Int64) -> Void) {
    let reference = WeakStore(store)
    self.store = { reference.store }
    self.handler = handler
  }

  // Invariant: the reference is set once.
  private final class WeakStore: @unchecked Sendable {
    weak let store: PostgresStore?
    init(_ store: PostgresStore) { self.store = store }
  }

  /// Returns the statement that notifies other processes of a commit.
  static func notice(of store: PostgresStore) -> PostgresCommand {
    let notice = SQLSelect([.function("pg_notify", [.bound(1), .text("")])], from: .nothing)
    return PostgresCommand(
      store.dialect.text(of: .select(notice)), [.text(channel(of: store))])
  }

  private static func channel(of store: PostgresStore) -> String {
    "ocd_" + store.identifier.lowercased()
  }

  /// Starts the thread that waits for notifications.
  ///
  /// - Parameter number: The number of the last known transaction.
  func start(after number: Int64) {
    let thread = Thread { [self] in listen(after: number) }
    thread.name = "OpenCoreData changes"
    thread.start()
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Takes the place of another listener, which stops.
  func replace(_ other: inout ChangeListener?) {
    other?.stop()
    other = self
  }

  /// The last known transaction, and the failed attempts to listen.
  private struct State {
    /// The number of the last known transaction.
    var known: Int64
    /// The number of attempts to listen since the listener last listened.
    var failureCount = 0

    /// The time until the next attempt, in microseconds; at most five seconds.
    var wait: UInt32 { min(5_000_000, 50_000 << UInt32(min(failureCount, 7))) }
  }

  private func listen(after number: Int64) {
    var state = State(known: number)
    while !isStopped.load(ordering: .relaxed), let pool = store()?.pool {
      do throws(StoreError) {
        try pool.listen { (connection) throws(StoreError) in
          try follow(&state, on: connection)
        }
      } catch {
        if error.code == .closed { return }
        state.failureCount += 1
        if state.failureCount == 2 { report(error) }
        // The first failure can be the end of a connection that listened.
        if state.failureCount > 1 { lookWithoutListening(&state) }
        usleep(state.wait)
      }
    }
  }

  private func report(_ error: StoreError) {
    GraphLog.warning(
      "The store cannot receive notifications of commits by other processes. Until it can, it checks the history about "
        + "every five seconds. \(error.message)")
  }

  /// Checks the history on a connection of the pool, which may have another host than the listening
  /// connection.
  private func lookWithoutListening(_ state: inout State) {
    guard let store = store() else { return }
    var news: Int64?
    // If the server cannot be reached at all, the next attempt checks the history again.
    try? store.pool.lease { (connection) throws(StoreError) in
      connection.patience = Self.patience
      defer { connection.patience = nil }
      news = try look(&state.known, in: store, on: connection)
    }
    // The handler may need the connection.
    if let news { handler(news) }
  }

  /// The maximum time to wait for the server's responses, in seconds. A network can drop a
  /// connection without telling either end.
  private static let patience = 3.0

  /// Observes the history until the connection is lost or the store is deallocated.
  private func follow(
    _ state: inout State, on connection: PostgresConnection
  ) throws(StoreError) {
    guard let channel = store().map(Self.channel), let settings = store()?.pool.settings
    else { return }
    // A session of a pooler may serve another program later.
    let mayListen = !settings.sharesSessions || settings.hasListeningHost
    connection.patience = Self.patience
    var isListening = false
    var lastLook = 0.0
    var isDue = true
    while !isStopped.load(ordering: .relaxed) {
      let now = Date().timeIntervalSinceReferenceDate
      if isDue || now - lastLook >= 5 {
        lastLook = now
        guard let store = store() else { return }
        // Listening starts before the history is read, so that no commit is missed.
        if mayListen, !isListening {
          isListening = try Self.listen(to: channel, in: store, on: connection)
        }
        let news = try look(&state.known, in: store, on: connection)
        state.failureCount = 0
        if let news { handler(news) }
      }
      var descriptor = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, 250)
      isDue = try connection.takeNotices()
      if !connection.isStanding {
        throw StoreError(.unreachable, "The connection to the server was lost.")
      }
    }
  }

  /// Starts to receive notifications, and returns whether the server sends any. A standby server
  /// sends none until it is promoted.
  private static func listen(
    to channel: String, in store: PostgresStore, on connection: PostgresConnection
  ) throws(StoreError) -> Bool {
    if try store.session(on: connection).isStandby() { return false }
    try connection.run(PostgresDialect.listen(to: channel))
    return true
  }

  /// Returns the number of the last transaction if there are new transactions of other processes.
  private func look(
    _ known: inout Int64, in store: PostgresStore, on connection: PostgresConnection
  ) throws(StoreError) -> Int64? {
    let result = try connection.run(
      PostgresCommand(
        store.dialect.text(of: OwnStatement.findNews),
        [.integer(known), PostgresValue(Self.process)]))
    guard !result.isNull(0, 0) else { return nil }
    known = store.note(result.integer(0, 0))
    return result.isNull(0, 1) ? nil : known
  }
}

extension PostgresStore: ChangeWatching {
  public func watchChanges(
    _ handler: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> Bool {
    try pool.requireOpen()
    guard tracksHistory else { return false }
    let listener = ChangeListener(self, handler)
    watcher.withLock { listener.replace(&$0) }
    // The listener reads the history itself, and repeats the read if the server is unreachable.
    listener.start(after: lastNumber.load(ordering: .relaxed))
    return true
  }
}
