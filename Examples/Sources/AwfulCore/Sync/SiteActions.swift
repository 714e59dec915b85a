import CoreData
import ForumClient
public import ForumScraping
import Foundation
import OpenPersistenceKit

/// Performs the reader's actions on threads, in the store and on the site: bookmarks and reading marks.
///
/// A value over the stores; safe to use from any thread.
public struct SiteActions: Sendable {
  private let store: ForumStore
  private let personal: PersonalStore
  private let fetcher: PageFetcher?
  private let marks: MarkSender?

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
    marks = fetcher.map { MarkSender(personal: personal, fetcher: $0) }
  }

  // MARK: Bookmarks

  /// Bookmarks a thread, first on the site and then in the store.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - color: The bookmark's colour; nil removes the bookmark.
  /// - Throws: `WritingError` with code `.notLoggedIn`, `ForumErrorPage`, `ClientError`, or any error from the save. The store stays
  ///   unchanged until the site accepts the change.
  public func setBookmark(_ threadID: String, color: ScrapedThread.BookmarkColor?) async throws {
    let number = color.flatMap { ScrapedThread.BookmarkColor.allCases.firstIndex(of: $0) } ?? 0
    let action = color == nil ? "remove" : "add"
    guard let fetcher, fetcher.client.isLoggedIn else {
      throw WritingError(
        .notLoggedIn, "You are not logged in. To change bookmarks, log in first.")
    }
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
    let seen = try await store.performBackgroundTask { context -> Int32? in
      guard let thread = try context.fetch(ForumThread.request(id: threadID)).first else {
        throw ForumStoreError.missing("thread", threadID)
      }
      let seen = Int32(clamping: min(max(0, count), thread.postCount))
      if seen == thread.seenPosts || isRaising && seen < thread.seenPosts { return nil }
      thread.update(\.seenPosts, to: seen)
      thread.updateDerivedCounts()
      return seen
    }
    guard let seen, store.readerID != nil else { return }
    try await personal.performBackgroundTask { context in
      let request = PersonalStore.request(PendingMark.self, "threadID", threadID)
      let mark = try context.fetch(request).first ?? PendingMark(context: context)
      if mark.isInserted { mark.threadID = threadID }
      mark.update(\.seenPosts, to: seen)
    }
  }

  /// Sends the pending marks to the site, one request at a time. Call this before a sync, because a sync imports the site's marks.
  ///
  /// Calls of the same actions at the same time share one sending, which ends if one of the calls is cancelled. If another program sends
  /// marks of the same store, the method waits.
  ///
  /// - Throws: `ClientError` if the site cannot be reached, `ForumErrorPage` if the site is out of order or the reader is not logged in,
  ///   `ForumStoreError` with code `.notOpened` if the lock file cannot be created, or any error from the store. The marks stay pending.
  public func sendMarks() async throws {
    guard fetcher?.client.isLoggedIn == true else { return }
    try await marks?.send()
  }
}
