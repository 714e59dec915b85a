public import Foundation

extension NSManagedObjectModel {
  /// Creates the model of a store from the entities of all versions in bundles.
  ///
  /// Versions are selected by the list in their `.momd` folder, so only those that can match are read.
  ///
  /// - Parameters:
  ///   - bundles: The bundles; nil for the program's own bundle.
  ///   - metadata: The store's metadata.
  /// - Returns: The model; nil if some entities of the store are not found.
  /// - Complexity: One file for each version that can match, independent of the number of versions that a list
  ///   excludes.
  /// > Reference: Apple, NSManagedObjectModel, mergedModel(from:forStoreMetadata:).
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    guard let hashes = versionHashes(in: metadata) else { return nil }
    let catalog = ModelCatalog(bundles)
    return catalog.model(fitting: hashes)
      ?? NSManagedObjectModel(
        byMerging: catalog.models(sharing: hashes), forStoreMetadata: metadata)
  }

  /// Creates the model of a store from the entities of given models.
  ///
  /// If one of the models matches the store, it is returned; otherwise the entities with matching fingerprints are
  /// combined. The result is nil if some are missing.
  ///
  /// - Parameters:
  ///   - models: The models; the first match is used.
  ///   - metadata: The store's metadata.
  /// > Reference: Apple, NSManagedObjectModel, init(byMerging:forStoreMetadata:).
  public convenience init?(
    byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
  ) {
    guard let hashes = Self.versionHashes(in: metadata),
      let merged = ModelMerger.model(of: models, fitting: hashes)
    else { return nil }
    self.init()
    adopt(merged)
  }

  /// The checksum of every version in a `.momd` folder.
  ///
  /// Compares with `versionChecksum` to find the version that a store was written with. Versions whose
  /// checksum the folder's list leaves out are read. Takes an `.xcdatamodeld` folder too, as an addition.
  ///
  /// - Parameter modelURL: The folder.
  /// - Returns: Checksums by names of versions, without file extension.
  /// - Throws: `ModelError` when the folder or one of its versions cannot be read.
  /// > Reference: Apple, NSManagedObjectModel, checksumsForVersionedModel(at:).
  public class func checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
    let known = ModelVersions.recordedChecksums(at: modelURL)
    let names = try ModelVersions.names(at: modelURL)
    if names.allSatisfy({ known[$0] != nil }) { return known.filter { names.contains($0.key) } }
    let versions = try ModelVersions.read(modelURL)
    return Dictionary(versions.map { ($0.name, known[$0.name] ?? $0.model.versionChecksum) }) {
      first, _ in first
    }
  }
}
