import Foundation
import OpenObjectModel
import OpenPredicates

/// All facts of a model as lines of text; equal models have equal lines.
enum ModelDump {
  static func lines(_ model: NSManagedObjectModel) -> [String] {
    var lines = ["versions \(texts(model.versionIdentifiers))"]
    for name in model.configurations {
      let members = model.entities(forConfigurationName: name) ?? []
      lines.append("configuration \(name) \(members.compactMap(\.name).sorted())")
    }
    for (name, template) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
      lines.append("template \(name) \(FetchDump.text(template))")
    }
    for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
      lines += self.lines(entity)
    }
    return lines
  }

  private static func lines(_ entity: NSEntityDescription) -> [String] {
    let name = entity.name ?? "?"
    var lines = [
      "entity \(name) : \(entity.superentity?.name ?? "-") class \(entity.managedObjectClassName ?? "")",
      "\(name) abstract \(entity.isAbstract) renamed \(entity.renamingIdentifier ?? "-")",
      "\(name) modifier \(entity.versionHashModifier ?? "-") info \(dictionary(entity.userInfo))",
      "\(name) children \(entity.subentities.compactMap(\.name).sorted())",
      "\(name) unique \(entity.uniquenessConstraints) compound \(entity.compoundIndexes)",
    ]
    let inherited = Set(entity.superentity?.properties.map(\.name) ?? [])
    for property in entity.properties.sorted(by: { $0.name < $1.name })
    where !inherited.contains(property.name) {
      lines += self.lines(property, "\(name).\(property.name)")
    }
    for index in entity.indexes { lines += self.lines(index, name) }
    return lines
  }

  private static func lines(_ property: NSPropertyDescription, _ path: String) -> [String] {
    let predicates = property.validationPredicates.map(\.canonicalFormat)
    return [
      "\(path) \(type(of: property)) optional \(property.isOptional) transient \(property.isTransient)",
      "\(path) renamed \(property.renamingIdentifier ?? "-") modifier \(property.versionHashModifier ?? "-")",
      "\(path) indexed \(property.isIndexed) spotlight \(property.isIndexedBySpotlight)",
      "\(path) info \(dictionary(property.userInfo))",
      "\(path) conditions \(predicates) warnings \(property.validationWarnings.map { text($0) })",
    ] + kindLines(property, path)
  }

  private static func kindLines(_ property: NSPropertyDescription, _ path: String) -> [String] {
    switch property {
    case let attribute as NSAttributeDescription: lines(attribute, path)
    case let relationship as NSRelationshipDescription:
      [
        "\(path) to \(relationship.destinationEntity?.name ?? "-") inverse \(relationship.inverseRelationship?.name ?? "-")",
        "\(path) count \(relationship.minCount) \(relationship.maxCount) rule \(relationship.deleteRule)",
        "\(path) ordered \(relationship.isOrdered)",
      ]
    case let fetched as NSFetchedPropertyDescription: FetchDump.lines(fetched, path)
    default: []
    }
  }

  private static func lines(_ attribute: NSAttributeDescription, _ path: String) -> [String] {
    var lines = [
      "\(path) type \(attribute.type.rawValue) class \(attribute.attributeValueClassName ?? "-")",
      "\(path) default \(text(attribute.defaultValue)) transformer \(attribute.valueTransformerName ?? "-")",
      "\(path) external \(attribute.allowsExternalBinaryDataStorage) kept \(attribute.preservesValueInHistoryOnDeletion) encrypted \(attribute.allowsCloudEncryption)",
    ]
    if let derived = attribute as? NSDerivedAttributeDescription {
      lines.append("\(path) derived \(FetchDump.text(derived))")
    }
    for element in (attribute as? NSCompositeAttributeDescription)?.elements ?? [] {
      lines += self.lines(element as NSPropertyDescription, "\(path).\(element.name)")
    }
    return lines
  }

  private static func lines(_ index: NSFetchIndexDescription, _ entityName: String) -> [String] {
    let condition = index.partialIndexPredicate?.canonicalFormat ?? "-"
    return ["\(entityName) index \(index.name) of \(index.elements.count) where \(condition)"]
      + index.elements.map { element in
        "\(entityName) index \(index.name) \(element.propertyName ?? "-") \(element.collationType) \(element.isAscending) \(FetchDump.text(element))"
      }
  }

  /// A value with its kind; collections sorted.
  static func text(_ any: Any?) -> String {
    guard let any else { return "-" }
    if let dictionary = any as? [AnyHashable: Any] { return self.dictionary(dictionary) }
    if let set = any as? NSSet { return "set \(set.allObjects.map { text($0) }.sorted())" }
    if let value = Value(any: any) { return "\(value)" }
    return "\(type(of: any))"
  }

  private static func dictionary(_ dictionary: [AnyHashable: Any]?) -> String {
    (dictionary ?? [:]).map { "\($0.key) = \(text($0.value))" }.sorted().joined(separator: ", ")
  }

  private static func texts(_ set: Set<AnyHashable>) -> [String] { set.map { "\($0)" }.sorted() }
}
