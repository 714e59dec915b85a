import CoreData
public import Foundation
public import StoreSharing

/// The lists that a forum reader's views show, page by page, with updates as they change.
///
/// A value over shared state; safe to use from any thread.
public struct ForumFeed: Sendable {
  /// The threads that a view lists.
  public enum Threads: Sendable, Hashable {
    /// The threads on a forum's list on the site.
    case forum(String)
    /// The threads of a forum that are not on the site's list, because they were deleted or because the list has not been read.
    case unlisted(String)
    /// The threads that the reader has bookmarked.
    case bookmarks

    /// The predicate for the listed threads.
    public var predicate: NSPredicate {
      switch self {
      case .forum(let id):
        NSPredicate(format: "forum.forumID == %@ AND threadListPage > 0", argumentArray: [id])
      case .unlisted(let id):
        NSPredicate(format: "forum.forumID == %@ AND threadListPage == 0", argumentArray: [id])
      case .bookmarks: NSPredicate(format: "bookmarked == YES", argumentArray: [])
      }
    }
  }

  /// The feed that reads and follows the store.
  public let store: StoreFeed

  /// Creates the lists of a store.
  public init(_ store: StoreFeed) { self.store = store }

  /// The forums, ordered by group and place.
  public var forums: FollowedRows<ForumRow> {
    FollowedRows { [store] in
      store.changes(ofEntities: ["Forum", "ForumGroup", "Thread"])
    } load: { [store] in
      try await store.read { try ForumLists.forums(in: $0) }
    }
  }

  /// The announcements, in the order of the site's lists.
  public var announcements: FollowedRows<AnnouncementRow> {
    FollowedRows { [store] in
      store.changes(ofEntities: ["Announcement"])
    } load: { [store] in
      try await store.read { context in
        let request = NSFetchRequest<Announcement>(entityName: "Announcement")
        request.sortDescriptors = [NSSortDescriptor(key: "listIndex", ascending: true)]
        return try context.fetch(request).map { AnnouncementRow($0) }
      }
    }
  }

  /// Returns some pages of a thread list: sticky threads first, then by last post.
  ///
  /// - Parameters:
  ///   - threads: The threads to list.
  ///   - page: The number of the first page, starting at 1.
  ///   - span: The number of pages.
  ///   - arrangement: The filter and the order of the threads.
  public func threads(
    _ threads: Threads, page: Int, span: Int = 1, arrangement: ThreadArrangement = .init()
  ) -> FollowedRows<ThreadRow> {
    follow { () -> NSFetchRequest<ForumThread> in
      let request = arrangement.request(of: threads)
      request.fetchOffset = (page - 1) * ForumThread.postsPerPage
      request.fetchLimit = span * ForumThread.postsPerPage
      request.relationshipKeyPathsForPrefetching = ThreadRow.prefetchedKeyPaths
      return request
    } row: { (thread: ForumThread) in
      ThreadRow(thread, storedPostCount: 0)
    }
  }

  /// Returns one thread, or no row if it is not stored.
  ///
  /// - Parameter id: The thread's id.
  public func thread(_ id: String) -> FollowedRows<ThreadRow> {
    follow { () -> NSFetchRequest<ForumThread> in
      let request = NSFetchRequest<ForumThread>(entityName: "Thread")
      request.predicate = NSPredicate(format: "threadID == %@", argumentArray: [id])
      request.sortDescriptors = [NSSortDescriptor(key: "threadID", ascending: true)]
      return request
    } row: { (thread: ForumThread) in
      ThreadRow(thread, storedPostCount: 0)
    }
  }

  /// Returns one page of the stored posts by a member in a thread, ordered by place.
  ///
  /// - Parameters:
  ///   - authorID: The member's id.
  ///   - id: The thread's id.
  ///   - page: The page number among these posts, starting at 1.
  public func posts(by authorID: String, inThread id: String, page: Int) -> FollowedRows<PostRow> {
    follow { () -> NSFetchRequest<Post> in
      let request = Self.posts(Self.posts(by: authorID, inThread: id))
      request.fetchOffset = (page - 1) * ForumThread.postsPerPage
      request.fetchLimit = ForumThread.postsPerPage
      return request
    } row: { (post: Post) in
      PostRow(post)
    }
  }

  /// Returns the predicate for the posts by a member in a thread.
  public static func posts(by authorID: String, inThread id: String) -> NSPredicate {
    NSPredicate(
      format: "thread.threadID == %@ AND author.userID == %@", argumentArray: [id, authorID])
  }

  /// Returns one page of a thread's posts, ordered by place.
  ///
  /// - Parameters:
  ///   - id: The thread's id.
  ///   - page: The page number, starting at 1.
  public func posts(ofThread id: String, page: Int) -> FollowedRows<PostRow> {
    follow { () -> NSFetchRequest<Post> in
      Self.posts(
        NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "thread.threadID == %@", argumentArray: [id]),
          ForumLists.places(onPage: page),
        ]))
    } row: { (post: Post) in
      PostRow(post)
    }
  }

  /// Returns a request for posts with their authors, ordered by place.
  private static func posts(_ predicate: NSPredicate) -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = predicate
    request.sortDescriptors = [
      NSSortDescriptor(key: "threadIndex", ascending: true),
      NSSortDescriptor(key: "postID", ascending: true),
    ]
    request.relationshipKeyPathsForPrefetching = ["author"]
    return request
  }

  func follow<Object: NSManagedObject, Row: Sendable>(
    _ request: @escaping @Sendable () -> NSFetchRequest<Object>,
    row: @escaping @Sendable (Object) -> Row
  ) -> FollowedRows<Row> {
    FollowedRows { [store] in
      store.changes(of: request)
    } load: { [store] in
      try await store.read { try $0.fetch(request()).map(row) }
    }
  }
}
