import Foundation
import OpenObjectModel
import OpenStoreContract

/// Decides whether a store was written with the model that it is opened with.
struct ModelMatch {
  let model: CompiledModel
  /// Name of the configuration whose entities the store holds; nil for all.
  let configurationName: String?
  let path: String?

  /// Requires that the entities' fingerprints are the same.
  ///
  /// A store that is opened for a configuration may have further entities. A store whose metadata has no
  /// fingerprints is left to the comparison of its tables.
  func requireVersions(in metadata: StoreMetadata) throws(StoreError) {
    guard let stored = NSManagedObjectModel.versionHashes(in: metadata), !stored.isEmpty else {
      return
    }
    let wanted = hashes()
    if NSManagedObjectModel.fits(wanted, stored, configuration: configurationName) { return }
    let mismatch = ModelVersionMismatch(
      storeEntities: Self.names(stored, not: wanted).filter {
        configurationName == nil || wanted[$0] != nil
      },
      modelEntities: Self.names(wanted, not: stored))
    throw StoreError(
      .incompatibleSchema,
      "The store was written with another version of the model; migrate it, or open it with the "
        + "version that it was written with. Entities that differ: \(mismatch)",
      path: path, underlying: mismatch)
  }

  /// Fingerprints of the entities that the store holds.
  func hashes() -> [String: Data] {
    let descriptions = model.descriptions
    let members = configurationName.flatMap { descriptions.entities(forConfigurationName: $0) }
    return members.map { descriptions.versionHashes(of: $0) }
      ?? descriptions.entityVersionHashesByName
  }

  /// Positions of the entities that the store holds.
  var members: Set<Int> {
    let names = configurationName.flatMap {
      model.descriptions.entities(forConfigurationName: $0)?.compactMap(\.name)
    }
    guard let names = names.map(Set.init) else { return Set(model.entities.indices) }
    return Set(model.entities.filter { names.contains($0.name) }.map(\.index))
  }

  private static func names(_ one: [String: Data], not other: [String: Data]) -> [String] {
    one.filter { other[$0.key] != $0.value }.map(\.key).sorted()
  }

  /// Requires that the file numbers the entities that it holds as the model does.
  ///
  /// An entity is found by its name, then by its renaming identifier, because a migration may leave the old
  /// name, then by the number itself. Further rows are history's and do not matter.
  func requireNumbers(on connection: Connection) throws(StoreError) {
    var names: [Int64: String] = [:]
    try connection.forEachRow("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") { statement in
      names[statement.integer(0)] = statement.text(1) ?? ""
    }
    let numbers = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    let members = members
    for entity in model.entities where members.contains(entity.index) {
      let computed = Int64(entity.index) + 1
      let renamed = entity.entityDescription.renamingIdentifier.flatMap { numbers[$0] }
      let found = numbers[entity.name] ?? renamed ?? (names[computed] == nil ? nil : computed)
      if found == computed { continue }
      throw StoreError(
        .incompatibleSchema,
        "The store does not have the entity, or under another number; migrate the store.",
        path: path, entityName: entity.name)
    }
  }
}
