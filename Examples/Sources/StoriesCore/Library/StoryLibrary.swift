public import Foundation
import OpenPersistenceKit
public import SwiftData

/// The operations of the application on its library, for windows and commands. Arguments and results are values.
///
/// Each change reads, edits and saves in one turn, which only one program holds at a time, so changes by two windows do not interleave. If
/// an error occurs, the change is rolled back.
@ModelActor
public actor StoryLibrary {
  /// The library's container.
  public nonisolated let store: StoriesStore
  /// The stories in memory.
  public nonisolated let cache: StoryCache
  /// The stories in files; nil without a cache folder.
  public nonisolated let fileCache: StoryFileCache?
  private var seen: DefaultHistoryToken?
  /// The last known position in the history.
  private var position: HistoryPosition?
  private var follower: Task<Void, Never>?

  let stories: StoryRepository
  let collections: CollectionRepository
  let achievements: AchievementRepository
  let profiles: ProfileRepository

  /// Creates the operations on a library.
  ///
  /// - Parameters:
  ///   - store: The library's container.
  ///   - cache: The cache in memory.
  ///   - cacheFolder: The folder of the file cache; nil for none.
  /// - Throws: `PersistenceError.cacheFailed` if the folder cannot be created.
  public init(
    _ store: StoriesStore, cache: StoryCache = StoryCache(), cacheFolder: URL? = nil
  ) throws {
    self.store = store
    self.cache = cache
    fileCache = try cacheFolder.map { try StoryFileCache(folder: $0) }
    modelContainer = store.container
    let context = ModelContext(store.container)
    context.author = "stories-\(UUID().uuidString)"
    stories = StoryRepository(modelContext: context)
    collections = CollectionRepository(modelContext: context)
    achievements = AchievementRepository(modelContext: context)
    profiles = ProfileRepository(modelContext: context)
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
  }

  deinit { follower?.cancel() }

  var now: Date { store.clock.now() }

  // MARK: Changing

  /// Reads, changes and saves in one turn, and retries if another program locks the store.
  ///
  /// - Parameters:
  ///   - operation: The operation, for the log.
  ///   - subject: The object of the operation, for the log.
  ///   - stories: The stories whose cached values are dropped.
  ///   - work: The change in the actor's context; runs again for each attempt.
  /// - Returns: The result of the work.
  func change<Result>(
    _ operation: String, _ subject: String, touching stories: [UUID] = [],
    _ work: () async throws -> Result
  ) async throws -> Result {
    let policy = RetryPolicy(
      attempts: 3, firstDelay: .seconds(1), factor: 2, jitter: 0)
    do {
      let result = try await policy.run(
        clock: store.clock.pauses,
        isTransient: { ErrorKind.isTransient($0) }
      ) { _ in try await attempt(work) }
      for id in stories {
        await cache.remove(id)
        fileCache?.remove(id)
      }
      store.log.note(operation, subject, at: now)
      return result
    } catch {
      store.log.note(operation, subject, failure: error, at: now)
      throw error
    }
  }

  private func attempt<Result>(_ work: () async throws -> Result) async throws -> Result {
    let turn = try WriteTurn.take(of: store.place)
    defer { withExtendedLifetime(turn) {} }
    do {
      let result = try await work()
      do { try modelContext.save() } catch { throw PersistenceError.saveFailed(error) }
      return result
    } catch {
      modelContext.rollback()
      throw error
    }
  }

  // MARK: Caches

  /// Returns a story from a cache, or reads and caches it.
  func cachedStory(_ id: UUID) async throws -> StoryValue {
    follow()
    if let known = await cache.story(id) { return known }
    let ticket = await cache.makeTicket()
    let story = try fileCache?.story(id, in: modelContext) ?? read(id)
    await cache.keep(story, ticket)
    return story.value
  }

  private func read(_ id: UUID) throws -> CachedStory {
    position = try HistoryPosition.last(after: position, in: modelContext)
    let story = CachedStory(try stories.story(id), position: position)
    // Until a change is announced, the context may have old values of the pages.
    guard position?.token == seen else { return story }
    do { try fileCache?.keep(story) } catch {
      // The story was read; a full disk only slows down the next read.
      store.log.note("cache", id.uuidString, failure: error, at: now)
    }
    return story
  }

  /// Starts to drop cached stories that other contexts and programs change.
  private func follow() {
    guard follower == nil else { return }
    // Without a position, the first notification reads the whole history.
    position = try? HistoryPosition.last(after: nil, in: modelContext)
    seen = position?.token
    let changes = store.changes()
    follower = Task { [weak self] in
      for await _ in changes { await self?.dropChanged() }
    }
  }

  private func dropChanged() async {
    do {
      let changes = try StoryChanges(after: seen, in: modelContext)
      if let token = changes.token { seen = token }
      await cache.remove(changes)
    } catch {
      // The changes are unknown.
      seen = nil
      await cache.clear()
    }
  }

  /// Empties both caches.
  public func clearCaches() async {
    await cache.clear()
    fileCache?.clear()
    store.log.note("clear caches", "", at: now)
  }
}
