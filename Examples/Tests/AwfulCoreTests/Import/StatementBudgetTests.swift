import AwfulCore
import CoreData
import ForumSimulator
import Foundation
import OpenPersistenceKit
import OpenTestSupport
import Testing

/// The maximum number of statements of an import.
@Suite("Statement budgets of imports")
struct StatementBudgetTests {
  @Test(
    "importing a page of posts costs one fetch for each entity and one transaction; a known page writes nothing"
  )
  func repeatedPage() async throws {
    let site = TestSite()
    let thread = try #require(site.truth.threads.max { $0.posts.count < $1.posts.count })
    let page = try site.posts(thread.id)
    #expect(thread.posts.count >= 40)
    let recorder = StatementRecorder()
    let temporary = try TemporaryStore(recording: recorder)
    let store = temporary.store
    try await store.importPage(try site.index())
    let empty = recorder.all.count
    try await store.importPage(page)
    let first = recorder.all.dropFirst(empty)
    #expect(first.count { $0.hasPrefix("SELECT") && $0.contains(" FROM Z") } <= 4, "\(first)")
    #expect(
      first.count { $0.hasPrefix("BEGIN") } <= 2 && first.count { $0.hasPrefix("COMMIT") } <= 2,
      "\(first)")
    let start = recorder.all.count
    try await store.importPage(page)
    let statements = recorder.all.dropFirst(start)
    let fetches = statements.filter { $0.contains("SELECT") }
    for table in ["ZPOST", "ZTHREAD", "ZUSER", "ZFORUM"] {
      #expect(
        fetches.count { $0.contains("FROM \(table) ") || $0.contains("FROM \"\(table)\"") } <= 1)
    }
    #expect(fetches.count <= 4, "\(fetches)")
    #expect(!statements.contains { $0.contains("INSERT") || $0.contains("UPDATE") })
  }
}
