import Foundation
import StoreSharing

/// The turn to read, change and save: for a library in a file, one operation of one program has it at a time.
///
/// What an operation decides by what it has read, such as a count that it increases, is so not overtaken by another window.
enum WriteTurn {
  /// Waits for the turn.
  ///
  /// - Parameter place: The library.
  /// - Returns: The lock, which passes the turn on with its last reference; nil for a library in memory, which no other program has.
  /// - Throws: `StoriesError` with code `.notOpened` when the lock's file cannot be made.
  static func take(of place: StoriesStore.Place) throws -> FileLock? {
    guard case .file(let url) = place else { return nil }
    do {
      return try FileLock.take("\(url.path).turn")
    } catch {
      throw StoriesError(
        .notOpened,
        "The library cannot be locked for writing: \(error.localizedDescription) Check its folder.",
        path: url.path)
    }
  }
}
