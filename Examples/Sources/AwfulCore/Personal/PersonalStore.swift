public import CoreData
import Foundation
public import OpenPersistenceKit
public import StoreSharing

/// What the reader has written and chosen: drafts, favourites, hidden and saved threads.
///
/// It is a second store beside the one of the site's pages, and names threads and forums by the site's ids; so clearing
/// or replacing what was fetched loses nothing of it.
///
/// Shared.
// Invariant of the unchecked conformance: as of the class above; it adds no state.
public final class PersonalStore: SharedStore, @unchecked Sendable {
  private static let modelName = "AwfulPersonal"

  /// Opens a store.
  ///
  /// - Parameter storage: Where the store lives.
  /// - Throws: What reading the model or opening the store throws.
  public init(_ storage: Storage) throws {
    try super.init(
      program: "awful", name: Self.modelName, model: NSManagedObjectModel.reading(Self.document),
      storage: storage)
  }

  private static var document: URL {
    Bundle.module.bundleURL.appendingPathComponent("\(modelName).xcdatamodeld")
  }

  /// Reads a version of the model: the second one adds drafts of private messages, the third one the second icon of a draft.
  ///
  /// - Parameter version: The version's number, from 1.
  /// - Returns: A new model for each call.
  /// - Throws: `ModelError` when there is no such version.
  public static func model(version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(
      document.appendingPathComponent("\(modelName) \(version).xcdatamodel"))
  }

  /// Opens the store that belongs to a store of the site's pages, made when there is none.
  ///
  /// - Parameter file: The file of the other store; `awful.sqlite` has `awful-personal.sqlite` beside it.
  /// - Returns: The open store.
  /// - Throws: `ForumStoreError` with code `.notOpened`.
  public static func openOrMake(beside file: URL) throws -> PersonalStore {
    let name = file.deletingPathExtension().lastPathComponent
    let type = file.pathExtension
    let own = file.deletingLastPathComponent()
      .appendingPathComponent("\(name)-personal\(type.isEmpty ? "" : ".\(type)")")
    do {
      try FileManager.default.createDirectory(
        at: own.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try PersonalStore(.file(own))
    } catch {
      throw ForumStoreError(
        .notOpened, "The store of drafts and favourites cannot be opened.", path: own.path,
        underlying: error)
    }
  }

  /// The draft of an id; nil if there is none.
  func draft(_ id: String) async throws -> DraftRow? {
    try await performBackgroundTask { context in
      try context.fetch(Self.request(Draft.self, "draftID", id)).first.map { try DraftRow($0) }
    }
  }

  /// The one object of an entity with a value, as a request.
  static func request<Object: NSManagedObject>(
    _ type: Object.Type, _ key: String, _ value: String
  ) -> NSFetchRequest<Object> {
    let request = NSFetchRequest<Object>(entityName: "\(type)")
    request.predicate = NSPredicate(format: "%K == %@", argumentArray: [key, value])
    return request
  }
}
