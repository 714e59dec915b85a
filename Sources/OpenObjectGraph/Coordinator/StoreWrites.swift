internal import Foundation
internal import OpenStoreContract
internal import Synchronization

/// The writes of this process to one store, so that a copy that lacks a write never replaces the
/// store.
///
/// The store's `NSPersistentStore` owns the value. The value never delays a write.
///
/// > Concurrency: Usable on any thread. A thread does not hold the lock while it writes.
final class StoreWrites: Sendable {
  private struct State {
    var begunCount = 0
    var endedCount = 0
    /// Whether a copy has replaced the store.
    var isClosed = false
  }

  private let state = Mutex(State())

  /// The number of writes that have ended, including writes that failed.
  var endedCount: Int { state.withLock { $0.endedCount } }

  /// Records that a write begins. After the write, the caller must call ``end()``.
  ///
  /// - Throws: `StoreError` with code `.closed` if a copy has replaced the store.
  func begin() throws(StoreError) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.begunCount += 1 }
      return state.isClosed
    }
    guard isClosed else { return }
    throw StoreError(
      .closed, "The store was replaced by migratePersistentStore. Nothing was written. Try again.")
  }

  /// Records that a write has ended.
  func end() { state.withLock { $0.endedCount += 1 } }

  /// Rejects all further writes.
  ///
  /// - Parameter count: The number of ended writes before the store was copied.
  /// - Throws: `CocoaError` 134070 if the copy may lack a write. Writes are then still possible.
  func close(after count: Int) throws {
    let isClosed = state.withLock { state in
      state.isClosed = state.begunCount == count && state.endedCount == count
      return state.isClosed
    }
    guard !isClosed else { return }
    throw CocoaError.make(
      .persistentStoreOperation,
      "The store was not migrated because a context wrote to it while it was copied. Try again.")
  }
}
