import Foundation
import OpenObjectModel

/// A model in code: publications of two kinds, people who write them, and a lone note.
struct LibraryModel {
  let model = NSManagedObjectModel()
  let publication = NSEntityDescription()
  let book = NSEntityDescription()
  let atlas = NSEntityDescription()
  let magazine = NSEntityDescription()
  let person = NSEntityDescription()
  let note = NSEntityDescription()
  let author = Self.relationship("author", maxCount: 1)
  let works = Self.relationship("works", maxCount: 0)

  init() {
    publication.name = "Publication"
    publication.isAbstract = true
    book.name = "book"
    book.managedObjectClassName = "Book"
    atlas.name = "Atlas"
    magazine.name = "Magazine"
    person.name = "person"
    note.name = "Note"
    publication.subentities = [magazine, book]
    book.subentities = [atlas]
    connect()
    publication.properties = [
      Self.attribute("title", .string), author, Self.attribute("ISBN", .string),
    ]
    book.properties = [Self.attribute("pages", .integer32), Self.attribute("price", .decimal)]
    atlas.properties = [Self.attribute("scale", .double)]
    magazine.properties = [Self.attribute("issue", .integer16)]
    person.properties = [works, Self.attribute("name", .string)]
    note.properties = [Self.attribute("text", .string)]
    model.entities = [person, book, publication, note, atlas, magazine]
  }

  private func connect() {
    author.destinationEntity = person
    author.inverseRelationship = works
    works.destinationEntity = publication
    works.inverseRelationship = author
    works.deleteRule = .cascadeDeleteRule
  }

  static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    return attribute
  }

  static func relationship(_ name: String, maxCount: Int) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.maxCount = maxCount
    return relationship
  }

  /// A model of one entity `Item` with the given properties.
  static func item(_ properties: [NSPropertyDescription]) -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Item"
    entity.properties = properties
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}
