public import Foundation
public import OpenObjectModel

extension NSMappingModel {
  /// Searches bundles for the mapping model between two models; returns nil if there is no such
  /// mapping model or if a model is nil.
  ///
  /// The method ``reading(from:forSourceModel:destinationModel:)`` throws an error with the reason
  /// instead of returning nil.
  ///
  /// - Parameters:
  ///   - bundles: The bundles to search, or nil to search only the main bundle.
  ///   - sourceModel: The source model.
  ///   - destinationModel: The destination model.
  /// > Reference: Apple, NSMappingModel, init(from:forSourceModel:destinationModel:).
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel,
      // The throwing method reports the reason.
      let model = try? NSMappingModel.reading(
        from: bundles, forSourceModel: sourceModel, destinationModel: destinationModel)
    else { return nil }
    self.init()
    entityMappings = model.entityMappings
  }

  /// Searches bundles for the mapping model between two models.
  ///
  /// A mapping model matches if ``isMapping(from:to:)`` returns true. If several mapping models
  /// match, the method returns the first match in the order of the bundles, and within a bundle in
  /// the order of the file names. A compiled mapping model takes precedence over a document with
  /// the same name in the same bundle. The method skips a mapping model that cannot be read, for
  /// example an `.xcmappingmodel` document whose source model is not found.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - bundles: The bundles to search, or nil to search only the main bundle.
  ///   - sourceModel: The source model.
  ///   - destinationModel: The destination model.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError` with code `.noMapping` if no mapping model matches. The message
  ///   lists every examined mapping model and the reason why it does not match.
  public class func reading(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws(MigrationError) -> NSMappingModel {
    let search = MappingSearch(bundles ?? [.main], from: sourceModel, to: destinationModel)
    guard let found = search.found else { throw search.error }
    return found
  }

  /// Returns whether the mapping model describes the migration from one model to another.
  ///
  /// The result is true if the source model contains every source entity of the mappings, and the
  /// destination model contains every destination entity. Each entity must have the version hash
  /// that the mapping records. If a mapping records no version hash or names no entity, or if there
  /// are no mappings, the result is false.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - sourceModel: The source model.
  ///   - destinationModel: The destination model.
  public func isMapping(
    from sourceModel: NSManagedObjectModel, to destinationModel: NSManagedObjectModel
  ) -> Bool {
    mismatch(sourceModel, destinationModel) == nil
  }

  /// Returns the reason why the mapping model does not match two models, or nil if it matches them.
  func mismatch(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> String? {
    let mappings = entityMappings ?? []
    if mappings.isEmpty { return "The mapping model contains no entity mappings." }
    let (old, new) = (source.entitiesByName, destination.entitiesByName)
    for mapping in mappings {
      if mapping.sourceEntityName == nil, mapping.destinationEntityName == nil {
        return "The mapping \(mapping.name ?? "") has no source entity and no destination entity."
      }
      if let name = mapping.sourceEntityName,
        let reason = Self.mismatch(old[name], mapping.sourceEntityVersionHash)
      {
        return "The source entity \(name) \(reason)"
      }
      if let name = mapping.destinationEntityName,
        let reason = Self.mismatch(new[name], mapping.destinationEntityVersionHash)
      {
        return "The destination entity \(name) \(reason)"
      }
    }
    return nil
  }

  private class func mismatch(_ entity: NSEntityDescription?, _ hash: Data?) -> String? {
    guard let entity else { return "is not in the model." }
    guard let hash else { return "has no version hash in the mapping." }
    return entity.versionHash == hash ? nil : "has a different version hash in the mapping."
  }

  /// Returns the mapping models in a bundle by name. A compiled mapping model precedes a document
  /// with the same name.
  class func mappingFiles(in bundle: Bundle) -> [URL] {
    let files = ["cdm", "xcmappingmodel"].flatMap {
      bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
    }.map { $0 as URL }.sorted {
      ($0.lastPathComponent, $0.path) < ($1.lastPathComponent, $1.path)
    }
    var names: Set<String> = []
    return files.filter { names.insert($0.deletingPathExtension().lastPathComponent).inserted }
  }
}
