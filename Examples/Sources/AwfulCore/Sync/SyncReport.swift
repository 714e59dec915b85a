/// The results of a sync.
public struct SyncReport: Sendable {
  /// A page or a read mark that the sync continued without.
  public struct Failure: Sendable, CustomStringConvertible {
    /// The phase of the sync.
    public let phase: SyncPhase
    /// A description of the request.
    public let subject: String
    /// The error: `ForumErrorPage` or `ClientError` if the site refused the request, `PageError` if its page cannot be read.
    public let reason: any Error

    /// The phase, the subject and the error in one line.
    public var description: String { "\(phase.rawValue), \(subject): \(reason)" }
  }

  /// Creates an empty report.
  package init() {}

  /// The number of fetched and stored pages.
  public internal(set) var pageCount = 0
  /// The numbers of stored changes.
  public internal(set) var imported = ImportSummary()
  /// The pages that the site refused or that could not be read, and the read marks that could not be sent. The sync continued without them.
  public internal(set) var failures: [Failure] = []

  /// The number of new forums in the store.
  public var newForumCount: Int { imported.inserted["Forum"] ?? 0 }
  /// The number of new threads in the store.
  public var newThreadCount: Int { imported.inserted["Thread"] ?? 0 }
  /// The number of new posts in the store.
  public var newPostCount: Int { imported.inserted["Post"] ?? 0 }
  /// The number of new users in the store.
  public var newUserCount: Int { imported.inserted["User"] ?? 0 }
}
