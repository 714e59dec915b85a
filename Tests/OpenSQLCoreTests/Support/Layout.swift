import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore

/// Makes models in code, and the texts of their statements.
enum Layout {
  static func entity(
    _ name: String, _ properties: [NSPropertyDescription] = [],
    subentities: [NSEntityDescription] = []
  ) -> NSEntityDescription {
    let entity = Library.entity(name)
    entity.properties = properties
    entity.subentities = subentities
    return entity
  }

  static func attribute(
    _ name: String, _ type: NSAttributeType = .stringAttributeType
  ) -> NSAttributeDescription {
    Library.attribute(name, type)
  }

  static func composite(
    _ name: String, _ elements: [NSAttributeDescription]
  ) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.isOptional = true
    composite.elements = elements
    return composite
  }

  static func derived(
    _ name: String, _ type: NSAttributeType, _ format: String
  ) throws -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.derivationExpression = try .parsing(format)
    return attribute
  }

  /// Adds a relationship and its inverse; one name twice is a relationship that is its own inverse.
  static func connect(
    _ owner: NSEntityDescription, _ name: String, toMany: Bool = false, ordered: Bool = false,
    _ destination: NSEntityDescription, _ inverse: String, manyBack: Bool = false,
    orderedBack: Bool = false
  ) {
    let one = Library.relationship(name, destination, isToMany: toMany)
    one.isOrdered = ordered
    owner.properties += [one]
    if owner === destination, name == inverse {
      one.inverseRelationship = one
      return
    }
    let other = Library.relationship(inverse, owner, isToMany: manyBack)
    other.isOrdered = orderedBack
    destination.properties += [other]
    one.inverseRelationship = other
    other.inverseRelationship = one
  }

  static func index(
    _ name: String, on properties: [NSPropertyDescription], descending: Set<String> = [],
    type: NSFetchIndexElementType = .binary, where condition: String? = nil
  ) throws -> NSFetchIndexDescription {
    let elements = properties.map { property in
      let element = NSFetchIndexElementDescription(property: property, collationType: type)
      element.isAscending = !descending.contains(property.name)
      return element
    }
    let index = NSFetchIndexDescription(name: name, elements: elements)
    if let condition { index.partialIndexPredicate = try NSPredicate.parsing(condition) }
    return index
  }

  static func schema(
    _ entities: [NSEntityDescription], existing: [String: [String]]? = nil
  ) throws -> SchemaMap {
    let model = NSManagedObjectModel()
    model.entities = entities
    return try SchemaMap(try model.compiled(), existing: existing)
  }

  static func texts(_ statements: [SQLStatement]) -> [String] {
    statements.map { SQLRenderer.render($0, for: SQLiteDialect()).text }
  }
}
