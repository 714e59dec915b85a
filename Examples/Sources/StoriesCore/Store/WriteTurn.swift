import Foundation
import StoreSharing

/// The turn to read, change and save. For a library in a file, only one operation of one program holds the turn at a time.
///
/// The turn prevents another window from changing values between an operation's read and its save, such as a count that the operation
/// increases.
enum WriteTurn {
  /// Waits for the turn.
  ///
  /// - Parameter place: The library.
  /// - Returns: The lock, whose last reference releases the turn; nil for a library in memory, which no other program can open.
  /// - Throws: `StoriesError` with code `.notOpened` if the lock file cannot be created.
  static func take(of place: StoriesStore.Place) throws -> FileLock? {
    guard case .file(let url) = place else { return nil }
    do {
      return try FileLock.take("\(url.path).turn")
    } catch {
      throw StoriesError(
        .notOpened,
        "The library cannot be locked for writing. Check that its folder is writable. \(error.localizedDescription)",
        path: url.path)
    }
  }
}
