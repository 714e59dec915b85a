import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreContract

/// The information in a store's metadata and tables, which can be read without the model.
struct MetadataFacts {
  /// The version hashes by entity name; nil if the metadata contains no hashes.
  let hashes: [String: Data]?
  private let url: URL
  private let metadata: [String: Any]

  /// - Throws: `ToolError` if the file is not a store.
  init(_ url: URL) throws {
    self.url = url
    do {
      metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: url)
    } catch {
      throw ToolError(
        .unreadable, "\(InspectedStore.name(of: url)): \(InspectedStore.sentence(for: error))")
    }
    hashes = metadata[StoreMetadataKey.entityHashes] as? [String: Data]
  }

  /// Returns the store's identifier, the version of the framework that wrote the store, and
  /// information about the model.
  ///
  /// - Parameter entityCount: The number of entities in the model; nil to use the number of version
  ///   hashes, if the model is unknown.
  func identity(entityCount: Int?) -> [OutputValue.Field] {
    let names = metadata[StoreMetadataKey.identifiers] as? [Any] ?? []
    let version = metadata["NSPersistenceFrameworkVersion"] as? Int
    return [
      .init("uuid", .text(metadata[NSStoreUUIDKey] as? String ?? "")),
      .init("frameworkVersion", version.map { .integer(Int64($0)) } ?? .null),
      .init("modelIdentifiers", .list(names.compactMap { ($0 as? String).map { .text($0) } })),
      .init("entities", (entityCount ?? hashes?.count).map { .integer(Int64($0)) } ?? .null),
    ]
  }

  /// Returns whether the version hashes of the store equal those of a model; null if the hashes or
  /// the model are unknown.
  func agreement(with model: NSManagedObjectModel?) -> OutputValue {
    guard let hashes, let model else { return .null }
    return .bool(hashes == model.entityVersionHashesByName)
  }

  /// Whether the digest and the checksum in the metadata match the version hashes in the metadata.
  var agreements: [OutputValue.Field] {
    let digest = NSManagedObjectModel.digest(of: hashes ?? [:])
    let checksum = NSManagedObjectModel.checksum(of: hashes ?? [:])
    return [
      .init("digestAgrees", agrees(StoreMetadataKey.digest, digest)),
      .init("checksumAgrees", agrees(StoreMetadataKey.checksum, checksum)),
    ]
  }

  private func agrees(_ key: String, _ computed: String) -> OutputValue {
    (metadata[key] as? String).map { .bool($0 == computed) } ?? .null
  }

  /// Returns the number of all objects, counted in the tables of the entities without a parent
  /// entity.
  func rowCount() throws -> OutputValue {
    do throws(StoreError) {
      return .integer(try StoreInspection.objectCount(inStoreAt: url))
    } catch {
      throw ToolError(.unreadable, "\(url.path): \(error.message)")
    }
  }
}
