public import CoreData
import Foundation

/// A thread in a list, apart from its context.
public struct ThreadRow: Sendable, Equatable, Encodable {
  /// The site's id.
  public let threadID: String
  /// The title; empty when no page told it.
  public let title: String
  /// The name of its icon; empty without one.
  public let iconName: String
  /// The name of its second icon, which some forums have; empty without one.
  public let secondIconName: String
  /// The author's name; empty when no page told it.
  public let authorName: String
  /// The number of posts on the site.
  public let postCount: Int
  /// The number of stored posts.
  public let storedPostCount: Int
  /// The number of posts not yet seen.
  public let unreadPostCount: Int
  /// Whether the reader has opened it before.
  public let isOpened: Bool
  /// Whether it stays on top of the list.
  public let isSticky: Bool
  /// Whether it takes no more posts.
  public let isClosed: Bool
  /// Whether the reader has bookmarked it.
  public let isBookmarked: Bool
  /// The name of the last poster; empty when no page told it.
  public let lastPosterName: String
  /// When the last post was made.
  public let lastPostDate: Date?
  /// The number of pages of posts, at least 1.
  public let pageCount: Int

  /// Whether posts came after the reader opened it, and were not seen yet.
  public var hasNewPosts: Bool { isOpened && unreadPostCount > 0 }

  /// What a list reads of threads' related objects in advance.
  static let prefetchedKeyPaths = ["author", "threadTag", "secondaryThreadTag"]

  /// Reads a thread; call on the queue of its context.
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
    lastPosterName = thread.lastPostAuthorName ?? ""
    lastPostDate = thread.lastPostDate
    pageCount = ForumThread.pageCount(forPosts: thread.postCount)
  }
}
