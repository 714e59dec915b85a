/// The progress of upgrading a store that an older version of the program has created.
public struct UpgradeProgress: Sendable, Hashable {
  /// A part of an upgrade.
  public enum Phase: String, Sendable {
    /// The store is migrated to the newest version of its model.
    case migration
    /// Searchable texts are stored for the posts.
    case texts
  }

  /// The part that is running.
  public let phase: Phase
  /// The finished amount: percent of a migration, or the number of posts.
  public let done: Int
  /// The total amount: 100 for a migration, or the number of posts.
  public let total: Int

  /// A closure that receives the progress, and returns false to cancel the upgrade.
  public typealias Handler = (UpgradeProgress) -> Bool
}
