internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import class OpenPredicates.NSExpression

/// Infers the mapping between two models from names and renaming identifiers, or finds the changes
/// that prevent the inference.
struct MappingInference {
  /// A source entity and the destination entity that it became, with their properties.
  struct EntityMatch {
    var source: NSEntityDescription
    var destination: NSEntityDescription
    var properties: [(source: NSPropertyDescription, destination: NSPropertyDescription)]
  }

  private let entities: NamedMatch<NSEntityDescription>
  /// The mappings, one for each entity of both models.
  private(set) var mappings: [NSEntityMapping] = []
  /// The entities that exist in both models.
  private(set) var matches: [EntityMatch] = []
  /// The source entities, by destination entity.
  private var sources: [ObjectIdentifier: NSEntityDescription] = [:]
  /// The destination entities, by source entity.
  private var destinations: [ObjectIdentifier: NSEntityDescription] = [:]
  private var problems: [InferenceProblem] = []
  /// The changes that would leave existing objects without a value for a required property, sorted
  /// by entity name and property name.
  var missingValues: [InferenceProblem] { problems }

  /// Infers the mappings of entities.
  ///
  /// - Throws: `InferenceError` with every change that prevents the inference, if a change other
  ///   than a missing value for a required property prevents it.
  init(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws(InferenceError) {
    entities = NamedMatch(
      source.entities, destination.entities, name: \.knownName,
      identifier: { $0.renamingIdentifier ?? $0.knownName })
    for pair in entities.pairs {
      sources[ObjectIdentifier(pair.destination)] = pair.source
      destinations[ObjectIdentifier(pair.source)] = pair.destination
    }
    checkEntities()
    mappings = makeMappings(in: destination)
    problems.sort {
      ($0.entityName, $0.propertyName ?? "") < ($1.entityName, $1.propertyName ?? "")
    }
    if !problems.allSatisfy(\.isMissingValue) { throw InferenceError(problems: problems) }
  }

  /// Throws an `InferenceError` if existing objects would have no value for a required property.
  func requireValues() throws(InferenceError) {
    if !missingValues.isEmpty { throw InferenceError(problems: missingValues) }
  }

  private mutating func note(
    _ code: InferenceProblem.Code, _ entity: NSEntityDescription, _ property: String? = nil,
    _ change: String, _ advice: String
  ) {
    problems.append(InferenceProblem(code, entity.knownName, property, change, advice))
  }

  // MARK: Entities

  private mutating func checkEntities() {
    for rival in entities.rivals {
      note(
        .ambiguousSource, rival, nil, "Another entity has the same renaming identifier.",
        "Assign the identifier to only one of them.")
    }
    for pair in entities.pairs where pair.destination.isAbstract && !pair.source.isAbstract {
      note(
        .abstractEntity, pair.destination, nil, "It is now abstract, but may have objects.",
        "Move its objects to another entity with a mapping model.")
    }
    let trees = Dictionary(grouping: entities.pairs) { ObjectIdentifier($0.destination.root) }
    for pairs in trees.values {
      let roots = Set(pairs.map { ObjectIdentifier($0.source.root) })
      guard roots.count > 1, let root = pairs.first?.destination.root else { continue }
      let names = Set(pairs.map(\.source.root.knownName)).sorted().joined(separator: ", ")
      note(
        .mergedHierarchies, root, nil,
        "Entities of this hierarchy had different root entities: \(names).",
        "Keep them in separate hierarchies, or move the objects with a mapping model.")
    }
  }

  private mutating func makeMappings(in model: NSManagedObjectModel) -> [NSEntityMapping] {
    var mappings: [NSEntityMapping] = model.entities.map { entity in
      if let source = sources[ObjectIdentifier(entity)] { return mapping(from: source, to: entity) }
      let mapping = NSEntityMapping()
      mapping.name = "IEM_Add_\(entity.knownName)"
      mapping.mappingType = .addEntityMappingType
      mapping.destinationEntityName = entity.name
      mapping.destinationEntityVersionHash = entity.versionHash
      return mapping
    }
    for entity in entities.removed {
      let mapping = NSEntityMapping()
      mapping.name = "IEM_Remove_\(entity.knownName)"
      mapping.mappingType = .removeEntityMappingType
      mapping.sourceEntityName = entity.name
      mapping.sourceEntityVersionHash = entity.versionHash
      mappings.append(mapping)
    }
    return mappings
  }

  private mutating func mapping(
    from source: NSEntityDescription, to destination: NSEntityDescription
  ) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    let isCopy = source.versionHash == destination.versionHash && source.name == destination.name
    mapping.name = "IEM_\(isCopy ? "Copy" : "Transform")_\(destination.knownName)"
    mapping.mappingType = isCopy ? .copyEntityMappingType : .transformEntityMappingType
    mapping.sourceEntityName = source.name
    mapping.sourceEntityVersionHash = source.versionHash
    mapping.destinationEntityName = destination.name
    mapping.destinationEntityVersionHash = destination.versionHash
    let properties = NamedMatch(
      source.storedProperties, destination.storedProperties, name: \.name,
      identifier: { $0.renamingIdentifier ?? $0.name }, fits: Self.haveSameType)
    for rival in properties.rivals {
      note(
        .ambiguousSource, destination, rival.name,
        "Another property has the same renaming identifier.",
        "Assign the identifier to only one of them.")
    }
    matches.append(
      EntityMatch(source: source, destination: destination, properties: properties.pairs))
    for property in properties.added { checkAdded(property, destination) }
    var attributes: [NSPropertyMapping] = []
    var relationships: [NSPropertyMapping] = []
    for pair in properties.pairs {
      switch (pair.source, pair.destination) {
      case (let old as NSAttributeDescription, let new as NSAttributeDescription):
        check(old, new, destination)
        attributes.append(NSPropertyMapping(new.name, .attribute(named: old.name)))
      case (let old as NSRelationshipDescription, let new as NSRelationshipDescription):
        check(old, new, destination)
        relationships.append(NSPropertyMapping(new.name, .relationship(named: old.name)))
      default:
        note(
          .kind, destination, pair.destination.name,
          "An attribute cannot be converted to a relationship, or a relationship to an attribute.",
          "Rename one of them, or convert the values with a mapping model.")
      }
    }
    mapping.attributeMappings = attributes.sorted { ($0.name ?? "") < ($1.name ?? "") }
    mapping.relationshipMappings = relationships.sorted { ($0.name ?? "") < ($1.name ?? "") }
    mapping.userInfo = [
      "mappedProperties": Set(properties.pairs.map(\.destination.name)),
      "addedProperties": Set(properties.added.map(\.name)),
      "removedProperties": Set(properties.removed.map(\.name)),
    ]
    return mapping
  }

  // MARK: Properties

  /// Returns whether two properties are attributes of one type, or relationships.
  private static func haveSameType(
    _ old: NSPropertyDescription, _ new: NSPropertyDescription
  ) -> Bool {
    (old as? NSAttributeDescription)?.type == (new as? NSAttributeDescription)?.type
  }

  private mutating func checkAdded(
    _ property: NSPropertyDescription, _ entity: NSEntityDescription
  ) {
    if property.isOptional { return }
    if let attribute = property as? NSAttributeDescription {
      guard attribute.needsValue else { return }
      note(
        .addedRequiredAttribute, entity, attribute.name,
        "The attribute is new and required, but has no default value.",
        "Add a default value, or make the attribute optional.")
    } else if let relationship = property as? NSRelationshipDescription {
      guard !relationship.isToMany || relationship.minCount > 0 else { return }
      note(
        .addedRequiredRelationship, entity, relationship.name,
        "The relationship is new and required.",
        "Make the relationship optional, or set it with a mapping model.")
    }
  }

  private mutating func check(
    _ old: NSAttributeDescription, _ new: NSAttributeDescription, _ entity: NSEntityDescription
  ) {
    if old.type != new.type {
      return note(
        .attributeType, entity, new.name,
        "The type of the attribute changed from \(old.type.title) to \(new.type.title).",
        "Convert the values with a mapping model, or replace the attribute with one that has another name."
      )
    }
    checkElements(old, new, entity)
    guard old.isOptional, !new.isOptional, new.needsValue else { return }
    note(
      .requiredAttribute, entity, new.name, "It is no longer optional, but has no default value.",
      "Add a default value, or keep the attribute optional.")
  }

  private mutating func checkElements(
    _ old: NSAttributeDescription, _ new: NSAttributeDescription, _ entity: NSEntityDescription
  ) {
    for pair in ElementMatch(old, new).pairs {
      let (source, destination) = (pair.source.attribute.type, pair.destination.attribute.type)
      if source == destination { continue }
      note(
        .compositeElements, entity, pair.destination.path,
        "The type of the element changed from \(source.title) to \(destination.title).",
        "Convert the values with a mapping model, or add an element with another name.")
    }
  }

  private mutating func check(
    _ old: NSRelationshipDescription, _ new: NSRelationshipDescription,
    _ entity: NSEntityDescription
  ) {
    if old.isToMany, !new.isToMany {
      note(
        .toManyToOne, entity, new.name, "It changed from to-many to to-one.",
        "Choose the destination with a mapping model.")
    }
    if let target = old.destinationEntity, let wanted = new.destinationEntity,
      !leads(target, to: wanted)
    {
      note(
        .destination, entity, new.name,
        "Its destination changed from \(target.knownName) to \(wanted.knownName).",
        "Set the destinations with a mapping model.")
    }
    guard old.isOptional, !new.isOptional, !new.isToMany || new.minCount > 0 else { return }
    note(
      .requiredRelationship, entity, new.name, "It is no longer optional.",
      "Keep it optional, or set it with a mapping model.")
  }

  /// Returns whether all objects of a source entity, and of its remaining subentities, become
  /// objects of a destination entity.
  private func leads(_ source: NSEntityDescription, to wanted: NSEntityDescription) -> Bool {
    source.withDescendants.allSatisfy { entity in
      guard let destination = destinations[ObjectIdentifier(entity)] else { return true }
      return destination.isKindOf(entity: wanted)
    }
  }
}

extension NSEntityDescription {
  fileprivate var knownName: String { name ?? "" }

  fileprivate var root: NSEntityDescription {
    var entity = self
    while let parent = entity.superentity { entity = parent }
    return entity
  }

  fileprivate var withDescendants: [NSEntityDescription] {
    [self] + subentities.flatMap(\.withDescendants)
  }

  /// The stored attributes and relationships by name, including inherited ones.
  fileprivate var storedProperties: [NSPropertyDescription] {
    propertiesByName.values
      .filter {
        !$0.isTransient && ($0 is NSAttributeDescription || $0 is NSRelationshipDescription)
      }
      .sorted { $0.name < $1.name }
  }
}

extension NSAttributeDescription {
  /// Whether existing objects would have no value, because there is no default value and no
  /// derivation.
  fileprivate var needsValue: Bool {
    defaultValue == nil && !(self is NSDerivedAttributeDescription)
      && !(self is NSCompositeAttributeDescription)
  }
}

extension NSAttributeDescription.AttributeType {
  fileprivate var title: String {
    let titles: [NSAttributeDescription.AttributeType: String] = [
      .undefined: "undefined", .integer16: "Integer 16", .integer32: "Integer 32",
      .integer64: "Integer 64", .decimal: "Decimal", .double: "Double", .float: "Float",
      .string: "String", .boolean: "Boolean", .date: "Date", .binaryData: "Binary Data",
      .uuid: "UUID", .uri: "URI", .transformable: "Transformable", .objectID: "Object ID",
      .composite: "Composite",
    ]
    return titles[self] ?? "\(rawValue)"
  }
}

extension NSExpression {
  /// Returns the expression for the value of a source attribute.
  fileprivate static func attribute(named name: String) -> NSExpression {
    NSExpression(
      forFunction: NSExpression(forVariable: "source"), selectorName: "valueForKey:",
      arguments: [NSExpression(forConstantValue: name)])
  }

  /// Returns the expression for the migrated destinations of a source relationship.
  fileprivate static func relationship(named name: String) -> NSExpression {
    NSExpression(
      forFunction: NSExpression(forVariable: "manager"),
      selectorName: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
      arguments: [NSExpression(forConstantValue: name), .attribute(named: name)])
  }
}
