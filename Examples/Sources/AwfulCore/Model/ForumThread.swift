public import CoreData
import OpenPersistenceKit

/// A thread of posts. The entity is named Thread; the class has another name to avoid a conflict with Foundation's.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ForumThread: NSManagedObject {
  /// The id on the site.
  @Managed public var threadID: String
  /// The title.
  @Managed public var title: String?
  /// The number of posts after the first.
  @Managed public var totalReplies: Int32
  /// The number of posts, counted from the first, that the reader has seen; 0 for a thread that was never opened.
  @Managed public var seenPosts: Int32
  /// The number of pages of posts, at least 1.
  @Managed public var numberOfPages: Int32
  /// The number of votes.
  @Managed public var numberOfVotes: Int32
  /// The average vote.
  @Managed public var rating: Float
  /// The image name of the rating.
  @Managed public var ratingImageName: String?
  /// The place among the sticky threads, negative and ascending; 0 for other threads.
  @Managed public var stickyIndex: Int32
  /// The page of the forum's list; 0 if the thread is not on the list.
  @Managed public var threadListPage: Int32
  /// The page of the bookmark list; 0 if the thread is not on the list.
  @Managed public var bookmarkListPage: Int32
  /// The colour of the bookmark, starting at 0; 6 for none.
  @Managed public var starCategory: Int16
  /// Whether the reader has bookmarked it.
  @Managed public var bookmarked: Bool
  /// Whether it no longer accepts posts.
  @Managed public var closed: Bool
  /// Whether it stays on top of the list.
  @Managed public var sticky: Bool
  /// Whether it is in the archives.
  @Managed public var archived: Bool
  /// Whether the reader has opened it and it has unread posts.
  @Managed public var anyUnreadPosts: Bool
  /// The date of the last post.
  @Managed public var lastPostDate: Date?
  /// The date as the site prints it.
  @Managed public var lastPostDateRaw: String?
  /// The name of the last poster.
  @Managed public var lastPostAuthorName: String?
  /// The date when the thread was last fetched from the site.
  @Managed public var lastRefresh: Date?
  /// The forum.
  @Managed public var forum: Forum?
  /// The author.
  @Managed public var author: User?
  /// The icon.
  @Managed public var threadTag: ThreadTag?
  /// The second icon.
  @Managed public var secondaryThreadTag: ThreadTag?
  /// The posts.
  @Managed public var posts: Set<Post>

  /// The number of posts on a page. Requests for pages of posts and threads always ask for this page size.
  public static let postsPerPage = 40

  /// The order of the site's lists: sticky threads first, then by last post.
  static let listOrder = [("stickyIndex", true), ("lastPostDate", false), ("threadID", true)]

  /// The number of posts, seen or unseen.
  public var postCount: Int { Int(totalReplies) + 1 }

  /// Whether the reader has opened the thread before.
  public var beenSeen: Bool { seenPosts > 0 }

  /// The number of posts that the reader has not seen; never negative, although the site may delete posts.
  public var unreadPosts: Int { max(0, postCount - Int(seenPosts)) }

  /// Updates the values that are derived from the counts. Values that are already correct stay untouched.
  public func updateDerivedCounts() {
    update(\.anyUnreadPosts, to: beenSeen && unreadPosts > 0)
  }

  /// Returns the number of pages that a number of posts requires.
  public static func pageCount(forPosts count: Int) -> Int {
    max(1, (count + postsPerPage - 1) / postsPerPage)
  }

  /// Returns a fetch request for the thread with an id.
  public static func request(id: String) -> NSFetchRequest<ForumThread> {
    let request = NSFetchRequest<ForumThread>(entityName: "Thread")
    request.predicate = NSPredicate(format: "threadID == %@", argumentArray: [id])
    return request
  }
}
