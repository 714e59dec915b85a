package import OpenObjectModel
package import OpenStoreContract

extension ModelTransition {
  /// Combines this transition with a following transition.
  ///
  /// - Parameter next: The transition from the destination of this transition.
  /// - Returns: The combined transition, and whether the combined transition produces the same
  ///   values as the two steps. `isFaithful` is false if the combined transition may write a
  ///   different value to a property that is new or has no value. `isFaithful` is also false if an
  ///   attribute is derived in the middle model but not in the last model, because only a store
  ///   with the middle model computes the value.
  package func followed(
    by next: ModelTransition
  ) -> (transition: ModelTransition, isFaithful: Bool) {
    var isFaithful = true
    let entities = next.entities.enumerated().map { index, step -> EntityTransition? in
      guard let step, let first = self.entities[step.sourceIndex] else { return nil }
      let middle = next.source.entities[step.sourceIndex]
      let last = next.destination.entities[index]
      let old = source.entities[first.sourceIndex]
      let properties = step.properties.enumerated().map { ordinal, between -> Int? in
        guard let between else { return nil }
        let origin = first.properties[between]
        isFaithful =
          isFaithful
          && Self.keepsValues(
            origin.map { (entity: old, property: old.properties[$0]) },
            (entity: middle, property: middle.properties[between]),
            (entity: last, property: last.properties[ordinal]))
        return origin
      }
      return EntityTransition(sourceIndex: first.sourceIndex, properties: properties)
    }
    return (
      ModelTransition(from: source, to: next.destination, entities: entities), isFaithful
    )
  }

  /// Returns whether rows without a value of a property receive the same value from the middle
  /// version and from the last version.
  private static func keepsValues(
    _ old: Member?, _ middle: Member, _ last: Member
  ) -> Bool {
    guard let given = middle.property.attribute, let final = last.property.attribute else {
      return true
    }
    // The last version keeps values that only a store of the middle version computes.
    if given.derivation != nil, final.derivation == nil { return false }
    // Rows receive the default value if the property is new, or if it, or the part of a composite
    // attribute that contains it, is now required and the row has no value.
    let optionality = middle.entity.optionality(of: middle.property)
    let isGiven =
      old.map { old in
        zip(old.entity.optionality(of: old.property), optionality).contains { $0 && !$1 }
      } ?? true
    guard isGiven else { return true }
    return given.defaultValue == final.defaultValue
      && optionality == last.entity.optionality(of: last.property)
  }

  /// A property of an entity.
  private typealias Member = (entity: CompiledEntity, property: CompiledProperty)

  /// Returns whether another transition converts rows in the same way as this transition.
  ///
  /// - Parameter other: A transition with the same source and destination model.
  package func bringsOver(theSameAs other: ModelTransition) -> Bool {
    zip(entities, other.entities).allSatisfy { one, other in
      one?.sourceIndex == other?.sourceIndex && one?.properties == other?.properties
    }
  }

  // MARK: Skipping versions

  /// Returns whether a single inferred step between two versions of a model keeps the same values
  /// as separate steps through the versions in between.
  ///
  /// If no mapping can be inferred for the single step, the result is false. A version in between
  /// may be missing, or may have no inferred mapping from the previous version or to the next
  /// version. In these cases, the result is true only if the single step loses no values at all.
  ///
  /// - Parameters:
  ///   - versions: The versions in between, in order; nil for a version that is not found.
  ///   - source: The first version.
  ///   - destination: The last version.
  package static func canSkip(
    _ versions: [NSManagedObjectModel?], from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel
  ) -> Bool {
    guard let direct = inferred(source, destination) else { return false }
    guard let steps = combined([source] + versions + [destination]) else {
      return ModelLosses(from: source, to: destination).names.isEmpty
    }
    return steps.isFaithful && direct.bringsOver(theSameAs: steps.transition)
  }

  /// Returns the combination of the inferred transitions between consecutive versions, or nil if a
  /// version or a transition is missing.
  private static func combined(
    _ versions: [NSManagedObjectModel?]
  ) -> (transition: ModelTransition, isFaithful: Bool)? {
    var all: (transition: ModelTransition, isFaithful: Bool)?
    for (source, destination) in zip(versions, versions.dropFirst()) {
      guard let source, let destination, let step = inferred(source, destination) else {
        return nil
      }
      guard let past = all else {
        all = (transition: step, isFaithful: true)
        continue
      }
      let next = past.transition.followed(by: step)
      all = (transition: next.transition, isFaithful: past.isFaithful && next.isFaithful)
    }
    return all
  }

  /// Returns the inferred transition between two versions, or nil if there is none.
  private static func inferred(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) -> ModelTransition? {
    guard let old = try? source.compiled(), let new = try? destination.compiled() else {
      return nil
    }
    return try? inferred(from: old, to: new)
  }
}
