import Foundation
import OpenObjectModel

/// The model of the checks, created in code: a town of people, companies and places, and a sample
/// entity with every attribute type.
enum ConformanceModel {
  static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let people = makePeople()
    model.entities = [makeSample()] + people
    return model
  }

  /// Creates an entity with an attribute of each type. Each attribute has the name of its type.
  private static func makeSample() -> NSEntityDescription {
    let sample = entity("Sample")
    sample.properties = [
      attribute("serial", .integer64AttributeType),
      attribute("integer16", .integer16AttributeType),
      attribute("integer32", .integer32AttributeType),
      attribute("integer64", .integer64AttributeType),
      attribute("decimal", .decimalAttributeType),
      attribute("double", .doubleAttributeType),
      attribute("float", .floatAttributeType),
      attribute("string", .stringAttributeType),
      attribute("boolean", .booleanAttributeType),
      attribute("date", .dateAttributeType),
      attribute("binary", .binaryDataAttributeType),
      attribute("uuid", .UUIDAttributeType),
      attribute("uri", .URIAttributeType),
    ]
    return sample
  }

  private static func makePeople() -> [NSEntityDescription] {
    let person = entity("Person")
    let company = entity("Company")
    let tag = entity("Tag")
    let place = entity("Place")
    let city = entity("City")
    let capital = entity("Capital")
    let village = entity("Village")
    person.properties =
      personAttributes() + [toOne("birthplace", place), toMany("favorites", place)]
    company.properties = [
      attribute("name", .stringAttributeType), attribute("revenue", .doubleAttributeType),
    ]
    tag.properties = [attribute("name", .stringAttributeType)]
    place.properties = [attribute("name", .stringAttributeType)]
    city.properties = [attribute("population", .integer64AttributeType)]
    capital.properties = [attribute("parliament", .stringAttributeType)]
    village.properties = [attribute("households", .integer32AttributeType)]
    person.uniquenessConstraints = [["email"], ["firstCode", "secondCode"]]
    join(toOne("mentor", person), of: person, toMany("pupils", person), of: person)
    join(
      toOne("employer", company), of: person, toMany("employees", person, .cascadeDeleteRule),
      of: company)
    join(toOne("home", place), of: person, toMany("residents", person), of: place)
    join(toOne("headquarters", place), of: company, toMany("companies", company), of: place)
    join(toMany("tags", tag), of: person, toMany("people", person), of: tag)
    join(toMany("related", tag), of: tag, toMany("relating", tag), of: tag)
    place.subentities = [city, village]
    city.subentities = [capital]
    return [person, company, tag, place, city, village, capital]
  }

  private static func personAttributes() -> [NSPropertyDescription] {
    [
      attribute("serial", .integer64AttributeType), attribute("name", .stringAttributeType),
      attribute("age", .integer32AttributeType), attribute("height", .doubleAttributeType),
      attribute("isActive", .booleanAttributeType), attribute("born", .dateAttributeType),
      attribute("note", .stringAttributeType), attribute("email", .stringAttributeType),
      attribute("firstCode", .stringAttributeType),
      attribute("secondCode", .integer32AttributeType),
    ]
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSPropertyDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  private static func toOne(
    _ name: String, _ destination: NSEntityDescription
  ) -> NSRelationshipDescription {
    relationship(name, destination, maxCount: 1, .nullifyDeleteRule)
  }

  private static func toMany(
    _ name: String, _ destination: NSEntityDescription,
    _ deleteRule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    relationship(name, destination, maxCount: 0, deleteRule)
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, maxCount: Int, _ deleteRule: NSDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.minCount = 0
    relationship.maxCount = maxCount
    relationship.deleteRule = deleteRule
    relationship.isOptional = true
    return relationship
  }

  /// Adds two relationships that are inverses of each other.
  private static func join(
    _ one: NSRelationshipDescription, of first: NSEntityDescription,
    _ other: NSRelationshipDescription, of second: NSEntityDescription
  ) {
    first.properties += [one]
    second.properties += [other]
    one.inverseRelationship = other
    other.inverseRelationship = one
  }
}
