import Foundation
import OpenObjectModel

/// Creates small models: `Models.make { $0.entity("Book", ["title": .string]) }`.
struct Models {
  let model = NSManagedObjectModel()

  static func make(_ build: (Models) -> Void) -> NSManagedObjectModel {
    let models = Models()
    build(models)
    return models.model
  }

  @discardableResult
  func entity(
    _ name: String, parent: NSEntityDescription? = nil, renaming identifier: String? = nil,
    isAbstract: Bool = false
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.isAbstract = isAbstract
    if let identifier { entity.renamingIdentifier = identifier }
    model.entities.append(entity)
    parent?.subentities.append(entity)
    return entity
  }
}

extension NSEntityDescription {
  @discardableResult
  func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType = .string,
    isOptional: Bool = true, renaming identifier: String? = nil, default value: Any? = nil
  ) -> NSEntityDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = isOptional
    attribute.defaultValue = value
    if let identifier { attribute.renamingIdentifier = identifier }
    properties.append(attribute)
    return self
  }

  @discardableResult
  func relationship(
    _ name: String, to destination: NSEntityDescription, isToMany: Bool = false,
    isOptional: Bool = true, isOrdered: Bool = false, renaming identifier: String? = nil
  ) -> NSEntityDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = isToMany ? 0 : 1
    relationship.isOptional = isOptional
    relationship.isOrdered = isOrdered
    if let identifier { relationship.renamingIdentifier = identifier }
    properties.append(relationship)
    return self
  }
}
