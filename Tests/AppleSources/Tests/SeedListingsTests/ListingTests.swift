import CoreData
import XCTest

@testable import SeedListings

// Foundation has a class of this name too.
typealias Thread = SeedListings.Thread

/// Uses the parts of the listings that their own printed test leaves out.
final class ListingTests: XCTestCase {
  private let stack = CoreDataTestStack()
  private var context: NSManagedObjectContext { stack.viewContext }

  func testThreadsOfAForumComeStickyFirstThenNewest() {
    let forums = ForumsRepository(context: context)
    let threads = ThreadsRepository(context: context)
    let forum = forums.create()
    for number in Int32(1)...4 {
      let thread = threads.create()
      thread.id = number
      thread.isSticky = number == 2
      thread.lastPostDate = Date(timeIntervalSinceReferenceDate: Double(number))
      forum.addThread(thread)
    }
    forums.save(forum)
    XCTAssertEqual(threads.fetchThreads(for: forum).map(\.id), [2, 4, 3, 1])
    XCTAssertEqual(threads.fetchThreads(for: forum, includeSticky: false).map(\.id), [4, 3, 1])
    XCTAssertEqual(forum.sortedThreads.map(\.id), [4, 3, 2, 1])
    if let first = forum.threadsArray.first { forum.removeFromThreads(first) }
    XCTAssertEqual(forum.threadsArray.count, 3)
  }

  func testPagesOfPostsAndTheCountOfAThread() {
    let thread = ThreadsRepository(context: context).create()
    let posts = PostsRepository(context: context)
    for index in Int32(0)..<50 {
      let post = posts.create()
      post.index = index
      post.content = "Post \(index)"
      thread.addPost(post)
    }
    XCTAssertEqual(thread.postCount, 50)
    XCTAssertEqual(thread.unreadPostCount, 50)
    posts.save(thread.sortedPosts[0])
    XCTAssertEqual(posts.fetchPosts(for: thread, page: 2).map(\.index), Array(40..<50))
    XCTAssertEqual(thread.sortedPosts.first?.htmlContent, "Post 0")
  }

  func testAccessorsForManyAndUnreadThreads() throws {
    let forum = ForumsRepository(context: context).create()
    let repository = ThreadsRepository(context: context)
    let threads = (0..<4).map { _ in repository.create() }
    for thread in threads { thread.hasUnreadPosts = false }
    forum.addToThreads(NSSet(array: threads))
    XCTAssertEqual(threads.map(\.forum), [forum, forum, forum, forum])
    XCTAssertFalse(forum.hasUnreadThreads)
    threads[3].hasUnreadPosts = true
    XCTAssertTrue(forum.hasUnreadThreads)
    forum.removeFromThreads(NSSet(array: [threads[1], threads[3]]))
    XCTAssertEqual(threads.map(\.forum), [forum, nil, forum, nil])
    XCTAssertFalse(forum.hasUnreadThreads)
    let posts = (0..<3).map { _ in Post(context: context) }
    threads[0].addToPosts(NSSet(array: posts))
    XCTAssertEqual(threads[0].postsArray.count, 3)
    threads[0].removeFromPosts(NSSet(array: [posts[0]]))
    XCTAssertNil(posts[0].thread)
    (threads[0].postCount, threads[0].lastReadPostIndex) = (4, 9)
    XCTAssertEqual(threads[0].unreadPostCount, 0)
    try context.save()
    XCTAssertEqual(forum.threadsArray.count, 2)
  }

  func testDeleteAllGoesThroughABatchRequest() {
    let threads = ThreadsRepository(context: context)
    threads.save(threads.create())
    threads.deleteAll()
    context.reset()
    XCTAssertEqual(threads.fetch(), [])
  }

  func testUsageOfTheQueryBuilder() {
    let forumId: Int32 = 26
    let threads = ThreadsRepository(context: context)
    let forum = ForumsRepository(context: context).create()
    forum.id = forumId
    for number in Int32(1)...3 {
      let thread = threads.create()
      thread.id = number
      thread.hasUnreadPosts = number > 1
      thread.lastPostDate = Date(timeIntervalSinceReferenceDate: Double(number))
      thread.forum = number < 3 ? forum : nil
    }
    let unreadThreads = QueryBuilder<Thread>(entityName: "Thread")
      .where("hasUnreadPosts == YES")
      .orderBy("lastPostDate", ascending: false)
      .execute(in: context)
    let forumThreads = QueryBuilder<Thread>(entityName: "Thread")
      .where("forum.id == %d", forumId)
      .where("isHidden == NO")
      .orderBy("isSticky", ascending: false)
      .orderBy("lastPostDate", ascending: false)
      .limit(50)
      .execute(in: context)
    XCTAssertEqual(unreadThreads.map(\.id), [3, 2])
    XCTAssertEqual(forumThreads.map(\.id), [2, 1])
  }

  func testClassesOfTheModelWorkWithThoseOfTheListings() throws {
    let category = ForumCategory(context: context)
    category.name = "Main"
    let forum = ForumsRepository(context: context).create()
    category.addToForums(forum)
    let metadata = ForumMetadata(context: context)
    metadata.isFavorite = true
    forum.metadata = metadata
    try context.save()
    let request = ForumCategory.fetchRequest()
    request.optimizeForPerformance()
    request.relationshipKeyPathsForPrefetching = nil
    XCTAssertEqual(try context.fetch(request).map(\.name), ["Main"])
    XCTAssertEqual(forum.category, category)
    XCTAssertEqual(forum.metadata?.isFavorite, true)
  }
}
