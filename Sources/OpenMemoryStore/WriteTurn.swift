import Foundation
import OpenStoreContract
import Synchronization

/// A lock that allows one thread at a time to write the external contents of a store, while other
/// threads continue to read.
///
/// Shared between threads. The lock is held while an application's custom store saves its objects.
/// A thread that already holds the lock cannot acquire it again.
final class WriteTurn: Sendable {
  private let lock = NSLock()
  private let holder = Mutex<ObjectIdentifier?>(nil)

  /// Runs work while no other thread writes.
  ///
  /// - Throws: `StoreError` with code `.locked` if this thread already holds the lock, or the error
  ///   of the work.
  func run<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let current = ObjectIdentifier(Thread.current)
    guard holder.withLock({ $0 }) != current else {
      throw StoreError(
        .locked, "A store cannot be saved while the same thread is already saving it.")
    }
    lock.lock()
    holder.withLock { $0 = current }
    defer {
      holder.withLock { $0 = nil }
      lock.unlock()
    }
    return try work()
  }
}
