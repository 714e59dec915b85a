internal import Foundation

/// Makes one model of several, with copies of their entities.
struct ModelMerger {
  private var entities: [String: NSEntityDescription] = [:]
  private var order: [NSEntityDescription] = []

  /// The union of models; nil when two of them have different entities of the same name.
  func merged(_ models: [NSManagedObjectModel]) -> NSManagedObjectModel? {
    var merger = self
    let copies = models.map { ModelCopier().copy($0) }
    for copy in copies where !merger.adoptEntities(of: copy) { return nil }
    merger.reconnect()
    let merged = NSManagedObjectModel()
    merged.entities = merger.order
    merged.versionIdentifiers = copies.reduce(into: []) { $0.formUnion($1.versionIdentifiers) }
    merged.adoptConfigurations(merger.configurations(of: copies))
    for copy in copies {
      guard let texts = copy.localizationDictionary else { continue }
      merged.localizationDictionary = (merged.localizationDictionary ?? [:]).merging(texts) {
        first, _ in first
      }
    }
    return merged
  }

  private mutating func adoptEntities(of model: NSManagedObjectModel) -> Bool {
    for entity in model.entities {
      let name = entity.name ?? ""
      guard let known = entities[name] else {
        entities[name] = entity
        order.append(entity)
        continue
      }
      if outline(of: known) != outline(of: entity) { return false }
    }
    return true
  }

  /// What must agree for two entities to be the same.
  private func outline(of entity: NSEntityDescription) -> [String] {
    var lines = ["parent \(entity.superentity?.name ?? "")", "abstract \(entity.isAbstract)"]
    for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
      lines.append("\(property.name) \(property.isOptional) \(property.isTransient)")
      if let attribute = property as? NSAttributeDescription {
        lines.append("type \(attribute.type.rawValue)")
      } else if let relationship = property as? NSRelationshipDescription {
        lines.append("to \(relationship.destinationEntity?.name ?? "")")
        lines.append("inverse \(relationship.inverseRelationship?.name ?? "")")
        lines.append("\(relationship.minCount) \(relationship.maxCount) \(relationship.isOrdered)")
      }
    }
    return lines
  }

  /// Turns references to entities that were left out to the ones that stand for them.
  private func reconnect() {
    let children = Dictionary(grouping: order) { $0.superentity?.name }
    for entity in order {
      entity.subentities = entity.name.flatMap { children[$0] } ?? []
    }
    for entity in order {
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        reconnect(relationship)
      }
    }
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
