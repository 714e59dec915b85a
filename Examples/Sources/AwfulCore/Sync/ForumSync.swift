public import ForumClient

/// Brings a store up to date with the site: index, thread lists, bookmarks, messages, then missing posts.
///
/// A value. Each page is one save, so that a sync that ends early leaves whole pages behind, and the
/// next one goes on from there. Read markers on the site stay as they are.
public struct ForumSync: Sendable {
  private let store: ForumStore
  private let fetcher: PageFetcher
  private let spacing: RefreshSpacing
  private let progress: @Sendable (SyncProgress) -> Void

  /// Prepares a sync.
  ///
  /// - Parameters:
  ///   - store: Where the pages are stored.
  ///   - client: How they are fetched; its time-outs end stalls.
  ///   - retry: How often pages are asked for again.
  ///   - clock: The time.
  ///   - spacing: How old lists may be; lists that are younger are not asked for.
  ///   - progress: Called for each page stored.
  public init(
    store: ForumStore, client: ForumClient, retry: PageRetryPolicy = .standard,
    clock: SyncClock = .system, spacing: RefreshSpacing = .none,
    progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) {
    self.store = store
    self.spacing = spacing
    self.progress = progress
    fetcher = PageFetcher(
      client: client, retry: retry, clock: clock, reports: PageReports(of: store))
  }

  /// Fetches and stores what is new.
  ///
  /// - Returns: What was brought.
  /// - Throws: `SyncError`; what was stored until then stays.
  public func run() async throws -> SyncReport {
    var run = SyncRun(store: store, fetcher: fetcher, spacing: spacing, progress: progress)
    let forumIDs = try await run.fetchIndex()
    try await run.fetchThreadLists(of: forumIDs)
    if fetcher.client.isLoggedIn {
      try await run.fetchBookmarks()
      try await run.fetchMessages()
    }
    try await run.fetchMissingPosts()
    try await run.mergeDuplicates()
    try run.forgetOldHistory()
    return run.report
  }
}
