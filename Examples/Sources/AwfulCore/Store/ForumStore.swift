public import CoreData
import ForumHTML
public import ForumScraping
public import Foundation
public import OpenPersistenceKit
public import StoreSharing

/// The reader's stack: one store of forums, threads and posts, with a context per imported page.
///
/// Shared.
// Invariant of the unchecked conformance: as of the class above; it adds no state.
public final class ForumStore: SharedStore, @unchecked Sendable {
  /// Opens a store.
  ///
  /// - Parameters:
  ///   - storage: Where the store lives.
  ///   - options: More store options by key.
  /// - Throws: What reading the model or opening the store throws.
  public init(_ storage: Storage, options: [String: NSObject] = [:]) throws {
    let indexed = [OpenTextIndexOption: NSNumber(value: true) as NSObject]
    try super.init(
      program: "awful", name: AwfulModel.name, model: AwfulModel.make(), storage: storage,
      options: indexed.merging(options) { $1 })
    try fillTexts()
  }

  /// Opens the store of a file, made with its folder when there is none.
  ///
  /// - Parameter file: The store's file.
  /// - Returns: The open store.
  /// - Throws: `ForumStoreError` with code `.notOpened`.
  public static func openOrMake(_ file: URL) throws -> ForumStore {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try ForumStore(.file(file))
    } catch {
      throw ForumStoreError(
        .notOpened, "The store cannot be opened.", path: file.path, underlying: error)
    }
  }

  /// Opens the store of a file that must exist.
  ///
  /// - Parameter file: The store's file.
  /// - Returns: The open store.
  /// - Throws: `ForumStoreError` with code `.missingStore` or `.notOpened`.
  public static func openExisting(_ file: URL) throws -> ForumStore {
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ForumStoreError(.missingStore, "There is no store.", path: file.path)
    }
    return try openOrMake(file)
  }

  /// Imports a page in a context of its own and saves it; the main context sees the changes.
  ///
  /// - Parameters:
  ///   - page: What was read.
  ///   - refreshed: The instant the site was asked; nil for saved pages, which are of any age.
  /// - Returns: What was saved.
  /// - Throws: What the import or the save throws; nothing is saved then.
  @discardableResult
  public func importPage(
    _ page: ScrapedPage, refreshed: Date? = nil
  ) async throws -> ImportSummary {
    // Where another program stored some of the objects meanwhile, the next fetch finds them.
    let isOvertaken = { (error: any Error) in
      (error as? CocoaError)?.code == .managedObjectConstraintMerge
    }
    return try await RetryPolicy(attempts: 8, firstDelay: .zero).run(isTransient: isOvertaken) {
      _ in
      try await performBackgroundTask { context in
        // Of a page that was fetched, the other pages of its list were or will be fetched too.
        let summary = try PageImporter.importPage(
          page, into: context, isPartOfPass: refreshed != nil)
        if let refreshed { try RefreshMarker.mark(page, refreshed, in: context) }
        return summary
      }
    }
  }

  /// The time that changes stay in the history: a week, in seconds.
  public static let historyAge: Double = 7 * 24 * 60 * 60

  /// Deletes the history of changes that are older than an age.
  ///
  /// - Parameter seconds: The age.
  /// - Throws: `CocoaError` when the store cannot be read or written.
  public func forgetHistory(olderThan seconds: Double = historyAge) throws {
    try container.persistentStoreCoordinator.pruneHistory(HistoryRetention(maximumAge: seconds))
  }
}
