import OpenObjectModel

/// Short spellings of descriptions for tests.
enum Make {
  static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType, optional: Bool = true
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = optional
    return attribute
  }

  static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  /// A relationship and its inverse; a maximum of 1 makes an end to-one.
  static func relationships(
    _ name: String, of source: NSEntityDescription, _ maxCount: Int,
    inverse inverseName: String, of destination: NSEntityDescription, _ inverseMaxCount: Int
  ) {
    let (forth, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (forth.name, forth.maxCount, forth.destinationEntity) = (name, maxCount, destination)
    (back.name, back.maxCount, back.destinationEntity) = (inverseName, inverseMaxCount, source)
    (forth.inverseRelationship, back.inverseRelationship) = (back, forth)
    source.properties.append(forth)
    destination.properties.append(back)
  }
}
