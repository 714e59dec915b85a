import Foundation
import OpenCoreData

/// An entity with as many of the grammar tables' keys as possible, and the destinations of its relationships.
enum GrammarModel {
  /// Attributes of every entity by type.
  static let attributes: [String: [(type: NSAttributeDescription.AttributeType, names: String)]] = [
    "Sample": [
      (.integer64, "row a b c size größe n x X Y Z K number flags playCount a1 stars"),
      (.double, "f"), (.boolean, "flag isDefault yes"), (.binaryData, "imageData"),
      (.string, "s t missing name text user thread stringAttr 日本 in first"),
      (.date, "when lastUsedDate lastPlayedAt markedForDeletionAsOf"),
      (.transformable, "list words empty collection"),
    ],
    "Inner": [(.integer32, "a"), (.string, "s"), (.transformable, "list")],
    "Page": [(.integer32, "n length"), (.string, "t")],
    "Note": [(.integer32, "n")],
    "Part": [(.string, "attr")],
    "Person": [(.string, "userID")],
    "Forum": [(.integer32, "forumID"), (.boolean, "visibleInForumList")],
  ]

  /// Relationships with both ends: owner, name and whether to-many; destination, name of the inverse, whether to-many.
  static let relationships:
    [(
      owner: String, name: String, isToMany: Bool, to: String, inverse: String,
      isInverseToMany: Bool
    )] = [
      ("Sample", "o", false, "Inner", "samples", true),
      ("Inner", "o", false, "Inner", "inners", true),
      ("Sample", "pages", true, "Page", "sample", false),
      ("Page", "notes", true, "Note", "page", false),
      ("Sample", "rel", true, "Part", "sample", false),
      ("Sample", "children", true, "Sample", "parent", false),
      ("Sample", "author", false, "Person", "samples", true),
      ("Sample", "forum", false, "Forum", "samples", true),
      ("Sample", "metadata", false, "Forum", "describes", true),
      ("Sample", "album", false, "Part", "owners", true),
    ]

  /// Creates the model; `pages` is ordered.
  static func make() -> NSManagedObjectModel {
    let entities = attributes.mapValues { _ in NSEntityDescription() }
    for (name, entity) in entities {
      entity.name = name
      entity.properties = (attributes[name] ?? []).flatMap { group in
        group.names.split(separator: " ").map { attribute(String($0), group.type) }
      }
    }
    for link in relationships {
      let one = relationship(link.name, entities[link.to], link.isToMany)
      let other = relationship(link.inverse, entities[link.owner], link.isInverseToMany)
      (one.inverseRelationship, other.inverseRelationship) = (other, one)
      one.isOrdered = link.name == "pages"
      entities[link.owner]?.properties.append(one)
      entities[link.to]?.properties.append(other)
    }
    let model = NSManagedObjectModel()
    model.entities = entities.sorted { $0.key < $1.key }.map(\.value)
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.type, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription?, _ isToMany: Bool
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, destination)
    (relationship.isOptional, relationship.maxCount) = (true, isToMany ? 0 : 1)
    return relationship
  }
}
