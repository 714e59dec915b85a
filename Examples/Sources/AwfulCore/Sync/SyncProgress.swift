/// How far a sync is.
public struct SyncProgress: Sendable, Equatable {
  /// The part that is under way.
  public let phase: SyncPhase
  /// Pages of the part that are stored.
  public let done: Int
  /// Pages of the part as far as known; it may rise.
  public let total: Int
}
