import OpenObjectModel
import OpenStoreContract

/// Finds the derived attributes whose values remain correct in a migration.
struct DerivationMatch {
  private let origins: RelationshipOrigins
  /// The number of further derived attributes that are compared in a chain, which ends a cycle.
  private let remaining: Int

  init(_ origins: RelationshipOrigins, remaining: Int = Derivation.longestPath) {
    self.origins = origins
    self.remaining = remaining
  }

  /// Returns the source column of a derived attribute whose derivation and underlying properties
  /// are unchanged; nil if the values must be computed.
  func source(
    of property: CompiledProperty, _ entity: CompiledEntity, _ source: CompiledEntity
  ) -> String? {
    guard let old = source.ordinal(of: property.name).map({ source.properties[$0] }),
      let attribute = property.attribute, let slot = old.slot, let now = attribute.derivation,
      now == old.attribute?.derivation, attribute.type == old.attribute?.type,
      isSame(now, in: entity.index)
    else { return nil }
    return origins.source.entities[source.index].columns[slot].name
  }

  /// Returns whether every property in a derivation comes from a source property with the same
  /// name.
  private func isSame(_ derivation: Derivation, in index: Int) -> Bool {
    switch derivation {
    case .now: true
    case .value(let steps), .text(_, let steps): isSame(steps[...], in: index)
    case .count(let name): isSame([name], in: index)
    case .sum(let name, let attribute): isSame([name, attribute], in: index)
    }
  }

  private func isSame(_ steps: ArraySlice<String>, in index: Int) -> Bool {
    let entity = origins.transition.destination.entities[index]
    // A path to an element of a composite attribute ends with several steps.
    if let ordinal = entity.ordinal(of: steps.joined(separator: ".")) {
      return isUnchanged(entity.properties[ordinal])
    }
    guard let step = steps.first, let ordinal = entity.ordinal(of: step),
      let relationship = entity.properties[ordinal].relationship
    else { return false }
    return isUnchanged(entity.properties[ordinal])
      && isSame(steps.dropFirst(), in: relationship.destinationIndex)
  }

  /// Returns whether the rows of every entity with a property keep their values.
  private func isUnchanged(_ property: CompiledProperty) -> Bool {
    let destination = origins.transition.destination
    for index in destination.entities[property.declaringEntityIndex].subtree {
      guard let source = origins.entity(of: index) else { continue }
      guard let origin = origins.property(property.ordinal, in: index),
        origin.name == property.name,
        // If a part of a composite attribute is now required, its elements receive default values.
        source.optionality(of: origin) == destination.entities[index].optionality(of: property),
        origin.relationship?.isToMany == property.relationship?.isToMany,
        // A trigger copies the tag of an external value.
        origin.attribute?.allowsExternalStorage == property.attribute?.allowsExternalStorage,
        property.attribute?.derivation == nil
          || keepsDerivation(of: property, destination.entities[index], source)
      else { return false }
    }
    return !origins.mayDangle(property) && origins.keepsPairs(of: property)
  }

  /// Returns whether the values of another derived attribute remain correct.
  private func keepsDerivation(
    of property: CompiledProperty, _ entity: CompiledEntity, _ source: CompiledEntity
  ) -> Bool {
    guard remaining > 0 else { return false }
    return DerivationMatch(origins, remaining: remaining - 1).source(of: property, entity, source)
      != nil
  }
}
