import CoreData
import ForumClient
import ForumHTML
public import ForumScraping
import Foundation
import OpenPersistenceKit

/// What the reader does with threads: bookmarks and reading marks, in the store and on the site.
///
/// A value over the stores; usable anywhere.
public struct SiteActions: Sendable {
  private let store: ForumStore
  private let personal: PersonalStore
  private let fetcher: PageFetcher?

  /// Makes the actions of a reader whose program does not follow the site; `SiteConnection` has those that reach it.
  ///
  /// - Parameters:
  ///   - store: Where the site's pages are stored.
  ///   - personal: Where marks wait that the site has not been told yet.
  public init(store: ForumStore, personal: PersonalStore) {
    self.init(store: store, personal: personal, fetcher: nil)
  }

  init(store: ForumStore, personal: PersonalStore, fetcher: PageFetcher?) {
    self.store = store
    self.personal = personal
    self.fetcher = fetcher
  }

  // MARK: Bookmarks

  /// Bookmarks a thread, first on the site and then in the store.
  ///
  /// - Parameters:
  ///   - threadID: The thread.
  ///   - color: The bookmark's colour; nil takes the bookmark away.
  /// - Throws: `WritingError` with code `.notLoggedIn`, `ForumErrorPage`, `ClientError`, or what the save throws. Before the site
  ///   has agreed, the store is unchanged.
  public func setBookmark(_ threadID: String, color: ScrapedThread.BookmarkColor?) async throws {
    let number = color.flatMap { ScrapedThread.BookmarkColor.allCases.firstIndex(of: $0) } ?? 0
    let action = color == nil ? "remove" : "add"
    try await tell(
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

  /// Notes how many posts of a thread the reader has seen: in the store at once, and on the site as soon as that can be reached.
  ///
  /// - Parameters:
  ///   - threadID: The thread.
  ///   - count: The number of posts from the start; 0 marks the thread as never opened. More than the thread has are all.
  ///   - isRaising: Whether a thread of which more has been seen stays as it is.
  /// - Throws: `ForumStoreError` with code `.notFound`, or what a save throws.
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

  /// Tells the site of the marks that it does not know yet. A sync brings the site's marks; so call this before one.
  ///
  /// - Throws: `ClientError` when the site cannot be reached, `ForumErrorPage` when it is out of order or the reader is not logged
  ///   in; the marks wait.
  public func sendMarks() async throws {
    guard fetcher?.client.isLoggedIn == true else { return }
    let marks = try await personal.performBackgroundTask { context in
      try context.fetch(NSFetchRequest<PendingMark>(entityName: "PendingMark"))
        .map { (threadID: $0.threadID, seen: $0.seenPosts) }
    }
    for (threadID, seen) in marks {
      do {
        try await tell("showthread.php", Self.fields(threadID, seen))
      } catch let error as ForumErrorPage
        where error.kind != .databaseUnavailable && error.kind != .mustRegister
      {
        // The site does not have the thread any more, or does not show it to this reader.
      }
      try await personal.performBackgroundTask { context in
        let request = PersonalStore.request(PendingMark.self, "threadID", threadID)
        // A newer mark goes next time.
        for mark in try context.fetch(request) where mark.seenPosts == seen { context.delete(mark) }
      }
    }
  }

  private static func fields(_ threadID: String, _ seen: Int32) -> [(String, String)] {
    seen > 0
      ? [("action", "setseen"), ("threadid", threadID), ("index", "\(seen)"), ("json", "1")]
      : [("action", "resetseen"), ("threadid", threadID), ("json", "1")]
  }

  // MARK: The site

  /// Sends a form whose answer says nothing but that it was refused.
  private func tell(_ path: String, _ fields: [(String, String)]) async throws {
    guard let fetcher, fetcher.client.isLoggedIn else {
      throw WritingError(
        .notLoggedIn, "The site is told of this only by a reader who is logged in.")
    }
    // What is done is answered without a page.
    switch try await fetcher.send(path, FormBody(urlEncoding: fields)) {
    case .answered, .unclear(is PageError): break
    case .unclear(let error): throw error
    }
  }
}
