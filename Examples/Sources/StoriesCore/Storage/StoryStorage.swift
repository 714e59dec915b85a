public import Observation
public import SwiftData
public import OpenPersistenceKit

/// The most recent stories for a window, with the observable loading state and the last error.
///
/// Each change of the library sets each observed property at most once.
@MainActor
@Observable
public final class StoryStorage {
  /// The most recent stories, newest first.
  public private(set) var recentStories: [StoryRow] = []
  /// Whether the stories are being loaded.
  public private(set) var isLoading = false
  /// The error of the last load or update; nil if it succeeded.
  public private(set) var failure: PersistenceError?

  @ObservationIgnored private let repository: any Repository<Story, FetchDescriptor<Story>>
  @ObservationIgnored private let cache: StoryCache
  @ObservationIgnored private let limit: Int
  /// The number of started loads, and the number of running loads.
  @ObservationIgnored private var begun = 0
  @ObservationIgnored private var running = 0

  /// Creates a storage that shows the stories of a repository.
  ///
  /// - Parameters:
  ///   - repository: The stories, in a context of the main actor.
  ///   - cache: The cache for loaded stories.
  ///   - limit: The maximum number of stories.
  public init(
    repository: any Repository<Story, FetchDescriptor<Story>>,
    cache: StoryCache = StoryCache(), limit: Int = 10
  ) {
    self.repository = repository
    self.cache = cache
    self.limit = limit
  }

  /// Loads the stories and adds them to the cache.
  ///
  /// - Throws: `PersistenceError.fetchFailed`; the stories do not change, and ``failure`` has the error.
  public func loadRecentStories() async throws {
    running += 1
    isLoading = true
    defer {
      running -= 1
      if running == 0 { isLoading = false }
    }
    let ticket = await cache.makeTicket()
    for story in try await load() { await cache.keep(story, ticket) }
  }

  /// Fetches the stories and shows them, unless a later load has started.
  private func load() async throws -> [CachedStory] {
    begun += 1
    let number = begun
    do {
      let found = try await repository.fetch(Story.recentStories(limit: limit))
      if number == begun { show(found.map(StoryRow.init)) }
      return found.map { CachedStory($0, position: nil) }
    } catch {
      let failed = error as? PersistenceError ?? .fetchFailed(error)
      if number == begun { failure = failed }
      throw failed
    }
  }

  private func show(_ rows: [StoryRow]) {
    if rows != recentStories { recentStories = rows }
    if failure != nil { failure = nil }
  }

  /// Updates the stories whenever a context or another program saves, until the task is canceled.
  ///
  /// - Parameter store: The library of the repository.
  public func follow(_ store: StoriesStore) -> Task<Void, Never> {
    let changes = store.changes()
    return Task { [weak self] in
      for await _ in changes {
        guard let self else { return }
        // The `failure` property has the error.
        _ = try? await load()
      }
    }
  }
}
