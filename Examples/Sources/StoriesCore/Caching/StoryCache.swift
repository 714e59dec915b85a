public import Foundation
public import OpenPersistenceKit
import SwiftData

/// How a cache was used.
public struct CacheStatistics: Codable, Hashable, Sendable {
  /// Stories that were found.
  public var hits = 0
  /// Stories that were not there, or not as they are in the library.
  public var misses = 0
  /// The stories that the cache has.
  public var count = 0

  /// Makes counts.
  public init(hits: Int = 0, misses: Int = 0, count: Int = 0) {
    self.hits = hits
    self.misses = misses
    self.count = count
  }
}

/// Stories in memory: at most 100, of which the one used longest ago goes first.
///
/// A story that was read before the library changed is not kept after the change: take a ``Ticket`` before reading.
public actor StoryCache {
  /// Says since when the library must not have changed for a story to be kept.
  public struct Ticket: Sendable {
    fileprivate let revision: Int
  }

  private let stories: MemoryCache<UUID, StoryValue>
  /// The stories by the identifiers of their rows and of their pages' rows.
  private var owners: [PersistentIdentifier: UUID] = [:]
  private var revision = 0
  private static let ownerLimit = 20_000

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - limit: At most how many stories.
  ///   - pressure: Reports shortages of memory; nil for a cache that is not told of them.
  public init(
    limit: Int = 100, pressure: (any MemoryPressureSource)? = SystemMemoryPressure.shared
  ) {
    stories = MemoryCache(countLimit: max(1, limit), pressure: pressure)
  }

  /// The story of an id, which counts as used now.
  public func story(_ id: UUID) -> StoryValue? { stories[id] }

  /// How the cache was used.
  public var statistics: CacheStatistics {
    let known = stories.statistics
    return CacheStatistics(hits: known.hits, misses: known.misses, count: stories.count)
  }

  /// A ticket for a story that is going to be read.
  public func makeTicket() -> Ticket { Ticket(revision: revision) }

  /// Keeps a story, unless the library changed since the ticket was made.
  func keep(_ story: CachedStory, _ ticket: Ticket) {
    guard ticket.revision == revision else { return }
    if owners.count > Self.ownerLimit { clear() }
    for identifier in story.identifiers { owners[identifier] = story.value.id }
    stories[story.value.id] = story.value
  }

  /// Forgets a story that has changed.
  public func remove(_ id: UUID) {
    revision += 1
    stories.removeValue(forKey: id)
  }

  /// Forgets the stories that changes concern.
  func remove(_ changes: StoryChanges) {
    // A new page may be of any story.
    if changes.addsPages { return clear() }
    revision += 1
    for identifier in changes.touched {
      if let id = owners.removeValue(forKey: identifier) { stories.removeValue(forKey: id) }
    }
  }

  /// Forgets all stories.
  public func clear() {
    revision += 1
    owners = [:]
    stories.removeAll()
  }
}
