import Foundation

/// A lock that one scan of a store at a time holds, so that two scans make no artist or album twice.
///
/// The system releases it when the program ends, however it ends. Shared.
final class ScanLock: Sendable {
  private let descriptor: Int32

  /// Waits for the lock of a store.
  ///
  /// - Parameters:
  ///   - store: The store's file; nil for a store in memory, whose scans are the caller's to order.
  ///   - report: Called once when the lock is held by another scan.
  /// - Returns: The lock, which is released with its last reference.
  /// - Throws: `KanoraError` with code `.notOpened` when the lock's file cannot be made; `CancellationError`.
  static func take(of store: URL?, whenWaiting report: () -> Void) async throws -> ScanLock {
    guard let store else { return ScanLock(-1) }
    let path = "\(store.path).scanning"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw KanoraError(
        .notOpened, "The lock for scans cannot be made: \(String(cString: strerror(errno))).",
        path: path)
    }
    let lock = ScanLock(descriptor)
    var isWaiting = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw KanoraError(
          .notOpened, "The lock for scans cannot be taken: \(String(cString: strerror(errno))).",
          path: path)
      }
      if !isWaiting { report() }
      isWaiting = true
      try await Task.sleep(for: .milliseconds(50))
    }
    return lock
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
