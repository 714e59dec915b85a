import COpenSQLite
import Foundation
import OpenStoreContract
import Synchronization

/// Lends connections: one writer at a time, and any number of readers, kept in a stack between
/// calls.
///
/// Shared. A store in memory has one connection for everything, which its lock guards. The locks
/// allow their own thread in again, because a change set may be made while the writer is held.
final class ConnectionPool: Sendable {
  /// A connection on its way between the pool and a call.
  // Invariant: a connection is in the pool or lent to one call, never both; the mutex or the lock
  // of the pool orders the two.
  struct Lease: @unchecked Sendable {
    let connection: Connection
    /// The pool's count of outdated readers when the connection was made.
    var generation = 0
  }

  private struct Readers {
    var idle: [Lease] = []
    var isClosed = false
    var generation = 0
  }

  /// Whether one connection serves readers and the writer.
  let isShared: Bool
  private let writer: Lease
  private let writerLock = NSRecursiveLock()
  private let readers = Mutex(Readers())
  private let makeReader: @Sendable () throws(StoreError) -> Lease
  /// Whether readers made so far may read what is no longer so; nil where they follow changes.
  private let isOutdated: (@Sendable () -> Bool)?
  private static let idleLimit = 8

  init(
    writer: Lease, isShared: Bool, isOutdated: (@Sendable () -> Bool)? = nil,
    makeReader: @escaping @Sendable () throws(StoreError) -> Lease
  ) {
    self.writer = writer
    self.isShared = isShared
    self.isOutdated = isOutdated
    self.makeReader = makeReader
  }

  /// Runs `body` with a connection for reading.
  @inline(__always)
  func withReader<Result>(
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if isShared { return try withWriter(body) }
    let lease = try takeReader()
    defer { putBack(lease) }
    return try body(lease.connection)
  }

  @inline(__always)
  private func takeReader() throws(StoreError) -> Lease {
    if let isOutdated, isOutdated() { dropReaders() }
    let idle = try readers.withLock { (readers) throws(StoreError) -> Lease? in
      if readers.isClosed { throw Self.closed }
      return readers.idle.popLast()
    }
    if let idle { return idle }
    guard isOutdated != nil else { return try makeReader() }
    let generation = readers.withLock { $0.generation }
    var lease = try makeReader()
    lease.generation = generation
    return lease
  }

  /// A connection for reading that the caller keeps.
  func makeOwnReader() throws(StoreError) -> Lease { try makeReader() }

  /// Closes the idle readers; those that are lent close when they come back.
  private func dropReaders() {
    let idle = readers.withLock { readers in
      defer { readers.idle = [] }
      readers.generation += 1
      return readers.idle
    }
    for lease in idle { lease.connection.close() }
  }

  @inline(__always)
  private func putBack(_ lease: Lease) {
    let isKept = readers.withLock { readers in
      guard !readers.isClosed, readers.idle.count < Self.idleLimit,
        lease.generation == readers.generation
      else { return false }
      readers.idle.append(lease)
      return true
    }
    if !isKept { lease.connection.close() }
  }

  /// Runs `body` with the connection for writing, alone.
  func withWriter<Result>(
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    writerLock.lock()
    defer { writerLock.unlock() }
    if readers.withLock({ $0.isClosed }) { throw Self.closed }
    return try body(writer.connection)
  }

  /// Closes the connections; those that are lent close when they come back.
  func close() {
    writerLock.lock()
    defer { writerLock.unlock() }
    let idle = readers.withLock { readers in
      defer { readers = Readers(idle: [], isClosed: true, generation: readers.generation) }
      return readers.isClosed ? nil : readers.idle
    }
    guard let idle else { return }
    for lease in idle { lease.connection.close() }
    writer.connection.close()
  }

  private static var closed: StoreError {
    StoreError(.closed, "The store is closed; open it again before using it.")
  }
}
