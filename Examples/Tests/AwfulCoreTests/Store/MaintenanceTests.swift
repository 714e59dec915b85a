import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import Testing

/// Keeping a store small and sound.
@Suite("Maintenance of the forum's store")
struct MaintenanceTests {
  private let store: ForumStore

  init() throws { store = try ForumStore(.inMemory) }

  private func make(
    _ id: String, daysAgo: Double?, _ change: @escaping @Sendable (ForumThread) -> Void = { _ in }
  )
    async throws
  {
    try await store.performBackgroundTask { context in
      let thread = ForumThread(context: context)
      thread.threadID = id
      thread.lastRefresh = daysAgo.map { Date(timeIntervalSince1970: 1_700_000_000 - $0 * 86_400) }
      for number in 1...2 {
        let post = Post(context: context)
        (post.postID, post.threadIndex, post.thread) = ("\(id)-\(number)", Int32(number), thread)
      }
      change(thread)
    }
  }

  @Test(
    "old threads that no list shows are deleted with their posts; bookmarked and listed threads stay"
  )
  func pruning() async throws {
    try await make("old", daysAgo: 40)
    try await make("young", daysAgo: 20)
    try await make("never fetched", daysAgo: nil)
    try await make("bookmarked", daysAgo: 40) { $0.bookmarked = true }
    try await make("listed", daysAgo: 40) { $0.threadListPage = 3 }
    let report = try store.prune(olderThanDays: 30) { Date(timeIntervalSince1970: 1_700_000_000) }
    #expect(report.deletedCounts == ["Thread": 1, "Post": 2])
    let left = try ForumLists(store).threads().map(\.threadID)
    #expect(Set(left) == ["young", "never fetched", "bookmarked", "listed"])
    #expect(try store.objectCounts() == ["Thread": 4, "Post": 8])
  }

  @Test("notes that several tasks write at the same time are all kept")
  func notes() async throws {
    let instant = Date(timeIntervalSince1970: 7)
    let numbers = 1...40
    try await withThrowingTaskGroup(of: Void.self) { [store] group in
      for number in numbers { group.addTask { try store.noteImported("\(number)") } }
      group.addTask { try store.noteRefresh(of: .index, at: instant) }
      group.addTask { try store.noteIgnoredNames(["A"]) }
      try await group.waitForAll()
    }
    #expect(numbers.allSatisfy { store.hasImported("\($0)") })
    #expect(store.lastRefresh(of: .index) == instant && store.ignoredNames == ["A"])
  }

  @Test("threads with bookmarked posts stay; without the bookmark, they are deleted")
  func bookmarkedPosts() async throws {
    let personal = try PersonalStore(.inMemory)
    let bookmarks = PostBookmarks(store: store, personal: personal)
    try await make("kept", daysAgo: 40) { thread in
      thread.title = "Kept"
      for post in thread.posts { post.text = "A  long\nstory" }
    }
    try await make("old", daysAgo: 40)
    try await bookmarks.add("kept-2", at: Date(timeIntervalSince1970: 7))
    try await bookmarks.add("kept-2", at: Date(timeIntervalSince1970: 8))
    let error = await #expect(throws: ForumStoreError.self) { try await bookmarks.add("none") }
    #expect(error?.code == .notFound)
    let rows = try await bookmarks.rows()
    #expect(
      rows.map { [$0.postID, $0.threadID, $0.threadTitle, $0.excerpt] } == [
        ["kept-2", "kept", "Kept", "A long story"]
      ])
    #expect(rows.map(\.bookmarkedAt) == [Date(timeIntervalSince1970: 7)])
    func prune() async throws -> Set<String> {
      let posts = try await bookmarks.rows().map(\.postID)
      _ = try store.prune(olderThanDays: 30, keepingPosts: posts) {
        Date(timeIntervalSince1970: 1_700_000_000)
      }
      return Set(try ForumLists(store).threads().map(\.threadID))
    }
    #expect(try await prune() == ["kept"])
    #expect(try ForumLists(store).posts(threadID: "kept").map(\.postID) == ["kept-1", "kept-2"])
    try await bookmarks.remove("kept-2")
    #expect(try await prune() == [])
  }

  @Test("a check finds violations of the forum rules, and none in an intact store")
  func check() async throws {
    try await make("a", daysAgo: 1) { $0.seenPosts = 99 }
    #expect(try store.check().isEmpty)
    try await make("b", daysAgo: 1) { thread in
      thread.seenPosts = -1
      thread.numberOfPages = 0
      thread.posts.first?.thread = nil
    }
    let messages = try store.check().map(\.message)
    #expect(
      Set(messages) == [
        "The post does not belong to a thread.", "The thread has a negative number of posts.",
        "The thread has no pages.",
      ])
  }
}
