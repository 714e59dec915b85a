/// The results of a sync.
public struct SyncReport: Sendable {
  /// A page that the site refused.
  public struct Refusal: Sendable {
    /// The phase of the sync.
    public let phase: SyncPhase
    /// A description of the request.
    public let subject: String
    /// The error that the site refused it with: `ForumErrorPage` or `ClientError`.
    public let reason: any Error
  }

  /// Creates an empty report.
  package init() {}

  /// The number of fetched and stored pages.
  public internal(set) var pageCount = 0
  /// The numbers of stored changes.
  public internal(set) var imported = ImportSummary()
  /// The pages that the site refused. The sync continued without them.
  public internal(set) var refusals: [Refusal] = []

  /// The number of new forums in the store.
  public var newForumCount: Int { imported.inserted["Forum"] ?? 0 }
  /// The number of new threads in the store.
  public var newThreadCount: Int { imported.inserted["Thread"] ?? 0 }
  /// The number of new posts in the store.
  public var newPostCount: Int { imported.inserted["Post"] ?? 0 }
  /// The number of new users in the store.
  public var newUserCount: Int { imported.inserted["User"] ?? 0 }
}
