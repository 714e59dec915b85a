import CoreData
import ForumClient
import ForumHTML
import ForumScraping
import OpenPersistenceKit

/// A running sync, organized by phase.
///
/// Confined to the task that runs it.
struct SyncRun {
  private let store: ForumStore
  private let fetcher: PageFetcher
  let ages: ListAges
  private let progress: @Sendable (SyncProgress) -> Void
  var report = SyncReport()
  /// The threads on the lists of this sync. Threads that the site no longer lists stay unchanged.
  private var listedThreadIDs: Set<String> = []

  init(
    store: ForumStore, fetcher: PageFetcher, spacing: RefreshSpacing,
    progress: @escaping @Sendable (SyncProgress) -> Void
  ) {
    self.store = store
    self.fetcher = fetcher
    ages = ListAges(store: store, spacing: spacing, clock: fetcher.clock)
    self.progress = progress
  }

  /// A request and its description.
  struct Request {
    let phase: SyncPhase
    let subject: String
    let path: String
    let query: [(String, String)]
  }

  /// Deletes the history of changes that no program needs any longer.
  func forgetOldHistory() throws { try inPhase(.posts) { try store.forgetHistory() } }

  /// Performs work on the store's metadata or history, and converts its errors to `SyncError`.
  func inPhase(_ phase: SyncPhase, _ work: () throws -> Void) throws {
    do {
      try work()
    } catch {
      throw SyncError(error, phase, "the store's metadata")
    }
  }

  /// Merges duplicate icons that another sync created at the same time, and users that were known only by name.
  func mergeDuplicates() async throws {
    try await inStore(.posts) { context in
      try ThreadTagBatch.mergeDuplicates(in: context)
      try UserMerger.mergeDuplicates(in: context)
    }
  }

  /// Fetches the index, unless the stored one is young.
  ///
  /// - Returns: The ids of the forums, in order.
  mutating func fetchIndex() async throws -> [String] {
    announce(.index, 0, of: 1)
    if ages.isYoung(.index) {
      announce(.index, 1, of: 1)
      return try await inStore(.index) { try ForumLists.forums(in: $0).map(\.forumID) }
    }
    let request = Request(
      phase: .index, subject: "the index", path: "index.php", query: [("json", "1")])
    let page = try await fetch(request)
    let index = try expect(request) { try page.expectIndex() }
    try requireReader(index.user)
    try await store(page, request)
    try inPhase(.index) { try ages.note(.index) }
    announce(.index, 1, of: 1)
    return index.forums.uniqued(by: \.id).map(\.id)
  }

  /// Records the reader that the store belongs to. Throws if it belongs to another reader, because their marks and bookmarks would mix.
  private func requireReader(_ user: CurrentUser?) throws {
    guard let user, fetcher.client.isLoggedIn else { return }
    if let reader = store.readerID, reader != user.userID {
      throw SyncError(.otherReader, .index, "user \(user.name)")
    }
    try inPhase(.index) { try store.noteReader(user.userID) }
  }

  /// Fetches all pages of the forums' thread lists, except young ones.
  mutating func fetchThreadLists(of forumIDs: [String]) async throws {
    let forumIDs = try await inStore(.threadLists) { [ages] in try ages.old(forumIDs, in: $0) }
    var done = 0
    var total = forumIDs.count
    announce(.threadLists, done, of: total)
    for forumID in forumIDs {
      let pass = try await fetchList(
        .threadLists, "forum \(forumID)", "forumdisplay.php", [("forumid", forumID)]
      ) { [progress] page, count in
        if page == 1 { total += count - 1 }
        done += 1
        progress(SyncProgress(phase: .threadLists, done: done, total: total))
      }
      if pass.pageCount == 0 { done += 1 }
      if pass.isWhole { try await finishList(of: forumID, pass.threadIDs) }
    }
    announce(.threadLists, total, of: total)
  }

  /// Fetches all pages of the bookmarks, unless the stored ones are young. Threads that are on none of the pages lose their bookmarks.
  mutating func fetchBookmarks() async throws {
    if ages.isYoung(.bookmarks) { return }
    announce(.bookmarks, 0, of: 1)
    let pass = try await fetchList(
      .bookmarks, "the bookmarks", "bookmarkthreads.php", [("action", "view")]
    ) { [progress] page, count in
      progress(SyncProgress(phase: .bookmarks, done: page, total: count))
    }
    guard pass.isWhole else { return }
    try await keepBookmarks(of: pass.threadIDs)
    try inPhase(.bookmarks) { try ages.note(.bookmarks) }
  }

  /// Removes the threads from a forum's list that are on none of its pages, and records when the whole list was fetched.
  private mutating func finishList(of forumID: String, _ threadIDs: Set<String>) async throws {
    let now = fetcher.clock.now()
    report.imported += try await inStore(.threadLists) { context in
      let forums = try UpsertBatch<Forum>(in: context, key: "forumID", values: [forumID])
      forums.existing(forumID)?.update(\.lastRefresh, to: now)
      let listed = try QueryBuilder<ForumThread>(entityName: "Thread")
        .where(
          NSPredicate(
            format: "forum.forumID == %@ AND (threadListPage > 0 OR sticky == YES)",
            argumentArray: [forumID])
        )
        .execute(in: context)
      for thread in listed where !threadIDs.contains(thread.threadID) {
        thread.update(\.threadListPage, to: 0)
        thread.update(\.sticky, to: false)
        thread.update(\.stickyIndex, to: 0)
      }
      return ImportSummary(pendingIn: context)
    }
  }

  private mutating func keepBookmarks(of threadIDs: Set<String>) async throws {
    report.imported += try await inStore(.bookmarks) { context in
      let bookmarked = try QueryBuilder<ForumThread>(entityName: "Thread")
        .where("bookmarked == YES").execute(in: context)
      for thread in bookmarked where !threadIDs.contains(thread.threadID) {
        thread.bookmarked = false
        thread.update(\.bookmarkListPage, to: 0)
      }
      return ImportSummary(pendingIn: context)
    }
  }

  /// The pages of a list that have been read.
  private struct ListPass {
    var threadIDs: Set<String> = []
    /// The number of pages; 0 if the site refused the first one.
    var pageCount = 0
    /// Whether the pages contain every thread of the list.
    var isWhole = false
  }

  /// Fetches the pages of a list, up to the page count that the list currently shows.
  ///
  /// A thread that gets a post during the pass moves to the first page, which has already been read. The method therefore rereads pages
  /// from the first one until a page contains no new thread.
  ///
  /// - Parameter stored: A closure that is called for each stored page, with its number and the page count.
  private mutating func fetchList(
    _ phase: SyncPhase, _ subject: String, _ path: String, _ query: [(String, String)],
    stored: (Int, Int) -> Void
  ) async throws -> ListPass {
    var pass = ListPass()
    defer { listedThreadIDs.formUnion(pass.threadIDs) }
    func request(_ number: Int) -> Request {
      Request(
        phase: phase, subject: "\(subject), page \(number)", path: path,
        query: query + [("perpage", Self.pageSize), ("pagenumber", "\(number)")])
    }
    var number = 1
    var count = 1
    while number <= count {
      guard let list = try await fetchListPage(request(number)) else { return pass }
      pass.threadIDs.formUnion(list.threads.map(\.id))
      pass.pageCount = number
      // The site answers a page number beyond the last one with the last page.
      count = list.pages.page < number ? number : min(list.pages.count, Self.listPageLimit)
      stored(number, count)
      number += 1
    }
    var again = 1
    while count > 1, again <= count {
      guard let list = try await fetchListPage(request(again)) else { return pass }
      let ids = Set(list.threads.map(\.id))
      if ids.isSubset(of: pass.threadIDs) { break }
      pass.threadIDs.formUnion(ids)
      again += 1
    }
    pass.isWhole = true
    return pass
  }

  /// - Returns: The stored page, or nil if the site refused it.
  private mutating func fetchListPage(_ request: Request) async throws -> ThreadListPage? {
    guard let page = try await fetchUnlessRefused(request) else { return nil }
    let list = try expect(request) { try page.expectThreadList() }
    try await store(page, request)
    return list
  }

  /// Fetches the pages with posts that are missing, have moved, or were deleted.
  mutating func fetchMissingPosts() async throws {
    let threads = try await threadsToFetch()
    let total = threads.reduce(0) { $0 + $1.pages.count }
    var done = 0
    announce(.posts, 0, of: total)
    for thread in threads {
      var pass = PostsPass()
      for number in thread.pages.reversed() where !pass.wasRefused {
        try await fetchPosts(of: thread.threadID, page: number, &pass)
        done += 1
        announce(.posts, done, of: total)
      }
      try await reconcile(thread.threadID, &pass)
    }
    if done < total { announce(.posts, total, of: total) }
  }

  /// The pages of one thread that have been read, and the results.
  private struct PostsPass {
    var ids: Set<String> = []
    var pages: Set<Int> = []
    /// The number of pages of the thread.
    var pageCount = 0
    /// Whether the site refused a page.
    var wasRefused = false
    /// The first page that differs from the store.
    var firstChanged: Int?
    /// The pages that match the store.
    var unchanged: Set<Int> = []

    mutating func note(_ page: ThreadPage, _ comparison: StoredPosts.Comparison) {
      let number = page.pages.page
      ids.formUnion(page.posts.map(\.id))
      pages.insert(number)
      pageCount = page.pages.count
      switch comparison {
      case .changed: firstChanged = min(firstChanged ?? number, number)
      case .unchanged: unchanged.insert(number)
      case .new: break
      }
    }
  }

  /// Fetches one page of posts, and records whether it matches the store.
  private mutating func fetchPosts(
    of threadID: String, page number: Int, _ pass: inout PostsPass
  ) async throws {
    // The site answered a page number beyond the last one with this page.
    if pass.pages.contains(number) { return }
    let request = Request(
      phase: .posts, subject: "thread \(threadID), page \(number)", path: "showthread.php",
      query: [("threadid", threadID), ("pagenumber", "\(number)")] + PageFetcher.leavingMarks)
    guard let page = try await fetchUnlessRefused(request) else {
      pass.wasRefused = true
      return
    }
    let posts = try expect(request) { try page.expectThread() }
    let comparison = try await inStore(.posts) { try StoredPosts.comparison(of: posts, in: $0) }
    try await store(page, request)
    pass.note(posts, comparison)
  }

  /// Reads pages towards the first one until a page matches the store, and deletes the posts that are on none of the pages.
  ///
  /// The pass starts at the last page. Posts move only towards the first page, when others are deleted, so the pass misses none.
  private mutating func reconcile(_ threadID: String, _ pass: inout PostsPass) async throws {
    guard pass.firstChanged != nil else { return }
    var number = pass.pageCount
    while number >= 1, !pass.wasRefused {
      try await fetchPosts(of: threadID, page: number, &pass)
      if number < pass.firstChanged ?? 0, pass.unchanged.contains(number) { break }
      number -= 1
    }
    if pass.wasRefused { return }
    let (first, ids) = (max(number, 1), pass.ids)
    report.imported += try await inStore(.posts) { context in
      try StoredPosts.deleteOthers(of: threadID, fromPage: first, besides: ids, in: context)
      return ImportSummary(pendingIn: context)
    }
  }

  /// A thread and its pages to fetch.
  private struct MissingPages: Sendable {
    let threadID: String
    let pages: [Int]
  }

  private func threadsToFetch() async throws -> [MissingPages] {
    let listed = listedThreadIDs
    return try await inStore(.posts) { context in
      let threads = try QueryBuilder<ForumThread>(entityName: "Thread")
        .orderBy("threadID").execute(in: context)
      return try threads.compactMap { thread in
        guard listed.contains(thread.threadID) else { return nil }
        let pages = try StoredPosts.pagesToFetch(of: thread, in: context)
        return pages.isEmpty ? nil : MissingPages(threadID: thread.threadID, pages: pages)
      }
    }
  }

  func inStore<Result: Sendable>(
    _ phase: SyncPhase, _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    do {
      return try await store.performBackgroundTask(work)
    } catch {
      throw SyncError(error, phase, "the stored content")
    }
  }

  /// The page limit. No real list is longer; it ends the sync if a page is broken.
  private static let listPageLimit = 10_000
  private static let pageSize = "\(ForumThread.postsPerPage)"

  private mutating func fetch(_ request: Request) async throws -> ScrapedPage {
    do {
      try Task.checkCancellation()
      let reading = try await fetcher.page(request.path, request.query)
      let isGuest = fetcher.client.isLoggedIn && reading.page.isForMember == false
      if reading.wasLoggedOut || isGuest {
        throw SyncError(.loggedOut, request.phase, request.subject)
      }
      return reading.page
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(error, request.phase, request.subject)
    }
  }

  /// Fetches a page that the reader may not be allowed to see. Records a refusal, so that the sync can continue.
  mutating func fetchUnlessRefused(_ request: Request) async throws -> ScrapedPage? {
    do {
      let page = try await fetch(request)
      guard case .error(let reason) = page else { return page }
      throw SyncError(reason, request.phase, request.subject)
    } catch let error as SyncError {
      guard let reason = error.underlying, Self.isRefusal(reason) else { throw error }
      report.refusals.append(
        SyncReport.Refusal(phase: request.phase, subject: request.subject, reason: reason))
      return nil
    }
  }

  /// Returns whether an error concerns only the requested page.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case let error as ForumErrorPage: error.kind != .databaseUnavailable && error.kind != .banned
    case let error as ClientError: error.status.map { [403, 404, 410].contains($0) } ?? false
    default: false
    }
  }

  func expect<Page>(_ request: Request, _ read: () throws -> Page) throws -> Page {
    do {
      return try read()
    } catch {
      throw SyncError(error, request.phase, request.subject)
    }
  }

  mutating func store(_ page: ScrapedPage, _ request: Request) async throws {
    do {
      report.imported += try await store.importPage(page, refreshed: fetcher.clock.now())
      report.pageCount += 1
    } catch {
      throw SyncError(error, request.phase, request.subject)
    }
  }

  func announce(_ phase: SyncPhase, _ done: Int, of total: Int) {
    progress(SyncProgress(phase: phase, done: done, total: total))
  }
}
