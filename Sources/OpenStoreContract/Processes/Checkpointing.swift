/// A store that writes commits to a log, and can move the contents of the log into the store's
/// file.
public protocol Checkpointing: StoreBackend {
  /// Moves committed changes from the log into the file.
  ///
  /// - Parameter mode: The treatment of other users of the store, and whether to empty the log.
  /// - Returns: The progress of the checkpoint.
  /// - Throws: `StoreError` with code `.locked` if other users kept the log in use for longer than
  ///   the timeout; another `StoreError` if the checkpoint fails.
  func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> CheckpointOutcome
}

/// The treatment of other users of the store during a checkpoint.
public enum CheckpointMode: Sendable, Hashable {
  /// Moves only the pages that can be moved without waiting for readers and writers.
  case passive
  /// Waits for writers and for readers of older states, moves all pages, and empties the log.
  case emptyingLog
}

/// The progress of a checkpoint.
public struct CheckpointOutcome: Sendable, Hashable {
  /// The number of pages in the log.
  public var logPages: Int
  /// The number of pages of the log that were written to the file.
  public var movedPages: Int

  /// Creates an outcome.
  ///
  /// - Parameters:
  ///   - logPages: The number of pages in the log.
  ///   - movedPages: The number of pages of the log that were written to the file.
  public init(logPages: Int, movedPages: Int) {
    self.logPages = logPages
    self.movedPages = movedPages
  }

  /// Whether the checkpoint moved all pages, so that the file contains all commits without the log.
  public var isComplete: Bool { movedPages >= logPages }
}
