/// A store that writes commits to a log, and can move the contents of the log into the store's
/// file.
public protocol Checkpointing: StoreBackend {
  /// Moves committed changes from the log into the file.
  ///
  /// - Parameter mode: Whether the checkpoint waits for readers and writers of the store, and
  ///   whether it empties the log.
  /// - Returns: The number of pages in the log, and the number of these pages that are in the file.
  /// - Throws: `StoreError` with one of these codes: `.readOnly` if the store is read-only;
  ///   `.closed` if the store is closed; `.locked` if readers or writers of the store use the log
  ///   for longer than the timeout; another code if the checkpoint fails.
  func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> CheckpointOutcome
}

/// Whether a checkpoint waits for readers and writers of the store, and whether it empties the log.
public enum CheckpointMode: Sendable, Hashable {
  /// Moves only the pages that can be moved without waiting for readers and writers.
  case passive
  /// Waits for writers and for readers of older states, moves all pages, and empties the log.
  case emptyingLog
}

/// The result of a checkpoint.
public struct CheckpointOutcome: Sendable, Hashable {
  /// The number of pages in the log; 0 if the checkpoint emptied the log.
  public var logPages: Int
  /// The number of pages of the log that this checkpoint or an earlier checkpoint wrote to the
  /// file; 0 if the checkpoint emptied the log.
  public var movedPages: Int

  /// Creates an outcome.
  ///
  /// - Parameters:
  ///   - logPages: The number of pages in the log; 0 if the checkpoint emptied the log.
  ///   - movedPages: The number of pages of the log that are in the file; 0 if the checkpoint
  ///     emptied the log.
  public init(logPages: Int, movedPages: Int) {
    self.logPages = logPages
    self.movedPages = movedPages
  }

  /// Whether the checkpoint moved all pages.
  ///
  /// If true, the store's file alone contains all commits, and the log is not needed.
  public var isComplete: Bool { movedPages >= logPages }
}
