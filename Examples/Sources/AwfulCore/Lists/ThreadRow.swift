public import CoreData
import ForumScraping
import Foundation

/// A thread in a list, as a value independent of its context.
public struct ThreadRow: Sendable, Equatable, Encodable {
  /// The id on the site.
  public let threadID: String
  /// The title; empty if no page has shown it.
  public let title: String
  /// The image name of its icon; empty without one.
  public let iconName: String
  /// The image name of its second icon, which some forums have; empty without one.
  public let secondIconName: String
  /// The author's name; empty if no page has shown it.
  public let authorName: String
  /// The number of posts on the site.
  public let postCount: Int
  /// The number of stored posts.
  public let storedPostCount: Int
  /// The number of posts that the reader has not seen.
  public let unreadPostCount: Int
  /// Whether the reader has opened it before.
  public let isOpened: Bool
  /// Whether it stays on top of the list.
  public let isSticky: Bool
  /// Whether it no longer accepts posts.
  public let isClosed: Bool
  /// Whether the reader has bookmarked it.
  public let isBookmarked: Bool
  /// The name of the bookmark's color; nil without a bookmark, or if its color is unknown.
  public let bookmarkColor: String?
  /// The name of the last poster; empty if no page has shown it.
  public let lastPosterName: String
  /// The date of the last post.
  public let lastPostDate: Date?
  /// The number of pages of posts, at least 1.
  public let pageCount: Int
  /// The date when a page of its posts was last fetched from the site.
  public let fetchedAt: Date?

  /// Whether it has posts that are newer than the reader's last visit and have not been seen.
  public var hasNewPosts: Bool { isOpened && unreadPostCount > 0 }

  /// The relationships that a list prefetches.
  static let prefetchedKeyPaths = ["author", "threadTag", "secondaryThreadTag"]

  /// Creates a row from a thread. Call this initializer on the queue of its context.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - storedPostCount: The number of its stored posts.
  public init(_ thread: ForumThread, storedPostCount: Int) {
    threadID = thread.threadID
    title = thread.title ?? ""
    iconName = thread.threadTag?.imageName ?? ""
    secondIconName = thread.secondaryThreadTag?.imageName ?? ""
    authorName = thread.author?.username ?? ""
    postCount = thread.postCount
    self.storedPostCount = storedPostCount
    unreadPostCount = thread.unreadPosts
    isOpened = thread.beenSeen
    isSticky = thread.sticky
    isClosed = thread.closed
    isBookmarked = thread.bookmarked
    bookmarkColor = thread.bookmarked ? Self.bookmarkColor(numbered: thread.starCategory) : nil
    lastPosterName = thread.lastPostAuthorName ?? ""
    lastPostDate = thread.lastPostDate
    pageCount = ForumThread.pageCount(forPosts: thread.postCount)
    fetchedAt = thread.lastRefresh
  }

  /// The names of the colors of bookmarks, in the order of their numbers on the site.
  public static let bookmarkColors = ScrapedThread.BookmarkColor.allCases
    .filter { $0 != .none }.map(\.rawValue)

  /// Returns the name of the color of bookmarks with a number on the site; nil if the number is unknown.
  public static func bookmarkColor(numbered number: Int16) -> String? {
    bookmarkColors.indices.contains(Int(number)) ? bookmarkColors[Int(number)] : nil
  }
}
