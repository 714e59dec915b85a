package import Foundation
package import OpenObjectModel

/// Checks whether the model that opens a store is the model that wrote the store.
package struct ModelMatch {
  /// The model that opens the store.
  package let model: CompiledModel
  /// The name of the configuration with the store's entities; nil for all entities.
  package let configurationName: String?
  /// The path of the store's file, for error messages; nil if the path is unknown.
  package let path: String?

  /// Creates a check of a store.
  ///
  /// - Parameters:
  ///   - model: The model that opens the store.
  ///   - configurationName: The name of the configuration with the store's entities; nil for all
  ///     entities.
  ///   - path: The path of the store's file, for error messages; nil if the path is unknown.
  package init(model: CompiledModel, configurationName: String?, path: String?) {
    self.model = model
    self.configurationName = configurationName
    self.path = path
  }

  /// Throws if a store's metadata does not contain the version hashes of the model.
  ///
  /// A store that is opened for a configuration may have entities that are not in the
  /// configuration. If the metadata contains no version hashes at all, the method does not throw.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema` if the version hashes differ. The
  ///   underlying error is a ``ModelVersionMismatch``.
  package func requireVersions(in metadata: StoreMetadata) throws(StoreError) {
    guard let stored = NSManagedObjectModel.versionHashes(in: metadata), !stored.isEmpty else {
      return
    }
    let wanted = hashes()
    let isAccepted = NSManagedObjectModel.acceptedVersionHashes(in: metadata)
      .contains { NSManagedObjectModel.fits(wanted, $0, configuration: configurationName) }
    if isAccepted { return }
    let mismatch = ModelVersionMismatch(
      storeEntities: Self.names(stored, not: wanted).filter {
        configurationName == nil || wanted[$0] != nil
      },
      modelEntities: Self.names(wanted, not: stored))
    throw StoreError(
      .incompatibleSchema,
      "The store was created with another version of the model. Migrate the store, or open it "
        + "with that version. \(mismatch)",
      path: path, underlying: mismatch)
  }

  /// Throws if the columns of composite attributes have other names in the store than in the model.
  ///
  /// The names of the columns differ if the composite attributes have other names in the model that
  /// the store contains.
  ///
  /// - Parameter storedModel: A closure that returns the model that the store contains, or nil if
  ///   this model cannot be read. The method does not check a store without a readable model.
  /// - Throws: `StoreError` with code `.incompatibleSchema` and a ``ModelVersionMismatch`` as the
  ///   underlying error if the names differ; the error of `storedModel`.
  package func requireComposites(
    in storedModel: () throws(StoreError) -> NSManagedObjectModel?
  ) throws(StoreError) {
    guard let name = try entityWithRenamedComposites(in: storedModel) else { return }
    throw StoreError(
      .incompatibleSchema,
      "The composite attributes of the entity have other names in the store. Migrate the store.",
      path: path, entityName: name,
      underlying: ModelVersionMismatch(storeEntities: [name], modelEntities: [name]))
  }

  /// Returns the name of an entity for which the columns of composite attributes have other names
  /// in the store than in the model.
  ///
  /// The names of the columns differ if the composite attributes have other names in the model that
  /// the store contains.
  ///
  /// - Parameter storedModel: A closure that returns the model that the store contains, or nil if
  ///   this model cannot be read. The method calls the closure only if elements of different
  ///   composite attributes of one entity have the same name. Only the columns of such elements
  ///   depend on the names of the composite attributes.
  /// - Returns: The name; nil if there is no such entity or the stored model cannot be read.
  /// - Throws: The error of `storedModel`.
  package func entityWithRenamedComposites(
    in storedModel: () throws(StoreError) -> NSManagedObjectModel?
  ) throws(StoreError) -> String? {
    let hasElements = model.entities.contains { $0.properties.contains { $0.isElement } }
    guard hasElements, !model.descriptions.ambiguousElementPaths.isEmpty,
      let stored = try storedModel()
    else { return nil }
    return model.descriptions.entityWithRenamedComposites(in: stored)
  }

  /// Returns the model's version hashes of the store's entities, by entity name.
  ///
  /// If the model has no configuration with the store's configuration name, the result contains the
  /// hashes of all entities.
  package func hashes() -> [String: Data] {
    let descriptions = model.descriptions
    let members = configurationName.flatMap { descriptions.entities(forConfigurationName: $0) }
    return members.map { descriptions.versionHashes(of: $0) }
      ?? descriptions.entityVersionHashesByName
  }

  /// The positions of the store's entities in the model; the positions of all entities if the model
  /// has no configuration with the store's configuration name.
  package var members: Set<Int> {
    let names = configurationName.flatMap {
      model.descriptions.entities(forConfigurationName: $0)?.compactMap(\.name)
    }
    guard let names = names.map(Set.init) else { return Set(model.entities.indices) }
    return Set(model.entities.filter { names.contains($0.name) }.map(\.index))
  }

  private static func names(_ one: [String: Data], not other: [String: Data]) -> [String] {
    one.filter { other[$0.key] != $0.value }.map(\.key).sorted()
  }

  /// Returns the metadata that identifies the version of the model.
  package func metadata() -> StoreMetadata {
    let hashes = hashes()
    let identifiers = model.descriptions.versionIdentifiers.compactMap { $0.base as? String }
    return [
      "NSPersistenceFrameworkVersion": 1344, StoreMetadataKey.identifiers: identifiers.sorted(),
      StoreMetadataKey.entityHashes: hashes, StoreMetadataKey.hashesVersion: 3,
      StoreMetadataKey.digest: NSManagedObjectModel.digest(of: hashes),
      StoreMetadataKey.checksum: NSManagedObjectModel.checksum(of: hashes),
    ]
  }
}
