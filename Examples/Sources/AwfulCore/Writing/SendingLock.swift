import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A lock that one program at a time holds to send drafts; the system releases it when the program ends, however it ends. Shared.
final class SendingLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock of a store.
  ///
  /// - Parameter store: The store's file; nil for a store in memory, which no other program has.
  /// - Returns: Nil while another program holds the lock, or the lock's file cannot be made.
  init?(of store: URL?) {
    guard let store else {
      descriptor = -1
      return
    }
    descriptor = open("\(store.path).sending", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
    if descriptor >= 0 { close(descriptor) }
    return nil
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
