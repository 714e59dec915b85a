internal import Foundation

/// Converts a model to an archive.
///
/// Entities and properties refer to each other, so their references are reserved before they are
/// written.
struct ModelArchiveWriter {
  typealias Entry = (key: String, entry: KeyedArchiveWriter.Entry?)

  private let dialect: ModelArchive.Dialect
  private var names: [String] = []
  private var entities: [String: NSEntityDescription] = [:]
  private var entityReferences: [String: Int] = [:]
  /// The references of properties, by the names of the listing entity and the property.
  private var propertyReferences: [String: [String: Int]] = [:]
  private var modelReference = KeyedArchiveWriter.null
  var archive = KeyedArchiveWriter()

  init(_ dialect: ModelArchive.Dialect) { self.dialect = dialect }

  /// Returns the archive of a model.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` and the names of the entity and the property.
  mutating func data(_ model: NSManagedObjectModel) throws(ModelError) -> Data {
    entities = model.entitiesByName
    names = entities.keys.sorted()
    modelReference = archive.reserve()
    for name in names { reserve(name) }
    for name in names { try write(name) }
    let entityTable = writeEntityTable()
    let templates = try writeTemplates(of: model)
    let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
    let versions = archive.add("NSSet", of: identifiers.map { archive.add($0) })
    let configurations = writeConfigurations(of: model)
    archive.set(
      modelReference, "NSManagedObjectModel",
      [
        ("NSEntities", .reference(entityTable)),
        ("NSFetchRequestTemplates", .reference(templates)),
        ("NSVersionIdentifiers", .reference(versions)),
        ("NSConfigurations", configurations.map { .reference($0) }),
      ])
    return archive.data(root: modelReference)
  }

  /// Returns the reference of an entity; the null reference if the model has no entity with the
  /// name.
  func reference(toEntity name: String?) -> Int {
    name.flatMap { entityReferences[$0] } ?? KeyedArchiveWriter.null
  }

  /// Returns the reference of a property that an entity or its nearest ancestor lists.
  func reference(toProperty name: String, of entity: NSEntityDescription) -> Int {
    var current: NSEntityDescription? = entity
    var steps = entities.count
    while let candidate = current, steps > 0 {
      if let reference = propertyReferences[candidate.name ?? ""]?[name] { return reference }
      current = candidate.superentity
      steps -= 1
    }
    return KeyedArchiveWriter.null
  }

  // MARK: Entities

  private mutating func reserve(_ name: String) {
    guard let entity = entities[name] else { return }
    entityReferences[name] = archive.reserve()
    var references: [String: Int] = [:]
    for property in listed(entity) { references[property.name] = archive.reserve() }
    propertyReferences[name] = references
  }

  /// Returns the properties that an entity lists in this dialect, in ascending order of their
  /// names.
  private func listed(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
    let properties = dialect == .mom ? entity.ownProperties : entity.properties
    // If two properties have the same name, the later one is the entity's own.
    let named = Dictionary(properties.map { ($0.name, $0) }) { _, last in last }
    return named.values.sorted { $0.name < $1.name }
  }

  private mutating func write(_ name: String) throws(ModelError) {
    guard let entity = entities[name] else { return }
    for property in listed(entity) {
      do {
        try write(property, of: entity, reference(toProperty: property.name, of: entity))
      } catch {
        throw located(error, entity, property.name)
      }
    }
    do {
      try writeEntity(entity, name)
    } catch {
      throw located(error, entity, nil)
    }
  }

  private func located(
    _ error: ModelError, _ entity: NSEntityDescription, _ propertyName: String?
  ) -> ModelError {
    var located = error
    located.entityName = entity.name
    located.propertyName = propertyName
    return located
  }

  private mutating func writeEntity(
    _ entity: NSEntityDescription, _ name: String
  ) throws(ModelError) {
    let nameReference = archive.add(name)
    let className = archive.add(entity.ownClassName)
    let renaming = archive.add(entity.renamingIdentifier)
    let modifier = archive.add(entity.versionHashModifier)
    let userInfo = try archive.add(any: entity.userInfo ?? [:])
    let properties = writeProperties(of: entity, name)
    let children = writeSubentities(of: entity)
    let tuples = writeGroups(entity.constraintNames)
    let indexes = try writeIndexes(of: entity)
    archive.set(
      reference(toEntity: name), "NSEntityDescription",
      [
        ("NSEntityName", .reference(nameReference)),
        ("NSClassNameForEntity", .reference(className)),
        ("NSIsAbstract", entity.isAbstract ? .bool(true) : nil),
        ("NSUniqueTuples", tuples.map { .reference($0) }),
        ("NSUserInfo", .reference(userInfo)),
        ("NSSubentities", .reference(children)),
        ("NSVersionHashModifier", .reference(modifier)),
        ("NSProperties", .reference(properties)),
        ("NSRenamingIdentifier", .reference(renaming)),
        ("NSManagedObjectModel", .reference(modelReference)),
        ("NSSuperentity", .reference(reference(toEntity: entity.superentity?.name))),
      ] + indexes)
  }

  private mutating func writeProperties(of entity: NSEntityDescription, _ name: String) -> Int {
    var entries: [(key: Int, value: Int)] = []
    for property in listed(entity) {
      let key = archive.add(property.name)
      entries.append((key: key, value: reference(toProperty: property.name, of: entity)))
    }
    return archive.add("NSMutableDictionary", entries)
  }

  private mutating func writeSubentities(of entity: NSEntityDescription) -> Int {
    let children = entity.subentitiesByName.keys.filter { entities[$0] != nil }.sorted()
    return archive.add(
      "NSMutableDictionary",
      children.map { (key: archive.add($0), value: reference(toEntity: $0)) })
  }

  /// Writes lists of names; returns nil if there are none.
  mutating func writeGroups(_ groups: [[String]]) -> Int? {
    guard !groups.isEmpty else { return nil }
    return list(of: groups)
  }

  /// Writes lists of names, or an empty list if there are none.
  mutating func list(of groups: [[String]]) -> Int {
    let members = groups.map { group in
      archive.add("NSMutableArray", of: group.map { archive.add($0) })
    }
    return archive.add("NSMutableArray", of: members)
  }

  // MARK: Model

  private mutating func writeEntityTable() -> Int {
    let references = names.map { reference(toEntity: $0) }
    let keys = names.map { archive.add($0) }
    guard dialect == .cache else {
      return archive.add(
        "NSMutableDictionary", zip(keys, references).map { (key: $0, value: $1) })
    }
    let keyList = archive.add("NSArray", of: keys)
    let mapping = archive.add(
      "NSKnownKeysMappingStrategy1",
      [("keys", .reference(keyList)), ("length", .int(keys.count)), ("version", .int(1))])
    let values = archive.add("NSArray", of: references)
    let token = archive.add("__empty_slot_token_4c24_98dc_ac1e_b773__")
    return archive.add(
      "NSKnownKeysDictionary1",
      [
        ("values", .reference(values)), ("searchMapping", .reference(mapping)),
        ("emptyToken", .reference(token)), ("version", .int(1)),
      ])
  }

  private mutating func writeConfigurations(of model: NSManagedObjectModel) -> Int? {
    let configurations = model.allConfigurations.sorted { $0.key < $1.key }
    guard !configurations.isEmpty else { return nil }
    return archive.add(
      "NSMutableDictionary",
      configurations.map { name, members in
        let known = Set(members.compactMap(\.name)).filter { entities[$0] != nil }.sorted()
        let set = archive.add("NSSet", of: known.map { reference(toEntity: $0) })
        return (key: archive.add(name), value: set)
      })
  }
}
