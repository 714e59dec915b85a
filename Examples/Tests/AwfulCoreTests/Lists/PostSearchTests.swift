import AwfulCore
import CoreData
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// Stored posts are found by their words, on the store's index.
@Suite("Search in stored posts", .serialized)
struct PostSearchTests {
  /// A store with three threads, the second one bookmarked, in two forums.
  private static func fill(_ store: ForumStore) async throws {
    try await store.performBackgroundTask { context in
      let author = User(context: context)
      (author.userID, author.username) = ("1", "Ada")
      let texts = [
        ["The kettle sings at noon", "A café by the lock, with kettles"],
        ["Kettle, kettle, kettle", "Nothing of the kind"], ["The lock of the kettle"],
      ]
      for (number, posts) in texts.enumerated() {
        let forum = Forum(context: context)
        forum.forumID = "f\(number / 2)"
        let thread = ForumThread(context: context)
        (thread.threadID, thread.title, thread.forum) = ("t\(number)", "Thread \(number)", forum)
        thread.bookmarked = number == 1
        for (place, text) in posts.enumerated() {
          let post = Post(context: context)
          (post.postID, post.thread, post.author) = ("p\(number)\(place)", thread, author)
          (post.innerHTML, post.text) = ("<p>\(text)</p>", text)
          post.postDate = Date(timeIntervalSince1970: Double(number * 10 + place))
        }
      }
    }
  }

  private func found(
    _ words: String, _ scope: PostSearch.Scope = .everywhere, in store: ForumStore
  ) throws -> [String] {
    try store.performBatchOperation { context in
      try PostSearch(words, in: scope).posts(in: context).posts.map(\.postID)
    }
  }

  @Test("words are found ignoring case and accents; the most relevant post is first")
  func words() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try await Self.fill(store)
    #expect(try found("KETTLE", in: store) == ["p10", "p20", "p00"])
    #expect(try found("cafe", in: store) == ["p01"])
    #expect(try found("kettle*", in: store).count == 4)
    #expect(try found("\"of the kettle\"", in: store) == ["p20"])
    #expect(try found("kettle NOT lock", in: store) == ["p10", "p00"])
    #expect(try found("sings OR nothing", in: store).sorted() == ["p00", "p11"])
    #expect(try found("kettle absent", in: store) == [])
    #expect(try found("kettle", .bookmarks, in: store) == ["p10"])
    #expect(try found("kettle", .forum("f1"), in: store) == ["p20"])
    #expect(try found("kettle", .thread("t0"), in: store) == ["p00"])
    let row = try store.performBatchOperation { context in
      try #require(try PostSearch("cafe").posts(in: context).posts.first)
    }
    #expect(row.threadTitle == "Thread 0" && row.authorName == "Ada")
    #expect(row.excerpt == "A café by the lock, with kettles")
  }

  @Test("a store in memory, which has no index, finds the same posts")
  func inMemory() async throws {
    let store = try ForumStore(.inMemory)
    try await Self.fill(store)
    #expect(try found("kettle", in: store).sorted() == ["p00", "p10", "p20"])
    #expect(try found("cafe", in: store) == ["p01"])
  }

  @Test(
    "any text is a search",
    arguments: [
      "", "  ", "\"", "\"\"", "*", "NEAR(a b)", "text:kettle", "a AND", "OR", "NOT NOT", "^a", "(",
      ")", "-", "%", "'; DROP TABLE ZPOST; --",
      "\u{0}", "\u{1F600}", "e\u{301}", String(repeating: "a ", count: 5_000),
      String(repeating: "x", count: 100_000),
    ])
  func anyText(_ text: String) async throws {
    let temporary = try TemporaryStore()
    try await Self.fill(temporary.store)
    _ = try found(text, in: temporary.store)
    #expect(try found("cafe", in: temporary.store) == ["p01"])
  }

  @Test("result pages have their stated length, without missing or duplicate posts")
  func pages() async throws {
    let temporary = try TemporaryStore()
    try await temporary.store.performBackgroundTask { context in
      for number in 0..<120 {
        let post = Post(context: context)
        (post.postID, post.text) = ("\(number)", "the same words \(number % 7)")
      }
    }
    var ids: [String] = []
    for page in 1...3 {
      let found = try temporary.store.performBatchOperation { context in
        try PostSearch("same").posts(page: page, in: context)
      }
      #expect(found.hasMore == (page < 3))
      ids += found.posts.map(\.postID)
    }
    #expect(ids.count == 120 && Set(ids).count == 120)
  }

  @Test("a sync updates the index for added and deleted posts, also for another program")
  func syncing() async throws {
    let temporary = try TemporaryStore()
    try await SyncTrial.run(store: temporary.store) { trial in
      try await trial.sync()
      let thread = try #require(trial.site.truth().threads.first { $0.posts.count > 2 })
      let post = thread.posts[1]
      let words = post.text.split { !$0.isLetter }.prefix(6).joined(separator: " ")
      #expect(try found("\"\(words)\"", .thread(thread.id), in: trial.store).contains(post.id))
      let other = try ForumStore.openExisting(temporary.file)
      #expect(try found("\"\(words)\"", .thread(thread.id), in: other).contains(post.id))
      trial.site.deletePost(post.id)
      try await trial.sync()
      #expect(try !found("\"\(words)\"", .thread(thread.id), in: other).contains(post.id))
      let coordinator = other.container.persistentStoreCoordinator
      let file = try #require(coordinator.persistentStores.first)
      #expect(try coordinator.damagedTextIndexes(of: file).isEmpty)
    }
  }

  @Test("opening a store of a version without texts adds them once")
  func migrated() async throws {
    let store = try VersionedStore()
    try store.fill(version: 7, seed: 5)
    func texts() throws -> [String?] {
      let reader = try ForumStore.openExisting(store.file)
      return try reader.performBatchOperation { context in
        let posts = try context.fetch(NSFetchRequest<Post>(entityName: "Post"))
        return posts.filter { $0.innerHTML != nil }.map { $0.text }
      }
    }
    #expect(try texts().count > 3)
    #expect(try texts().allSatisfy { $0 != nil })
    let reader = try ForumStore.openExisting(store.file)
    try await reader.performBackgroundTask { context in
      let post = Post(context: context)
      (post.postID, post.innerHTML) = ("new", "<p>Left <b>alone</b></p>")
    }
    #expect(try texts().contains(nil))
  }
}
