import Foundation
import StoreSharing

/// What one scan of a store at a time has, so that two scans make no artist or album twice.
enum ScanLock {
  /// Waits for the lock of a store.
  ///
  /// - Parameters:
  ///   - store: The store's file; nil for a store in memory, whose scans are the caller's to order.
  ///   - report: Called once when another scan holds the lock.
  /// - Returns: The lock, which is released with its last reference; nil for a store in memory.
  /// - Throws: `KanoraError` with code `.notOpened` when the lock's file cannot be made; `CancellationError`.
  static func take(of store: URL?, whenWaiting report: () -> Void) async throws -> FileLock? {
    guard let store else { return nil }
    let path = "\(store.path).scanning"
    var isWaiting = false
    while true {
      do {
        if let lock = try FileLock.takeIfFree(path) { return lock }
      } catch let error as POSIXError {
        throw KanoraError(
          .notOpened, "The lock for scans cannot be taken: \(error.localizedDescription)",
          path: path)
      }
      if !isWaiting { report() }
      isWaiting = true
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
