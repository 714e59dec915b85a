public import CoreData
import Foundation
public import OpenPersistenceKit
public import StoreSharing

/// The store of what the reader has written and chosen: drafts, favourites, hidden and saved threads, and bookmarks of posts.
///
/// It is separate from the store of the site's pages, and refers to threads and forums by their ids on the site. Clearing or replacing
/// fetched data therefore loses none of it.
///
/// Shared.
// Invariant of the unchecked conformance: the same as for the superclass; this class adds no state.
public final class PersonalStore: SharedStore, @unchecked Sendable {
  private static let modelName = "AwfulPersonal"

  /// Opens a store, and migrates a store of an older version of the program.
  ///
  /// - Parameters:
  ///   - storage: The location of the store.
  ///   - options: Additional store options by key.
  ///   - progress: A closure that receives the progress of a migration.
  /// - Throws: `ForumStoreError` with code `.notMigrated`, or any error from reading the model or opening the store.
  public init(
    _ storage: Storage, options: [String: NSObject] = [:],
    progress: UpgradeProgress.Handler? = nil
  ) throws {
    let upgrade = StoreUpgrade(
      storage, options: options, newest: Self.newestVersion,
      model: { try PersonalStore.model(version: $0) })
    try upgrade?.run(progress)
    try super.init(
      program: "awful", name: Self.modelName, model: NSManagedObjectModel.reading(Self.document),
      storage: storage, options: options)
  }

  private static var document: URL {
    Bundle.module.bundleURL.appendingPathComponent("\(modelName).xcdatamodeld")
  }

  /// The number of the newest version of the model; the first one is 1.
  public static let newestVersion = 5

  /// Reads a version of the model. Version 2 adds drafts of private messages, version 3 the second icon of a draft, version 4 bookmarks of
  /// posts, and version 5 the read marks that the site has accepted and the last page of a thread that is saved for later.
  ///
  /// - Parameter version: The version's number, starting at 1.
  /// - Returns: A new model on each call.
  /// - Throws: `ModelError` if the version does not exist.
  public static func model(version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(
      document.appendingPathComponent("\(modelName) \(version).xcdatamodel"))
  }

  /// Opens the personal store that belongs to a store of the site's pages, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - file: The file of the other store. The personal store of `awful.sqlite` is `awful-personal.sqlite` in the same folder.
  ///   - options: Additional store options by key.
  ///   - progress: A closure that receives the progress of a migration.
  /// - Returns: The open store.
  /// - Throws: `ForumStoreError` with code `.notMigrated` or `.notOpened`.
  public static func openOrMake(
    beside file: URL, options: [String: NSObject] = [:], progress: UpgradeProgress.Handler? = nil
  ) throws -> PersonalStore {
    let own = Self.file(beside: file)
    do {
      try FileManager.default.createDirectory(
        at: own.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try PersonalStore(.file(own), options: options, progress: progress)
    } catch let error as ForumStoreError {
      throw error
    } catch {
      throw ForumStoreError(
        .notOpened, "The store for drafts and favorites cannot be opened.", path: own.path,
        underlying: error)
    }
  }

  /// Opens the personal store that belongs to a store of the site's pages.
  ///
  /// - Parameters:
  ///   - file: The file of the other store.
  ///   - options: Additional store options by key.
  ///   - progress: A closure that receives the progress of a migration.
  /// - Returns: The open store; nil if it does not exist.
  /// - Throws: `ForumStoreError` with code `.notMigrated` or `.notOpened`.
  public static func openIfPresent(
    beside file: URL, options: [String: NSObject] = [:], progress: UpgradeProgress.Handler? = nil
  ) throws -> PersonalStore? {
    guard FileManager.default.fileExists(atPath: Self.file(beside: file).path) else { return nil }
    return try openOrMake(beside: file, options: options, progress: progress)
  }

  private static func file(beside file: URL) -> URL {
    let name = file.deletingPathExtension().lastPathComponent
    let type = file.pathExtension
    return file.deletingLastPathComponent()
      .appendingPathComponent("\(name)-personal\(type.isEmpty ? "" : ".\(type)")")
  }

  /// Returns the draft with an id, or nil if there is none.
  func draft(_ id: String) async throws -> DraftRow? {
    try await performBackgroundTask { context in
      try context.fetch(Self.request(Draft.self, "draftID", id)).first.map { try DraftRow($0) }
    }
  }

  /// Changes the stored draft with an id, with one save. If the draft is saved elsewhere at the same time, the change is applied again to
  /// the new values, so that it overwrites none of them. Canceling the task does not prevent the change.
  ///
  /// - Throws: `WritingError` with code `.missing` if there is no such draft, or any error from the closure or the save. The draft is
  ///   unchanged in that case.
  func changeDraft<Result: Sendable>(
    _ id: String, _ change: @escaping @Sendable (NSManagedObjectContext, Draft) throws -> Result
  ) async throws -> Result {
    // `RetryPolicy` would end a canceled task before the first attempt.
    var attempt = 1
    while true {
      do {
        return try await performBackgroundTask { context in
          context.mergePolicy = NSErrorMergePolicy
          guard let draft = try context.fetch(Self.request(Draft.self, "draftID", id)).first else {
            throw WritingError(.missing, "The draft has already been sent or discarded.")
          }
          return try change(context, draft)
        }
      } catch let error as CocoaError where error.code == .managedObjectMerge && attempt < 8 {
        attempt += 1
      }
    }
  }

  /// Returns a request for the object of an entity whose key has a value.
  static func request<Object: NSManagedObject>(
    _ type: Object.Type, _ key: String, _ value: String
  ) -> NSFetchRequest<Object> {
    let request = NSFetchRequest<Object>(entityName: "\(type)")
    request.predicate = NSPredicate(format: "%K == %@", argumentArray: [key, value])
    return request
  }
}
