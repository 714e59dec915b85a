public import CoreData
import OpenPersistenceKit

/// A thread of posts; the entity is called Thread, the class keeps clear of Foundation's.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ForumThread: NSManagedObject {
  /// The site's id.
  @Managed public var threadID: String
  /// The title.
  @Managed public var title: String?
  /// The number of posts after the first.
  @Managed public var totalReplies: Int32
  /// How many posts from the start the reader has seen; 0 for a thread never opened.
  @Managed public var seenPosts: Int32
  /// The number of pages of posts, at least 1.
  @Managed public var numberOfPages: Int32
  /// The number of votes.
  @Managed public var numberOfVotes: Int32
  /// The average vote.
  @Managed public var rating: Float
  /// The image name of the rating.
  @Managed public var ratingImageName: String?
  /// The place among the sticky threads, negative and rising; 0 for the others.
  @Managed public var stickyIndex: Int32
  /// The page of the forum's list, 0 when it is not on the list.
  @Managed public var threadListPage: Int32
  /// The page of the list of bookmarks, 0 when it is not on the list.
  @Managed public var bookmarkListPage: Int32
  /// The colour of the bookmark, from 0; 6 for none.
  @Managed public var starCategory: Int16
  /// Whether the reader has bookmarked it.
  @Managed public var bookmarked: Bool
  /// Whether it takes no more posts.
  @Managed public var closed: Bool
  /// Whether it stays on top of the list.
  @Managed public var sticky: Bool
  /// Whether it is in the archives.
  @Managed public var archived: Bool
  /// Whether it was opened and has unread posts since.
  @Managed public var anyUnreadPosts: Bool
  /// When the last post was made.
  @Managed public var lastPostDate: Date?
  /// The date as the site prints it.
  @Managed public var lastPostDateRaw: String?
  /// The name of the last poster.
  @Managed public var lastPostAuthorName: String?
  /// When the site was last asked for it.
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

  /// The number of posts of one page; the site is always asked for this many.
  public static let postsPerPage = 40

  /// The order of the site's lists: sticky threads first, then by their last posts.
  static let listOrder = [("stickyIndex", true), ("lastPostDate", false), ("threadID", true)]

  /// The number of posts, read or not.
  public var postCount: Int { Int(totalReplies) + 1 }

  /// Whether the reader has opened the thread before.
  public var beenSeen: Bool { seenPosts > 0 }

  /// The number of posts not yet seen; never negative, though the site may delete posts.
  public var unreadPosts: Int { max(0, postCount - Int(seenPosts)) }

  /// Brings the values that follow from the counts up to date; those that agree are not touched.
  public func updateDerivedCounts() {
    update(\.anyUnreadPosts, to: beenSeen && unreadPosts > 0)
  }

  /// The number of pages that a number of posts needs.
  public static func pageCount(forPosts count: Int) -> Int {
    max(1, (count + postsPerPage - 1) / postsPerPage)
  }

  /// A request for the thread of an id.
  public static func request(id: String) -> NSFetchRequest<ForumThread> {
    let request = NSFetchRequest<ForumThread>(entityName: "Thread")
    request.predicate = NSPredicate(format: "threadID == %@", argumentArray: [id])
    return request
  }
}
