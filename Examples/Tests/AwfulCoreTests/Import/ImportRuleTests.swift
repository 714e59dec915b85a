import AwfulCore
import CoreData
import ForumHTML
import ForumScraping
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// The individual rules by which pages change stored objects.
@Suite("Import rules")
struct ImportRuleTests {
  let store: ForumStore

  init() throws { store = try ForumStore(.inMemory) }

  func thread<Value: Sendable>(
    _ id: String, _ read: @escaping (ForumThread) -> Value
  ) throws -> Value {
    try store.performBatchOperation { context in
      let request: NSFetchRequest<ForumThread> = ForumThread.fetchRequest()
      request.predicate = NSPredicate(format: "threadID == %@", argumentArray: [id])
      return read(try #require(try context.fetch(request).first))
    }
  }

  func all<Entity: NSManagedObject, Value: Sendable>(
    _: Entity.Type, by key: String, _ read: @escaping (Entity) -> Value
  ) throws -> [Value] {
    try store.performBatchOperation { context in
      let request: NSFetchRequest<Entity> = Entity.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
      return try context.fetch(request).map(read)
    }
  }

  @Test("ids listed twice on a page create one object")
  func duplicates() async throws {
    try await store.importPage(
      MadePage.list([("1", 4, nil, false), ("1", 4, nil, false), ("2", 0, nil, false)]))
    try await store.importPage(
      MadePage.posts([("10", 1, "", true), ("10", 1, "", true), ("11", 2, "", true)]))
    #expect(try all(ForumThread.self, by: "threadID", \.threadID) == ["1", "2", "7"])
    #expect(try all(Post.self, by: "postID", \.postID) == ["10", "11"])
  }

  @Test("unread counts are never negative, whatever the list contains")
  func unread() async throws {
    try await store.importPage(
      MadePage.list([
        ("1", 9, 3, false), ("2", 9, 0, false), ("3", 9, nil, false), ("4", 2, 50, false),
        ("5", 99_999_999_999, 0, false),
      ]))
    func numbers(_ id: String) throws -> [Int] {
      try thread(id) { [Int($0.seenPosts), $0.unreadPosts, $0.anyUnreadPosts ? 1 : 0] }
    }
    #expect(try numbers("1") == [7, 3, 1])
    #expect(try numbers("2") == [10, 0, 0])
    #expect(try numbers("3") == [0, 10, 0])
    #expect(try numbers("4") == [0, 3, 0])
    #expect(try thread("5") { $0.unreadPosts } >= 0)
  }

  @Test("a thread that lost posts has a lower count, and its unread count is not negative")
  func shrinking() async throws {
    try await store.importPage(MadePage.list([("7", 9, 0, false)]))
    #expect(try thread("7") { Int($0.seenPosts) } == 10)
    try await store.importPage(MadePage.posts([("10", 1, "", true), ("11", 2, "", true)]))
    #expect(try thread("7") { [Int($0.totalReplies), $0.unreadPosts] } == [1, 0])
    #expect(try thread("7") { $0.anyUnreadPosts } == false)
  }

  @Test("a page for a guest does not change the reader's own values")
  func guests() async throws {
    try await store.importPage(MadePage.list(isBookmarks: true, [("7", 9, 3, false)]))
    try await store.importPage(
      MadePage.posts([("10", 1, "", true), ("11", 2, "ignored", false)]))
    let reading = { (thread: ForumThread) in
      [Int(thread.seenPosts), thread.bookmarked ? 1 : 0, Int(thread.starCategory)]
    }
    let before = try thread("7", reading)
    #expect(before == [1, 1, 1])
    try await store.importPage(MadePage.list(isForMember: false, [("7", 1, nil, false)]))
    try await store.importPage(
      MadePage.posts(isForMember: false, [("10", 1, "", false), ("11", 2, "", false)]))
    #expect(try thread("7", reading) == before)
    #expect(try all(Post.self, by: "postID", \.ignored) == [false, true])
  }

  @Test("a page of posts without posts, and an index without forums, are errors")
  func missingContent() async throws {
    try await store.importPage(MadePage.posts([("10", 1, "", true), ("11", 2, "", true)]))
    #expect(throws: PageError.self) { try MadePage.posts([]) }
    #expect(throws: PageError.self) {
      try PageScraper.scrape(
        Array(#"{"forums": [], "user": {"userid": 1}}"#.utf8), contentType: "application/json")
    }
    #expect(try thread("7") { Int($0.totalReplies) } == 1)
  }

  @Test("sticky threads are first, with negative, ascending positions")
  func sticky() async throws {
    try await store.importPage(
      MadePage.list([("1", 0, nil, true), ("2", 0, nil, true), ("3", 0, nil, false)]))
    #expect(try all(ForumThread.self, by: "stickyIndex", \.threadID) == ["1", "2", "3"])
    #expect(try all(ForumThread.self, by: "stickyIndex", \.stickyIndex) == [-2, -1, 0])
  }

  @Test("the first page of a forum removes the other threads from the list")
  func threadListPage() async throws {
    try await store.importPage(MadePage.list([("1", 0, nil, false), ("2", 0, nil, false)]))
    try await store.importPage(MadePage.list(page: 2, of: 2, [("3", 0, nil, false)]))
    #expect(try all(ForumThread.self, by: "threadID", \.threadListPage) == [1, 1, 2])
    try await store.importPage(MadePage.list(forum: "4", [("9", 0, nil, false)]))
    try await store.importPage(MadePage.list([("2", 0, nil, false)]))
    #expect(try all(ForumThread.self, by: "threadID", \.threadListPage) == [0, 1, 0, 1])
  }

  @Test("a page of bookmarks removes the other bookmarks from that page on")
  func bookmarkListPage() async throws {
    func list(_ page: Int, _ ids: [String]) throws -> ScrapedPage {
      try MadePage.list(page: page, of: 3, isBookmarks: true, ids.map { ($0, 0, nil, false) })
    }
    try await store.importPage(list(1, ["1"]))
    try await store.importPage(list(2, ["2", "3"]))
    #expect(try all(ForumThread.self, by: "threadID", \.bookmarkListPage) == [1, 2, 2])
    try await store.importPage(list(2, ["3"]))
    #expect(try all(ForumThread.self, by: "threadID", \.bookmarkListPage) == [1, 0, 2])
    #expect(
      try thread("3") { [$0.bookmarked, $0.forum == nil, $0.starCategory == 1] } == [
        true, true, true,
      ])
  }

  @Test("posts without a place get one from their neighbours, or from the page")
  func places() async throws {
    try await store.importPage(
      MadePage.posts(
        page: 2, of: 3,
        [("1", nil, "ignored", true), ("2", 42, "", true), ("3", nil, "ignored", false)]))
    #expect(try all(Post.self, by: "postID", \.threadIndex) == [41, 42, 43])
    #expect(try all(Post.self, by: "postID", \.ignored) == [true, false, true])
    #expect(try thread("7") { [$0.seenPosts, $0.numberOfPages, $0.totalReplies] } == [42, 3, 80])
    try await store.importPage(MadePage.posts(thread: "8", page: 2, of: 2, [("9", nil, "", true)]))
    #expect(try all(Post.self, by: "postID", \.threadIndex) == [41, 42, 43, 41])
  }

  @Test("a later page without seen posts does not make the earlier ones seen")
  func firstUnseen() async throws {
    try await store.importPage(MadePage.posts(page: 2, of: 2, [("1", 41, "", false)]))
    #expect(try thread("7") { $0.seenPosts } == 0)
    try await store.importPage(
      MadePage.posts(page: 1, of: 2, [("2", 1, "", true), ("3", 2, "", false)]))
    #expect(try thread("7") { $0.seenPosts } == 1)
  }

  @Test("the text of an ignored post that was read before is kept")
  func ignoredPost() async throws {
    try await store.importPage(MadePage.posts([("1", 1, "", true)]))
    let before = try all(Post.self, by: "postID", \.innerHTML)
    try await store.importPage(
      MadePage.read(
        """
        <html><body id="something_awful" class="showthread" data-thread="7"><div id="thread">
        <table class="post ignored" id="post1" data-idx="1"><tr><td class="postbody">hidden</td>
        </tr></table></div><a href="/account.php?action=logout">Log Out</a></body></html>
        """))
    #expect(try all(Post.self, by: "postID", \.innerHTML) == before)
    #expect(try all(Post.self, by: "postID", \.ignored) == [true])
  }

  @Test("breadcrumbs create the group and the chain of forums, and keep the values from the index")
  func breadcrumbs() async throws {
    try await store.importPage(MadePage.posts([("1", 1, "", true)]))
    #expect(try all(Forum.self, by: "forumID", \.name) == ["Above", "Below"])
    #expect(try all(Forum.self, by: "forumID") { $0.parentForum?.forumID } == [nil, "2"])
    #expect(try all(Forum.self, by: "forumID") { $0.group?.name } == ["Main", "Main"])
    #expect(try thread("7") { $0.forum?.forumID } == "3")
    #expect(try thread("7") { $0.author?.username } == "Ada")
  }

  @Test("announcements are known by their places; surplus ones go")
  func announcements() async throws {
    try await store.importPage(MadePage.list([], announcements: ["One", "Two"]))
    try await store.importPage(MadePage.list([], announcements: ["One", "Other"]))
    #expect(try all(Announcement.self, by: "listIndex", \.title) == ["One", "Other"])
    let summary = try await store.importPage(MadePage.list([], announcements: ["One"]))
    #expect(summary.deletedCount == 1)
    #expect(try all(Announcement.self, by: "listIndex", \.title) == ["One"])
  }

  @Test("bodies of announcements go to the rows of their places")
  func announcementBodies() async throws {
    let site = TestSite()
    let forum = try #require(site.truth.forums.first { !$0.isGroup })
    try await store.importPage(try site.list(forum.id))
    try await store.importPage(try site.read("announcement.php", ["forumid": "1"]))
    let bodies = try all(Announcement.self, by: "listIndex", \.bodyHTML)
    #expect(bodies.count == site.truth.announcements.count)
    #expect(bodies.allSatisfy { !$0.isEmpty })
  }

  @Test("the posts of one author do not change the thread's positions and counts")
  func singleAuthor() async throws {
    let site = TestSite()
    let thread = try #require(site.truth.threads.max { $0.posts.count < $1.posts.count })
    try await store.importPage(try site.posts(thread.id, page: 1))
    let before = try all(Post.self, by: "postID") { "\($0.postID) \($0.threadIndex)" }
    let author = thread.posts[5].authorID
    try await store.importPage(try site.posts(thread.id, authorID: author))
    let after = try all(Post.self, by: "postID") { "\($0.postID) \($0.threadIndex)" }
    #expect(Set(before).isSubset(of: after))
    #expect(
      try self.thread(thread.id) { Int($0.numberOfPages) } == (thread.posts.count + 39) / 40)
  }

  @Test("a row without a number of replies leaves the numbers of posts and seen posts unchanged")
  func missingReplies() async throws {
    try await store.importPage(MadePage.list([("7", 9, 4, false)]))
    let row = """
      <tr class="thread" id="thread7"><td class="title"><a class="thread_title">Renamed</a>\
      <a class="x">X</a></td></tr>
      """
    try await store.importPage(
      MadePage.read(
        """
        <html><body id="something_awful" class="forumdisplay" data-forum="3"><table id="forum">\(row)
        </table><a href="/account.php?action=logout">Log Out</a></body></html>
        """))
    #expect(try thread("7") { $0.title } == "Renamed")
    #expect(try thread("7") { [$0.postCount, Int($0.seenPosts)] } == [10, 6])
  }

  @Test("absurdly large numbers are harmless", arguments: [Int.max, Int.max / 40, -7])
  func hugeNumbers(number: Int) async throws {
    try await store.importPage(
      MadePage.list(page: number, of: number, [("7", number, number, true)]))
    try await store.importPage(
      MadePage.posts(page: number, of: number, [("1", nil, "", false), ("2", number, "", true)]))
    #expect(try thread("7") { $0.unreadPosts } >= 0)
    #expect(try all(Post.self, by: "postID", \.threadIndex).allSatisfy { $0 > 0 })
  }
}
