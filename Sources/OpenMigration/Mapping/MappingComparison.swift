internal import OpenObjectModel
internal import class OpenPredicates.NSExpression

/// Compares a mapping model with the mapping that can be inferred from two models.
struct MappingComparison {
  private let model: NSMappingModel

  init(_ model: NSMappingModel) { self.model = model }

  func isInferred(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> Bool {
    // If no mapping can be inferred, the model is not an inferred mapping.
    guard let inference = try? MappingInference(from: source, to: destination),
      inference.missingValues.isEmpty
    else { return false }
    let inferred = inference.mappings
    let given = model.entityMappings ?? []
    return given.count == inferred.count && zip(given, inferred).allSatisfy { areSame($0, $1) }
  }

  private func areSame(_ one: NSEntityMapping, _ other: NSEntityMapping) -> Bool {
    one.name == other.name && one.mappingType == other.mappingType
      && one.sourceEntityName == other.sourceEntityName
      && one.destinationEntityName == other.destinationEntityName
      && one.entityMigrationPolicyClassName == nil && one.sourceExpression == nil
      && areSame(one.attributeMappings, other.attributeMappings)
      && areSame(one.relationshipMappings, other.relationshipMappings)
  }

  private func areSame(_ some: [NSPropertyMapping]?, _ others: [NSPropertyMapping]?) -> Bool {
    let (some, others) = (some ?? [], others ?? [])
    return some.count == others.count
      && zip(some, others).allSatisfy { one, other in
        one.name == other.name && one.valueExpression == other.valueExpression
      }
  }
}
