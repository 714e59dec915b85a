public import Foundation

extension NSManagedObjectModel {
  /// Returns the model of a store, combined from the entities of all model versions in bundles.
  ///
  /// A `.momd` folder lists the version hashes of its versions, so only versions that can match are
  /// read.
  ///
  /// - Parameters:
  ///   - bundles: The bundles to search; nil for the program's own bundle.
  ///   - metadata: The metadata of the store.
  /// - Returns: The model; nil if some entities of the store are not found.
  /// - Complexity: Reads one file for each version that can match; versions that the list of a
  ///   folder excludes are not read.
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

  /// Creates the model of a store from the entities of models; nil if some entities are missing.
  ///
  /// If one of the models matches the store, the result equals this model. Otherwise, the result
  /// combines the entities of all models that have matching version hashes.
  ///
  /// - Parameters:
  ///   - models: The models; the first match is used.
  ///   - metadata: The metadata of the store.
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

  /// Returns the checksum of every version in a folder of versions.
  ///
  /// Compare the checksums with `versionChecksum` to find the version with which a store was
  /// written. Versions whose checksum is not in the folder's list are read. On Apple platforms,
  /// only `.momd` folders are supported.
  ///
  /// - Parameter modelURL: A `.momd` or `.xcdatamodeld` folder.
  /// - Returns: The checksums, by the name of the version without a file extension.
  /// - Throws: `ModelError` if the folder or one of its versions cannot be read.
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
