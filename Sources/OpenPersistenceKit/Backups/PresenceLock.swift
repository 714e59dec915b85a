#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock on a file or folder, which shows other programs that the file or folder is in use.
///
/// A value type. The owner releases the lock. The lock belongs to the open file, so two threads of
/// one process exclude each other too, and the kernel releases the lock of a killed process. The
/// lock stays in effect if the file or folder is renamed.
struct PresenceLock {
  private let descriptor: Int32

  /// Locks a file or folder.
  ///
  /// The result is nil if the file or folder cannot be opened, if another owner holds the lock and
  /// `waits` is false, or if the file system does not support locks.
  ///
  /// - Parameters:
  ///   - path: The path of the file or folder.
  ///   - waits: Whether to wait until another owner releases the lock.
  init?(_ path: String, waits: Bool) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  /// Releases the lock. Call this method once.
  func release() { close(descriptor) }
}
