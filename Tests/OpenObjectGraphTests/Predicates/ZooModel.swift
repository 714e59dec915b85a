import Foundation
import OpenCoreData

/// The type of an attribute of the zoo, as far as predicates distinguish it.
enum ZooKind: CaseIterable {
  case number, flag, text, date, uuid, uri, data
}

/// Things, with the subentity creatures and its subentity birds, places, and the visits between
/// them.
///
/// Every attribute type, every kind of relationship and two levels of subentities below an
/// abstract entity.
enum ZooModel {
  static let entityNames = ["Thing", "Creature", "Bird", "Place", "Visit"]

  /// An entity's own attributes.
  static let ownAttributes:
    [String: [(name: String, type: NSAttributeDescription.AttributeType, kind: ZooKind)]] = [
      "Thing": [("code", .integer64, .number), ("name", .string, .text)],
      "Creature": [
        ("small", .integer16, .number), ("medium", .integer32, .number),
        ("large", .integer64, .number), ("isTame", .boolean, .flag), ("weight", .double, .number),
        ("height", .float, .number), ("price", .decimal, .number), ("nickname", .string, .text),
        ("born", .date, .date), ("token", .uuid, .uuid), ("link", .uri, .uri),
        ("photo", .binaryData, .data),
      ],
      "Bird": [("wingspan", .double, .number), ("song", .string, .text)],
      "Place": [("capacity", .integer32, .number)],
      "Visit": [
        ("code", .integer64, .number), ("rating", .integer16, .number), ("note", .string, .text),
        ("day", .date, .date),
      ],
    ]

  static let parents = ["Creature": "Thing", "Bird": "Creature", "Place": "Thing"]

  /// Relationships with both ends: owner, name, whether to-many; destination, name of the inverse, whether to-many.
  static let relationships:
    [(
      owner: String, name: String, isToMany: Bool, to: String, inverse: String,
      isInverseToMany: Bool
    )] =
      [
        ("Creature", "home", false, "Place", "dwellers", true),
        ("Creature", "parent", false, "Creature", "children", true),
        ("Creature", "friends", true, "Creature", "friendOf", true),
        ("Visit", "place", false, "Place", "visits", true),
        ("Visit", "visitor", false, "Creature", "journeys", true),
        ("Visit", "subject", false, "Thing", "mentions", true),
      ]

  /// An entity and its ancestors.
  static func line(of entity: String) -> [String] {
    [entity] + (parents[entity].map { line(of: $0) } ?? [])
  }

  /// Returns an entity's concrete subentities.
  static func concrete(_ entity: String) -> [String] {
    entityNames.filter { $0 != "Thing" && line(of: $0).contains(entity) }
  }

  static func make() -> NSManagedObjectModel {
    var entities: [String: NSEntityDescription] = [:]
    for name in entityNames {
      let entity = NSEntityDescription()
      entity.name = name
      entity.isAbstract = name == "Thing"
      entity.properties = (ownAttributes[name] ?? []).map { attribute in
        let description = NSAttributeDescription()
        description.name = attribute.name
        description.type = attribute.type
        description.isOptional = true
        return description
      }
      entities[name] = entity
    }
    for name in entityNames {
      entities[name]?.subentities = entityNames.filter { parents[$0] == name }.compactMap {
        entities[$0]
      }
    }
    for link in relationships {
      let one = relationship(link.name, entities[link.to], link.isToMany)
      let other = relationship(link.inverse, entities[link.owner], link.isInverseToMany)
      one.inverseRelationship = other
      other.inverseRelationship = one
      other.isOrdered = link.inverse == "visits"
      entities[link.owner]?.properties.append(one)
      entities[link.to]?.properties.append(other)
    }
    let model = NSManagedObjectModel()
    model.entities = entityNames.compactMap { entities[$0] }
    return model
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription?, _ isToMany: Bool
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.isOptional = true
    relationship.maxCount = isToMany ? 0 : 1
    return relationship
  }

  static func container(_ type: String, _ model: NSManagedObjectModel) throws
    -> NSPersistentContainer
  {
    let description = NSPersistentStoreDescription(type: type)
    try ServedStores.place(description, ofType: type)
    return try .loaded("Zoo", model, [description])
  }
}
