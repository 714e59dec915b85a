public import Foundation
import OpenPersistenceKit
public import SwiftData

/// All that the application does with its library, for windows and commands: values in, values out.
///
/// Every change is read, made and saved in one turn, which one program has at a time, so that two windows never overtake each other.
/// After an error nothing of the change is left.
@ModelActor
public actor StoryLibrary {
  /// The library's container.
  public nonisolated let store: StoriesStore
  /// Stories in memory.
  public nonisolated let cache: StoryCache
  /// Stories in files; nil without a folder for them.
  public nonisolated let fileCache: StoryFileCache?
  private var seen: DefaultHistoryToken?
  private var follower: Task<Void, Never>?

  let stories: StoryRepository
  let collections: CollectionRepository
  let achievements: AchievementRepository
  let profiles: ProfileRepository

  /// Works on a library.
  ///
  /// - Parameters:
  ///   - store: The library's container.
  ///   - cache: Stories in memory.
  ///   - cacheFolder: The folder for stories in files; nil for none.
  /// - Throws: `PersistenceError.cacheFailed` when the folder cannot be made.
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

  /// Reads, changes and saves in one turn, and tries again where another program holds the store.
  ///
  /// - Parameters:
  ///   - operation: What is done, for the log.
  ///   - subject: What it is done to.
  ///   - stories: The stories whose cached values are dropped.
  ///   - work: Makes the change in the actor's context; it is run anew for each try.
  /// - Returns: What the work returns.
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

  /// A story through the caches.
  func cachedStory(_ id: UUID) async throws -> StoryValue {
    follow()
    if let known = await cache.story(id) { return known }
    let ticket = await cache.makeTicket()
    let story = try fileCache?.story(id, in: modelContext) ?? read(id)
    await cache.keep(story, ticket)
    return story.value
  }

  private func read(_ id: UUID) throws -> CachedStory {
    let token = try StoryChanges.currentToken(in: modelContext)
    let story = CachedStory(try stories.story(id), token: token)
    do { try fileCache?.keep(story) } catch {
      // The story was read; a full disk only makes the next reading slower.
      store.log.note("cache", id.uuidString, failure: error, at: now)
    }
    return story
  }

  /// Begins to drop cached stories that other contexts and programs change.
  private func follow() {
    guard follower == nil else { return }
    seen = try? StoryChanges.currentToken(in: modelContext)
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
      // What changed is not known.
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
