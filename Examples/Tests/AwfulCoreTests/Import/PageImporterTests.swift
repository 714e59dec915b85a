import AwfulCore
import CoreData
import ForumScraping
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// Pages of a simulated site, read by the real scrapers, in a file store.
@Suite("Page import")
struct PageImporterTests {
  let site = TestSite()
  let file: TemporaryStore
  var store: ForumStore { file.store }

  init() throws { file = try TemporaryStore() }

  func importAll() async throws -> ImportSummary {
    var sum = ImportSummary()
    for page in try site.allPages() { sum += try await store.importPage(page) }
    return sum
  }

  @Test("forums, threads, posts and unread counts equal those of the site")
  func truth() async throws {
    let summary = try await importAll()
    let truth = site.truth
    #expect(truth.threads.contains { $0.posts.count > 40 })
    #expect(truth.threads.contains { ($0.unread ?? 0) > 0 && ($0.seen ?? 0) > 0 })
    #expect(try StoredSite(store) == StoredSite(truth))
    #expect(summary.inserted["Post"] == truth.threads.reduce(0) { $0 + $1.posts.count })
    #expect(summary.inserted["Forum"] == summary.inserted["ForumMetadata"])
  }

  @Test("pages of posts alone result in the same unread counts as the lists, in any order")
  func unreadFromPosts() async throws {
    for page in try site.allPages().reversed() { try await store.importPage(page) }
    #expect(try StoredSite(store).threads == StoredSite(site.truth).threads)
  }

  @Test(
    "a second import of the same page changes no row",
    .enabled(if: TemporaryStore.hasTool, "the command line tool of SQLite is absent"))
  func repeated() async throws {
    for page in try site.allPages() {
      try await store.importPage(page)
      let before = try file.rowVersions()
      let summary = try await store.importPage(page)
      #expect(summary.isEmpty)
      #expect(try file.rowVersions() == before)
      #expect(before.isEmpty == false)
    }
  }

  @Test("the main context sees the changes of a background import")
  @MainActor func mainContext() async throws {
    let thread = try #require(site.truth.threads.first)
    try await store.importPage(try site.list(thread.forumID))
    let request: NSFetchRequest<ForumThread> = ForumThread.fetchRequest()
    request.predicate = NSPredicate(format: "threadID == %@", argumentArray: [thread.id])
    let stored = try #require(try store.viewContext.fetch(request).first)
    #expect(Int(stored.totalReplies) == thread.replies)
    site.site.advance(seconds: 3_600 * 24)
    let later = try #require(site.truth.threads.first { $0.id == thread.id })
    try await store.importPage(try site.list(thread.forumID))
    await withCheckedContinuation { merged in DispatchQueue.main.async { merged.resume() } }
    #expect(Int(stored.totalReplies) == later.replies)
    #expect(later.replies > thread.replies)
  }

  @Test("an error page is thrown as the site's error and stores nothing")
  func errorPage() async throws {
    let page = try site.read("showthread.php", ["threadid": "1"])
    await #expect(throws: ForumErrorPage.self) { try await store.importPage(page) }
    #expect(try StoredSite(store).threads.isEmpty)
  }

  @Test("a store in memory takes the same pages")
  func inMemory() async throws {
    let memory = try ForumStore(.inMemory)
    for page in try site.allPages() { try await memory.importPage(page) }
    #expect(try StoredSite(memory) == StoredSite(site.truth))
  }

  @Test("two programs that import the same pages at once create each object once")
  func twoPrograms() async throws {
    let other = try ForumStore.openExisting(file.file)
    let pages = try site.allPages()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in [store, other] {
        group.addTask { for page in pages { try await store.importPage(page) } }
      }
      try await group.waitForAll()
    }
    #expect(try StoredSite(store) == StoredSite(site.truth))
  }
}
