public import CoreData
import ForumHTML
public import ForumScraping
public import Foundation
public import OpenPersistenceKit
public import StoreSharing
import Synchronization

/// The reader's Core Data stack: one store of forums, threads and posts, with one context for each imported page.
///
/// Shared.
// Invariant of the unchecked conformance: the same as for the superclass; this class adds only a lock.
public final class ForumStore: SharedStore, @unchecked Sendable {
  /// Protects changes of the store's metadata, which replace the whole dictionary.
  let notesLock = Mutex(())

  /// Opens a store, and upgrades a store of an older version of the program.
  ///
  /// - Parameters:
  ///   - storage: The location of the store.
  ///   - options: Additional store options by key.
  ///   - progress: A closure that receives the progress of an upgrade.
  /// - Throws: `ForumStoreError` with code `.notMigrated`, or any error from reading the model or opening the store.
  public init(
    _ storage: Storage, options: [String: NSObject] = [:],
    progress: UpgradeProgress.Handler? = nil
  ) throws {
    let indexed = [OpenTextIndexOption: NSNumber(value: true) as NSObject]
      .merging(options) { $1 }
    let upgrade = StoreUpgrade(
      storage, options: indexed, newest: AwfulModel.newestVersion,
      model: { try AwfulModel.make(version: $0) })
    try upgrade?.run(progress)
    try super.init(
      program: "awful", name: AwfulModel.name, model: AwfulModel.make(), storage: storage,
      options: indexed)
    try fillTexts(progress)
  }

  /// Opens the store at a file URL, and creates it and its folder if they do not exist.
  ///
  /// - Parameters:
  ///   - file: The store's file.
  ///   - options: Additional store options by key.
  ///   - progress: A closure that receives the progress of an upgrade.
  /// - Returns: The open store.
  /// - Throws: `ForumStoreError` with code `.notMigrated` or `.notOpened`.
  public static func openOrMake(
    _ file: URL, options: [String: NSObject] = [:], progress: UpgradeProgress.Handler? = nil
  ) throws -> ForumStore {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try ForumStore(.file(file), options: options, progress: progress)
    } catch let error as ForumStoreError {
      throw error
    } catch {
      throw ForumStoreError(
        .notOpened, "The store cannot be opened.", path: file.path, underlying: error)
    }
  }

  /// Opens the existing store at a file URL.
  ///
  /// - Parameters:
  ///   - file: The store's file.
  ///   - options: Additional store options by key.
  ///   - progress: A closure that receives the progress of an upgrade.
  /// - Returns: The open store.
  /// - Throws: `ForumStoreError` with code `.missingStore`, `.notMigrated` or `.notOpened`.
  public static func openExisting(
    _ file: URL, options: [String: NSObject] = [:], progress: UpgradeProgress.Handler? = nil
  ) throws -> ForumStore {
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ForumStoreError(
        .missingStore, "The store does not exist. To create it, run awful sync or awful import.",
        path: file.path)
    }
    return try openOrMake(file, options: options, progress: progress)
  }

  /// Imports a page in a new context and saves it. The main context receives the changes.
  ///
  /// - Parameters:
  ///   - page: The scraped page.
  ///   - refreshed: The date when the page was fetched; nil for saved pages, which can be of any age.
  ///   - marks: The reader's newest read marks, which take precedence over the marks on the page: the numbers of seen posts by thread id.
  /// - Returns: The numbers of saved changes.
  /// - Throws: Any error from the import or the save. Nothing is saved in that case.
  @discardableResult
  public func importPage(
    _ page: ScrapedPage, refreshed: Date? = nil, keeping marks: [String: Int32] = [:]
  ) async throws -> ImportSummary {
    // If another program has stored some of the objects in the meantime, the next attempt fetches them.
    let isOvertaken = { (error: any Error) in
      (error as? CocoaError)?.code == .managedObjectConstraintMerge
    }
    return try await RetryPolicy(attempts: 8, firstDelay: .zero).run(isTransient: isOvertaken) {
      _ in
      try await performBackgroundTask { context in
        // A fetched page counts as part of a pass that also fetches the other pages of its list.
        let summary = try PageImporter.importPage(
          page, into: context, isPartOfPass: refreshed != nil)
        if let refreshed { try RefreshMarker.mark(page, refreshed, in: context) }
        try ReaderMarks.set(marks, in: context)
        return summary
      }
    }
  }

  /// The time for which changes stay in the history: a week, in seconds.
  public static let historyAge: Double = 7 * 24 * 60 * 60

  /// Deletes the history of changes older than an age.
  ///
  /// - Parameter seconds: The age in seconds.
  /// - Throws: `CocoaError` if the store cannot be read or written.
  public func forgetHistory(olderThan seconds: Double = historyAge) throws {
    try container.persistentStoreCoordinator.pruneHistory(HistoryRetention(maximumAge: seconds))
  }
}
