import COpenSQLite
import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenPredicates

/// Notes and persons in a temporary folder, with and without an index of words.
final class SearchStack {
  let folder: URL
  var file: URL { folder.appendingPathComponent("notes.sqlite") }
  let log = StatementLog()

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("search-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Note (title, body searched; remark not), Article below it (summary searched, day flagged in vain), Person (name searched).
  ///
  /// - Parameter prefixLengths: The prefix lengths in the user info of the attributes.
  static func makeModel(
    searched: Set<String> = ["title", "body", "summary", "name", "day"],
    prefixLengths: [String: Any] = [:]
  ) -> NSManagedObjectModel {
    func flagged(_ name: String, _ type: NSAttributeDescription.AttributeType)
      -> NSAttributeDescription
    {
      let made = attribute(name, type)
      made.isIndexedBySpotlight = searched.contains(name)
      if let lengths = prefixLengths[name] { made.userInfo = [OpenTextPrefixLengthsKey: lengths] }
      return made
    }
    let (note, article, person) = (
      NSEntityDescription(), NSEntityDescription(), NSEntityDescription()
    )
    (note.name, article.name, person.name) = ("Note", "Article", "Person")
    let (author, notes) = (NSRelationshipDescription(), NSRelationshipDescription())
    (author.name, author.destinationEntity, author.maxCount) = ("author", person, 1)
    (notes.name, notes.destinationEntity, notes.maxCount) = ("notes", note, 0)
    (author.inverseRelationship, notes.inverseRelationship) = (notes, author)
    note.properties = [
      flagged("title", .string), flagged("body", .string), flagged("remark", .string),
      attribute("number", .integer64), author,
    ]
    article.properties = [flagged("summary", .string), flagged("day", .date)]
    note.subentities = [article]
    person.properties = [flagged("name", .string), notes]
    let model = NSManagedObjectModel()
    model.entities = [note, article, person]
    return model
  }

  /// A coordinator with the store.
  func coordinator(
    _ model: NSManagedObjectModel = makeModel(), type: String = NSSQLiteStoreType,
    isIndexed: Bool = true, options: [AnyHashable: Any] = [:]
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    var all: [AnyHashable: Any] = [
      OpenTextIndexOption: isIndexed, OpenStatementObserverOption: log.observer,
    ]
    all.merge(options) { $1 }
    _ = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : file,
      options: all)
    return coordinator
  }

  /// Runs work with a context on the store, which is closed afterward.
  func with<Result>(
    _ model: NSManagedObjectModel = makeModel(), type: String = NSSQLiteStoreType,
    isIndexed: Bool = true, options: [AnyHashable: Any] = [:],
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = try coordinator(model, type: type, isIndexed: isIndexed, options: options)
    defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  /// Returns one column of a statement that SQLite runs in a connection without the library's functions.
  @discardableResult
  func sqlite(_ sql: String) throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(file.path, &database) == SQLITE_OK else { throw Failure(database) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(database)
    }
    var values: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "nil")
      case SQLITE_DONE: return values
      default: throw Failure(database)
      }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ database: OpaquePointer?) {
      description = database.map { String(cString: sqlite3_errmsg($0)) } ?? "no database"
    }
  }

  /// Whether FTS5's integrity check finds that the index of notes agrees with its table.
  func isSound() throws -> Bool {
    let index = "OpenCoreDataText_ZNOTE"
    do {
      try sqlite("INSERT INTO \(index)(\(index), rank) VALUES ('integrity-check', 1)")
      return true
    } catch let failure as Failure {
      if failure.description.contains("malformed") { return false }
      throw failure
    }
  }
}

extension NSManagedObjectContext {
  /// Inserts an object with values.
  @discardableResult
  func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// Five notes, two of which have an author.
  func makeNotes() {
    let ann = make("Person", ["name": "Ann Müller"])
    make("Note", ["number": 1, "title": "Linux kernel", "body": "The scheduler", "author": ann])
    make(
      "Note", ["number": 2, "title": "Kernels of corn", "body": "About popcorn", "remark": "linux"])
    make("Note", ["number": 3, "title": "Café", "body": "linux and the kernel, kernel, kernel"])
    make("Article", ["number": 4, "title": "News", "summary": "Kernel news", "author": ann])
    make("Note", ["number": 5])
  }

  /// The numbers of the notes that a predicate finds, in order.
  func numbers(_ predicate: NSPredicate, of entity: String = "Note") throws -> [Int] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    return try fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
  }

  func numbers(_ format: String, _ arguments: Any..., of entity: String = "Note") throws -> [Int] {
    try numbers(NSPredicate(format: format, argumentArray: arguments), of: entity)
  }
}
