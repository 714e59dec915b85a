internal import Foundation
internal import OpenPredicates

/// Compares models and descriptions by their contents.
///
/// Related descriptions are compared only by name, so that the comparison ends: the superentity of
/// an entity, and the destination and the inverse of a relationship.
enum DescriptionEquality {
  private static var facts: DescriptionFacts {
    DescriptionFacts(entityName: { $0?.name }, propertyName: { $0?.name })
  }

  /// Returns whether two models have equal entities, configurations, fetch request templates and
  /// version identifiers.
  static func areEqual(_ one: NSManagedObjectModel, _ other: NSManagedObjectModel) -> Bool {
    guard one.entities.count == other.entities.count,
      one.versionIdentifiers == other.versionIdentifiers,
      configurations(of: one) == configurations(of: other),
      templates(of: one) == templates(of: other)
    else { return false }
    return one.entitiesByName == other.entitiesByName
  }

  private static func configurations(of model: NSManagedObjectModel) -> [String: Set<String>] {
    model.allConfigurations.mapValues { Set($0.compactMap(\.name)) }
  }

  private static func templates(of model: NSManagedObjectModel) -> [String: String] {
    let facts = Self.facts
    return model.fetchTemplates.mapValues { facts.text($0) ?? "" }
  }

  /// Returns whether two entities have the same facts, and equal properties, indexes and
  /// constraints.
  static func areEqual(_ one: NSEntityDescription, _ other: NSEntityDescription) -> Bool {
    guard one.name == other.name, one.renamingIdentifier == other.renamingIdentifier,
      areSame(facts.facts(one), facts.facts(other)),
      Set(one.constraintNames) == Set(other.constraintNames),
      Set(one.names(in: one.compoundIndexes)) == Set(other.names(in: other.compoundIndexes)),
      indexes(of: one) == indexes(of: other)
    else { return false }
    return properties(of: one) == properties(of: other)
  }

  private static func properties(
    of entity: NSEntityDescription
  ) -> [String: NSPropertyDescription] {
    Dictionary(entity.ownProperties.map { ($0.name, $0) }) { first, _ in first }
  }

  private static func indexes(of entity: NSEntityDescription) -> [String: [String?]] {
    let facts = Self.facts
    return Dictionary(entity.indexes.map { ($0.name, facts.facts($0).map(\.value)) }) { first, _ in
      first
    }
  }

  /// Returns whether two properties have the same facts and the same default value.
  static func areEqual(_ one: NSPropertyDescription, _ other: NSPropertyDescription) -> Bool {
    guard one.name == other.name, one.renamingIdentifier == other.renamingIdentifier,
      areSame(facts.facts(one), facts.facts(other)), filter(of: one) == filter(of: other)
    else { return false }
    return haveEqualDefaults(one as? NSAttributeDescription, other as? NSAttributeDescription)
  }

  private static func areSame(
    _ one: [DescriptionFacts.Fact], _ other: [DescriptionFacts.Fact]
  ) -> Bool {
    one.elementsEqual(other) { $0.aspect == $1.aspect && $0.value == $1.value }
  }

  /// Compares default values whose facts contain only a size or a class.
  private static func haveEqualDefaults(
    _ one: NSAttributeDescription?, _ other: NSAttributeDescription?
  ) -> Bool {
    guard let one, let other, let value = one.defaultValue, let otherValue = other.defaultValue
    else { return true }
    if one.valueType == .transformable { return one.convertedDefault == other.convertedDefault }
    switch (Value(any: value), Value(any: otherValue)) {
    case (.data(let data)?, .data(let otherData)?): return data == otherData
    case (nil, nil): return value as? AnyHashable == otherValue as? AnyHashable
    default: return true
    }
  }

  private static func filter(of property: NSPropertyDescription) -> String? {
    (property as? NSDerivedAttributeDescription)?.filteringPredicate?.canonicalFormat
  }
}
