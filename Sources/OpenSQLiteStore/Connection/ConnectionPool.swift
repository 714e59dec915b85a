import COpenSQLite
import Dispatch
import Foundation
import OpenStoreContract
import Synchronization

/// Lends connections to calls: one writer at a time, and any number of readers. Idle readers are
/// kept for later calls.
///
/// An idle reader may keep the transaction of its last read open, until the pool's writer writes or
/// there are no reads for a moment. An open transaction prevents the write-ahead log from being
/// emptied.
///
/// Shared between threads. An in-memory store has one connection for all calls, which a lock
/// protects. The locks are recursive, so code that receives rows of an in-memory store may read the
/// store again.
final class ConnectionPool: Sendable {
  /// A connection that is being lent to a call or returned to the pool.
  // Invariant: a connection is in the pool or lent to one call, never both; the mutex or the lock
  // of the pool orders the two.
  struct Lease: @unchecked Sendable {
    let connection: Connection
    /// The pool's count of outdated readers when the connection was opened.
    var revision = 0
  }

  fileprivate enum Phase {
    case open, closed
    /// Closed because another store of the process migrates the file.
    case retired
  }

  fileprivate struct Readers {
    var idle: [Lease] = []
    var phase = Phase.open
    /// The number of running calls that use a reader or the writer.
    var callCount = 0
    var revision = 0
    /// Whether a check for unused open transactions is scheduled.
    var isWatched = false
  }

  /// Whether one connection serves readers and the writer.
  let isShared: Bool
  private let writer: Lease
  private let writerLock = NSRecursiveLock()
  private let readers = Mutex(Readers())
  private let makeReader: @Sendable () throws(StoreError) -> Lease
  /// A closure that returns whether existing readers may read outdated content; nil if they follow
  /// changes.
  private let isOutdated: (@Sendable () -> Bool)?
  /// Whether readers may keep their transactions: in a writable file with a log and the usual
  /// locks.
  private let keepsTransactions: Bool
  private static let idleLimit = 8
  /// The minimum time for which an idle reader keeps its transaction. The maximum is twice as long.
  private static let keeping = DispatchTimeInterval.milliseconds(100)

  init(
    writer: Lease, isShared: Bool, keepsTransactions: Bool = false,
    isOutdated: (@Sendable () -> Bool)? = nil,
    makeReader: @escaping @Sendable () throws(StoreError) -> Lease
  ) {
    self.writer = writer
    self.isShared = isShared
    self.keepsTransactions = keepsTransactions
    self.isOutdated = isOutdated
    self.makeReader = makeReader
  }

  /// Runs `body` with a connection for reading.
  @inline(__always)
  func withReader<Result>(
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if isShared {
      return try withWriter { (connection) throws(StoreError) in try connection.steadily(body) }
    }
    let lease = try takeReader()
    var isWhole = false
    defer { putBack(lease, isWhole: isWhole) }
    let result = try lease.connection.steadily(body)
    isWhole = true
    return result
  }

  @inline(__always)
  private func takeReader() throws(StoreError) -> Lease {
    if let isOutdated, isOutdated() { dropReaders() }
    let (idle, revision) = try readers.withLock { (readers) throws(StoreError) -> (Lease?, Int) in
      try requireOpen(readers.phase)
      readers.callCount += 1
      return (readers.idle.popLast(), readers.revision)
    }
    do throws(StoreError) {
      guard let idle else {
        var lease = try makeReader()
        lease.revision = revision
        return lease
      }
      try idle.connection.beginRead()
      return idle
    } catch {
      idle?.connection.close()
      endCall()
      throw error
    }
  }

  private func endCall() { readers.withLock { $0.callCount -= 1 } }

  /// Opens a connection for reading that the caller keeps.
  func makeOwnReader() throws(StoreError) -> Lease {
    try requireOpen()
    return try makeReader()
  }

  /// Closes the idle readers. Lent readers are closed when they are returned.
  private func dropReaders() {
    let idle = readers.withLock { readers in
      defer { readers.idle = [] }
      readers.revision += 1
      return readers.idle
    }
    for lease in idle { lease.connection.close() }
  }

  /// Takes a reader back. A reader whose read failed is closed, because its state is unknown.
  @inline(__always)
  private func putBack(_ lease: Lease, isWhole: Bool) {
    if isWhole, keepsTransactions { lease.connection.endRead() }
    let hasTransaction = lease.connection.isInTransaction
    let (isKept, isNew) = readers.withLock { readers in
      guard readers.phase == .open, readers.idle.count < Self.idleLimit,
        lease.revision == readers.revision, isWhole || !hasTransaction
      else { return (false, false) }
      readers.callCount -= 1
      readers.idle.append(lease)
      guard hasTransaction, !readers.isWatched else { return (true, false) }
      readers.isWatched = true
      return (true, true)
    }
    if isNew { watch() }
    if !isKept {
      lease.connection.close()
      endCall()
    }
  }

  /// Checks repeatedly, after a delay, for kept transactions that were not used since the last
  /// check.
  private func watch() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.keeping) { [self] in
      let goesOn = readers.withLock { readers in
        readers.isWatched = readers.endTransactions { $0.wasUnused() }
        return readers.isWatched
      }
      if goesOn { watch() }
    }
  }

  /// Runs `body` with the writing connection exclusively.
  func withWriter<Result>(
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    writerLock.lock()
    defer { writerLock.unlock() }
    try readers.withLock { (readers) throws(StoreError) in
      try requireOpen(readers.phase)
      readers.callCount += 1
      // The log is restarted only if no reader needs it.
      if readers.isWatched { _ = readers.endTransactions { _ in true } }
    }
    defer { endCall() }
    return try body(writer.connection)
  }

  // MARK: Closing

  /// Whether calls may use connections.
  var isOpen: Bool { readers.withLock { $0.phase == .open } }

  /// Closes the connections. Lent connections are closed when they are returned.
  func close() {
    writerLock.lock()
    defer { writerLock.unlock() }
    let wasOpen = readers.withLock { readers in
      guard readers.phase == .open else { return false }
      readers.phase = .closed
      return true
    }
    if wasOpen { closeConnections() }
  }

  /// Waits until no call uses a connection, and closes all connections. Later calls throw an error
  /// that mentions the migration.
  ///
  /// During the wait, reads and writes can begin. A write must not wait here, because the read that
  /// must end first may be waiting for this write.
  ///
  /// - Returns: Whether the pool is closed. If calls still use connections at the deadline, the
  ///   pool stays open.
  func retire(until deadline: ContinuousClock.Instant) -> Bool {
    StoreLock.poll(until: deadline) { retireIfIdle() }
  }

  /// Closes all connections if no call uses one.
  ///
  /// - Returns: Whether the pool is closed.
  private func retireIfIdle() -> Bool {
    guard writerLock.try() else { return false }
    defer { writerLock.unlock() }
    let isIdle = readers.withLock { readers in
      // The writer lock is recursive, so a call of this thread may also be running.
      guard readers.phase == .open, readers.callCount == 0 else { return false }
      readers.phase = .retired
      return true
    }
    if isIdle { closeConnections() }
    return !isOpen
  }

  private func closeConnections() {
    dropReaders()
    writer.connection.close()
  }

  /// Throws if calls can no longer use connections.
  func requireOpen() throws(StoreError) {
    try readers.withLock { (readers) throws(StoreError) in try requireOpen(readers.phase) }
  }

  @inline(__always)
  private func requireOpen(_ phase: Phase) throws(StoreError) {
    if phase != .open { throw refusal(phase) }
  }

  private func refusal(_ phase: Phase) -> StoreError {
    guard phase == .retired else {
      return StoreError(.closed, "The store is closed. Open it again before using it.")
    }
    return StoreError(
      .closed,
      "Another coordinator of this process closed the store in order to migrate it. Open it again with the current model before using it.",
      path: writer.connection.path)
  }
}

extension ConnectionPool.Readers {
  /// Ends the transactions that idle readers keep. A reader whose transaction cannot be ended is
  /// closed.
  ///
  /// - Returns: Whether any reader still keeps a transaction.
  fileprivate mutating func endTransactions(where mayEnd: (Connection) -> Bool) -> Bool {
    var isLeft = false
    idle.removeAll { lease in
      guard lease.connection.isInTransaction else { return false }
      guard mayEnd(lease.connection) else {
        isLeft = true
        return false
      }
      do throws(StoreError) {
        try lease.connection.endKeptTransaction()
        return false
      } catch {
        lease.connection.close()
        return true
      }
    }
    return isLeft
  }
}
