import Foundation
import StoreSharing

/// What one program at a time has to send drafts.
///
/// A value; the lock ends with its last copy.
struct SendingLock {
  private let lock: FileLock?

  /// Takes the lock of a store.
  ///
  /// - Parameter store: The store's file; nil for a store in memory, which no other program has.
  /// - Returns: Nil while another program holds the lock, or the lock's file cannot be made.
  init?(of store: URL?) {
    guard let store else {
      lock = nil
      return
    }
    // Where no lock can be made, another program could not be told.
    guard let taken = try? FileLock.takeIfFree("\(store.path).sending") else { return nil }
    lock = taken
  }
}
