public import Foundation
public import OpenPersistenceKit
import SwiftData

/// Statistics of the use of a cache.
public struct CacheStatistics: Codable, Hashable, Sendable {
  /// The number of lookups that found a story.
  public var hits = 0
  /// The number of lookups whose story was missing or out of date.
  public var misses = 0
  /// The number of stories in the cache.
  public var count = 0

  /// Creates statistics.
  public init(hits: Int = 0, misses: Int = 0, count: Int = 0) {
    self.hits = hits
    self.misses = misses
    self.count = count
  }
}

/// A cache of stories in memory: at most 100 by default. The cache evicts the least recently used story first.
///
/// The cache does not keep a story that was read before a change of the library: obtain a ``Ticket`` before reading.
public actor StoryCache {
  /// The state of the cache before a story is read. The cache keeps the story only if the library has not changed since then.
  public struct Ticket: Sendable {
    fileprivate let revision: Int
  }

  private let stories: MemoryCache<UUID, StoryValue>
  /// The story ids by the identifiers of the story rows and of the rows of their pages.
  private var owners: [PersistentIdentifier: UUID] = [:]
  private var revision = 0
  private static let ownerLimit = 20_000

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of stories.
  ///   - pressure: The source of memory pressure events; nil to ignore memory pressure.
  public init(
    limit: Int = 100, pressure: (any MemoryPressureSource)? = SystemMemoryPressure.shared
  ) {
    stories = MemoryCache(countLimit: max(1, limit), pressure: pressure)
  }

  /// Returns the story with an id, and marks it as most recently used.
  public func story(_ id: UUID) -> StoryValue? { stories[id] }

  /// The statistics of the cache.
  public var statistics: CacheStatistics {
    let known = stories.statistics
    return CacheStatistics(hits: known.hits, misses: known.misses, count: stories.count)
  }

  /// Returns a ticket for a story that is about to be read.
  public func makeTicket() -> Ticket { Ticket(revision: revision) }

  /// Adds a story, unless the library has changed since the ticket was created.
  func keep(_ story: CachedStory, _ ticket: Ticket) {
    guard ticket.revision == revision else { return }
    if owners.count > Self.ownerLimit { clear() }
    for identifier in story.identifiers { owners[identifier] = story.value.id }
    stories[story.value.id] = story.value
  }

  /// Removes a story that has changed.
  public func remove(_ id: UUID) {
    revision += 1
    stories.removeValue(forKey: id)
  }

  /// Removes the stories affected by changes.
  func remove(_ changes: StoryChanges) {
    // A new page may belong to any story.
    if changes.addsPages { return clear() }
    revision += 1
    for identifier in changes.touched {
      if let id = owners.removeValue(forKey: identifier) { stories.removeValue(forKey: id) }
    }
  }

  /// Removes all stories.
  public func clear() {
    revision += 1
    owners = [:]
    stories.removeAll()
  }
}
