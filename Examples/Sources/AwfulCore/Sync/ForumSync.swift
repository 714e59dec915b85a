public import ForumClient

/// Updates a store from the site: the index, thread lists, announcements, bookmarks, messages, then missing posts.
///
/// A value. Each page is one save, so a sync that ends early leaves complete pages, and the next sync continues from there. Read markers on
/// the site stay unchanged.
public struct ForumSync: Sendable {
  private let store: ForumStore
  /// The reader's marks, which imports of pages keep; nil imports the site's marks.
  private let marks: ReaderMarks?
  private let fetcher: PageFetcher
  private let spacing: RefreshSpacing
  private let progress: @Sendable (SyncProgress) -> Void

  /// Creates a sync.
  ///
  /// - Parameters:
  ///   - store: The store for the pages.
  ///   - client: The client that fetches the pages. Its timeouts end stalled requests.
  ///   - retry: The policy for retrying failed requests.
  ///   - clock: The clock.
  ///   - spacing: The minimum age at which lists are fetched again.
  ///   - progress: A closure that is called for each stored page.
  public init(
    store: ForumStore, client: ForumClient, retry: PageRetryPolicy = .standard,
    clock: SyncClock = .system, spacing: RefreshSpacing = .none,
    progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) {
    self.init(
      store: store, marks: nil,
      fetcher: PageFetcher(
        client: client, retry: retry, clock: clock, reports: PageReports(of: store)),
      spacing: spacing, progress: progress)
  }

  init(
    store: ForumStore, marks: ReaderMarks?, fetcher: PageFetcher, spacing: RefreshSpacing,
    progress: @escaping @Sendable (SyncProgress) -> Void
  ) {
    self.store = store
    self.marks = marks
    self.fetcher = fetcher
    self.spacing = spacing
    self.progress = progress
  }

  /// Fetches and stores everything new.
  ///
  /// - Returns: A report of the changes.
  /// - Throws: `SyncError`. Everything stored until then remains.
  public func run() async throws -> SyncReport {
    var run = SyncRun(
      store: store, marks: marks, fetcher: fetcher, spacing: spacing, progress: progress)
    let forumIDs = try await run.fetchIndex()
    try await run.fetchThreadLists(of: forumIDs)
    try await run.fetchAnnouncements()
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
