public import CoreData
import OpenPersistenceKit
import StoreSharing

/// Reads the lists of a store as values.
///
/// Each call reads in a context of its own and holds no objects afterwards.
public struct ForumLists {
  /// Which threads a list holds.
  public enum ThreadFilter: Sendable {
    /// All of them.
    case all
    /// Those with posts that the reader has not seen, threads never opened included.
    case withUnreadPosts
  }

  let store: ForumStore

  /// Makes the reader of a store's lists.
  ///
  /// - Parameter store: The store.
  public init(_ store: ForumStore) { self.store = store }

  /// The forums by group and place, those above before those below.
  ///
  /// - Returns: The forums that the index has not dropped.
  /// - Throws: What the fetch throws.
  public func forums() throws -> [ForumRow] {
    try store.performBatchOperation { try Self.forums(in: $0) }
  }

  /// The forums by group and place, those above before those below; three statements in all.
  ///
  /// - Parameter context: Where to read; call on its queue.
  /// - Returns: The forums that the index has not dropped.
  /// - Throws: What the fetch throws.
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

  /// Counted up to a limit, since a broken page may have made a circle.
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

  /// The threads in the order of the site's lists.
  ///
  /// - Parameters:
  ///   - forumID: The forum; nil for the threads of all.
  ///   - filter: Which threads.
  /// - Returns: The threads, sticky ones first, then by their last posts.
  /// - Throws: `ForumStoreError` with code `.notFound` for an unknown forum, or what the fetch
  ///   throws.
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

  /// A thread.
  ///
  /// - Parameter id: The thread.
  /// - Returns: The stored thread.
  /// - Throws: `ForumStoreError` with code `.notFound` for an unknown thread, or what the fetch throws.
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

  /// The posts of a thread by place.
  ///
  /// - Parameters:
  ///   - threadID: The thread.
  ///   - page: The page of forty posts, from 1; nil for all posts.
  /// - Returns: The stored posts.
  /// - Throws: `ForumStoreError` with code `.notFound` for an unknown thread, or what the fetch
  ///   throws.
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

  /// Which posts of a thread are on a page.
  static func places(onPage page: Int) -> NSPredicate {
    let size = ForumThread.postsPerPage
    let first = min(max(0, page - 1), Int(Int32.max) / size - 1) * size + 1
    return NSPredicate(
      format: "threadIndex >= %@ AND threadIndex <= %@",
      argumentArray: [first as NSNumber, (first + size - 1) as NSNumber])
  }
}
