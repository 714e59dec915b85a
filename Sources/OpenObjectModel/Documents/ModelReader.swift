internal import Foundation
internal import OpenPredicates

/// Converts a model document to a model.
struct ModelReader {
  let path: String
  private(set) var entities: [String: NSEntityDescription] = [:]
  private var composites: [String: DocumentElement] = [:]
  private var order: [NSEntityDescription] = []
  /// The entities' own properties, by the names of entity and property.
  private var properties: [String: [String: NSPropertyDescription]] = [:]

  private init(path: String) { self.path = path }

  /// Reads the model in the `contents` document of an `.xcdatamodel` folder.
  static func read(_ data: Data, path: String) throws(ModelError) -> NSManagedObjectModel {
    let root = try DocumentParser.parse(data, path: path)
    guard root.name == "model" else {
      throw ModelError(
        .malformed, "The document is not a model: its root element is <\(root.name)>.", path: path,
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
    try CompositeSizes.check(elements, composites, path: path)
    for element in elements { try declare(element) }
    try checkParents(elements)
    for element in elements { try readProperties(element) }
    try connectParents(elements)
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
    try readTemplates(root, into: model)
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
    entity.renamingIdentifier = element.renamingIdentifier
    entity.userInfo = element.userInfo
    entities[name] = entity
    order.append(entity)
  }

  /// Detects cycles before connecting parents, because connected cycles would never be deallocated;
  /// also rejects excessive depth.
  private func checkParents(_ elements: [DocumentElement]) throws(ModelError) {
    let parents = Dictionary(
      elements.compactMap { element in
        element["name"].flatMap { name in element["parentEntity"].map { (name, $0) } }
      }, uniquingKeysWith: { first, _ in first })
    var depths = InheritanceDepths(parents: parents)
    for element in elements {
      guard let name = element["name"], let problem = depths.problem(of: name) else { continue }
      switch problem {
      case .cycle:
        throw error(
          .cyclicParents, "The entity is its own ancestor. Remove the cycle of parent entities.",
          element, entity: name)
      case .excess:
        throw error(
          .malformed, "The entity has more than \(InheritanceDepths.limit) ancestors.", element,
          entity: name)
      }
    }
  }

  private func connectParents(_ elements: [DocumentElement]) throws(ModelError) {
    var children: [String: [NSEntityDescription]] = [:]
    for element in elements {
      guard let name = element["name"], let parentName = element["parentEntity"],
        let entity = entities[name]
      else { continue }
      guard entities[parentName] != nil else {
        throw error(
          .unknownEntity, "The parent entity \(parentName) is not in the model.", element,
          entity: name)
      }
      children[parentName, default: []].append(entity)
    }
    for (name, children) in children { entities[name]?.subentities = children }
  }

  // MARK: Properties

  /// Returns an own or inherited property of an entity.
  func property(_ name: String, of entity: NSEntityDescription) -> NSPropertyDescription? {
    var current: NSEntityDescription? = entity
    while let candidate = current {
      if let property = properties[candidate.name ?? ""]?[name] { return property }
      current = candidate.superentity
    }
    return nil
  }

  private mutating func readProperties(_ element: DocumentElement) throws(ModelError) {
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
    let sources = ["relationship", "fetchedProperty"].flatMap { element.children($0) }
    for (property, child) in zip(properties.suffix(sources.count), sources) {
      child.readCommon(into: property)
    }
    entity.properties = properties
    self.properties[name] = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
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
    relationship.minCount = try count(element, "minCount", entity: entityName) ?? 0
    relationship.maxCount =
      try count(element, "maxCount", entity: entityName) ?? (element.flag("toMany") ? 0 : 1)
    relationship.deleteRule = try deleteRule(element, entityName)
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

  private func deleteRule(
    _ element: DocumentElement, _ entityName: String
  ) throws(ModelError) -> NSDeleteRule {
    switch element["deletionRule"] {
    case "Cascade": return .cascadeDeleteRule
    case "Deny": return .denyDeleteRule
    case "No Action": return .noActionDeleteRule
    case nil, "", "Nullify": return .nullifyDeleteRule
    default:
      throw error(
        .malformed, "The delete rule does not exist. Choose Nullify, Cascade, Deny or No Action.",
        element, entity: entityName, property: element["name"])
    }
  }

  /// Returns the integer in an XML attribute; nil if the attribute is absent.
  func count(
    _ element: DocumentElement, _ key: String, entity: String?
  ) throws(ModelError) -> Int? {
    guard let text = element[key], !text.isEmpty else { return nil }
    guard let count = Int(text) else {
      throw error(
        .malformed, "The value of \(key) is not a whole number. Correct it in the model editor.",
        element, entity: entity, property: element["name"])
    }
    return count
  }

  private func connectInverses(_ element: DocumentElement) throws(ModelError) {
    guard let entityName = element["name"], let entity = entities[entityName] else { return }
    for child in element.children("relationship") {
      guard let name = child["name"], let inverseName = child["inverseName"],
        let relationship = property(name, of: entity) as? NSRelationshipDescription
      else { continue }
      let owner = child["inverseEntity"].flatMap { entities[$0] } ?? relationship.destinationEntity
      guard
        let inverse = owner.flatMap({ property(inverseName, of: $0) }) as? NSRelationshipDescription
      else {
        throw error(
          .danglingInverse, "The inverse \(inverseName) does not exist.", child,
          entity: entityName, property: name)
      }
      relationship.inverseRelationship = inverse
    }
  }
}
