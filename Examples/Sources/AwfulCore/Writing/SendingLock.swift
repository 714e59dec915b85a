import Foundation
import StoreSharing

/// A lock that allows only one program at a time to send drafts.
///
/// A value. The lock is released with its last copy.
struct SendingLock {
  private let lock: FileLock?

  /// Acquires the lock of a store.
  ///
  /// - Parameter store: The store's file; nil for an in-memory store, which no other program can open.
  /// - Returns: `nil` if another program holds the lock, or the lock file cannot be created.
  init?(of store: URL?) {
    guard let store else {
      lock = nil
      return
    }
    // Without a lock file, nothing would keep another program from sending.
    guard let taken = try? FileLock.takeIfFree("\(store.path).sending") else { return nil }
    lock = taken
  }
}
