import CoreData
public import Foundation
public import StoreSharing

/// The lists of a forum reader's views, page by page, as they change.
///
/// A value over shared state; usable anywhere.
public struct ForumFeed: Sendable {
  /// Which threads a view lists.
  public enum Threads: Sendable, Hashable {
    /// Those that the site lists in a forum.
    case forum(String)
    /// Those of a forum that the site's list does not have, because they are deleted or because the list was not read.
    case unlisted(String)
    /// Those that the reader has bookmarked.
    case bookmarks

    /// Which threads are listed.
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

  /// What reads and follows the store.
  public let store: StoreFeed

  /// Makes the lists of a store.
  public init(_ store: StoreFeed) { self.store = store }

  /// The forums by group and place.
  public var forums: FollowedRows<ForumRow> {
    FollowedRows { [store] in
      store.changes(ofEntities: ["Forum", "ForumGroup", "Thread"])
    } load: { [store] in
      try await store.read { try ForumLists.forums(in: $0) }
    }
  }

  /// Some pages of a list of threads: sticky ones first, then by their last posts.
  ///
  /// - Parameters:
  ///   - threads: Which threads.
  ///   - page: The first page, from 1.
  ///   - span: How many pages.
  ///   - arrangement: Which of the threads, and what else comes first.
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

  /// One thread; no row if it is not stored.
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

  /// One page of the stored posts that a member has written in a thread, by their places.
  ///
  /// - Parameters:
  ///   - authorID: The member's id.
  ///   - id: The thread's id.
  ///   - page: The page among these posts, from 1.
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

  /// The posts that a member has written in a thread.
  public static func posts(by authorID: String, inThread id: String) -> NSPredicate {
    NSPredicate(
      format: "thread.threadID == %@ AND author.userID == %@", argumentArray: [id, authorID])
  }

  /// One page of the posts of a thread, by their places.
  ///
  /// - Parameters:
  ///   - id: The thread's id.
  ///   - page: The page, from 1.
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

  /// A request for posts by their places, with their authors.
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
