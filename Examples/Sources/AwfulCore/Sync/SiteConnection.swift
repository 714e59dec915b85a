public import ForumClient

/// A reader's connection to the site over one client. A value over shared state; safe to use from any thread.
public struct SiteConnection: Sendable {
  /// The client that connects to the site.
  public let client: ForumClient
  /// Sends drafts.
  public let outbox: Outbox
  /// Fetches complete threads for later.
  public let saver: ThreadSaver
  /// Performs actions on bookmarks and reading marks.
  public let actions: SiteActions
  /// Performs actions on private messages.
  public let messages: MessageDesk
  /// Performs requests about profiles, punishments, and the ignore list.
  public let members: MemberDesk
  private let pages: SitePages
  private let store: ForumStore
  private let fetcher: PageFetcher

  /// Connects a reader's stores to the site.
  ///
  /// - Parameters:
  ///   - store: The store of the site's pages.
  ///   - personal: The store of what the reader has written and chosen.
  ///   - client: The client that connects to the site.
  ///   - retry: The policy for fetching pages again. Forms are never sent again.
  ///   - clock: The clock.
  public init(
    store: ForumStore, personal: PersonalStore, client: ForumClient,
    retry: PageRetryPolicy = .standard, clock: SyncClock = .system
  ) {
    self.client = client
    self.store = store
    fetcher = PageFetcher(
      client: client, retry: retry, clock: clock, reports: PageReports(of: store))
    outbox = Outbox(store: store, personal: personal, fetcher: fetcher)
    saver = ThreadSaver(store: store, personal: personal, fetcher: fetcher)
    actions = SiteActions(store: store, personal: personal, fetcher: fetcher)
    pages = SitePages(store: store, fetcher: fetcher)
    messages = MessageDesk(pages)
    members = MemberDesk(pages)
  }

  /// Fetches and stores a page of a thread without moving the reader's mark. Concurrent requests for the same page share one fetch.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - page: The page number, starting at 1.
  /// - Throws: `SiteRequestError`, and nothing is stored in that case; or any error from restoring the reader's marks.
  public func fetchPosts(ofThread threadID: String, page: Int) async throws {
    try await storePosts([("threadid", threadID), ("pagenumber", "\(page)")])
  }

  /// Fetches and stores the page that a post is on, without moving the reader's mark.
  ///
  /// - Parameter id: The post's id.
  /// - Throws: `SiteRequestError`, and nothing is stored in that case; or any error from restoring the reader's marks.
  public func fetchPage(ofPost id: String) async throws {
    try await storePosts([("goto", "post"), ("postid", id)])
  }

  private func storePosts(_ place: [(String, String)]) async throws {
    let start = ContinuousClock.now
    try await pages.storePosts(place)
    try await actions.restoreMarks(since: start)
  }

  /// Synchronizes the store and the site: sends the reader's marks, fetches everything new, then sends the waiting drafts and fetches the
  /// threads that are saved for later.
  ///
  /// - Parameters:
  ///   - spacing: The minimum age at which lists are fetched again.
  ///   - progress: A closure that is called for each stored page.
  /// - Returns: A report of the changes.
  /// - Throws: `SyncError`, `ClientError`, `ForumErrorPage`, `PageError`, or any error from the stores. Everything done until then remains.
  public func sync(
    spacing: RefreshSpacing = .none,
    progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    let failedMarks = try await actions.sendMarks()
    let start = ContinuousClock.now
    let sync = ForumSync(
      store: store, client: client, retry: fetcher.retry, clock: fetcher.clock, spacing: spacing,
      progress: progress)
    do {
      var report = try await sync.run()
      report.failures.insert(contentsOf: failedMarks, at: 0)
      if client.isLoggedIn { try await outbox.sendWaiting() }
      try await saver.run()
      try await actions.restoreMarks(since: start)
      return report
    } catch {
      // The error of the sync is more important than an error of this save, and the next sync stores the marks again.
      try? await actions.restoreMarks(since: start)
      throw error
    }
  }
}
