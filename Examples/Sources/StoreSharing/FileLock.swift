import Foundation

/// A lock on a file, which one holder at a time has, among all programs.
///
/// The lock ends with its last reference. The system releases it when the program ends, however it ends; the file stays.
///
/// Shared.
public final class FileLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Waits for the lock, with the calling thread.
  ///
  /// - Parameter path: The file, which is made when there is none.
  /// - Throws: `POSIXError` when the file cannot be made or locked.
  public static func take(_ path: String) throws -> FileLock {
    let lock = try make(path)
    while flock(lock.descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw lastError() }
    }
    return lock
  }

  /// Takes the lock unless it is held.
  ///
  /// - Parameter path: The file, which is made when there is none.
  /// - Returns: The lock; nil while it is held.
  /// - Throws: `POSIXError` when the file cannot be made or locked.
  public static func takeIfFree(_ path: String) throws -> FileLock? {
    let lock = try make(path)
    while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      guard errno == EINTR else { throw lastError() }
    }
    return lock
  }

  private static func make(_ path: String) throws -> FileLock {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw lastError() }
    return FileLock(descriptor)
  }

  private static func lastError() -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
