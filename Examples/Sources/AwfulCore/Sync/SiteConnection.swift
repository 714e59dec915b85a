public import ForumClient

/// Everything that reaches the site for one reader, over one client. A value over shared state; usable anywhere.
public struct SiteConnection: Sendable {
  /// How the site is reached.
  public let client: ForumClient
  /// Sends drafts.
  public let outbox: Outbox
  /// Fetches whole threads for later.
  public let saver: ThreadSaver
  /// Bookmarks and reading marks.
  public let actions: SiteActions
  /// Private messages.
  public let messages: MessageDesk
  /// Profiles, punishments, and the ignore list.
  public let members: MemberDesk
  private let pages: SitePages
  private let store: ForumStore
  private let fetcher: PageFetcher

  /// Connects a reader's stores with the site.
  ///
  /// - Parameters:
  ///   - store: Where the site's pages are stored.
  ///   - personal: What the reader has written and chosen.
  ///   - client: How the site is reached.
  ///   - retry: How often pages are asked for again. A form is never sent again.
  ///   - clock: The time.
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

  /// Fetches and stores a page of a thread, without moving the reader's mark; a page that is on its way is fetched once.
  ///
  /// - Parameters:
  ///   - threadID: The thread.
  ///   - page: The page, from 1.
  /// - Throws: `SiteRequestError`; nothing is stored then.
  public func fetchPosts(ofThread threadID: String, page: Int) async throws {
    try await pages.storePosts([("threadid", threadID), ("pagenumber", "\(page)")])
  }

  /// Fetches and stores the page that a post is on, without moving the reader's mark.
  ///
  /// - Parameter id: The post.
  /// - Throws: `SiteRequestError`; nothing is stored then.
  public func fetchPage(ofPost id: String) async throws {
    try await pages.storePosts([("goto", "post"), ("postid", id)])
  }

  /// Brings the store and the site up to date with each other: tells the site what the reader has seen, fetches what is new, then
  /// sends the drafts that wait and fetches the threads that are wanted for later.
  ///
  /// - Parameters:
  ///   - spacing: How old lists may be; lists that are younger are not asked for.
  ///   - progress: Called for each page stored.
  /// - Returns: What was brought.
  /// - Throws: `SyncError`, `ClientError`, `ForumErrorPage`, or what the stores throw; what was done until then stays done.
  public func sync(
    spacing: RefreshSpacing = .none,
    progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    try await actions.sendMarks()
    let sync = ForumSync(
      store: store, client: client, retry: fetcher.retry, clock: fetcher.clock, spacing: spacing,
      progress: progress)
    let report = try await sync.run()
    if client.isLoggedIn { try await outbox.sendWaiting() }
    try await saver.run()
    return report
  }
}
