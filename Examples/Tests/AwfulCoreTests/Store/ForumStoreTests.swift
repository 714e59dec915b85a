import AwfulCore
import CoreData
import ForumSimulator
import Foundation
import OpenPersistenceKit
import StoreSharing
import Testing

/// Opening stores, and the lists read from them.
@Suite("Forum store")
struct ForumStoreTests {
  let site = TestSite()

  @Test("opening a missing store as read-only throws an error")
  func missing() {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("missing-\(UUID().uuidString).sqlite")
    let error = #expect(throws: ForumStoreError.self) { try ForumStore.openExisting(file) }
    #expect(error?.code == .missingStore)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("a file that is not a store causes an error that names it, and is not changed")
  func noStore() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("text-\(UUID().uuidString).sqlite")
    let content = Data(repeating: UInt8(ascii: "x"), count: 5_000)
    try content.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let error = #expect(throws: ForumStoreError.self) { try ForumStore.openExisting(file) }
    #expect(error?.code == .notOpened)
    #expect(error?.path == file.path)
    #expect(try Data(contentsOf: file) == content)
  }

  @Test("a saved page is noted in the store, also for the next program")
  func importedPages() throws {
    let temporary = try TemporaryStore()
    #expect(!temporary.store.hasImported("12-ab"))
    try temporary.store.noteImported("12-ab")
    #expect(temporary.store.hasImported("12-ab"))
    #expect(try ForumStore.openExisting(temporary.file).hasImported("12-ab"))
    for number in 0..<500 { try temporary.store.noteImported("page-\(number)") }
    #expect(!temporary.store.hasImported("12-ab"))
    #expect(temporary.store.hasImported("page-0"))
  }

  @Test(
    "a store is notified of an import by another store of its file, and finds it in the history")
  func otherStores() async throws {
    let temporary = try TemporaryStore()
    let reader = try ForumStore.openExisting(temporary.file)
    let coordinator = reader.container.persistentStoreCoordinator
    let before = coordinator.currentPersistentHistoryToken(fromStores: nil)
    let announcements = NotificationCenter.default.notifications(
      named: .NSPersistentStoreRemoteChange, object: coordinator)
    try await temporary.store.importPage(site.index())
    var iterator = announcements.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    let context = reader.newBackgroundContext()
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.count == 1)
    }
    try reader.forgetHistory()
    #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) != before)
    try reader.forgetHistory(olderThan: 0)
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.isEmpty == true)
    }
  }

  @Test(
    "a context that follows other stores is reset if the history of their changes was deleted",
    .timeLimit(.minutes(30)))
  func deletedHistory() async throws {
    let temporary = try TemporaryStore()
    try await temporary.store.importPage(site.index())
    let reader = try ForumStore.openExisting(temporary.file)
    let context = reader.newBackgroundContext()
    let changes = NotificationCenter.default.notifications(
      named: .NSManagedObjectContextObjectsDidChange, object: context)
    let following = reader.followOthers(in: context)
    // The context is busy, so it reads the history after the deletion.
    try context.performAndWait {
      for name in ["one", "two"] {
        try temporary.store.performBatchOperation { User(context: $0).userID = name }
      }
      try reader.forgetHistory(olderThan: 0)
    }
    var wasReset = false
    for await change in changes where change.userInfo?[NSInvalidatedAllObjectsKey] != nil {
      wasReset = true
      break
    }
    following.cancel()
    #expect(wasReset)
  }

  @Test("lists show the stored objects, also after the store is reopened")
  func lists() async throws {
    let temporary = try TemporaryStore()
    for page in try site.allPages() { try await temporary.store.importPage(page) }
    let lists = ForumLists(try ForumStore.openExisting(temporary.file))
    let truth = site.truth
    #expect(try lists.forums().map(\.forumID) == truth.forums.filter { !$0.isGroup }.map(\.id))
    let thread = try #require(truth.threads.max { $0.posts.count < $1.posts.count })
    let page = try lists.posts(threadID: thread.id, page: 2)
    #expect(page.map(\.postID) == thread.posts.dropFirst(40).prefix(40).map(\.id))
    #expect(try lists.posts(threadID: thread.id).count == thread.posts.count)
    let unread = truth.threads.filter { $0.posts.count > ($0.seen ?? 0) }.map(\.id)
    #expect(
      try lists.threads(forumID: nil, .withUnreadPosts).map(\.threadID).sorted() == unread.sorted())
    let forum = try #require(truth.forums.first { $0.threadIDs.count > 1 })
    #expect(
      try lists.threads(forumID: forum.id).map(\.threadID).sorted() == forum.threadIDs.sorted())
  }

  @Test("an unknown forum or thread is an error", arguments: ["", "nobody", "1 OR 1=1"])
  func unknown(id: String) throws {
    let lists = ForumLists(try ForumStore(.inMemory))
    let forum = #expect(throws: ForumStoreError.self) { try lists.threads(forumID: id) }
    let thread = #expect(throws: ForumStoreError.self) {
      try lists.posts(threadID: id, page: .max)
    }
    #expect(forum?.code == .notFound)
    #expect(thread?.code == .notFound)
  }
}
