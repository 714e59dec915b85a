public import Foundation
import OpenPersistenceKit
import SwiftData
import Synchronization

/// Stories as JSON in files, one for each id, which several programs share.
///
/// A file is whole or absent, and one that is cut is a miss. It tells the place in the library's history before the story was read: if
/// the history since then has a change of the story or its pages, by any program, the file is a miss as well.
///
/// Shared.
public final class StoryFileCache: Sendable {
  private let files: DiskCache
  private let counts = Mutex(CacheStatistics())

  /// Opens a cache.
  ///
  /// - Parameters:
  ///   - folder: A folder for the cache alone, which is made when there is none.
  ///   - sizeLimit: Greatest number of bytes of all files.
  /// - Throws: `PersistenceError.cacheFailed` when the folder cannot be made.
  public init(folder: URL, sizeLimit: Int = 50 << 20) throws {
    do { files = try DiskCache(folder: folder, sizeLimit: sizeLimit) } catch {
      throw PersistenceError.cacheFailed(error)
    }
  }

  /// The story of an id; nil for one without a file, and for a file that is damaged or out of date.
  func story(_ id: UUID, in context: ModelContext) -> CachedStory? {
    let story = files.value(CachedStory.self, forKey: id.uuidString)
    let isGood = story.map { isCurrent($0, in: context) } ?? false
    counts.withLock { counts in
      if isGood { counts.hits += 1 } else { counts.misses += 1 }
    }
    if story != nil, !isGood { remove(id) }
    return isGood ? story : nil
  }

  private func isCurrent(_ story: CachedStory, in context: ModelContext) -> Bool {
    // Where the history is gone, nothing is known of the story.
    guard let token = story.token, let changes = try? StoryChanges(after: token, in: context) else {
      return false
    }
    return !changes.concern(story)
  }

  /// Keeps a story, unless the library has no history that tells when it changes.
  ///
  /// - Throws: `PersistenceError.cacheFailed`; the story can be used without its file.
  func keep(_ story: CachedStory) throws {
    if story.token == nil { return }
    do { try files.setValue(story, forKey: story.value.id.uuidString) } catch {
      throw PersistenceError.cacheFailed(error)
    }
  }

  /// Deletes the file of a story.
  public func remove(_ id: UUID) { files.removeData(forKey: id.uuidString) }

  /// Deletes all files.
  public func clear() { files.removeAll() }

  /// Bytes of all files.
  public var size: Int { files.size }

  /// How the cache was used by this program.
  public var statistics: CacheStatistics {
    var statistics = counts.withLock { $0 }
    statistics.count = files.count
    return statistics
  }
}
