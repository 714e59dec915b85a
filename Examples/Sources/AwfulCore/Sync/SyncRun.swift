import CoreData
import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit

/// A running sync, organized by phase.
///
/// Confined to the task that runs it.
struct SyncRun {
  private let store: ForumStore
  private let marks: ReaderMarks?
  private let fetcher: PageFetcher
  private let start = Date()
  let ages: ListAges
  private let progress: @Sendable (SyncProgress) -> Void
  var report = SyncReport()
  /// The threads on the lists of this sync. Threads that the site no longer lists stay unchanged.
  private var listedThreadIDs: Set<String> = []
  private var streak = FailureStreak()

  init(
    store: ForumStore, marks: ReaderMarks?, fetcher: PageFetcher, spacing: RefreshSpacing,
    progress: @escaping @Sendable (SyncProgress) -> Void
  ) {
    self.store = store
    self.marks = marks
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
      let earlier = try await inStore(.threadLists) { context in
        try StoredLists.threadIDs(ofForum: forumID, in: context)
      }
      let pass = try await fetchList(
        .threadLists, "forum \(forumID)", "forumdisplay.php", [("forumid", forumID)]
      ) { [progress] page, count in
        if page == 1 { total += count - 1 }
        done += 1
        progress(SyncProgress(phase: .threadLists, done: done, total: total))
      }
      if pass.pageCount == 0 { done += 1 }
      if pass.isWhole {
        try await finishList(of: forumID, removing: earlier.subtracting(pass.threadIDs))
      }
    }
    announce(.threadLists, total, of: total)
  }

  /// Fetches all pages of the bookmarks, unless the stored ones are young. Threads that are on none of the pages lose their bookmarks.
  mutating func fetchBookmarks() async throws {
    if ages.isYoung(.bookmarks) { return }
    announce(.bookmarks, 0, of: 1)
    let earlier = try await inStore(.bookmarks) { try StoredLists.bookmarkedThreadIDs(in: $0) }
    let pass = try await fetchList(
      .bookmarks, "the bookmarks", "bookmarkthreads.php", [("action", "view")]
    ) { [progress] page, count in
      progress(SyncProgress(phase: .bookmarks, done: page, total: count))
    }
    guard pass.isWhole else { return }
    let removed = earlier.subtracting(pass.threadIDs)
    report.imported += try await inStore(.bookmarks) { context in
      try StoredLists.removeBookmarks(of: removed, in: context)
      return ImportSummary(pendingIn: context)
    }
    try inPhase(.bookmarks) { try ages.note(.bookmarks) }
  }

  /// Removes threads from a forum's list that are on none of its pages, and records when the whole list was fetched.
  private mutating func finishList(
    of forumID: String, removing threadIDs: Set<String>
  ) async throws {
    let now = fetcher.clock.now()
    report.imported += try await inStore(.threadLists) { context in
      let forums = try UpsertBatch<Forum>(in: context, key: "forumID", values: [forumID])
      forums.existing(forumID)?.update(\.lastRefresh, to: now)
      try StoredLists.remove(threadIDs, fromForum: forumID, in: context)
      return ImportSummary(pendingIn: context)
    }
  }

  /// The pages of a list that have been read.
  private struct ListPass {
    var threadIDs: Set<String> = []
    /// The number of pages; 0 if the first one failed.
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
    var isIncomplete = false
    while number <= count {
      switch try await fetchListPage(request(number)) {
      case .read(_, let list):
        pass.threadIDs.formUnion(list.threads.map(\.id))
        pass.pageCount = number
        // The site answers a page number beyond the last one with the last page.
        count = list.pages.page < number ? number : min(list.pages.count, Self.listPageLimit)
        stored(number, count)
      case .failed(.unreadablePage): isIncomplete = true
      case .failed: return pass
      }
      number += 1
    }
    if isIncomplete { return pass }
    var again = 1
    while count > 1, again <= count {
      guard case .read(_, let list) = try await fetchListPage(request(again)) else { return pass }
      let ids = Set(list.threads.map(\.id))
      if ids.isSubset(of: pass.threadIDs) { break }
      pass.threadIDs.formUnion(ids)
      again += 1
    }
    pass.isWhole = true
    return pass
  }

  /// Fetches and stores a page of a list.
  private mutating func fetchListPage(
    _ request: Request
  ) async throws -> Attempt<ThreadListPage> {
    let attempt = try await read(request) { try $0.expectThreadList() }
    if case .read(let page, _) = attempt { try await store(page, request) }
    return attempt
  }

  /// Fetches the pages with posts that are missing, have moved, or were deleted.
  mutating func fetchMissingPosts() async throws {
    let listed = listedThreadIDs
    let threads = try await inStore(.posts) { context in
      try StoredPosts.threadsToFetch(among: listed, in: context)
    }
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
      if !pass.isIncomplete { try await reconcile(thread.threadID, &pass) }
    }
    if done < total { announce(.posts, total, of: total) }
  }

  /// The pages of one thread that have been read, and the results.
  private struct PostsPass {
    var ids: Set<String> = []
    var pages: Set<Int> = []
    /// The number of pages of the thread.
    var pageCount = 0
    /// Whether the site refused a page, and would refuse the thread's other pages too.
    var wasRefused = false
    /// Whether a page was refused or could not be read.
    var isIncomplete = false
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
    let attempt = try await read(request) { try $0.expectThread() }
    if case .failed(let scope) = attempt {
      pass.isIncomplete = true
      pass.wasRefused = scope == .refusedPage
    }
    guard case .read(let page, let posts) = attempt else { return }
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
    while number >= 1, !pass.isIncomplete {
      try await fetchPosts(of: threadID, page: number, &pass)
      if number < pass.firstChanged ?? 0, pass.unchanged.contains(number) { break }
      number -= 1
    }
    if pass.isIncomplete { return }
    let (first, ids) = (max(number, 1), pass.ids)
    report.imported += try await inStore(.posts) { context in
      try StoredPosts.deleteOthers(of: threadID, fromPage: first, besides: ids, in: context)
      return ImportSummary(pendingIn: context)
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

  /// The result of a request for a page that the sync can continue without.
  enum Attempt<Contents> {
    /// The page was read.
    case read(ScrapedPage, Contents)
    /// The page is among the failures of the report.
    case failed(FailureScope)
  }

  /// Fetches a page, and reads its contents. Records a page that the site refuses or that cannot be read, so that the sync can continue.
  ///
  /// - Parameter contents: A closure that returns the page's contents, or throws if the page is of another kind.
  /// - Throws: `SyncError` if the error concerns other pages too, or if several pages in a row cannot be read.
  mutating func read<Contents>(
    _ request: Request, _ contents: (ScrapedPage) throws -> Contents
  ) async throws -> Attempt<Contents> {
    do {
      let page = try await fetch(request)
      let found = try expect(request) { try contents(page) }
      streak.end()
      return .read(page, found)
    } catch let error as SyncError {
      return .failed(try record(error))
    }
  }

  /// Records an error that concerns only the requested page. Throws any other error.
  private mutating func record(_ error: SyncError) throws -> FailureScope {
    guard let reason = error.underlying else { throw error }
    let scope = FailureScope(reason)
    if streak.endsRequests(scope) { throw error }
    report.failures.append(
      SyncReport.Failure(phase: error.phase, subject: error.subject, reason: reason))
    return scope
  }

  func expect<Page>(_ request: Request, _ read: () throws -> Page) throws -> Page {
    do {
      return try read()
    } catch {
      throw SyncError(error, request.phase, request.subject)
    }
  }

  mutating func store(_ page: ScrapedPage, _ request: Request) async throws {
    let now = fetcher.clock.now()
    do {
      let summary =
        if let marks {
          try await marks.importPage(page, refreshed: now, requestedAfter: start)
        } else {
          try await store.importPage(page, refreshed: now)
        }
      report.imported += summary
      report.pageCount += 1
    } catch {
      throw SyncError(error, request.phase, request.subject)
    }
  }

  func announce(_ phase: SyncPhase, _ done: Int, of total: Int) {
    progress(SyncProgress(phase: phase, done: done, total: total))
  }
}
