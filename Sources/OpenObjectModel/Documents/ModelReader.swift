internal import Foundation
internal import OpenPredicates

/// Turns a model document into a model.
struct ModelReader {
  let path: String
  private(set) var entities: [String: NSEntityDescription] = [:]
  private var composites: [String: DocumentElement] = [:]
  private var order: [NSEntityDescription] = []

  private init(path: String) { self.path = path }

  /// The model in the `contents` document of an `.xcdatamodel` folder.
  static func read(_ data: Data, path: String) throws(ModelError) -> NSManagedObjectModel {
    let root = try DocumentParser.parse(data, path: path)
    guard root.name == "model" else {
      throw ModelError(
        .malformed, "The document is no model: its root element is <\(root.name)>.", path: path,
        line: root.line)
    }
    var reader = ModelReader(path: path)
    return try reader.model(root)
  }

  private mutating func model(_ root: DocumentElement) throws(ModelError) -> NSManagedObjectModel {
    let elements = root.children("entity")
    for composite in root.children("composite") {
      if let name = composite["name"] { composites[name] = composite }
    }
    for element in elements { try declare(element) }
    try checkParents(elements)
    for element in elements { try connectParent(element) }
    for element in elements { try readProperties(element) }
    for element in elements { try connectInverses(element) }
    for element in elements {
      try readConstraints(element)
      try readIndexes(element)
    }
    let model = NSManagedObjectModel()
    model.entities = order
    if let identifier = root["userDefinedModelVersionIdentifier"] {
      model.versionIdentifiers = [identifier]
    }
    try readConfigurations(root, into: model)
    return model
  }

  func error(
    _ code: ModelError.Code, _ message: String, _ element: DocumentElement,
    entity: String? = nil, property: String? = nil
  ) -> ModelError {
    ModelError(
      code, message, entityName: entity, propertyName: property, path: path, line: element.line)
  }

  // MARK: Entities

  private mutating func declare(_ element: DocumentElement) throws(ModelError) {
    guard let name = element["name"], !name.isEmpty else {
      throw error(.missingName, "An entity has no name.", element)
    }
    guard entities[name] == nil else {
      throw error(.duplicateName, "Two entities have the same name.", element, entity: name)
    }
    let entity = NSEntityDescription()
    entity.name = name
    entity.isAbstract = element.flag("isAbstract")
    if let className = element["representedClassName"], !className.isEmpty {
      entity.managedObjectClassName = className
    }
    entity.versionHashModifier = element["versionHashModifier"]
    entity.renamingIdentifier = element["elementID"] ?? element["renamingIdentifier"]
    entity.userInfo = userInfo(element)
    entities[name] = entity
    order.append(entity)
  }

  /// Finds circles before they are tied, because they would keep each other alive.
  private func checkParents(_ elements: [DocumentElement]) throws(ModelError) {
    let parents = Dictionary(
      elements.compactMap { element in
        element["name"].flatMap { name in element["parentEntity"].map { (name, $0) } }
      }, uniquingKeysWith: { first, _ in first })
    for element in elements {
      var seen: Set<String> = []
      var current = element["name"]
      while let name = current {
        guard seen.insert(name).inserted else {
          throw error(
            .cyclicParents, "The entity is its own ancestor. Break the circle of parents.",
            element, entity: element["name"])
        }
        current = parents[name]
      }
    }
  }

  private func connectParent(_ element: DocumentElement) throws(ModelError) {
    guard let name = element["name"], let parentName = element["parentEntity"],
      let entity = entities[name]
    else { return }
    guard let parent = entities[parentName] else {
      throw error(
        .unknownEntity, "The parent entity \(parentName) is not in the model.", element,
        entity: name)
    }
    parent.subentities.append(entity)
  }

  private func userInfo(_ element: DocumentElement) -> [AnyHashable: Any] {
    var userInfo: [AnyHashable: Any] = [:]
    for entry in element.children("userInfo").flatMap({ $0.children("entry") }) {
      if let key = entry["key"] { userInfo[key] = entry["value"] ?? "" }
    }
    return userInfo
  }

  // MARK: Properties

  private func readProperties(_ element: DocumentElement) throws(ModelError) {
    guard let name = element["name"], let entity = entities[name] else { return }
    var properties: [NSPropertyDescription] = []
    for child in element.children("attribute") {
      properties.append(
        try AttributeReader(path: path, entityName: name, composites: composites).attribute(child))
    }
    for child in element.children("relationship") {
      properties.append(try relationship(child, name))
    }
    for child in element.children("fetchedProperty") {
      properties.append(try fetchedProperty(child, name))
    }
    let sources = ["attribute", "relationship", "fetchedProperty"].flatMap { element.children($0) }
    for (property, child) in zip(properties, sources) {
      property.isIndexed = child.flag("indexed")
      property.isIndexedBySpotlight = child.flag("spotlightIndexingEnabled")
      property.isStoredInExternalRecord = child.flag("storedInTruthFile")
      property.versionHashModifier = child["versionHashModifier"]
      property.renamingIdentifier = child["elementID"] ?? child["renamingIdentifier"]
      property.userInfo = userInfo(child)
    }
    entity.properties = properties
  }

  private func relationship(
    _ element: DocumentElement, _ entityName: String
  ) throws(ModelError) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    guard let name = element["name"], !name.isEmpty else {
      throw error(.missingName, "A relationship has no name.", element, entity: entityName)
    }
    relationship.name = name
    relationship.isOptional = element.flag("optional")
    relationship.isTransient = element.flag("transient")
    relationship.isOrdered = element.flag("ordered")
    relationship.minCount = element["minCount"].flatMap { Int($0) } ?? 0
    relationship.maxCount =
      element["maxCount"].flatMap { Int($0) } ?? (element.flag("toMany") ? 0 : 1)
    relationship.deleteRule = deleteRule(element["deletionRule"])
    guard let destinationName = element["destinationEntity"],
      let destination = entities[destinationName]
    else {
      throw error(
        .unknownEntity,
        "The destination entity \(element["destinationEntity"] ?? "") is not in the model.",
        element, entity: entityName, property: name)
    }
    relationship.destinationEntity = destination
    return relationship
  }

  private func fetchedProperty(
    _ element: DocumentElement, _ entityName: String
  ) throws(ModelError) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    guard let name = element["name"], !name.isEmpty else {
      throw error(.missingName, "A fetched property has no name.", element, entity: entityName)
    }
    property.name = name
    property.isOptional = element.flag("optional")
    let request = element.children("fetchRequest").first
    property.fetchedEntityName = request?["entity"]
    property.fetchedPredicateFormat = request?["predicateString"]
    return property
  }

  private func deleteRule(_ name: String?) -> NSDeleteRule {
    switch name {
    case "Cascade": .cascadeDeleteRule
    case "Deny": .denyDeleteRule
    case "No Action": .noActionDeleteRule
    default: .nullifyDeleteRule
    }
  }

  private func connectInverses(_ element: DocumentElement) throws(ModelError) {
    guard let entityName = element["name"], let entity = entities[entityName] else { return }
    for child in element.children("relationship") {
      guard let name = child["name"], let inverseName = child["inverseName"],
        let relationship = entity.relationshipsByName[name]
      else { continue }
      let owner = child["inverseEntity"].flatMap { entities[$0] } ?? relationship.destinationEntity
      guard let inverse = owner?.relationshipsByName[inverseName] else {
        throw error(
          .danglingInverse, "The inverse \(inverseName) does not exist.", child,
          entity: entityName, property: name)
      }
      relationship.inverseRelationship = inverse
    }
  }
}
