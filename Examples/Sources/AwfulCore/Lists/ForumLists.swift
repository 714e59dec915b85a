public import CoreData
import OpenPersistenceKit
import StoreSharing

/// Reads the lists of a store as values.
///
/// Each call reads in a new context and retains no objects.
public struct ForumLists {
  /// A filter for threads.
  public enum ThreadFilter: Sendable {
    /// All threads.
    case all
    /// The threads with posts that the reader has not seen, including threads that were never opened.
    case withUnreadPosts
  }

  let store: ForumStore

  /// Creates a reader for a store's lists.
  ///
  /// - Parameter store: The store.
  public init(_ store: ForumStore) { self.store = store }

  /// Returns the forums ordered by group and place, parents before their children.
  ///
  /// - Returns: The forums that the index still lists or has never listed.
  /// - Throws: Any error from the fetch.
  public func forums() throws -> [ForumRow] {
    try store.performBatchOperation { try Self.forums(in: $0) }
  }

  /// Returns the forums ordered by group and place, parents before their children. Executes three statements.
  ///
  /// - Parameter context: The context to read from. Call on its queue.
  /// - Returns: The forums that the index still lists or has never listed.
  /// - Throws: Any error from the fetch.
  public static func forums(in context: NSManagedObjectContext) throws -> [ForumRow] {
    let forums = try QueryBuilder<Forum>(entityName: "Forum")
      .where("isHidden == NO")
      .orderBy("group.index").orderBy("index").orderBy("forumID")
      .prefetch("group", "parentForum")
      .execute(in: context)
    let threads = try GroupedCounts(of: "Thread", by: "forum", in: context).byObject()
    let unread = try GroupedCounts(
      of: "Thread", by: "forum",
      where: NSCompoundPredicate(andPredicateWithSubpredicates: [
        hasUnreadPosts, NSPredicate(format: "threadListPage > 0", argumentArray: []),
      ]), in: context
    ).byObject()
    return forums.map { forum in
      ForumRow(
        forumID: forum.forumID, name: forum.name ?? "", groupName: forum.group?.name ?? "",
        depth: depth(of: forum), threadCount: threads[forum.objectID] ?? 0,
        unreadThreadCount: unread[forum.objectID] ?? 0)
    }
  }

  /// Returns the depth of a forum, up to a limit, because a broken page may have created a cycle.
  private static func depth(of forum: Forum) -> Int {
    var depth = 1
    var above = forum.parentForum
    while let forum = above, depth < 10 {
      depth += 1
      above = forum.parentForum
    }
    return depth
  }

  private static var hasUnreadPosts: NSPredicate {
    NSPredicate(format: "seenPosts <= totalReplies", argumentArray: [])
  }

  /// Returns the threads in the order of the site's lists.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id, or nil for the threads of all forums.
  ///   - filter: The threads to include.
  /// - Returns: The threads: sticky threads first, then by last post.
  /// - Throws: `ForumStoreError` with code `.notFound` if the forum does not exist, or any error from the fetch.
  public func threads(forumID: String? = nil, _ filter: ThreadFilter = .all) throws -> [ThreadRow] {
    try store.performBatchOperation { context in
      let query = QueryBuilder<ForumThread>(entityName: "Thread")
      for keyPath in ThreadRow.prefetchedKeyPaths { query.prefetch(keyPath) }
      if let forumID {
        try Self.demandForum(forumID, in: context)
        query.where(NSPredicate(format: "forum.forumID == %@", argumentArray: [forumID]))
      }
      if filter == .withUnreadPosts { query.where(Self.hasUnreadPosts) }
      for (key, ascending) in ForumThread.listOrder { query.orderBy(key, ascending: ascending) }
      let threads = try query.execute(in: context)
      let stored = try GroupedCounts(of: "Post", by: "thread", in: context).byObject()
      return threads.map { ThreadRow($0, storedPostCount: stored[$0.objectID] ?? 0) }
    }
  }

  /// Returns a thread.
  ///
  /// - Parameter id: The thread's id.
  /// - Returns: The stored thread.
  /// - Throws: `ForumStoreError` with code `.notFound` if the thread does not exist, or any error from the fetch.
  public func thread(_ id: String) throws -> ThreadRow {
    try store.performBatchOperation { context in
      let thread = try QueryBuilder<ForumThread>(entityName: "Thread")
        .where(NSPredicate(format: "threadID == %@", argumentArray: [id])).executeFirst(in: context)
      guard let thread else {
        throw ForumStoreError.missing("thread", id)
      }
      let count = try QueryBuilder<Post>(entityName: "Post")
        .where(NSPredicate(format: "thread == %@", argumentArray: [thread])).count(in: context)
      return ThreadRow(thread, storedPostCount: count)
    }
  }

  private static func demandForum(_ forumID: String, in context: NSManagedObjectContext) throws {
    let forums = QueryBuilder<Forum>(entityName: "Forum")
      .where(NSPredicate(format: "forumID == %@", argumentArray: [forumID]))
    guard try forums.count(in: context) > 0 else {
      throw ForumStoreError.missing("forum", forumID)
    }
  }

  /// Returns the posts of a thread, ordered by place.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - page: The number of a page of forty posts, starting at 1, or nil for all posts.
  /// - Returns: The stored posts.
  /// - Throws: `ForumStoreError` with code `.notFound` if the thread does not exist, or any error from the fetch.
  public func posts(threadID: String, page: Int? = nil) throws -> [PostRow] {
    try store.performBatchOperation { context in
      let thread = try QueryBuilder<ForumThread>(entityName: "Thread")
        .where(NSPredicate(format: "threadID == %@", argumentArray: [threadID]))
        .executeFirst(in: context)
      guard let thread else {
        throw ForumStoreError.missing("thread", threadID)
      }
      let query = QueryBuilder<Post>(entityName: "Post").prefetch("author")
        .where(NSPredicate(format: "thread == %@", argumentArray: [thread]))
      if let page { query.where(Self.places(onPage: page)) }
      return try query.orderBy("threadIndex").orderBy("postID").execute(in: context)
        .map { PostRow($0) }
    }
  }

  /// Returns the predicate for the posts of a thread that are on a page.
  static func places(onPage page: Int) -> NSPredicate {
    let size = ForumThread.postsPerPage
    let first = min(max(0, page - 1), Int(Int32.max) / size - 1) * size + 1
    return NSPredicate(
      format: "threadIndex >= %@ AND threadIndex <= %@",
      argumentArray: [first as NSNumber, (first + size - 1) as NSNumber])
  }
}
