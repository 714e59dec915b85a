import Foundation
import StoreSharing

/// A lock that allows one scan of a store at a time, so that two scans do not create the same artist or album twice.
enum ScanLock {
  /// Waits for the lock of a store.
  ///
  /// - Parameters:
  ///   - store: The store's file, or nil for an in-memory store, whose scans the caller must serialize.
  ///   - report: Called once if another scan holds the lock.
  /// - Returns: The lock, which is released with its last reference; nil for an in-memory store.
  /// - Throws: `KanoraError` with code `.notOpened` if the lock file cannot be created; `CancellationError`.
  static func take(of store: URL?, whenWaiting report: () -> Void) async throws -> FileLock? {
    guard let store else { return nil }
    let path = "\(store.path).scanning"
    var isWaiting = false
    while true {
      do {
        if let lock = try FileLock.takeIfFree(path) { return lock }
      } catch let error as POSIXError {
        throw KanoraError(
          .notOpened, "The scan lock could not be acquired: \(error.localizedDescription)",
          path: path)
      }
      if !isWaiting { report() }
      isWaiting = true
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
