import Foundation
import Observation
import StoriesCore
import SwiftData
import Synchronization
import Testing
import OpenPersistenceKit

@Suite("Storage for windows")
@MainActor
struct StoryStorageTests {
  /// Counts the changes of the properties that a window reads.
  private final class Watcher: Sendable {
    private let counter = Mutex(0)
    var count: Int { counter.withLock { $0 } }

    @MainActor
    func watch(_ read: @escaping @MainActor @Sendable () -> Void) {
      withObservationTracking {
        read()
      } onChange: {
        self.counter.withLock { $0 += 1 }
        Task { @MainActor in self.watch(read) }
      }
    }
  }

  @Test("recent stories are loaded, and put into the cache")
  func loading() async throws {
    let repository = MockStoryRepository()
    for number in 1...12 {
      let date = Date(timeIntervalSinceReferenceDate: Double(number))
      try await repository.save(Story(title: "\(number)", content: "Text.", createdAt: date))
    }
    let cache = StoryCache(pressure: nil)
    let storage = StoryStorage(repository: repository, cache: cache)
    #expect(storage.recentStories.isEmpty && !storage.isLoading)
    try await storage.loadRecentStories()
    #expect(storage.recentStories.map(\.title) == (3...12).reversed().map { "\($0)" })
    #expect(!storage.isLoading)
    #expect(await cache.statistics.count == 10)
    #expect(await cache.story(storage.recentStories[0].id)?.content == "Text.")
  }

  @Test("the flag is set while stories are loading, until the last of several loads ends")
  func flag() async throws {
    let repository = SlowRepository()
    let storage = StoryStorage(repository: repository)
    let first = Task { try await storage.loadRecentStories() }
    let second = Task { try await storage.loadRecentStories() }
    #expect(await eventually { repository.waiting == 2 })
    #expect(storage.isLoading)
    repository.answer([Story(title: "old", content: "")], number: 0)
    _ = await first.result
    #expect(storage.isLoading)
    repository.answer([Story(title: "new", content: "")], number: 1)
    try await second.value
    #expect(!storage.isLoading)
    #expect(storage.recentStories.map(\.title) == ["new"])
  }

  @Test("an earlier load that ends last does not replace a later one's stories")
  func order() async throws {
    let repository = SlowRepository()
    let storage = StoryStorage(repository: repository)
    let first = Task { try await storage.loadRecentStories() }
    #expect(await eventually { repository.waiting == 1 })
    let second = Task { try await storage.loadRecentStories() }
    #expect(await eventually { repository.waiting == 2 })
    repository.answer([Story(title: "new", content: "")], number: 1)
    try await second.value
    repository.answer([Story(title: "old", content: "")], number: 0)
    try await first.value
    #expect(storage.recentStories.map(\.title) == ["new"])
  }

  @Test("an error is thrown and shown, the stories stay; the next load clears it")
  func failures() async throws {
    let repository = MockStoryRepository()
    try await repository.save(Story(title: "a", content: ""))
    let storage = StoryStorage(repository: repository)
    try await storage.loadRecentStories()
    repository.failures = [CocoaError(.fileReadUnknown)]
    await #expect(throws: PersistenceError.self) { try await storage.loadRecentStories() }
    guard case .fetchFailed? = storage.failure else {
      return #expect(Bool(false), "\(String(describing: storage.failure))")
    }
    #expect(storage.recentStories.map(\.title) == ["a"])
    #expect(!storage.isLoading)
    try await storage.loadRecentStories()
    #expect(storage.failure == nil)
  }

  @Test("a window follows saves of other contexts, and is notified once for each change")
  func following() async throws {
    let trial = try TrialLibrary(onDisk: true)
    let context = trial.store.container.mainContext
    let storage = StoryStorage(repository: StoryRepository(modelContext: context))
    let task = storage.follow(trial.store)
    defer { task.cancel() }
    try await storage.loadRecentStories()
    let watcher = Watcher()
    watcher.watch { _ = storage.recentStories }
    for number in 1...3 {
      let id = try await trial.add("\(number)")[0]
      #expect(await eventually { storage.recentStories.count == number && watcher.count == number })
      #expect(storage.recentStories[0].id == id)
    }
    // A change that no row shows does not notify the watcher.
    _ = try await trial.library.addCollection(named: "c")
    let last = storage.recentStories[0].id
    try await trial.library.setFavorite(true, last)
    #expect(await eventually { storage.recentStories[0].isFavorite })
    #expect(watcher.count == 4)
  }

  @Test(
    "two windows of one library show the same stories, including those that another program adds")
  func windows() async throws {
    let folder = try TrialFolder()
    let store = try StoriesStore.shared(folder.file)
    #expect(try StoriesStore.shared(folder.file) === store)
    let storages = try (1...2).map { _ in
      StoryStorage(
        repository: StoryRepository(
          modelContext: try StoriesStore.shared(folder.file).container.mainContext))
    }
    let tasks = storages.map { $0.follow(store) }
    defer { for task in tasks { task.cancel() } }
    #expect(try OtherProgram.run(["add", folder.file.path, "3"]) == 0)
    #expect(await eventually { storages.allSatisfy { $0.recentStories.count == 3 } })
    #expect(storages[0].recentStories == storages[1].recentStories)
    #expect(store.container.mainContext === store.container.mainContext)
  }
}

/// Answers fetches when a test allows it.
@MainActor
private final class SlowRepository: @MainActor Repository {
  private var answers: [CheckedContinuation<[Story], Never>] = []
  var waiting: Int { answers.count }

  nonisolated init() {}

  func answer(_ stories: sending [Story], number: Int) {
    answers[number].resume(returning: stories)
  }

  func fetch(_ query: FetchDescriptor<Story>) async throws -> [Story] {
    await withCheckedContinuation { continuation in
      MainActor.assumeIsolated { answers.append(continuation) }
    }
  }
  func save(_ item: Story) async throws {}
  func delete(_ item: Story) async throws {}
  func update(_ item: Story) async throws {}
}
