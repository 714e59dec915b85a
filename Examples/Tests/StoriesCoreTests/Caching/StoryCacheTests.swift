import Foundation
import StoriesCore
import SwiftData
import Testing

@Suite("Caches of stories")
struct StoryCacheTests {
  /// Changes a story as another context does.
  private func rename(_ id: UUID, _ title: String, in store: StoriesStore) throws {
    let context = ModelContext(store.container)
    let story = try StoryRepository(modelContext: context).story(id)
    story.title = title
    try context.save()
  }

  @Test("the memory cache keeps 100 stories and evicts the least recently used one")
  func limit() async throws {
    let trial = try TrialLibrary()
    var ids: [UUID] = []
    for number in 0..<102 { ids += try await trial.add("\(number)") }
    for id in ids[..<100] { _ = try await trial.library.story(id) }
    _ = try await trial.library.story(ids[0])
    _ = try await trial.library.story(ids[100])
    let cache = trial.library.cache
    #expect(await cache.statistics.count == 100)
    #expect(await cache.story(ids[0]) != nil)
    #expect(await cache.story(ids[1]) == nil)
    #expect(await cache.story(ids[2])?.title == "2")
    await cache.clear()
    #expect(await cache.statistics.count == 0)
  }

  @Test("a story is found in memory, then in its file, then in the library")
  func layers() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    let files = try #require(trial.library.fileCache)
    for _ in 1...3 { _ = try await trial.library.story(id) }
    #expect(await trial.library.cache.statistics == .init(hits: 2, misses: 1, count: 1))
    #expect(files.statistics == .init(hits: 0, misses: 1, count: 1))
    let later = try StoryLibrary(
      trial.store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
    #expect(try await later.story(id).title == "a")
    #expect(try #require(later.fileCache).statistics.hits == 1)
    await later.clearCaches()
    #expect(files.statistics.count == 0)
    #expect(try await later.story(id).title == "a")
  }

  @Test("a truncated cache file is a miss, and is rewritten")
  func cutFile() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    _ = try await trial.library.story(id)
    let names = try FileManager.default.contentsOfDirectory(atPath: trial.folder.cacheFolder.path)
    let name = try #require(names.first { $0.hasSuffix(".cache") })
    let file = trial.folder.cacheFolder.appendingPathComponent(name)
    let whole = try Data(contentsOf: file)
    for length in [0, 10, whole.count / 2, whole.count - 1] {
      try whole.prefix(length).write(to: file)
      let later = try StoryLibrary(
        trial.store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
      #expect(try await later.story(id).title == "a")
      #expect(try #require(later.fileCache).statistics.misses == 1, "\(length) bytes")
      #expect(try Data(contentsOf: file).count > whole.count / 2)
    }
  }

  @Test("a change of another context reaches a story in memory")
  func otherContext() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let ids = try await trial.add("a", "b")
    for id in ids { _ = try await trial.library.story(id) }
    try rename(ids[0], "changed", in: trial.store)
    #expect(try await eventually { try await trial.library.story(ids[0]).title == "changed" })
    #expect(await trial.library.cache.story(ids[1])?.title == "b")
  }

  @Test("a cached story that any program has changed since is a miss at once")
  func changedFile() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let ids = try await trial.add("a", "b")
    for id in ids { _ = try await trial.library.story(id) }
    try rename(ids[0], "changed", in: trial.store)
    let later = try StoryLibrary(
      trial.store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
    #expect(try await later.story(ids[0]).title == "changed")
    #expect(try await later.story(ids[1]).title == "b")
    #expect(try #require(later.fileCache).statistics == .init(hits: 1, misses: 1, count: 2))
    // Each page is a separate row.
    let context = ModelContext(trial.store.container)
    let page = try StoryRepository(modelContext: context).story(ids[1]).pages[0]
    page.text = "Another text."
    try context.save()
    let last = try StoryLibrary(
      trial.store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
    #expect(try await last.story(ids[1]).content == "Another text.")
  }

  @Test("after a backup was restored, a story is not read from a file of the replaced library")
  func restoredBackup() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    try trial.store.makeBackup()
    try rename(id, "changed", in: trial.store)
    #expect(try await trial.library.story(id).title == "changed")
    // The backup is restored to another file, because the library is open.
    let folder = try TrialFolder()
    try FileManager.default.copyItem(
      atPath: trial.folder.file.path + ".backups", toPath: folder.file.path + ".backups")
    try StoriesStore.restore(to: folder.file)
    let restored = try StoryLibrary(
      StoriesStore(.file(folder.file)), cache: StoryCache(pressure: nil),
      cacheFolder: trial.folder.cacheFolder)
    _ = try await restored.addCollection(named: "New")
    #expect(try await restored.story(id).title == "a")
    #expect(try #require(restored.fileCache).statistics.hits == 0)
  }

  @Test("a story in a file that many changes follow is reread, and its file is then current")
  func manyChanges() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    _ = try await trial.library.story(id)
    let context = ModelContext(trial.store.container)
    let collection = StoryCollection(name: "0", createdAt: trial.clock.now)
    context.insert(collection)
    for number in 1...300 {
      collection.name = "\(number)"
      try context.save()
    }
    for hits in 0...1 {
      let later = try StoryLibrary(
        trial.store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
      #expect(try await later.story(id).title == "a")
      #expect(try #require(later.fileCache).statistics.hits == hits)
    }
  }

  @Test("the hits and misses of all programs are counted until the cache is cleared")
  func totals() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    for _ in 1...3 {
      let later = try StoryLibrary(
        trial.store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
      _ = try await later.story(id)
    }
    let files = try #require(trial.library.fileCache)
    #expect(files.statistics == .init(hits: 0, misses: 0, count: 1))
    #expect(files.totalStatistics == .init(hits: 2, misses: 1, count: 1))
    let counts = trial.folder.cacheFolder.appendingPathComponent("lookups.json")
    try Data("{".utf8).write(to: counts)
    #expect(files.totalStatistics == .init(hits: 0, misses: 0, count: 1))
    _ = try await trial.library.story(id)
    #expect(files.totalStatistics == .init(hits: 1, misses: 0, count: 1))
    await trial.library.clearCaches()
    #expect(files.totalStatistics == .init())
  }

  @Test("after the history was deleted, a cached story is reread once")
  func forgottenHistory() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    _ = try await trial.library.story(id)
    try rename(id, "changed", in: trial.store)
    // The transactions are of the present; the clock of the test may be anywhere.
    trial.clock.now = Date() + 3600
    try trial.store.forgetHistory(olderThan: 0)
    for hits in 0...1 {
      let later = try StoryLibrary(
        trial.store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
      #expect(try await later.story(id).title == "changed", "\(hits)")
      #expect(try #require(later.fileCache).statistics.hits == hits)
    }
    #expect(trial.store.log.entries().first?.operation == "forget history")
  }

  @Test("a change by another program reaches a story in memory")
  func otherProgram() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    #expect(try await trial.library.story(id).readCount == 0)
    #expect(try OtherProgram.run(["read", trial.folder.file.path, id.uuidString, "2"]) == 0)
    #expect(try await eventually { try await trial.library.story(id).readCount == 2 })
  }

  @Test("changes through the library are read at once")
  func ownChanges() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("a")[0]
    for number in 1...20 {
      #expect(try await trial.library.story(id).readCount == number - 1)
      _ = try await trial.library.finishReading(id)
    }
    try await trial.library.deleteStories([id])
    await #expect(throws: StoriesError.self) { try await trial.library.story(id) }
  }

  @Test("a story that changes while it is read is not cached with old values")
  func race() async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let id = try await trial.add("0")[0]
    let library = trial.library
    let store = trial.store
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<60 { _ = try await library.story(id) } }
      }
      group.addTask {
        for number in 1...30 {
          try rename(id, "\(number)", in: store)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    #expect(try await eventually { try await library.story(id).title == "30" })
    let later = try StoryLibrary(
      store, cache: StoryCache(pressure: nil), cacheFolder: trial.folder.cacheFolder)
    #expect(try await later.story(id).title == "30")
  }
}
