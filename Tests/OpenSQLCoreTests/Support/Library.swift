import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The model of these tests: items with two levels of subentities, people, tags and shelves.
struct Library {
  let model: CompiledModel
  let schema: SchemaMap

  init() throws {
    let item = Self.entity("Item")
    let book = Self.entity("Book")
    let comic = Self.entity("comic")
    let person = Self.entity("Person")
    let tag = Self.entity("Tag")
    let shelf = Self.entity("Shelf")
    item.isAbstract = true
    item.properties = [
      Self.attribute("title", .stringAttributeType), Self.attribute("added", .dateAttributeType),
    ]
    book.properties = [
      Self.attribute("pages", .integer32AttributeType),
      Self.attribute("price", .decimalAttributeType),
      Self.attribute("cover", .binaryDataAttributeType, isExternal: true),
      Self.attribute("code", .UUIDAttributeType),
    ]
    comic.properties = [
      Self.attribute("isColored", .booleanAttributeType),
      Self.attribute("Pages", .stringAttributeType),
      Self.attribute("site", .URIAttributeType), Self.attribute("rating", .doubleAttributeType),
    ]
    item.subentities = [comic, book]
    person.properties = [
      Self.attribute("name", .stringAttributeType), Self.attribute("email", .stringAttributeType),
    ]
    person.uniquenessConstraints = [["email"]]
    tag.properties = [Self.attribute("name", .stringAttributeType)]
    shelf.properties = [
      Self.attribute("name", .stringAttributeType),
      Self.relationship("pinned", tag, isToMany: true),
      Self.relationship("top", item),
    ]
    Self.join("author", of: book, to: person, "books", isToMany: true)
    Self.join("tags", of: item, to: tag, "items", isToMany: true, isManyToMany: true)
    Self.join("friends", of: person, to: person, "friendOf", isToMany: true, isManyToMany: true)
    let index = NSFetchIndexDescription(
      name: "byTitle",
      elements: [
        NSFetchIndexElementDescription(property: item.properties[0], collationType: .binary)
      ])
    item.indexes = [index]
    let model = NSManagedObjectModel()
    model.entities = [tag, shelf, person, item, book, comic]
    self.model = try model.compiled()
    schema = try SchemaMap(self.model)
  }

  static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  static func attribute(
    _ name: String, _ type: NSAttributeType, isExternal: Bool = false
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.allowsExternalBinaryDataStorage = isExternal
    return attribute
  }

  static func relationship(
    _ name: String, _ destination: NSEntityDescription, isToMany: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = isToMany ? 0 : 1
    relationship.isOptional = true
    return relationship
  }

  private static func join(
    _ name: String, of owner: NSEntityDescription, to destination: NSEntityDescription,
    _ inverse: String, isToMany: Bool, isManyToMany: Bool = false
  ) {
    let one = relationship(name, destination, isToMany: isManyToMany)
    let other = relationship(inverse, owner, isToMany: isToMany)
    owner.properties += [one]
    destination.properties += [other]
    one.inverseRelationship = other
    other.inverseRelationship = one
  }

  func entity(_ name: String) throws -> CompiledEntity {
    guard let entity = model.entity(named: name) else { throw Missing(name: name) }
    return entity
  }

  /// A path given by names, from an entity.
  func path(_ entity: String, _ names: String...) throws -> PropertyPath {
    var reached = try self.entity(entity)
    var steps: [Int] = []
    let start = reached.index
    for name in names.dropLast() {
      let ordinal = try ordinal(name, of: reached)
      steps.append(ordinal)
      reached = model.entities[reached.properties[ordinal].relationship?.destinationIndex ?? 0]
    }
    guard let last = names.last else { return PropertyPath(entityIndex: start, end: .object) }
    return PropertyPath(
      entityIndex: start, steps: steps, end: .property(ordinal: try ordinal(last, of: reached)))
  }

  func toMany(_ entity: String, _ name: String) throws -> RelationshipPath {
    let owner = try self.entity(entity)
    return RelationshipPath(entityIndex: owner.index, ordinal: try ordinal(name, of: owner))
  }

  private func ordinal(_ name: String, of entity: CompiledEntity) throws -> Int {
    guard let ordinal = entity.ordinal(of: name) else { throw Missing(name: name) }
    return ordinal
  }

  struct Missing: Error {
    var name: String
  }
}
