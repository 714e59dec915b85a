/// What a sync brought.
public struct SyncReport: Sendable {
  /// A page that the site refused.
  public struct Refusal: Sendable {
    /// The part of the sync.
    public let phase: SyncPhase
    /// What was asked for, in words.
    public let subject: String
    /// Why the site refused it: `ForumErrorPage` or `ClientError`.
    public let reason: any Error
  }

  /// A report of nothing.
  package init() {}

  /// The number of pages fetched and stored.
  public internal(set) var pageCount = 0
  /// What was stored.
  public internal(set) var imported = ImportSummary()
  /// The pages that the site refused; the sync went on without them.
  public internal(set) var refusals: [Refusal] = []

  /// The number of forums that were not stored before.
  public var newForumCount: Int { imported.inserted["Forum"] ?? 0 }
  /// The number of threads that were not stored before.
  public var newThreadCount: Int { imported.inserted["Thread"] ?? 0 }
  /// The number of posts that were not stored before.
  public var newPostCount: Int { imported.inserted["Post"] ?? 0 }
  /// The number of users that were not stored before.
  public var newUserCount: Int { imported.inserted["User"] ?? 0 }
}
