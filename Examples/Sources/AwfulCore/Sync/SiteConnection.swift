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
  /// Fetches and stores the members' avatars and pictures.
  public let pictures: MemberPictures
  private let pages: SitePages
  private let marks: ReaderMarks
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
    marks = ReaderMarks(store: store, personal: personal)
    fetcher = PageFetcher(
      client: client, retry: retry, clock: clock, reports: PageReports(of: store))
    outbox = Outbox(marks: marks, fetcher: fetcher)
    saver = ThreadSaver(marks: marks, fetcher: fetcher)
    actions = SiteActions(store: store, personal: personal, fetcher: fetcher)
    pages = SitePages(marks: marks, fetcher: fetcher)
    messages = MessageDesk(pages)
    members = MemberDesk(pages)
    pictures = MemberPictures(of: store, client: client, now: clock.now)
  }

  /// Fetches and stores a page of a thread without moving the reader's mark. Concurrent requests for the same page share one fetch.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - page: The page number, starting at 1.
  /// - Throws: `SiteRequestError`.
  public func fetchPosts(ofThread threadID: String, page: Int) async throws {
    try await pages.storePosts([("threadid", threadID), ("pagenumber", "\(page)")])
  }

  /// Fetches and stores the page that a post is on, without moving the reader's mark.
  ///
  /// - Parameter id: The post's id.
  /// - Throws: `SiteRequestError`.
  public func fetchPage(ofPost id: String) async throws {
    try await pages.storePosts([("goto", "post"), ("postid", id)])
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
    // A program that ended between the two saves of a mark left the thread with an older one.
    try await marks.restore(since: nil)
    let failedMarks = try await actions.sendMarks()
    let sync = ForumSync(
      store: marks.store, marks: marks, fetcher: fetcher, spacing: spacing, progress: progress)
    var report = try await sync.run()
    report.failures.insert(contentsOf: failedMarks, at: 0)
    if client.isLoggedIn { try await outbox.sendWaiting() }
    try await saver.run()
    return report
  }
}
