internal import Foundation

/// Determines which changes affect version hashes.
struct HashChanges {
  private let pairing: ModelPairing
  /// The hashes in both models, by the new names of the entities whose hashes differ.
  private let entities: [String: (old: Data?, new: Data?)]
  /// The names of the properties whose hashes differ, by entity.
  private let properties: [String: Set<String>]

  private static let entityAspects: Set<String> = ["abstract", "parent", "hash modifier"]
  private static let propertyAspects: Set<String> = [
    "type", "external storage", "kept in history", "derivation", "elements", "destination",
    "inverse", "minimum count", "maximum count", "ordered", "optional", "transient",
    "hash modifier",
  ]

  init(_ pairing: ModelPairing, _ old: [String: Data], _ new: [String: Data]) {
    self.pairing = pairing
    var entities: [String: (old: Data?, new: Data?)] = [:]
    var properties: [String: Set<String>] = [:]
    for pair in pairing.entities.pairs {
      let name = pair.new.name ?? ""
      let hashes = (old: old[pair.old.name ?? ""], new: new[name])
      guard hashes.old != hashes.new else { continue }
      entities[name] = hashes
      properties[name] = Self.changedProperties(pairing.properties(of: pair.new))
    }
    self.entities = entities
    self.properties = properties
  }

  private static func changedProperties(
    _ pairs: ModelPairing.Pairs<NSPropertyDescription>
  ) -> Set<String> {
    let hasher = VersionHasher()
    func hash(_ property: NSPropertyDescription) -> VersionHasher.Hash? {
      property.isTransient || property is NSFetchedPropertyDescription ? nil : hasher.hash(property)
    }
    // A composite attribute's name is not part of its hash, so a renamed attribute has the same
    // hash.
    let (removed, added) = (pairs.removed.map(hash), pairs.added.map(hash))
    let alone =
      zip(pairs.removed, removed).filter { $1 != nil && !added.contains($1) }.map(\.0.name)
      + zip(pairs.added, added).filter { $1 != nil && !removed.contains($1) }.map(\.0.name)
    let changed = pairs.pairs.filter { hash($0.old) != hash($0.new) }.map(\.new.name)
    return Set(alone + changed)
  }

  /// Returns the changes that affect hashes, in their order.
  func among(_ changes: [ModelChange]) -> [ModelChange] {
    var kept = changes.filter(isShown)
    let explained = Set(kept.compactMap(\.entityName))
    for (name, hashes) in entities.sorted(by: { $0.key < $1.key })
    where !explained.contains(name) {
      kept.append(
        ModelChange(
          .changed, .entity, entity: name, aspect: "version hash",
          from: hashes.old?.base64EncodedString(), to: hashes.new?.base64EncodedString()))
    }
    return kept
  }

  private func isShown(_ change: ModelChange) -> Bool {
    let entity = change.entityName ?? ""
    switch change.subject {
    case .entity:
      return change.action != .changed
        || entities[entity] != nil && Self.entityAspects.contains(change.aspect ?? "")
    case .attribute, .relationship:
      return properties[entity]?.contains(change.name ?? "") == true
        && (change.action != .changed || Self.propertyAspects.contains(change.aspect ?? ""))
    case .uniquenessConstraint: return entities[entity] != nil
    case .model, .configuration, .fetchRequest, .fetchedProperty, .property, .fetchIndex,
      .compoundIndex:
      return false
    }
  }
}
