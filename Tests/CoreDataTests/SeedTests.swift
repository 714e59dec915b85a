import CoreData
import XCTest

/// The printed test of a repository, and the use of every other part of a forum reader's persistence layer.
class ForumsRepositoryTests: XCTestCase {
  var testStack: CoreDataTestStack!
  var repository: ForumsRepository!

  override func setUp() {
    super.setUp()
    testStack = CoreDataTestStack()
    repository = ForumsRepository(context: testStack.viewContext)
  }

  func testFetchVisibleForums() {
    // Given
    let forum1 = repository.create()
    forum1.id = 1
    forum1.title = "Forum 1"
    forum1.isHidden = false

    let forum2 = repository.create()
    forum2.id = 2
    forum2.title = "Forum 2"
    forum2.isHidden = true

    repository.save(forum1)
    repository.save(forum2)

    // When
    let visibleForums = repository.fetchVisibleForums()

    // Then
    XCTAssertEqual(visibleForums.count, 1)
    XCTAssertEqual(visibleForums[0].title, "Forum 1")
  }

  func testForumIsFoundByID() {
    for id in Int32(1)...5 {
      let forum = repository.create()
      forum.id = id
      forum.title = "Forum \(id)"
    }
    XCTAssertEqual(repository.fetchForum(by: 3)?.title, "Forum 3")
    XCTAssertNil(repository.fetchForum(by: 9))
  }

  func testThreadsOfAForumComeStickyFirstThenNewest() {
    let context = testStack.viewContext
    let threads = ThreadsRepository(context: context)
    let forum = repository.create()
    for number in Int32(1)...4 {
      let thread = threads.create()
      thread.id = number
      thread.title = "Thread \(number)"
      thread.isSticky = number == 2
      thread.lastPostDate = Date(timeIntervalSinceReferenceDate: Double(number))
      forum.addThread(thread)
    }
    repository.save(forum)
    XCTAssertEqual(threads.fetchThreads(for: forum).map(\.id), [2, 4, 3, 1])
    XCTAssertEqual(threads.fetchThreads(for: forum, includeSticky: false).map(\.id), [4, 3, 1])
    XCTAssertEqual(forum.sortedThreads.map(\.id), [4, 3, 2, 1])
  }

  func testMarkingAThreadAsReadTakesItFromTheUnreadOnes() {
    let threads = ThreadsRepository(context: testStack.viewContext)
    let thread = threads.create()
    thread.postCount = 7
    threads.save(thread)
    XCTAssertEqual(threads.fetchUnreadThreads(), [thread])
    XCTAssertEqual(thread.unreadPostCount, 7)
    threads.markThreadAsRead(thread)
    XCTAssertEqual(threads.fetchUnreadThreads(), [])
    XCTAssertEqual(thread.unreadPostCount, 0)
  }

  func testPagesOfPostsAndTheCountOfAThread() {
    let context = testStack.viewContext
    let thread = ThreadsRepository(context: context).create()
    let posts = PostsRepository(context: context)
    for index in Int32(0)..<100 {
      let post = posts.create()
      post.id = 1000 + index
      post.index = index
      post.content = "Post \(index)"
      thread.addPost(post)
    }
    XCTAssertEqual(thread.postCount, 100)
    posts.save(thread.sortedPosts[0])
    XCTAssertEqual(posts.fetchPosts(for: thread, page: 3).map(\.index), Array(80..<100))
    XCTAssertEqual(posts.fetchPost(by: 1042)?.htmlContent, "Post 42")
    XCTAssertEqual(posts.fetchPost(by: 1042)?.formattedDate, "")
    posts.fetchPost(by: 1042)?.postDate = Date(timeIntervalSinceReferenceDate: 0)
    XCTAssertEqual(posts.fetchPost(by: 1042)?.formattedDate, "Jan 1, 2001 00:00")
  }

  func testDeletingAForumDeletesItsThreads() {
    let context = testStack.viewContext
    let forum = repository.create()
    let threads = ThreadsRepository(context: context)
    forum.addThread(threads.create())
    forum.addThread(threads.create())
    repository.save(forum)
    XCTAssertEqual(threads.fetch().count, 2)
    repository.delete(forum)
    XCTAssertEqual(threads.fetch().count, 0)
  }

  func testDeleteAllByPredicate() {
    let threads = ThreadsRepository(context: testStack.viewContext)
    let cutoff = Date(timeIntervalSinceReferenceDate: 100)
    for seconds in [50.0, 150.0] {
      let thread = threads.create()
      thread.lastRefresh = Date(timeIntervalSinceReferenceDate: seconds)
      threads.save(thread)
    }
    threads.deleteAll(predicate: NSPredicate(format: "lastRefresh < %@", cutoff as NSDate))
    testStack.viewContext.reset()
    XCTAssertEqual(
      threads.fetch().map(\.lastRefresh), [Date(timeIntervalSinceReferenceDate: 150)])
  }

  func testDeleteAllByPredicateThroughARelationship() {
    let context = testStack.viewContext
    let posts = PostsRepository(context: context)
    let thread = ThreadsRepository(context: context).create()
    thread.lastRefresh = Date(timeIntervalSinceReferenceDate: 50)
    thread.addPost(posts.create())
    _ = posts.create()
    posts.save(posts.create())
    let cutoff = Date(timeIntervalSinceReferenceDate: 100)
    posts.deleteAll(predicate: NSPredicate(format: "thread.lastRefresh < %@", cutoff as NSDate))
    context.reset()
    XCTAssertEqual(posts.fetch().count, 2)
  }

  func testQueryBuilder() {
    let context = testStack.viewContext
    let threads = ThreadsRepository(context: context)
    let forumId: Int32 = 26
    for number in Int32(1)...6 {
      let forum = repository.create()
      forum.id = number % 2 == 0 ? forumId : 1
      let thread = threads.create()
      thread.id = number
      thread.hasUnreadPosts = number > 3
      thread.isHidden = number == 6
      thread.lastPostDate = Date(timeIntervalSinceReferenceDate: Double(number))
      thread.forum = forum
    }
    threads.save(threads.fetch()[0])
    let unreadThreads = QueryBuilder<Thread>(entityName: "Thread")
      .where("hasUnreadPosts == YES")
      .orderBy("lastPostDate", ascending: false)
      .execute(in: context)
    XCTAssertEqual(unreadThreads.map(\.id), [6, 5, 4])

    let forumThreads = QueryBuilder<Thread>(entityName: "Thread")
      .where("forum.id == %d", forumId)
      .where("isHidden == NO")
      .orderBy("isSticky", ascending: false)
      .orderBy("lastPostDate", ascending: false)
      .limit(50)
      .execute(in: context)
    XCTAssertEqual(forumThreads.map(\.id), [4, 2])
    let first = QueryBuilder<Thread>(entityName: "Thread").orderBy("id")
      .executeFirst(in: context)
    XCTAssertEqual(first?.id, 1)
  }

  func testStackWithBackgroundWork() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The default store is in the user's data folder; the test uses a separate folder.
    setenv("XDG_DATA_HOME", folder.path, 1)
    defer { unsetenv("XDG_DATA_HOME") }
    let controller = PersistenceController()
    XCTAssertTrue(
      controller.persistentContainer.persistentStoreDescriptions.first?.url?.path
        .hasPrefix(folder.path) == true)
    let stored = expectation(forNotification: .NSManagedObjectContextDidSave, object: nil)
    let count = controller.performBatchOperation { context -> Int in
      let forum = Forum(context: context)
      forum.title = "From the background"
      return context.insertedObjects.count
    }
    XCTAssertEqual(count, 1)
    wait(for: [stored], timeout: 30)
    let saved = expectation(description: "the main queue task has saved")
    controller.performMainQueueTask { context in
      let request: NSFetchRequest<Forum> = Forum.fetchRequest()
      XCTAssertEqual(try? context.fetch(request).map(\.title), ["From the background"])
      saved.fulfill()
    }
    wait(for: [saved], timeout: 30)
  }
}
