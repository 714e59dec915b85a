import StoriesCore
import SwiftData
import XCTest

/// The document's own tests, and what its other listings are for.
class PersistenceTests: XCTestCase {
  var repository: MockStoryRepository!
  var storage: StoryStorage!

  @MainActor
  override func setUp() async throws {
    repository = MockStoryRepository()
    storage = StoryStorage(repository: repository)
  }

  func testStorySave() async throws {
    let story = Story(title: "Test", content: "Content")
    try await repository.save(story)

    let stories = try await repository.fetch(Story.recentStories())
    XCTAssertEqual(stories.count, 1)
    XCTAssertEqual(stories.first?.title, "Test")
  }

  private func makeContext() throws -> ModelContext {
    let schema = Schema([Story.self, StoryCollection.self, Achievement.self, UserProfile.self])
    let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    return ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
  }

  func testRepositorySavesFetchesAndDeletes() async throws {
    let repository = StoryRepository(modelContext: try makeContext())
    let stories = (1...12).map { number in
      Story(
        title: "Story \(number)", content: "Text",
        createdAt: Date(timeIntervalSinceReferenceDate: Double(number)))
    }
    try await repository.batchSave(stories)
    let recent = try await repository.fetch(Story.recentStories())
    XCTAssertEqual(recent.map(\.title), (3...12).reversed().map { "Story \($0)" })
    XCTAssertTrue(recent.first === stories.last)
    try await repository.delete(stories[11])
    try await repository.batchDelete(Array(stories[..<5]))
    let left = try await repository.fetchOptimized(Story.recentStories())
    XCTAssertEqual(left.map(\.title), (6...11).reversed().map { "Story \($0)" })
    try await repository.saveWithRetry(Story(title: "Retried", content: ""))
    let all = try await repository.fetch(FetchDescriptor<Story>())
    XCTAssertEqual(all.count, 7)
  }

  func testUniqueIdentifiersReplaceStories() async throws {
    let context = try makeContext()
    let repository = StoryRepository(modelContext: context)
    let id = UUID()
    try await repository.save(Story(id: id, title: "First", content: "a"))
    try await repository.save(Story(id: id, title: "Second", content: "b"))
    let found = try await repository.fetch(
      FetchDescriptor<Story>(predicate: #Predicate { $0.id == id }))
    XCTAssertEqual(found.map(\.title), ["Second"])
  }

  @MainActor
  func testStorageLoadsAndCaches() async throws {
    let cache = StoryCache()
    let context = PersistenceConfig.modelContainer.mainContext
    let story = Story(title: "Cached", content: "Text")
    context.insert(story)
    try context.save()
    let storage = StoryStorage(repository: StoryRepository(modelContext: context), cache: cache)
    try await storage.loadRecentStories()
    XCTAssertEqual(storage.recentStories.map(\.title), ["Cached"])
    XCTAssertFalse(storage.isLoading)
    let id = story.id
    let cached = await cache.getCached(id: id)
    XCTAssertNotNil(cached)
    await cache.clearCache()
  }

  func testPersistentCacheKeepsStories() throws {
    let cache = try PersistentCache()
    let story = Story(
      title: "Kept", content: "Text", createdAt: Date(timeIntervalSinceReferenceDate: 5))
    try cache.cacheStory(story)
    let kept = try XCTUnwrap(try cache.getCachedStory(id: story.id))
    XCTAssertEqual(kept.title, "Kept")
    XCTAssertEqual(kept.content, "Text")
    XCTAssertEqual(kept.createdAt, story.createdAt)
    XCTAssertNil(try cache.getCachedStory(id: UUID()))
  }

  func testMigrationManagerRunsOnce() async throws {
    let context = try makeContext()
    context.insert(Story(title: "Old", content: ""))
    try context.save()
    let manager = MigrationManager(modelContext: context)
    try await manager.migrateIfNeeded()
    XCTAssertTrue(manager.ran)
    let again = MigrationManager(modelContext: context)
    try await again.migrateIfNeeded()
    XCTAssertFalse(again.ran)
  }

  func testErrorsSaySo() {
    XCTAssertEqual(
      PersistenceError.invalidData.localizedDescription, "The data is invalid or corrupted")
  }
}
