public import Foundation
public import OpenPersistenceKit
import SwiftData

/// The disk space of a library, in bytes, and the number of its objects.
public struct StoriesUsage: Codable, Hashable, Sendable {
  /// The size of the store file with its write-ahead log.
  public let storeBytes: Int
  /// The size of the backups.
  public let backupBytes: Int
  /// The number of backups.
  public let backups: Int
  /// The number of stories, pages, collections and achievements.
  public let stories: Int, pages: Int, collections: Int, achievements: Int
}

extension StoriesStore {
  private var url: URL? {
    if case .file(let url) = place { url } else { nil }
  }

  /// The backups of the library; nil for a library in memory.
  public var backups: StoreBackups? { url.map { StoreBackups(ofStoreAt: $0, now: clock.now) } }

  /// Creates a backup of the saved data.
  ///
  /// - Parameter count: The number of backups to keep; nil for all.
  /// - Throws: `StoriesError` with code `.notFound` if the library is in memory, or the error of the backup.
  @discardableResult
  public func makeBackup(keeping count: Int? = nil) throws -> StoreBackup {
    guard let backups else {
      throw StoriesError(.notFound, "An in-memory library cannot be backed up. Export it instead.")
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

  /// Replaces a library that no program has open with a backup, and keeps the backup.
  ///
  /// - Parameters:
  ///   - backup: The backup; nil for the newest.
  ///   - url: The library's file, which may be damaged or missing.
  ///   - clock: The clock.
  /// - Returns: The restored backup.
  /// - Throws: `StoriesError` with code `.notFound` if no backup exists; `CocoaError` 134090 if a program has the library open, 259 if
  ///   the backup is damaged.
  @discardableResult
  public static func restore(
    _ backup: StoreBackup? = nil, to url: URL, clock: LibraryClock = LibraryClock()
  ) throws -> StoreBackup {
    let backups = StoreBackups(ofStoreAt: url, now: clock.now)
    guard let backup = try backup ?? backups.list().first else {
      throw StoriesError(.notFound, "The library has no backup.", path: url.path)
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

  /// Deletes the change history older than an age, except the newest transaction, which the file cache refers to. Stories that the file
  /// cache stored before an earlier transaction are read again.
  ///
  /// - Parameter seconds: The age; a week by default.
  /// - Throws: The error of the deletion.
  public func forgetHistory(olderThan seconds: TimeInterval = 7 * 24 * 60 * 60) throws {
    let limit = clock.now() - seconds
    let context = ModelContext(container)
    if let last = try HistoryPosition.last(after: nil, in: context)?.token {
      try context.deleteHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(
          predicate: #Predicate { $0.timestamp < limit && $0.token < last }))
    }
    log.note("forget history", String(format: "%.0f s", seconds), at: clock.now())
  }

  /// Returns the disk space of the library and the number of its objects.
  ///
  /// - Throws: The error of counting the objects or listing the backups.
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
