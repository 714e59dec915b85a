internal import Foundation

/// Merges several models into one, with copies of their entities.
struct ModelMerger {
  private var entities: [String: NSEntityDescription] = [:]
  private var hashes: [String: [UInt8]] = [:]
  private var order: [NSEntityDescription] = []

  /// Returns the union of models.
  ///
  /// - Throws: `ModelError` with code `.duplicateName` if two models have different entities with
  ///   the same name.
  static func merged(_ models: [NSManagedObjectModel]) throws(ModelError) -> NSManagedObjectModel {
    var merger = ModelMerger()
    let copies = models.map { ModelCopier().copy($0) }
    for copy in copies { try merger.adoptEntities(of: copy) }
    return merger.model(of: copies)
  }

  /// Returns a model of the entities with the given version hashes; nil if an entity is missing.
  static func model(
    of models: [NSManagedObjectModel], fitting hashes: [String: Data]
  ) -> NSManagedObjectModel? {
    if let whole = models.first(where: { $0.entityVersionHashesByName == hashes }) {
      return ModelCopier().copy(whole)
    }
    var merger = ModelMerger()
    let copies = models.map { ModelCopier().copy($0) }
    for copy in copies { merger.adoptEntities(of: copy, fitting: hashes) }
    guard merger.order.count == hashes.count else { return nil }
    let merged = merger.model(of: copies)
    // Entities that match individually may refer to missing entities.
    return merged.entityVersionHashesByName == hashes ? merged : nil
  }

  private mutating func adoptEntities(of model: NSManagedObjectModel) throws(ModelError) {
    let hasher = VersionHasher()
    for entity in model.entities {
      let name = entity.name ?? ""
      let hash = hasher.hash(entity)
      guard let known = hashes[name] else {
        adopt(entity, name, hash)
        continue
      }
      guard known == hash else {
        throw ModelError(
          .duplicateName,
          "Models that contain different entities with the same name cannot be merged. Rename one of the entities, or omit one of the models.",
          entityName: name)
      }
    }
  }

  private mutating func adoptEntities(
    of model: NSManagedObjectModel, fitting wanted: [String: Data]
  ) {
    let hasher = VersionHasher()
    for entity in model.entities {
      guard let name = entity.name, entities[name] == nil, let hash = wanted[name],
        Data(hasher.hash(entity)) == hash
      else { continue }
      adopt(entity, name, [UInt8](hash))
    }
  }

  private mutating func adopt(_ entity: NSEntityDescription, _ name: String, _ hash: [UInt8]) {
    entities[name] = entity
    hashes[name] = hash
    order.append(entity)
  }

  /// Returns a model of the adopted entities, with the other contents of the models.
  private func model(of copies: [NSManagedObjectModel]) -> NSManagedObjectModel {
    reconnect()
    let merged = NSManagedObjectModel()
    merged.entities = order
    merged.versionIdentifiers = copies.reduce(into: []) { $0.formUnion($1.versionIdentifiers) }
    merged.adoptConfigurations(configurations(of: copies))
    for copy in copies {
      merged.fetchTemplates.merge(copy.fetchTemplates) { first, _ in first }
      guard let texts = copy.localizationDictionary else { continue }
      merged.localizationDictionary = (merged.localizationDictionary ?? [:]).merging(texts) {
        first, _ in first
      }
    }
    return merged
  }

  /// Redirects references from omitted entities to their replacements.
  private func reconnect() {
    let children = Dictionary(grouping: order) { $0.superentity?.name }
    for entity in order {
      entity.subentities = entity.name.flatMap { children[$0] } ?? []
    }
    for entity in order {
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        reconnect(relationship)
      }
      for element in entity.indexes.flatMap(\.elements) { reconnect(element, of: entity) }
    }
  }

  /// Redirects an index element from a property of an omitted parent entity to the property that
  /// the entity now inherits.
  private func reconnect(
    _ element: NSFetchIndexElementDescription, of entity: NSEntityDescription
  ) {
    guard let property = element.property, property.owner != nil,
      let inherited = entity.propertiesByName[property.name]
    else { return }
    element.adopt(inherited)
  }

  private func reconnect(_ relationship: NSRelationshipDescription) {
    let destination = relationship.destinationEntity?.name.flatMap { entities[$0] }
    let inverse = relationship.inverseRelationship?.name
    relationship.destinationEntity = destination
    relationship.inverseRelationship = inverse.flatMap { name in
      destination?.properties.first { $0.name == name } as? NSRelationshipDescription
    }
  }

  private func configurations(
    of models: [NSManagedObjectModel]
  ) -> [String: [NSEntityDescription]] {
    var merged: [String: [NSEntityDescription]] = [:]
    for (name, members) in models.flatMap({ Array($0.allConfigurations) }) {
      let known = Set((merged[name] ?? []).compactMap(\.name))
      merged[name, default: []] += members.compactMap { $0.name }
        .filter { !known.contains($0) }.compactMap { entities[$0] }
    }
    return merged
  }
}
