import Foundation

/// A lock on a file, across all programs. It is exclusive, unless it is shared with other shared locks.
///
/// Releasing the last reference releases the lock. The system also releases it when the program exits or crashes; the file stays.
///
/// > Concurrency: Shared; usable on any thread.
public final class FileLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Waits for the lock, and blocks the calling thread.
  ///
  /// - Parameter path: The file, created if it does not exist.
  /// - Throws: `POSIXError` if the file cannot be created or locked.
  public static func take(_ path: String) throws -> FileLock {
    let lock = try make(path)
    while flock(lock.descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw lastError() }
    }
    return lock
  }

  /// Waits until no exclusive lock is held, and then shares the lock. The call blocks the calling thread.
  ///
  /// - Parameter path: The file, created if it does not exist.
  /// - Throws: `POSIXError` if the file cannot be created or locked.
  public static func share(_ path: String) throws -> FileLock {
    let lock = try make(path)
    while flock(lock.descriptor, LOCK_SH) != 0 {
      guard errno == EINTR else { throw lastError() }
    }
    return lock
  }

  /// Acquires the lock if it is free.
  ///
  /// - Parameter path: The file, created if it does not exist.
  /// - Returns: The lock; nil if it is already held.
  /// - Throws: `POSIXError` if the file cannot be created or locked.
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
