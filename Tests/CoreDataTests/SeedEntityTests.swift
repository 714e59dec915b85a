import CoreData
import XCTest

/// The entities of a forum reader: attributes, accessors for one object and for many, and what the app adds to them.
final class SeedEntityTests: XCTestCase {
  private let stack = CoreDataTestStack()
  private var context: NSManagedObjectContext { stack.viewContext }

  private func instant(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private func makeThreads(_ count: Int) -> [Thread] {
    (0..<count).map { number in
      let thread = Thread(context: context)
      thread.id = Int32(number)
      thread.hasUnreadPosts = false
      return thread
    }
  }

  /// The only object of a class, read again from the store.
  private func stored<Object: NSManagedObject>(_ type: Object.Type) throws -> Object {
    try context.save()
    context.reset()
    let request = NSFetchRequest<Object>(entityName: String(describing: type))
    return try XCTUnwrap(try context.fetch(request).first)
  }

  func testTheAttributesOfAForumAreStored() throws {
    let made = Forum(context: context)
    made.id = 26
    made.title = "Boats & Knots"
    made.subtitle = "On the water"
    made.lastRefresh = instant(1.5)
    made.isHidden = true
    made.index = 3
    let category = ForumCategory(context: context)
    category.name = "Main"
    made.category = category
    let metadata = ForumMetadata(context: context)
    metadata.isFavorite = true
    made.metadata = metadata
    let forum = try stored(Forum.self)
    XCTAssertEqual(forum.id, 26)
    XCTAssertEqual(forum.title, "Boats & Knots")
    XCTAssertEqual(forum.subtitle, "On the water")
    XCTAssertEqual(forum.lastRefresh, instant(1.5))
    XCTAssertTrue(forum.isHidden)
    XCTAssertEqual(forum.index, 3)
    XCTAssertEqual(forum.category?.name, "Main")
    XCTAssertEqual(forum.category?.forums, NSSet(object: forum))
    XCTAssertEqual(forum.metadata?.isFavorite, true)
    XCTAssertEqual(forum.metadata?.forum, forum)
  }

  func testTheAttributesOfAThreadAreStored() throws {
    let made = Thread(context: context)
    XCTAssertTrue(made.hasUnreadPosts, "the default of the model")
    made.id = 4_000_001
    made.title = "Lanterns"
    made.author = "brass otter"
    made.authorID = 100_020
    made.lastPostDate = instant(2)
    made.postCount = 90
    made.lastReadPostIndex = 40
    made.hasUnreadPosts = false
    made.isSticky = true
    made.isAnnouncement = true
    made.isLocked = true
    made.isHidden = true
    made.rating = 4.25
    made.lastRefresh = instant(3)
    let metadata = ThreadMetadata(context: context)
    metadata.note = "to be continued"
    made.metadata = metadata
    let thread = try stored(Thread.self)
    XCTAssertEqual([thread.id, thread.authorID], [4_000_001, 100_020])
    XCTAssertEqual([thread.title, thread.author], ["Lanterns", "brass otter"])
    XCTAssertEqual([thread.lastPostDate, thread.lastRefresh], [instant(2), instant(3)])
    XCTAssertEqual([thread.postCount, thread.lastReadPostIndex], [90, 40])
    XCTAssertFalse(thread.hasUnreadPosts)
    XCTAssertEqual(
      [thread.isSticky, thread.isAnnouncement, thread.isLocked, thread.isHidden],
      [true, true, true, true])
    XCTAssertEqual(thread.rating, 4.25)
    XCTAssertEqual(thread.metadata?.note, "to be continued")
    XCTAssertEqual(thread.metadata?.thread, thread)
  }

  func testTheAttributesOfAPostAreStored() throws {
    let made = Post(context: context)
    made.id = 530_000_002
    made.content = "plain"
    made.innerHTML = "<b>rich</b>"
    made.author = "brass otter"
    made.authorID = 100_020
    made.postDate = instant(4)
    made.editDate = instant(5)
    made.index = 7
    let attachment = Attachment(context: context)
    attachment.name = "map.png"
    attachment.post = made
    let post = try stored(Post.self)
    XCTAssertEqual([post.id, post.authorID, post.index], [530_000_002, 100_020, 7])
    XCTAssertEqual([post.content, post.innerHTML], ["plain", "<b>rich</b>"])
    XCTAssertEqual(post.htmlContent, "<b>rich</b>")
    XCTAssertEqual(post.author, "brass otter")
    XCTAssertEqual([post.postDate, post.editDate], [instant(4), instant(5)])
    XCTAssertEqual((post.attachments?.anyObject() as? Attachment)?.name, "map.png")
  }

  func testAccessorsAddAndRemoveOneThreadAndMany() throws {
    let forum = Forum(context: context)
    let threads = makeThreads(5)
    forum.addToThreads(threads[0])
    forum.addToThreads(NSSet(array: Array(threads[1...])))
    XCTAssertEqual(forum.threads, NSSet(array: threads))
    XCTAssertTrue(threads.allSatisfy { $0.forum == forum })
    try context.save()
    forum.removeFromThreads(NSSet(array: [threads[0], threads[2]]))
    forum.removeFromThreads(threads[1])
    forum.removeFromThreads(NSSet())
    XCTAssertEqual(forum.threads, NSSet(array: [threads[3], threads[4]]))
    XCTAssertEqual(threads.map(\.forum), [nil, nil, nil, forum, forum])
    XCTAssertEqual(try stored(Forum.self).threadsArray.map(\.id).sorted(), [3, 4])
  }

  func testAccessorsAddAndRemoveOnePostAndMany() throws {
    let thread = makeThreads(1)[0]
    let posts = (0..<4).map { index in
      let post = Post(context: context)
      post.index = Int32(index)
      return post
    }
    thread.addToPosts(NSSet(array: Array(posts.prefix(3))))
    thread.addToPosts(posts[3])
    XCTAssertEqual(thread.sortedPosts, posts)
    XCTAssertTrue(posts.allSatisfy { $0.thread == thread })
    thread.removeFromPosts(NSSet(array: Array(posts.suffix(2))))
    thread.removeFromPosts(posts[0])
    XCTAssertEqual(posts.map(\.thread), [nil, thread, nil, nil])
    XCTAssertEqual(try stored(Thread.self).sortedPosts.map(\.index), [1])
  }

  func testAForumHasUnreadThreadsWhileOneOfThemHasUnreadPosts() {
    let forum = Forum(context: context)
    XCTAssertFalse(forum.hasUnreadThreads)
    let threads = makeThreads(3)
    forum.addToThreads(NSSet(array: threads))
    XCTAssertFalse(forum.hasUnreadThreads)
    threads[1].hasUnreadPosts = true
    XCTAssertTrue(forum.hasUnreadThreads)
    threads[1].markAsRead()
    XCTAssertFalse(forum.hasUnreadThreads)
    threads[2].hasUnreadPosts = true
    forum.removeFromThreads(threads[2])
    XCTAssertFalse(forum.hasUnreadThreads)
  }

  func testAnUnreadCountIsNeverNegative() {
    let thread = makeThreads(1)[0]
    thread.postCount = 10
    thread.lastReadPostIndex = 7
    XCTAssertEqual(thread.unreadPostCount, 3)
    // Posts were deleted on the site.
    thread.postCount = 4
    XCTAssertEqual(thread.unreadPostCount, 0)
    thread.markAsRead()
    XCTAssertEqual(thread.lastReadPostIndex, 4)
    thread.postCount = 6
    XCTAssertEqual(thread.unreadPostCount, 2)
  }
}
