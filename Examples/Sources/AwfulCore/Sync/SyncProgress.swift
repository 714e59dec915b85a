/// The progress of a sync.
public struct SyncProgress: Sendable, Equatable {
  /// The current phase.
  public let phase: SyncPhase
  /// The number of stored pages in the phase.
  public let done: Int
  /// The known number of pages in the phase, which may increase.
  public let total: Int
}
