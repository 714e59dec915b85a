import CoreData
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Determines which posts of a thread are stored, and whether they still match the site.
enum StoredPosts {
  /// A thread and its pages to fetch.
  struct MissingPages: Sendable {
    let threadID: String
    let pages: [Int]
  }

  /// Returns the threads with pages to fetch.
  static func threadsToFetch(
    among threadIDs: Set<String>, in context: NSManagedObjectContext
  ) throws -> [MissingPages] {
    let threads = try QueryBuilder<ForumThread>(entityName: "Thread")
      .orderBy("threadID").execute(in: context)
    return try threads.compactMap { thread in
      guard threadIDs.contains(thread.threadID) else { return nil }
      let pages = try pagesToFetch(of: thread, in: context)
      return pages.isEmpty ? nil : MissingPages(threadID: thread.threadID, pages: pages)
    }
  }

  /// Returns the pages to fetch so that the store has all posts of a thread; none if the store agrees with the lists.
  ///
  /// If any page is needed, the page of the last stored post is among them: it shows whether posts before it were deleted.
  private static func pagesToFetch(
    of thread: ForumThread, in context: NSManagedObjectContext
  ) throws -> [Int] {
    let posts = try facts(of: thread.threadID, where: "threadIndex > 0", in: context)
    let places = posts.map(\.place)
    var pages = missingPages(of: thread, Set(places))
    guard let last = posts.max(by: { $0.place < $1.place }) else { return pages.sorted() }
    pages.formUnion(sharedPlaces(places).map { page(of: $0) })
    if !pages.isEmpty || posts.count != thread.postCount || !isLast(last, of: thread) {
      pages.insert(page(of: min(last.place, thread.postCount)))
    }
    return pages.sorted()
  }

  /// The values that determine a stored post's place, without its body.
  private struct Facts {
    let id: String
    let place: Int
    let date: Date?
  }

  private static func facts(
    of threadID: String, where format: String, _ arguments: Any...,
    in context: NSManagedObjectContext
  ) throws -> [Facts] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Post")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "thread.threadID == %@", argumentArray: [threadID]),
      NSPredicate(format: format, argumentArray: arguments),
    ])
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["postID", "threadIndex", "postDate"]
    return try context.fetch(request).map { row in
      Facts(
        id: row["postID"] as? String ?? "", place: row["threadIndex"] as? Int ?? 0,
        date: row["postDate"] as? Date)
    }
  }

  private static func sharedPlaces(_ places: [Int]) -> Set<Int> {
    var seen: Set<Int> = []
    return Set(places.filter { !seen.insert($0).inserted })
  }

  /// Returns the pages with missing posts.
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

  /// Returns whether a post is the one that the lists name as the last.
  private static func isLast(_ post: Facts, of thread: ForumThread) -> Bool {
    guard let stored = post.date, let listed = thread.lastPostDate else { return true }
    return stored == listed
  }

  /// The result of comparing a fetched page with the store.
  enum Comparison {
    /// The page contains all stored posts of its places, at the same places.
    case unchanged
    /// Posts were deleted or have moved.
    case changed
    /// None of the page's posts are stored.
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
    let stored = try facts(
      of: page.threadID,
      where: "threadIndex > 0 AND ((threadIndex >= %d AND threadIndex <= %d) OR postID IN %@)",
      places[0], isLastPage ? Int(Int32.max) : last, Array(listed.keys), in: context)
    if stored.isEmpty { return .new }
    return stored.allSatisfy { listed[$0.id].map(Int.init) == $0.place } ? .unchanged : .changed
  }

  /// Deletes the posts that the site no longer has.
  ///
  /// - Parameters:
  ///   - page: The first of the pages that were read, up to the last page.
  ///   - ids: The ids of the posts on these pages.
  static func deleteOthers(
    of threadID: String, fromPage page: Int, besides ids: Set<String>,
    in context: NSManagedObjectContext
  ) throws {
    let first = (page - 1) * ForumThread.postsPerPage + 1
    let posts = try QueryBuilder<Post>(entityName: "Post")
      .where(NSPredicate(format: "thread.threadID == %@", argumentArray: [threadID]))
      .where(NSPredicate(format: "threadIndex >= %d", argumentArray: [first])).execute(in: context)
    for post in posts where !ids.contains(post.postID) { context.delete(post) }
  }

  /// The largest number of pages; no real thread is longer. It bounds the list of pages if a count is wrong.
  private static let pageLimit = 100_000

  private static func page(of place: Int) -> Int { (place - 1) / ForumThread.postsPerPage + 1 }
}
