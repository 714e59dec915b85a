import Foundation
import StoreSharing

/// The locks of a store, which other programs respect.
///
/// A scan first takes ``scanning``, and takes ``editing`` for each save.
enum StoreLock: String {
  /// Allows one scan at a time, so that a batch does not create the artists and albums of another scan again.
  case scanning
  /// Allows one change at a time, from its first read to its save, so that sums and positions include all other changes.
  case editing

  /// Waits for the lock of a store.
  ///
  /// - Parameters:
  ///   - store: The store's file, or nil for an in-memory store, which no other program can open.
  ///   - report: Called once if the lock is not free.
  /// - Returns: The lock, which is released with its last reference; nil for an in-memory store.
  /// - Throws: `KanoraError` with code `.notOpened` if the lock file cannot be created; `CancellationError`.
  func take(of store: URL?, whenWaiting report: () -> Void = {}) async throws -> FileLock? {
    guard let store else { return nil }
    let path = "\(store.path).\(rawValue)"
    var isWaiting = false
    while true {
      do {
        if let lock = try FileLock.takeIfFree(path) { return lock }
      } catch let error as POSIXError {
        throw KanoraError(
          .notOpened,
          "The library cannot be locked. Check that its folder is writable. \(error.localizedDescription)",
          path: path)
      }
      if !isWaiting { report() }
      isWaiting = true
      try await Task.sleep(for: self == .scanning ? .milliseconds(50) : .milliseconds(5))
    }
  }
}
