import CoreData
import ForumClient
public import ForumScraping
import Foundation
import OpenPersistenceKit

/// Performs the reader's actions on threads and announcements, in the store and on the site: bookmarks and reading marks.
///
/// A value over the stores; safe to use from any thread.
public struct SiteActions: Sendable {
  private let store: ForumStore
  private let personal: PersonalStore
  private let fetcher: PageFetcher?
  private let sender: MarkSender?

  /// Creates the actions for a program that does not connect to the site. `SiteConnection` provides those that do.
  ///
  /// - Parameters:
  ///   - store: The store of the site's pages.
  ///   - personal: The store of the marks that have not been sent to the site yet.
  public init(store: ForumStore, personal: PersonalStore) {
    self.init(store: store, personal: personal, fetcher: nil)
  }

  init(store: ForumStore, personal: PersonalStore, fetcher: PageFetcher?) {
    self.store = store
    self.personal = personal
    self.fetcher = fetcher
    let marks = ReaderMarks(store: store, personal: personal)
    sender = fetcher.map { MarkSender(marks: marks, fetcher: $0) }
  }

  // MARK: Bookmarks

  /// Bookmarks a thread, first on the site and then in the store.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - color: The bookmark's colour; nil removes the bookmark.
  /// - Throws: `WritingError` with code `.notLoggedIn`, `ForumStoreError` with code `.notFound` if the thread is not stored,
  ///   `ForumErrorPage`, `ClientError`, `PageError` if the answer is not from the site, or any error from the save. The store stays
  ///   unchanged until the site accepts the change.
  public func setBookmark(_ threadID: String, color: ScrapedThread.BookmarkColor?) async throws {
    let number = color.flatMap { ScrapedThread.BookmarkColor.allCases.firstIndex(of: $0) } ?? 0
    let action = color == nil ? "remove" : "add"
    guard let fetcher, fetcher.client.isLoggedIn else {
      throw WritingError(
        .notLoggedIn, "You are not logged in. To change bookmarks, log in first.")
    }
    try await store.performBackgroundTask { _ = try Self.thread(threadID, in: $0) }
    try await fetcher.tell(
      "bookmarkthreads.php",
      [("json", "1"), ("action", action), ("threadid", threadID), ("category_id", "\(number)")])
    try await store.performBackgroundTask { context in
      for thread in try context.fetch(ForumThread.request(id: threadID)) {
        thread.update(\.bookmarked, to: color != nil)
        thread.update(\.starCategory, to: color == nil ? 6 : Int16(clamping: number))
      }
    }
  }

  // MARK: Announcements

  /// Records that the reader has seen an announcement. Does nothing if another announcement has taken its place since.
  ///
  /// - Parameters:
  ///   - place: The place of the announcement in the site's lists.
  ///   - title: The title of the announcement.
  /// - Throws: Any error from the save.
  public func setSeen(announcementAt place: Int, titled title: String) async throws {
    try await store.performBackgroundTask { context in
      let request = NSFetchRequest<Announcement>(entityName: "Announcement")
      request.predicate = NSPredicate(
        format: "listIndex == %@ AND title == %@", argumentArray: [place as NSNumber, title])
      for announcement in try context.fetch(request) {
        announcement.update(\.hasBeenSeen, to: true)
      }
    }
  }

  // MARK: Reading marks

  /// Records how many posts of a thread the reader has seen: immediately in the store, and on the site as soon as it can be reached.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - count: The number of posts from the start; 0 marks the thread as never opened. Larger counts are limited to the thread's posts.
  ///   - isRaising: Whether a higher stored count stays unchanged.
  /// - Throws: `ForumStoreError` with code `.notFound` if the thread is not stored, or any error from a save.
  public func setSeen(_ threadID: String, count: Int, onlyRaising isRaising: Bool = false)
    async throws
  {
    let change = try await store.performBackgroundTask { context -> (seen: Int32, isNew: Bool)? in
      let thread = try Self.thread(threadID, in: context)
      let seen = Int32(clamping: min(max(0, count), thread.postCount))
      if isRaising, seen <= thread.seenPosts { return nil }
      return (seen, seen != thread.seenPosts)
    }
    guard let (seen, isNew) = change else { return }
    // The mark becomes pending first. It is then sent even if the program ends before the second save, and an import at the same time
    // keeps it.
    if store.readerID != nil {
      try await addPendingMark(threadID, seen, onlyRaising: isRaising, isNew: isNew)
    }
    try await store.performBackgroundTask { context in
      let thread = try Self.thread(threadID, in: context)
      if isRaising, seen <= thread.seenPosts { return }
      thread.update(\.seenPosts, to: min(seen, Int32(clamping: thread.postCount)))
      thread.updateDerivedCounts()
    }
  }

  private static func thread(
    _ id: String, in context: NSManagedObjectContext
  ) throws -> ForumThread {
    guard let thread = try context.fetch(ForumThread.request(id: id)).first else {
      throw ForumStoreError.missing("thread", id)
    }
    return thread
  }

  /// - Parameter isNew: Whether the mark differs from the store.
  private func addPendingMark(
    _ threadID: String, _ seen: Int32, onlyRaising isRaising: Bool, isNew: Bool
  ) async throws {
    try await personal.performBackgroundTask { context in
      let request = PersonalStore.request(PendingMark.self, "threadID", threadID)
      let pending = try context.fetch(request).first
      // The site has the same count as the store, unless another count is still pending.
      if pending == nil, !isNew { return }
      let mark = pending ?? PendingMark(context: context)
      if mark.isInserted { mark.threadID = threadID }
      // A sync that could not send the mark has replaced the thread's count with the site's older one.
      if isRaising, mark.seenPosts > seen { return }
      mark.update(\.seenPosts, to: seen)
    }
  }

  /// Sends the pending marks to the site, one request at a time. Call this before a sync, because a sync imports the site's marks.
  ///
  /// Calls of the same actions at the same time share one sending, which ends if one of the calls is canceled. If another program sends
  /// marks of the same store, the method waits.
  ///
  /// - Returns: The marks that the site refused but may accept later, or whose answers cannot be read. They stay pending, but do not
  ///   prevent other marks from being sent.
  /// - Throws: `ClientError` if the site cannot be reached, `ForumErrorPage` if the site's database is unavailable or the reader is
  ///   banned, `SyncError` if the site has logged the reader out, `ForumStoreError` with code `.notOpened` if the lock file cannot be
  ///   created, the last error if three answers in a row cannot be read, or any error from the store. The marks stay pending.
  @discardableResult
  public func sendMarks() async throws -> [SyncReport.Failure] {
    guard fetcher?.client.isLoggedIn == true, let sender else { return [] }
    return try await sender.send()
  }
}
