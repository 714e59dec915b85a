public import Observation
public import SwiftData
public import OpenPersistenceKit

/// The stories made last, for a window: it observes them, whether they are being loaded, and what went wrong.
///
/// Each change of the library gives the observed properties a new value at most once.
@MainActor
@Observable
public final class StoryStorage {
  /// The stories made last, the newest first.
  public private(set) var recentStories: [StoryRow] = []
  /// Whether they are being loaded.
  public private(set) var isLoading = false
  /// Why they could not be loaded or brought up to date last; nil if they could.
  public private(set) var failure: PersistenceError?

  @ObservationIgnored private let repository: any Repository<Story, FetchDescriptor<Story>>
  @ObservationIgnored private let cache: StoryCache
  @ObservationIgnored private let limit: Int
  /// The loads that were begun, and those that run.
  @ObservationIgnored private var begun = 0
  @ObservationIgnored private var running = 0

  /// Shows the stories of a repository.
  ///
  /// - Parameters:
  ///   - repository: The stories, in a context of the main actor.
  ///   - cache: What loaded stories are put into.
  ///   - limit: At most how many stories.
  public init(
    repository: any Repository<Story, FetchDescriptor<Story>>,
    cache: StoryCache = StoryCache(), limit: Int = 10
  ) {
    self.repository = repository
    self.cache = cache
    self.limit = limit
  }

  /// Loads the stories, and puts them into the cache.
  ///
  /// - Throws: `PersistenceError.fetchFailed`; the stories stay as they were, and ``failure`` tells why.
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

  /// Fetches the stories and shows them, unless a later load was faster.
  private func load() async throws -> [CachedStory] {
    begun += 1
    let number = begun
    do {
      let found = try await repository.fetch(Story.recentStories(limit: limit))
      if number == begun { show(found.map(StoryRow.init)) }
      return found.map { CachedStory($0, token: nil) }
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

  /// Brings the stories up to date whenever a context or another program saves, until the task is cancelled.
  ///
  /// - Parameter store: The library of the repository.
  public func follow(_ store: StoriesStore) -> Task<Void, Never> {
    let changes = store.changes()
    return Task { [weak self] in
      for await _ in changes {
        guard let self else { return }
        // The failure is shown.
        _ = try? await load()
      }
    }
  }
}
