public import Foundation
public import OpenObjectModel

extension NSMappingModel {
  /// Finds the mapping model for two models in bundles; nil if there is none.
  ///
  /// ``reading(from:forSourceModel:destinationModel:)`` throws the reason.
  ///
  /// - Parameters:
  ///   - bundles: The bundles; nil for the program's own bundle.
  ///   - sourceModel: The model of the objects.
  ///   - destinationModel: The model of the migrated objects.
  /// > Reference: Apple, NSMappingModel, init(from:forSourceModel:destinationModel:).
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel,
      // The throwing method says why.
      let model = try? NSMappingModel.reading(
        from: bundles, forSourceModel: sourceModel, destinationModel: destinationModel)
    else { return nil }
    self.init()
    entityMappings = model.entityMappings
  }

  /// Finds the mapping model for two models in bundles.
  ///
  /// Each entity of a mapping must be in its model with the mapping's version hash. If several mapping models match, the first one by
  /// bundle and name is used. An `.xcmappingmodel` document is used if its models are found; a compiled mapping model of the same name
  /// has precedence over the document.
  ///
  /// - Parameters:
  ///   - bundles: The bundles; nil for the program's own bundle.
  ///   - sourceModel: The model of the objects.
  ///   - destinationModel: The model of the migrated objects.
  /// - Returns: The mapping model.
  /// - Throws: `MigrationError` with code `.noMapping`, whose message lists every examined mapping model and the
  ///   reason why it does not match.
  /// > Reference: Addition.
  public class func reading(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws(MigrationError) -> NSMappingModel {
    var reasons: [String] = []
    for url in (bundles ?? [.main]).flatMap(mappingFiles) {
      do throws(MigrationError) {
        let model = try reading(url)
        guard let reason = model.mismatch(sourceModel, destinationModel) else { return model }
        reasons.append("\(url.lastPathComponent): \(reason)")
      } catch {
        reasons.append("\(url.lastPathComponent): \(error.message)")
      }
    }
    let list = reasons.isEmpty ? "The bundles have none." : reasons.joined(separator: "\n")
    throw MigrationError(
      .noMapping,
      "No mapping model brings objects of the source model to the destination model. Add one to the program's "
        + "resources, or infer the mapping.\n\(list)")
  }

  /// All mapping models in bundles that can be read, in the order of the bundles and by name.
  package class func all(in bundles: [Bundle]) -> [NSMappingModel] {
    // One that cannot be read does not keep others from being found.
    bundles.flatMap(mappingFiles).compactMap { try? reading($0) }
  }

  /// Whether the mapping model is for two models: every entity that a mapping names is in its model, with the version hash
  /// that the mapping has.
  ///
  /// - Returns: `true` if the mapping model is for two models.
  /// > Reference: Addition.
  public func isMapping(
    from sourceModel: NSManagedObjectModel, to destinationModel: NSManagedObjectModel
  ) -> Bool {
    mismatch(sourceModel, destinationModel) == nil
  }

  /// Why the mapping model is not for two models; nil when it is.
  func mismatch(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> String? {
    let mappings = entityMappings ?? []
    if mappings.isEmpty { return "It has no mappings." }
    let (old, new) = (source.entitiesByName, destination.entitiesByName)
    for mapping in mappings {
      if mapping.sourceEntityName == nil, mapping.destinationEntityName == nil {
        return "The mapping \(mapping.name ?? "") names no entity."
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
    return entity.versionHash == hash ? nil : "has another version hash in the mapping."
  }

  /// The mapping models in a bundle, by name; of one name a compiled one goes before its document.
  private class func mappingFiles(in bundle: Bundle) -> [URL] {
    let files = ["cdm", "xcmappingmodel"].flatMap {
      bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
    }.map { $0 as URL }.sorted {
      ($0.lastPathComponent, $0.path) < ($1.lastPathComponent, $1.path)
    }
    var names: Set<String> = []
    return files.filter { names.insert($0.deletingPathExtension().lastPathComponent).inserted }
  }
}
