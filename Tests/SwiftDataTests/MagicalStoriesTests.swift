import OpenPersistenceKit
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

  /// A repository that tells when it is asked.
  private class ObservingRepository: MockStoryRepository {
    var onFetch: (@MainActor () -> Void)?

    override func fetch(_ descriptor: FetchDescriptor<Story>) async throws -> [Story] {
      await onFetch?()
      return try await super.fetch(descriptor)
    }
  }

  @MainActor
  func testTheFlagIsSetWhileStoriesAreLoadedAndObserversAreTold() async throws {
    let repository = ObservingRepository()
    try await repository.save(Story(title: "Test", content: "Content"))
    let storage = StoryStorage(repository: repository)
    var flags: [Bool] = []
    repository.onFetch = { flags.append(storage.isLoading) }
    let isTold = expectation(description: "The observer is told.")
    withObservationTracking {
      _ = storage.recentStories
    } onChange: {
      isTold.fulfill()
    }
    try await storage.loadRecentStories()
    await fulfillment(of: [isTold], timeout: 10)
    XCTAssertEqual(flags, [true])
    XCTAssertFalse(storage.isLoading)
    XCTAssertEqual(storage.recentStories.map(\.title), ["Test"])
  }

  func testMemoryCacheKeepsAHundredStories() async {
    let cache = StoryCache()
    let stories = (0..<150).map { Story(title: "\($0)", content: "") }
    for story in stories { await cache.cache(story) }
    var found = 0
    for story in stories where await cache.getCached(id: story.id) != nil { found += 1 }
    XCTAssertEqual(found, 100)
  }

  func testPersistentCacheKeepsStories() throws {
    let cache = try PersistentCache()
    let story = Story(
      title: "Kept", content: "Text",
      parameters: StoryParameters(childName: "Ada", childAge: 7, languageCode: nil))
    try cache.cacheStory(story)
    let kept = try XCTUnwrap(try cache.getCachedStory(id: story.id))
    XCTAssertEqual(kept.title, "Kept")
    XCTAssertEqual(kept.parameters, story.parameters)
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

  func testRelationshipsAndStructures() throws {
    let context = try makeContext()
    let collection = StoryCollection(title: "Bedtime")
    let story = Story(title: "A", content: "", theme: .courage)
    let achievement = Achievement(name: "Reader", typeRawValue: "reading", story: story)
    collection.stories?.append(story)
    context.insert(collection)
    context.insert(achievement)
    try context.save()
    XCTAssertEqual(story.collections.map(\.title), ["Bedtime"])
    let storyId = story.id
    let found = try context.fetch(
      FetchDescriptor<Achievement>(predicate: #Predicate { $0.story?.id == storyId }))
    XCTAssertEqual(found.map(\.name), ["Reader"])
    let earned = try context.fetchCount(
      FetchDescriptor<Achievement>(predicate: #Predicate { $0.earnedAt != nil }))
    XCTAssertEqual(earned, 0)
    let other = ModelContext(context.container)
    XCTAssertEqual(try other.fetch(FetchDescriptor<Story>()).first?.theme, .courage)
  }

  func testErrorsSaySo() {
    let cause = PersistenceError.invalidData
    let sentences = [
      "Failed to save data: The data is invalid or corrupted",
      "Failed to fetch data: The data is invalid or corrupted",
      "Failed to delete data: The data is invalid or corrupted",
      "Cache operation failed: The data is invalid or corrupted",
      "The data is invalid or corrupted",
    ]
    let errors: [PersistenceError] = [
      .saveFailed(cause), .fetchFailed(cause), .deleteFailed(cause), .cacheFailed(cause), cause,
    ]
    XCTAssertEqual(errors.map(\.localizedDescription), sentences)
  }

  /// A repository whose saves fail.
  private class FailingRepository: StoryRepository {
    var saveCount = 0

    override func save(_ story: Story) async throws {
      saveCount += 1
      throw CocoaError(.fileWriteOutOfSpace)
    }
  }

  func testSaveIsTriedThreeTimesAndTheLastErrorIsWrapped() async throws {
    let repository = FailingRepository(modelContext: try makeContext())
    do {
      try await repository.saveWithRetry(Story(title: "Never", content: ""))
      XCTFail("The save should fail.")
    } catch PersistenceError.saveFailed(let cause) {
      XCTAssertEqual((cause as? CocoaError)?.code, .fileWriteOutOfSpace)
    }
    XCTAssertEqual(repository.saveCount, 3)
  }

  func testRepositoryIsUsedThroughItsProtocol() async throws {
    let mock: any StoryRepositoryProtocol = MockStoryRepository()
    let stored: any StoryRepositoryProtocol = StoryRepository(modelContext: try makeContext())
    for repository in [mock, stored] {
      let story = Story(title: "Test", content: "Content")
      try await repository.save(story)
      try await repository.batchSave([Story(title: "Second", content: "")])
      story.title = "Changed"
      let titles = try await repository.fetch(FetchDescriptor<Story>()).map(\.title)
      XCTAssertEqual(titles.sorted(), ["Changed", "Second"])
      try await repository.delete(story)
      let count = try await repository.fetch(FetchDescriptor<Story>()).count
      XCTAssertEqual(count, 1)
    }
    let story = Story(title: "Test", content: "Content")
    try await stored.save(story)
    story.title = "Updated"
    try await stored.update(story)
    let titles = try await stored.fetch(FetchDescriptor<Story>()).map(\.title)
    XCTAssertEqual(titles.sorted(), ["Second", "Updated"])
  }

  func testBatchOperationsSaveOnce() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let schema = Schema([Story.self, StoryCollection.self, Achievement.self, UserProfile.self])
    let configuration = ModelConfiguration(
      schema: schema, url: folder.appendingPathComponent("Stories.store"))
    let context = ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
    let repository: any StoryRepositoryProtocol = StoryRepository(modelContext: context)
    let stories = (1...40).map { Story(title: "\($0)", content: "") }
    try await repository.batchSave(stories)
    try await repository.batchDelete(Array(stories[..<30]))
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    XCTAssertEqual(transactions.map(\.changes.count), [40, 30])
  }
}
