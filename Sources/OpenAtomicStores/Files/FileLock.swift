import Foundation
import OpenStoreContract

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock on a store's file, which a thread holds while it replaces the file.
///
/// A value type. The owner releases the lock. The lock belongs to the open file, so two
/// coordinators of one process exclude each other too, and the kernel releases the lock of a killed
/// process. No lock file is necessary: a thread that has waited for the lock of a replaced file
/// then waits for the lock of the new file.
struct FileLock {
  private enum Attempt {
    case taken, held
    /// The file system does not support locks.
    case unsupported
  }

  /// Whether other coordinators and processes are excluded. If the file system does not support
  /// locks, the value is false.
  let isEffective: Bool
  private let descriptor: Int32

  /// Waits until no other coordinator or process holds the lock.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - timeout: The maximum time to wait, in seconds.
  /// - Returns: The lock, or nil if the file does not exist.
  /// - Throws: `StoreError` with code `.locked` after the timeout, or with code `.permission` or
  ///   `.inputOutput` if the file cannot be opened.
  static func wait(
    forFileAt path: String, timeout: TimeInterval
  ) throws(StoreError) -> FileLock? {
    let seconds = timeout.isNaN ? 0 : min(max(timeout, 0), 1e6)
    let deadline = ContinuousClock.now + .seconds(seconds)
    var pause: useconds_t = 1000
    while let descriptor = try openFile(path) {
      let attempt = attempt(descriptor)
      if attempt != .held, isCurrent(descriptor, path) {
        return FileLock(isEffective: attempt == .taken, descriptor: descriptor)
      }
      close(descriptor)
      guard ContinuousClock.now < deadline else {
        throw StoreError(
          .locked,
          "Another coordinator or process is replacing the store file. Try again later.",
          path: path)
      }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    return nil
  }

  /// Releases the lock. Call this method once.
  func release() { close(descriptor) }

  private static func openFile(_ path: String) throws(StoreError) -> Int32? {
    // Network file systems lock only files that are open for writing.
    var descriptor = open(path, O_RDWR | O_CLOEXEC)
    if descriptor < 0, errno != ENOENT { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
    if descriptor >= 0 { return descriptor }
    let number = errno
    if number == ENOENT || number == ENOTDIR { return nil }
    throw StoreError(
      number == EACCES ? .permission : .inputOutput,
      "The store file cannot be locked: \(String(cString: strerror(number))).", path: path)
  }

  private static func attempt(_ descriptor: Int32) -> Attempt {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      return errno == EAGAIN ? .held : .unsupported
    }
    return .taken
  }

  /// Returns whether the open file still has its name. Every save replaces the file.
  private static func isCurrent(_ descriptor: Int32, _ path: String) -> Bool {
    var own = stat()
    var named = stat()
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }
}
