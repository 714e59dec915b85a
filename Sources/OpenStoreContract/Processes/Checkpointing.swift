/// A store that writes into a log first, and can move the log's content into its file.
public protocol Checkpointing: StoreBackend {
  /// Moves what is committed from the log into the file.
  ///
  /// - Parameter mode: Whether to wait for other users, and whether to empty the log.
  /// - Returns: How far it came.
  /// - Throws: `StoreError`, code `.locked` if other users kept the log in use longer than the timeout.
  func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> CheckpointOutcome
}

/// How a checkpoint treats other users of the store.
public enum CheckpointMode: Sendable, Hashable {
  /// Moves pages that no reader needs, without waiting.
  case passive
  /// Waits for writers and for readers of older states, moves everything, and leaves an empty log.
  case emptyingLog
}

/// The progress of a checkpoint.
public struct CheckpointOutcome: Sendable, Hashable {
  /// The number of pages in the log.
  public var logPages: Int
  /// The number of these pages that were also written to the file.
  public var movedPages: Int

  /// Describes an outcome.
  ///
  /// - Parameters:
  ///   - logPages: The number of pages in the log.
  ///   - movedPages: The number of these pages that were also written to the file.
  public init(logPages: Int, movedPages: Int) {
    self.logPages = logPages
    self.movedPages = movedPages
  }

  /// Whether the file contains all commits, even without its log.
  public var isComplete: Bool { movedPages >= logPages }
}
