import COpenSQLite
import Foundation
import OpenCoreData

/// A separate folder, and coordinators for one small model: authors, their books in order, and tags.
final class FileTestStack {
  let folder: URL
  let model: NSManagedObjectModel

  init() throws {
    _ = NSPersistentContainer(name: "Files", managedObjectModel: Self.makeModel())
    model = Self.makeModel()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// The sorted contents of the folder.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  static func makeModel(hashModifier: String? = nil) -> NSManagedObjectModel {
    let author = entity("Author", ["name"])
    let book = entity("Book", ["title"])
    let tag = entity("Tag", ["word"])
    author.versionHashModifier = hashModifier
    relate(author, "books", toMany: true, book, "author", inverseToMany: false, isOrdered: true)
    relate(book, "tags", toMany: true, tag, "books", inverseToMany: true, isOrdered: false)
    let model = NSManagedObjectModel()
    model.entities = [author, book, tag]
    model.setEntities([author, book, tag], forConfigurationName: "Everything")
    model.setEntities([tag], forConfigurationName: "Tags")
    return model
  }

  private static func entity(_ name: String, _ attributes: [String]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .stringAttributeType
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private static func relate(
    _ one: NSEntityDescription, _ name: String, toMany: Bool, _ other: NSEntityDescription,
    _ inverseName: String, inverseToMany: Bool, isOrdered: Bool
  ) {
    let relationship = NSRelationshipDescription()
    let inverse = NSRelationshipDescription()
    for (side, name, destination, many) in [
      (relationship, name, other, toMany), (inverse, inverseName, one, inverseToMany),
    ] {
      side.name = name
      side.destinationEntity = destination
      side.maxCount = many ? 0 : 1
      side.minCount = 0
      side.isOptional = true
    }
    relationship.isOrdered = isOrdered
    relationship.inverseRelationship = inverse
    inverse.inverseRelationship = relationship
    one.properties.append(relationship)
    other.properties.append(inverse)
  }

  /// Runs SQL on a separate connection.
  func execute(_ sql: String, on url: URL) throws {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(url.path, &database) == SQLITE_OK,
      sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else { throw CocoaError(.fileReadUnknown) }
  }

  func coordinator() -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: model)
  }

  func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Creates an author with three books, of which the last is moved to the front, and a tag on two
  /// of them.
  func fill(_ context: NSManagedObjectContext) throws -> NSManagedObject {
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("Ada", forKey: "name")
      let books = ["C", "A", "B"].map { title in
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        return book
      }
      author.setValue(NSOrderedSet(array: books), forKey: "books")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("good", forKey: "word")
      tag.setValue(NSSet(array: [books[0], books[2]]), forKey: "books")
      try context.save()
      return author
    }
  }

  /// The titles of the author's books in order, and how many of them have a tag.
  func summary(_ context: NSManagedObjectContext) throws -> String {
    try context.performAndWait {
      let authors = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
      let books = authors.flatMap { ($0.value(forKey: "books") as? NSOrderedSet)?.array ?? [] }
        .compactMap { $0 as? NSManagedObject }
      let tagged = books.filter { ($0.value(forKey: "tags") as? NSSet)?.count == 1 }
      return books.compactMap { $0.value(forKey: "title") as? String }.joined() + "\(tagged.count)"
    }
  }
}
