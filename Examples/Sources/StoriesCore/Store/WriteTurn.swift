import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The turn to read, change and save: for a library in a file, one operation of one program has it at a time.
///
/// What an operation decides by what it has read, such as a count that it increases, is so not overtaken by another window. The system
/// takes the turn back when a program ends, however it ends.
///
/// Confined to the operation that takes it.
final class WriteTurn {
  private var descriptor: Int32

  /// Waits for the turn.
  ///
  /// - Parameter place: The library; one in memory has no other program.
  /// - Throws: `StoriesError` with code `.notOpened` when the lock's file cannot be made.
  init(_ place: StoriesStore.Place) throws {
    guard case .file(let url) = place else {
      descriptor = -1
      return
    }
    descriptor = open("\(url.path).turn", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0, Self.lock(descriptor) { return }
    let reason = String(cString: strerror(errno))
    end()
    throw StoriesError(
      .notOpened, "The library cannot be locked for writing: \(reason). Check its folder.",
      path: url.path)
  }

  private static func lock(_ descriptor: Int32) -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  /// Passes the turn on.
  func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  deinit { end() }
}
