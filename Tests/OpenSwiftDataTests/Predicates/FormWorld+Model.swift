import Foundation
import OpenCoreData

extension FormWorld {
  static func makeModel() -> NSManagedObjectModel {
    let maker = entity(
      "Maker",
      [
        ("name", .stringAttributeType), ("founded", .integer64AttributeType),
        ("country", .stringAttributeType),
      ])
    let part = entity(
      "Part",
      [
        ("number", .integer64AttributeType), ("name", .stringAttributeType),
        ("weight", .doubleAttributeType), ("isSpare", .booleanAttributeType),
      ])
    let item = entity(
      "Item",
      [
        ("number", .integer64AttributeType), ("count", .integer64AttributeType),
        ("small", .integer16AttributeType), ("rank", .integer64AttributeType),
        ("price", .doubleAttributeType), ("discount", .doubleAttributeType),
        ("title", .stringAttributeType), ("note", .stringAttributeType),
        ("isNew", .booleanAttributeType), ("isSold", .booleanAttributeType),
        ("made", .dateAttributeType), ("sold", .dateAttributeType),
        ("code", .UUIDAttributeType), ("mark", .UUIDAttributeType),
        ("bytes", .binaryDataAttributeType),
      ])
    relate(item, "maker", maker, "items")
    relate(part, "item", item, "parts")
    let model = NSManagedObjectModel()
    model.entities = [maker, part, item]
    return model
  }

  private static func entity(
    _ name: String, _ attributes: [(String, NSAttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  /// Adds a to-one relationship and its to-many inverse.
  private static func relate(
    _ source: NSEntityDescription, _ name: String, _ destination: NSEntityDescription,
    _ inverseName: String
  ) {
    let (one, many) = (NSRelationshipDescription(), NSRelationshipDescription())
    (one.name, many.name) = (name, inverseName)
    (one.destinationEntity, many.destinationEntity) = (destination, source)
    one.maxCount = 1
    (one.isOptional, many.isOptional) = (true, true)
    (one.inverseRelationship, many.inverseRelationship) = (many, one)
    source.properties.append(one)
    destination.properties.append(many)
  }
}
