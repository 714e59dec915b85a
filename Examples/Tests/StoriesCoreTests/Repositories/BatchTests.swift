import CoreData
import Foundation
import OpenTestSupport
import StoriesCore
import SwiftData
import Testing
import OpenPersistenceKit

@Suite("Batches and fetches of stories")
@MainActor
struct BatchTests {
  private let folder: TrialFolder
  private let recorder = StatementRecorder()
  private let store: StoriesStore
  private let context: ModelContext
  private let repository: StoryRepository

  init() throws {
    folder = try TrialFolder()
    var options = StoriesStore.Options()
    options.statementObserver = recorder.observer
    store = try StoriesStore(.file(folder.file), options: options)
    context = ModelContext(store.container)
    repository = StoryRepository(modelContext: context)
  }

  private func stories(_ numbers: ClosedRange<Int>) -> [Story] {
    numbers.map { number in
      Story(
        title: "Story \(number)", content: "Text \(number).",
        createdAt: Date(timeIntervalSinceReferenceDate: Double(number)))
    }
  }

  private func commits(_ work: () async throws -> Void) async rethrows -> [String] {
    let start = recorder.all.count
    try await work()
    return Array(recorder.all[start...])
  }

  @Test("1,000 stories are saved in one transaction, and deleted in another one")
  func thousand() async throws {
    let stories = stories(1...1000)
    let start = ContinuousClock.now
    let saving = try await commits { try await repository.batchSave(stories) }
    let saved = ContinuousClock.now
    #expect(saving.count { $0.hasPrefix("COMMIT") } == 1, "\(saving.prefix(20))")
    #expect(try await repository.count() == 1000)
    let fresh = StoryRepository(modelContext: ModelContext(store.container))
    let all = try await fresh.fetch(FetchDescriptor())
    let fetched = ContinuousClock.now
    let deleting = try await commits { try await fresh.batchDelete(all) }
    let deleted = ContinuousClock.now
    #expect(deleting.count { $0.hasPrefix("COMMIT") } == 1)
    print(
      "1,000 stories: saved in \(saved - start), deleted in \(deleted - fetched), with "
        + "\(saving.count) and \(deleting.count) statements")
    let other = ModelContext(store.container)
    #expect(try other.fetchCount(FetchDescriptor<Story>()) == 0)
    #expect(try other.fetchCount(FetchDescriptor<Page>()) == 0)
  }

  @Test("if one story of a batch cannot be saved, no story of the batch is saved")
  func allOrNothing() async throws {
    try await repository.batchSave(stories(1...2))
    let batch = stories(3...5)
    // A page without number, text and status, which no store accepts: its row has been deleted.
    let other = ModelContext(store.container)
    let elsewhere = try #require(try other.fetch(FetchDescriptor<Story>()).first)
    batch[1].pages.append(contentsOf: elsewhere.pages)
    await #expect(throws: PersistenceError.self) { try await repository.batchSave(batch) }
    repository.rollback()
    #expect(try await repository.count() == 2)
    #expect(try ModelContext(store.container).fetchCount(FetchDescriptor<Story>()) == 2)
  }

  @Test("a fetch finds unsaved stories, unless it excludes pending changes")
  func pendingChanges() async throws {
    try await repository.batchSave(stories(1...2))
    context.insert(stories(3...3)[0])
    let all = Story.recentStories()
    #expect(try await repository.fetch(all).map(\.title) == ["Story 3", "Story 2", "Story 1"])
    #expect(try await repository.fetchOptimized(all).map(\.title) == ["Story 2", "Story 1"])
    #expect(try await repository.count() == 3)
    #expect(try await repository.identifiers(all).count == 2)
  }

  @Test("the pages of a list do not overlap, and pages after its end are empty")
  func paging() async throws {
    try await repository.batchSave(stories(1...25))
    let query = StoryQuery().descriptor
    var titles: [String] = []
    for number in 0..<4 {
      titles += try await repository.fetchPage(query, number: number, size: 10).map(\.title)
    }
    #expect(titles == (1...25).reversed().map { "Story \($0)" })
    #expect(try await repository.fetchPage(query, number: .max, size: 10).isEmpty)
    #expect(try await repository.fetchPage(query, number: -1, size: 3).count == 3)
  }

  @Test("counts and identifiers read no story")
  func countsAndIdentifiers() async throws {
    try await repository.batchSave(stories(1...30))
    var found: [Int] = []
    let statements = try await commits {
      found = [try await repository.count(), try await repository.identifiers().count]
    }
    #expect(found == [30, 30])
    let reads = statements.filter { $0.contains("ZSTORY") }
    #expect(reads.count == 2)
    #expect(!reads.contains { $0.contains("ZTITLE") }, "\(reads)")
  }

  @Test("the recent stories are at most ten, and one statement")
  func recent() async throws {
    try await repository.batchSave(stories(1...12))
    let fresh = StoryRepository(modelContext: ModelContext(store.container))
    var recent: [String] = []
    let statements = try await commits {
      recent = try await fresh.fetch(Story.recentStories()).map(\.title)
    }
    #expect(recent == (3...12).reversed().map { "Story \($0)" })
    #expect(statements.count { $0.contains("FROM ZSTORY") } == 1, "\(statements)")
  }
}
