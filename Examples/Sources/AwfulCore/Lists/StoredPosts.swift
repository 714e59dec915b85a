import CoreData
import OpenPersistenceKit

/// Which posts of a thread are stored.
enum StoredPosts {
  /// The number of a thread's stored posts, counted in the store.
  static func count(of thread: ForumThread, in context: NSManagedObjectContext) throws -> Int {
    try query(thread).count(in: context)
  }

  /// The pages of a thread on which posts are missing from the store.
  static func missingPages(
    of thread: ForumThread, in context: NSManagedObjectContext
  ) throws -> [Int] {
    let posts = try query(thread).execute(in: context)
    let size = ForumThread.postsPerPage
    var countByPage: [Int: Int] = [:]
    for place in Set(posts.map(\.threadIndex)) where place > 0 {
      countByPage[(Int(place) - 1) / size + 1, default: 0] += 1
    }
    let pageCount = min(ForumThread.pageCount(forPosts: thread.postCount), pageLimit)
    return (1...pageCount).filter { page in
      countByPage[page, default: 0] < min(size, thread.postCount - (page - 1) * size)
    }
  }

  /// No real thread is longer; a broken count must not make the list of pages endless.
  private static let pageLimit = 100_000

  private static func query(_ thread: ForumThread) -> QueryBuilder<Post> {
    QueryBuilder<Post>(entityName: "Post")
      .where(NSPredicate(format: "thread == %@", argumentArray: [thread]))
  }
}
