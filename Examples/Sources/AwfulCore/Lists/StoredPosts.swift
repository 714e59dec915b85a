import CoreData
import ForumScraping
import OpenPersistenceKit

/// Which posts of a thread are stored, and whether the site still has them where they are.
enum StoredPosts {
  /// The pages to fetch so that the store has all posts of a thread; none when it agrees with what lists say of the thread.
  ///
  /// The page of the last stored post is among them: whether it is unchanged tells whether posts before it are gone.
  static func pagesToFetch(
    of thread: ForumThread, in context: NSManagedObjectContext
  ) throws -> [Int] {
    let posts = try query(thread.threadID).where("threadIndex > 0").execute(in: context)
    let places = posts.map { Int($0.threadIndex) }
    var pages = missingPages(of: thread, Set(places))
    guard let last = posts.max(by: { $0.threadIndex < $1.threadIndex }) else {
      return pages.sorted()
    }
    pages.formUnion(sharedPlaces(places).map { page(of: $0) })
    if !pages.isEmpty || posts.count != thread.postCount || !isLast(last, of: thread) {
      pages.insert(page(of: min(Int(last.threadIndex), thread.postCount)))
    }
    return pages.sorted()
  }

  private static func sharedPlaces(_ places: [Int]) -> Set<Int> {
    var seen: Set<Int> = []
    return Set(places.filter { !seen.insert($0).inserted })
  }

  /// The pages on which posts are missing.
  private static func missingPages(of thread: ForumThread, _ places: Set<Int>) -> Set<Int> {
    let size = ForumThread.postsPerPage
    var countByPage: [Int: Int] = [:]
    for place in places { countByPage[page(of: place), default: 0] += 1 }
    let pageCount = min(ForumThread.pageCount(forPosts: thread.postCount), pageLimit)
    return Set(
      (1...pageCount).filter { page in
        countByPage[page, default: 0] < min(size, thread.postCount - (page - 1) * size)
      })
  }

  /// Whether a post is the one that lists name as the last.
  private static func isLast(_ post: Post, of thread: ForumThread) -> Bool {
    guard let stored = post.postDate, let listed = thread.lastPostDate else { return true }
    return stored == listed
  }

  /// How a page that was read compares with what is stored.
  enum Comparison {
    /// All that is stored of its places is on it, and at its place.
    case unchanged
    /// Posts are gone, or have moved.
    case changed
    /// Nothing of it is stored.
    case new
  }

  static func comparison(
    of page: ThreadPage, in context: NSManagedObjectContext
  ) throws -> Comparison {
    let rows = page.posts.uniqued(by: \.id)
    let places = PostPlaces(rows, page: page.pages.page)
    guard let last = places.last else { return .new }
    let listed = Dictionary(
      rows.enumerated().map { ($1.id, Int32(clamping: places[$0])) },
      uniquingKeysWith: { one, _ in one })
    let isLastPage = page.pages.page >= page.pages.count
    let stored = try query(page.threadID)
      .where(
        NSPredicate(
          format: "threadIndex > 0 AND ((threadIndex >= %d AND threadIndex <= %d) OR postID IN %@)",
          argumentArray: [places[0], isLastPage ? Int(Int32.max) : last, Array(listed.keys)])
      )
      .execute(in: context)
    if stored.isEmpty { return .new }
    return stored.allSatisfy { listed[$0.postID] == $0.threadIndex } ? .unchanged : .changed
  }

  /// Deletes the posts that the site does not have any more.
  ///
  /// - Parameters:
  ///   - page: The first page of those that were read, to the last one.
  ///   - ids: The posts on them.
  static func deleteOthers(
    of threadID: String, fromPage page: Int, besides ids: Set<String>,
    in context: NSManagedObjectContext
  ) throws {
    let first = (page - 1) * ForumThread.postsPerPage + 1
    let posts = try query(threadID)
      .where(NSPredicate(format: "threadIndex >= %d", argumentArray: [first])).execute(in: context)
    for post in posts where !ids.contains(post.postID) { context.delete(post) }
  }

  /// No real thread is longer; a broken count must not make the list of pages endless.
  private static let pageLimit = 100_000

  private static func page(of place: Int) -> Int { (place - 1) / ForumThread.postsPerPage + 1 }

  private static func query(_ threadID: String) -> QueryBuilder<Post> {
    QueryBuilder<Post>(entityName: "Post")
      .where(NSPredicate(format: "thread.threadID == %@", argumentArray: [threadID]))
  }
}
