internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// Checks that a mapping model matches the models of a migration.
struct MappingCheck {
  private let manager: NSMigrationManager
  private let mappingModel: NSMappingModel

  init(_ manager: NSMigrationManager, _ mappingModel: NSMappingModel) {
    self.manager = manager
    self.mappingModel = mappingModel
  }

  /// - Throws: `CocoaError` 134110 that contains the name of the mapping.
  func run() throws {
    var names: Set<String> = []
    for mapping in mappingModel.entityMappings ?? [] {
      let name = mapping.name ?? ""
      guard names.insert(name).inserted else {
        throw CocoaError.migration(
          "Several entity mappings have the name \"\(name)\". Give each a unique name.")
      }
      try check(
        mapping.sourceEntityName, mapping.sourceEntityVersionHash,
        manager.sourceEntity(for: mapping), "source", name)
      try check(
        mapping.destinationEntityName, mapping.destinationEntityVersionHash,
        manager.destinationEntity(for: mapping), "destination", name)
    }
  }

  private func check(
    _ name: String?, _ hash: Data?, _ entity: NSEntityDescription?, _ role: String,
    _ mapping: String
  ) throws {
    guard let name else { return }
    guard let entity else {
      throw CocoaError.migration(
        "The mapping \(mapping) is for the entity \(name), which does not exist in the \(role) model."
      )
    }
    guard let hash, hash != entity.versionHash else { return }
    throw CocoaError.migration(
      "The mapping \(mapping) was created for another version of the \(role) entity \(name). Create it again for the models of this migration."
    )
  }
}
