internal import Foundation

/// Converts an archived model to a model.
///
/// References may be circular, so the reader creates all entities first and then connects them by
/// name.
struct ModelArchiveReader {
  /// An entity and its archived object.
  private struct Entry {
    let name: String
    let entity: NSEntityDescription
    let object: ArchivedObject
  }

  private var entries: [Entry] = []
  private(set) var entities: [String: NSEntityDescription] = [:]
  /// The archived properties, by the names of entity and property.
  private var archivedProperties: [String: [String: ArchivedObject]] = [:]
  var properties = PropertyArchiveReader()

  /// Reads the model.
  ///
  /// - Throws: `ModelError` with the names of the entity and the property.
  mutating func model(_ root: ArchivedObject) throws(ModelError) -> NSManagedObjectModel {
    guard root.isKind(of: "NSManagedObjectModel") else {
      throw .damaged("it contains an object of class \(root.className) instead of a model")
    }
    for entry in try root.entries("NSEntities") ?? [] { try declare(entry.value) }
    entries.sort { $0.name < $1.name }
    try connectParents()
    for entry in entries { try collectProperties(entry) }
    for entry in entries { try readProperties(entry) }
    for entry in entries { try connectRelationships(entry) }
    for entry in entries { try readIndexes(entry.object, into: entry.entity) }
    let model = NSManagedObjectModel()
    model.entities = entries.map(\.entity)
    for value in try root.members("NSVersionIdentifiers") ?? [] {
      if let identifier = try value.text() { model.versionIdentifiers.insert(identifier) }
    }
    try readConfigurations(root, into: model)
    try readTemplates(root, into: model)
    return model
  }

  // MARK: Entities

  private mutating func declare(_ value: ArchivedValue) throws(ModelError) {
    guard let object = value.object, object.isKind(of: "NSEntityDescription") else {
      throw .damaged("its list of entities contains an object of another class")
    }
    guard let name = try object.string("NSEntityName"), !name.isEmpty else {
      throw ModelError(.missingName, "An entity of the compiled model has no name.")
    }
    guard entities[name] == nil else {
      throw ModelError(
        .duplicateName, "Two entities of the compiled model have the same name.",
        entityName: name)
    }
    let entity = NSEntityDescription()
    entity.name = name
    entity.isAbstract = try object.flag("NSIsAbstract")
    if let className = try object.string("NSClassNameForEntity") {
      entity.managedObjectClassName = className
    }
    entity.versionHashModifier = try object.string("NSVersionHashModifier")
    let renaming = try object.string("NSRenamingIdentifier")
    if renaming != name { entity.renamingIdentifier = renaming }
    entity.userInfo = try properties.userInfo(of: object)
    entities[name] = entity
    entries.append(Entry(name: name, entity: entity, object: object))
  }

  /// Detects cycles before connecting parents, because connected cycles would never be deallocated;
  /// also rejects excessive depth.
  private func connectParents() throws(ModelError) {
    var parents: [String: String] = [:]
    for entry in entries {
      guard let parent = try entry.object.object("NSSuperentity", of: "NSEntityDescription"),
        let name = try parent.string("NSEntityName")
      else { continue }
      guard entities[name] != nil else {
        throw ModelError(
          .unknownEntity, "The parent entity \(name) is not in the compiled model.",
          entityName: entry.name)
      }
      parents[entry.name] = name
    }
    try checkDepths(parents)
    for (parent, children) in Dictionary(grouping: entries, by: { parents[$0.name] }) {
      guard let parent else { continue }
      entities[parent]?.subentities = children.map(\.entity)
    }
  }

  private func checkDepths(_ parents: [String: String]) throws(ModelError) {
    var depths = InheritanceDepths(parents: parents)
    for entry in entries {
      guard let problem = depths.problem(of: entry.name) else { continue }
      switch problem {
      case .cycle(let name):
        throw ModelError(
          .cyclicParents, "An entity of the compiled model is its own ancestor.", entityName: name)
      case .excess:
        throw ModelError(
          .malformed,
          "An entity of the model has more than \(InheritanceDepths.limit) ancestors.",
          entityName: entry.name)
      }
    }
  }

  // MARK: Properties

  /// Reads an entity's own properties; copies of inherited properties and their proxies are
  /// omitted.
  private mutating func readProperties(_ entry: Entry) throws(ModelError) {
    var inherited: Set<String> = []
    var ancestor = entry.entity.superentity?.name
    while let name = ancestor {
      inherited.formUnion((archivedProperties[name] ?? [:]).keys)
      ancestor = entities[name]?.superentity?.name
    }
    var own: [NSPropertyDescription] = []
    for (name, object) in archivedProperties[entry.name] ?? [:] where !inherited.contains(name) {
      own.append(try properties.property(object, named: name, in: entry.name))
    }
    entry.entity.properties = own.sorted { $0.name < $1.name }
  }

  /// Collects the properties that an archived entity lists, without proxies.
  private mutating func collectProperties(_ entry: Entry) throws(ModelError) {
    var found: [String: ArchivedObject] = [:]
    for (_, value) in try entry.object.entries("NSProperties") ?? [] {
      guard let object = value.object else { throw entry.object.mismatch("NSProperties") }
      if object.isKind(of: "_NSPropertyDescriptionProxy") { continue }
      guard let name = try object.string("NSPropertyName"), !name.isEmpty else {
        throw ModelError(
          .missingName, "A property of the compiled model has no name.", entityName: entry.name)
      }
      try properties.count()
      found[name] = object
    }
    archivedProperties[entry.name] = found
  }

  private func connectRelationships(_ entry: Entry) throws(ModelError) {
    for case let relationship as NSRelationshipDescription in entry.entity.ownProperties {
      guard let object = archivedProperties[entry.name]?[relationship.name] else { continue }
      try connect(relationship, object, entityName: entry.name)
    }
  }

  private func connect(
    _ relationship: NSRelationshipDescription, _ object: ArchivedObject, entityName: String
  ) throws(ModelError) {
    guard
      let name = try object.string(
        "_NSDestinationEntityName", orOf: "NSDestinationEntity", "NSEntityName")
    else { return }
    guard let destination = entities[name] else {
      throw ModelError(
        .unknownEntity, "The destination entity \(name) is not in the compiled model.",
        entityName: entityName, propertyName: relationship.name)
    }
    relationship.destinationEntity = destination
    guard
      let inverseName = try object.string(
        "_NSInverseRelationshipName", orOf: "NSInverseRelationship", "NSPropertyName")
    else { return }
    guard let inverse = destination.relationshipsByName[inverseName] else {
      throw ModelError(
        .danglingInverse, "The inverse \(inverseName) is not in the compiled model.",
        entityName: entityName, propertyName: relationship.name)
    }
    relationship.inverseRelationship = inverse
  }
}
