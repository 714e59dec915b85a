import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract

/// Authors and their books, and stacks on one store.
enum Library {
  // Invariant: the model is not changed once it is made.
  nonisolated(unsafe) static let model: NSManagedObjectModel = {
    let author = NSEntityDescription()
    author.name = "Author"
    let book = NSEntityDescription()
    book.name = "Book"
    let books = NSRelationshipDescription()
    books.name = "books"
    books.destinationEntity = book
    books.isOrdered = true
    books.deleteRule = .cascadeDeleteRule
    let writer = NSRelationshipDescription()
    writer.name = "author"
    writer.destinationEntity = author
    writer.maxCount = 1
    writer.inverseRelationship = books
    books.inverseRelationship = writer
    author.properties = [attribute("name", .stringAttributeType), books]
    author.uniquenessConstraints = [["name"]]
    book.properties = [
      attribute("title", .stringAttributeType), attribute("pages", .integer32AttributeType),
      attribute("price", .decimalAttributeType), attribute("published", .dateAttributeType),
      attribute("cover", .binaryDataAttributeType), attribute("isbn", .UUIDAttributeType),
      attribute("isRead", .booleanAttributeType), writer,
    ]
    let model = NSManagedObjectModel()
    model.entities = [author, book]
    return model
  }()

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  /// A container with the store at a URL.
  static func container(
    _ url: URL, tracksHistory: Bool = true,
    _ adjust: (NSPersistentStoreDescription) -> Void = { _ in }
  ) throws -> NSPersistentContainer {
    PostgresStore.register()
    let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    if tracksHistory {
      description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
      description.setOption(
        NSNumber(value: true), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
    adjust(description)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  /// Opens the store at a URL without a container, with a history.
  static func store(_ url: URL) throws -> PostgresStore {
    var configuration = StoreConfiguration(url: url)
    configuration.tracksHistory = true
    return try PostgresStore.open(configuration, model: model.compiled())
  }
}
