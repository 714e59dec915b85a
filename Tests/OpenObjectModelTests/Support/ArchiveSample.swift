import Foundation
import OpenObjectModel
import OpenPredicates

/// A model in code that uses every feature of compiled models.
enum ArchiveSample {
  static func model() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let work = entity("Work")
    let book = entity("Book")
    let person = entity("Person")
    work.isAbstract = true
    work.subentities = [book]
    work.properties = attributes() + [relationship("authors", to: person, 0)]
    book.properties = [attribute("pages", .integer32, 12), sequel(book)] + computed()
    person.properties = [attribute("name", .string, "nobody"), relationship("works", to: work, 0)]
    tie(work, "authors", person, "works")
    person.relationshipsByName["works"]?.isOrdered = true
    decorate(work, book, person)
    model.entities = [person, book, work]
    model.versionIdentifiers = ["1.0", "beta"]
    model.fetchTemplates = ["Long": FetchSample.template("pages > $LIMIT")]
    model.setEntities([person], forConfigurationName: "People")
    model.setEntities([work, book], forConfigurationName: "Works")
    return model
  }

  static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType, _ value: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.defaultValue = value
    return attribute
  }

  static func relationship(
    _ name: String, to destination: NSEntityDescription, _ maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    return relationship
  }

  private static func attributes() -> [NSPropertyDescription] {
    let title = attribute("title", .string, "$null")
    title.isOptional = false
    title.isIndexedBySpotlight = true
    title.setValidationPredicates(
      [
        NSPredicate(format: "length >= 3 AND length <= 50"),
        NSPredicate(format: "SELF LIKE[c] 'a*'"),
      ],
      withValidationWarnings: ["too short or long", "wrong start"])
    let cover = attribute("cover", .binaryData, Data([1, 2, 3]))
    cover.allowsExternalBinaryDataStorage = true
    cover.preservesValueInHistoryOnDeletion = true
    cover.allowsCloudEncryption = true
    let tags = attribute("tags", .transformable)
    tags.valueTransformerName = "NSSecureUnarchiveFromData"
    tags.attributeValueClassName = "Array<String>"
    tags.isTransient = true
    let address = NSCompositeAttributeDescription()
    address.name = "address"
    address.elements = [attribute("street", .string), attribute("number", .integer16, 7)]
    return [
      title, cover, tags, address, attribute("isOut", .boolean, true),
      attribute("date", .date, Date(timeIntervalSinceReferenceDate: 1.5)),
      attribute("key", .uuid, UUID(uuidString: "1BEED6D0-31F3-44B4-8CDA-17C5938D2297")),
      attribute("page", .uri, URL(string: "https://example.org/a?b=1")),
      attribute("price", .decimal, NSDecimalNumber(string: "-12.3400")),
      attribute("rate", .double, 0.25), attribute("big", .integer64, Int64.min),
      attribute("nothing", .decimal, NSDecimalNumber(string: "0.00")),
    ]
  }

  private static func sequel(_ book: NSEntityDescription) -> NSRelationshipDescription {
    let sequel = relationship("sequel", to: book, 1)
    sequel.deleteRule = .denyDeleteRule
    sequel.minCount = 1
    return sequel
  }

  private static func computed() -> [NSPropertyDescription] { FetchSample.properties() }

  private static func tie(
    _ one: NSEntityDescription, _ name: String, _ other: NSEntityDescription, _ back: String
  ) {
    one.relationshipsByName[name]?.inverseRelationship = other.relationshipsByName[back]
    other.relationshipsByName[back]?.inverseRelationship = one.relationshipsByName[name]
  }

  private static func decorate(
    _ work: NSEntityDescription, _ book: NSEntityDescription, _ person: NSEntityDescription
  ) {
    book.managedObjectClassName = "Library.Book"
    book.versionHashModifier = "2"
    book.renamingIdentifier = "Volume"
    book.userInfo = [
      "note": "x", "count": 3, "flag": true, "list": ["a", 1.5], "deep": ["k": Data([9])],
    ]
    person.propertiesByName["name"]?.renamingIdentifier = "fullName"
    person.propertiesByName["name"]?.versionHashModifier = "m"
    person.propertiesByName["name"]?.isIndexed = true
    person.propertiesByName["name"]?.userInfo = ["label": "Name"]
    person.uniquenessConstraints = [["name"]]
    work.uniquenessConstraints = [["title", "date"], ["key"]]
    work.compoundIndexes = [["key", "rate"]]
    work.indexes = FetchSample.indexes(of: work)
  }
}
