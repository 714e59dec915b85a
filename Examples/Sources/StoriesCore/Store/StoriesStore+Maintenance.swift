public import Foundation
public import OpenPersistenceKit
import SwiftData

/// How much room a library takes, in bytes, and what it holds.
public struct StoriesUsage: Codable, Hashable, Sendable {
  /// The file with its log.
  public let storeBytes: Int
  /// The backups.
  public let backupBytes: Int
  /// The number of backups.
  public let backups: Int
  /// The numbers of stories, pages, collections and achievements.
  public let stories: Int, pages: Int, collections: Int, achievements: Int
}

extension StoriesStore {
  private var url: URL? {
    if case .file(let url) = place { url } else { nil }
  }

  /// The backups of the library; nil for one in memory.
  public var backups: StoreBackups? { url.map { StoreBackups(ofStoreAt: $0, now: clock.now) } }

  /// Makes a backup of what is saved.
  ///
  /// - Parameter count: How many backups to keep; nil for all.
  /// - Throws: `StoriesError` with code `.notFound` for a library in memory; what making the backup throws.
  @discardableResult
  public func makeBackup(keeping count: Int? = nil) throws -> StoreBackup {
    guard let backups else {
      throw StoriesError(.notFound, "A library in memory has no backups. Export it instead.")
    }
    do {
      let backup = try backups.make(keeping: count)
      log.note("back up", backup.url.lastPathComponent, at: clock.now())
      return backup
    } catch {
      log.note("back up", url?.lastPathComponent ?? "", failure: error, at: clock.now())
      throw error
    }
  }

  /// Puts a backup in the place of a library that nothing has open; the backup stays.
  ///
  /// - Parameters:
  ///   - backup: The backup; nil for the newest.
  ///   - url: The library's file, which may be damaged or gone.
  ///   - clock: What time it is.
  /// - Returns: The backup that was restored.
  /// - Throws: `StoriesError` with code `.notFound` when there is no backup; `CocoaError` 134090 when a program has the library open, 134080
  ///   when the backup is damaged.
  @discardableResult
  public static func restore(
    _ backup: StoreBackup? = nil, to url: URL, clock: LibraryClock = LibraryClock()
  ) throws -> StoreBackup {
    let backups = StoreBackups(ofStoreAt: url, now: clock.now)
    guard let backup = try backup ?? backups.list().first else {
      throw StoriesError(.notFound, "There is no backup copy of the library.", path: url.path)
    }
    let log = OperationLog(at: url.appendingPathExtension("log"))
    do {
      try backups.restore(backup)
      log.note("restore", backup.url.lastPathComponent, at: clock.now())
      return backup
    } catch {
      log.note("restore", backup.url.lastPathComponent, failure: error, at: clock.now())
      throw error
    }
  }

  /// Deletes the history of changes that are older than an age. Stories in files that were read before are read anew.
  ///
  /// - Parameter seconds: The age; a week by default.
  /// - Throws: What deleting throws.
  public func forgetHistory(olderThan seconds: TimeInterval = 7 * 24 * 60 * 60) throws {
    let limit = clock.now() - seconds
    try ModelContext(container).deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.timestamp < limit }))
    log.note("forget history", "\(Int(seconds)) s", at: clock.now())
  }

  /// How much room the library takes.
  ///
  /// - Throws: What counting throws.
  public func usage() throws -> StoriesUsage {
    let context = ModelContext(container)
    let parts = url.map { url in ["", "-wal"].map { Self.bytes(at: url.path + $0) } } ?? []
    return StoriesUsage(
      storeBytes: parts.reduce(0, +),
      backupBytes: backups.map { Self.bytes(below: $0.folder) } ?? 0,
      backups: try backups?.list().count ?? 0,
      stories: try context.fetchCount(FetchDescriptor<Story>()),
      pages: try context.fetchCount(FetchDescriptor<Page>()),
      collections: try context.fetchCount(FetchDescriptor<StoryCollection>()),
      achievements: try context.fetchCount(FetchDescriptor<Achievement>()))
  }

  private static func bytes(at path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)  // often missing
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return 0 }
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private static func bytes(below folder: URL) -> Int {
    let walk = FileManager.default.enumerator(atPath: folder.path)
    var total = 0
    while let path = walk?.nextObject() as? String {
      total += bytes(at: folder.appendingPathComponent(path).path)
    }
    return total
  }
}
