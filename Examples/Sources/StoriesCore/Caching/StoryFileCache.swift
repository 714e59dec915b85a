public import Foundation
import OpenPersistenceKit
import SwiftData
import Synchronization

/// A cache of stories as JSON files, one for each id, that several programs share.
///
/// A file is complete or absent, and a truncated file is a miss. Each file has the position in the library's history before the story was
/// read. If any program has changed the story or its pages since then, the file is also a miss.
///
/// > Concurrency: Shared; usable on any thread.
public final class StoryFileCache: Sendable {
  private let files: DiskCache
  private let counts = Mutex(CacheStatistics())
  private let lookups: LookupCounts

  /// Opens a cache.
  ///
  /// - Parameters:
  ///   - folder: A folder for the cache only, created if it does not exist.
  ///   - sizeLimit: The maximum size of all files, in bytes.
  /// - Throws: `PersistenceError.cacheFailed` if the folder cannot be created.
  public init(folder: URL, sizeLimit: Int = 50 << 20) throws {
    do { files = try DiskCache(folder: folder, sizeLimit: sizeLimit) } catch {
      throw PersistenceError.cacheFailed(error)
    }
    lookups = LookupCounts(at: folder.appendingPathComponent("lookups.json"))
  }

  /// Returns the story with an id; nil if its file is missing, damaged or out of date.
  func story(_ id: UUID, in context: ModelContext) -> CachedStory? {
    let story = files.value(CachedStory.self, forKey: id.uuidString)
    let isGood = story.map { isCurrent($0, in: context) } ?? false
    counts.withLock { counts in
      if isGood { counts.hits += 1 } else { counts.misses += 1 }
    }
    lookups.add(isHit: isGood)
    if story != nil, !isGood { remove(id) }
    return isGood ? story : nil
  }

  private func isCurrent(_ story: CachedStory, in context: ModelContext) -> Bool {
    // Without the history, changes of the story are unknown.
    guard let position = story.position,
      let changes = try? StoryChanges(since: position, in: context)
    else { return false }
    return !changes.concern(story)
  }

  /// Writes a story to a file, unless the library has no history in which changes are recorded.
  ///
  /// - Throws: `PersistenceError.cacheFailed`; the story is usable without its file.
  func keep(_ story: CachedStory) throws {
    if story.position == nil { return }
    do { try files.setValue(story, forKey: story.value.id.uuidString) } catch {
      throw PersistenceError.cacheFailed(error)
    }
  }

  /// Deletes the file of a story.
  public func remove(_ id: UUID) { files.removeData(forKey: id.uuidString) }

  /// Deletes all files, and resets the statistics of all programs.
  public func clear() {
    files.removeAll()
    lookups.reset()
  }

  /// The size of all files, in bytes.
  public var size: Int { files.size }

  /// The statistics of the cache for this program.
  public var statistics: CacheStatistics {
    var statistics = counts.withLock { $0 }
    statistics.count = files.count
    return statistics
  }

  /// The statistics of the cache for all programs since the cache was last cleared.
  public var totalStatistics: CacheStatistics {
    var statistics = lookups.statistics
    statistics.count = files.count
    return statistics
  }
}
