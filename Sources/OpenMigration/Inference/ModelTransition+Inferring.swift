package import OpenObjectModel
package import OpenStoreContract

extension ModelTransition {
  /// Infers from names and renaming identifiers how rows of one model become rows of another model.
  ///
  /// - Parameters:
  ///   - source: The model of the existing rows.
  ///   - destination: The model of the migrated rows.
  /// - Returns: The transition of the rows.
  /// - Throws: `InferenceError` with every change that prevents the inference.
  package static func inferred(
    from source: CompiledModel, to destination: CompiledModel
  ) throws(InferenceError) -> ModelTransition {
    let inference = try MappingInference(
      from: source.descriptions, to: destination.descriptions)
    try inference.requireValues()
    return ModelTransition(inference, from: source, to: destination)
  }

  /// Infers a transition, even if migrated rows may have no value for a required property.
  ///
  /// A migration with the transition fails if a row has no value for a required property.
  ///
  /// - Parameters:
  ///   - source: The model of the existing rows.
  ///   - destination: The model of the migrated rows.
  /// - Returns: The transition of the rows.
  /// - Throws: `InferenceError` if a change other than a missing required value prevents the
  ///   inference. The error then also lists the missing required values.
  package static func ofMigration(
    from source: CompiledModel, to destination: CompiledModel
  ) throws(InferenceError) -> ModelTransition {
    ModelTransition(
      try MappingInference(from: source.descriptions, to: destination.descriptions), from: source,
      to: destination)
  }

  /// Creates the transition for an inference. If existing rows have no value for a required
  /// property, the migration fails.
  init(_ inference: MappingInference, from source: CompiledModel, to destination: CompiledModel) {
    var entities: [EntityTransition?] = Array(repeating: nil, count: destination.entities.count)
    for match in inference.matches {
      guard let from = source.entity(named: match.source.name ?? ""),
        let to = destination.entity(named: match.destination.name ?? "")
      else { continue }
      let required = inference.missingValues.filter { $0.entityName == to.name }
        .compactMap { to.ordinal(of: $0.propertyName ?? "") }
      entities[to.index] = EntityTransition(
        sourceIndex: from.index, properties: Self.properties(from, to, match),
        requiredProperties: required)
    }
    self.init(from: source, to: destination, entities: entities)
  }

  private static func properties(
    _ source: CompiledEntity, _ destination: CompiledEntity, _ match: MappingInference.EntityMatch
  ) -> [Int?] {
    var ordinals: [Int?] = Array(repeating: nil, count: destination.properties.count)
    func join(_ old: String, _ new: String) {
      guard let from = source.ordinal(of: old), let to = destination.ordinal(of: new) else {
        return
      }
      ordinals[to] = from
    }
    for pair in match.properties where !(pair.destination is NSDerivedAttributeDescription) {
      join(pair.source.name, pair.destination.name)
      for element in ElementMatch(pair.source, pair.destination).pairs {
        join(element.source.path, element.destination.path)
      }
    }
    return ordinals
  }
}
