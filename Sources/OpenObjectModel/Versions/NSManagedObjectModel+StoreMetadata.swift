public import Foundation

extension NSManagedObjectModel {
  /// Searches the model versions in bundles for a model that matches a store, and returns the
  /// model.
  ///
  /// If no version matches the store, the method combines entities of several versions. A `.momd`
  /// folder lists the version hashes of its versions, so the method reads only versions that can
  /// match.
  ///
  /// - Parameters:
  ///   - bundles: The bundles to search; nil for the program's own bundle.
  ///   - metadata: The metadata of the store.
  /// - Returns: The model; nil if the versions do not contain all entities of the store, or if the
  ///   metadata contains no version hashes.
  /// - Complexity: The method reads one file for each version that can match. The method does not
  ///   read a version if the list in its folder shows that the version cannot match.
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

  /// Combines entities of the given models to create a model that matches a store.
  ///
  /// The result is nil if the models do not contain all entities of the store, or if the metadata
  /// contains no version hashes.
  ///
  /// If one of the models matches the store, the new model equals this model. Otherwise, the new
  /// model combines entities of several models: for each entity of the store, the new model
  /// contains the first entity with the same name and version hash.
  ///
  /// - Parameters:
  ///   - models: The models; if several models match, the initializer uses the first one.
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
  /// Compare the checksums with `versionChecksum` to find the version of a model. If the file
  /// `VersionInfo.plist` in the folder does not contain the checksums of all versions, the method
  /// reads the versions and computes the missing checksums. On Apple platforms, only `.momd`
  /// folders are supported.
  ///
  /// - Parameter modelURL: A `.momd` or `.xcdatamodeld` folder.
  /// - Returns: The checksums, keyed by the name of the version without a file extension.
  /// - Throws: `ModelError` with code `.unreadable` if the folder or one of its versions cannot be
  ///   read, with code `.malformed` if a version is damaged, or with another code if a version is
  ///   invalid.
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
