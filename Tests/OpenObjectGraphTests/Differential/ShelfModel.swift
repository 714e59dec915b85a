import Foundation
import OpenCoreData
import OpenManagedMacros

@ManagedObject
class ShelfAuthor: NSManagedObject {
  @Managed var code: Int32
  @Managed var name: String?
  @Managed var books: NSSet?
}

@ManagedObject
class ShelfBook: NSManagedObject {
  @Managed var code: Int32
  @Managed var title: String?
  @Managed var pages: Int64
  @Managed var price: Double
  @Managed var printed: Date?
  @Managed var isNew: Bool
  @Managed var author: ShelfAuthor?
}

@ManagedObject
class ShelfNovel: ShelfBook {
  @Managed var genre: String?
}

/// Books, novels among them, and their authors.
enum ShelfModel {
  static func make() -> NSManagedObjectModel {
    let author = entity("ShelfAuthor", [("code", .integer32), ("name", .string)])
    let book = entity(
      "ShelfBook",
      [
        ("code", .integer32), ("title", .string), ("pages", .integer64), ("price", .double),
        ("printed", .date), ("isNew", .boolean),
      ])
    let novel = entity("ShelfNovel", [("genre", .string)])
    let writer = NSRelationshipDescription()
    writer.name = "author"
    writer.maxCount = 1
    writer.destinationEntity = author
    let books = NSRelationshipDescription()
    books.name = "books"
    books.destinationEntity = book
    books.deleteRule = .cascadeDeleteRule
    writer.inverseRelationship = books
    books.inverseRelationship = writer
    book.properties += [writer]
    author.properties += [books]
    book.subentities = [novel]
    let model = NSManagedObjectModel()
    model.entities = [author, book, novel]
    return model
  }

  private static func entity(
    _ name: String, _ attributes: [(String, NSAttributeDescription.AttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      if type != .string && type != .date { attribute.defaultValue = NSNumber(value: 0) }
      return attribute
    }
    return entity
  }

  /// A container with a store of a type; SQLite stores are in memory unless there is a URL.
  static func container(_ type: String, url: URL? = nil) throws -> NSPersistentContainer {
    let description = NSPersistentStoreDescription(type: type)
    if let url { description.url = url }
    try ServedStores.place(description, ofType: type)
    return try .loaded("Shelf", make(), [description])
  }
}

/// Pseudorandom numbers from a seed, the same in every run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
