import Foundation
import OpenCoreData
import OpenObjectModel
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

/// Programs with two versions of the model on one store.
@Suite("A PostgreSQL store is expanded", .enabled(if: TestServer.isPresent))
struct PostgresExpansionTests {
  private static var history: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

  private static func books(
    _ change: (Models, NSEntityDescription) -> Void = { _, _ in }
  ) -> NSManagedObjectModel {
    Models.make { models in
      change(models, models.entity("Book").attribute("pages", .integer32).attribute("title"))
    }
  }

  private static func join(
    _ one: NSEntityDescription, _ toMany: String, _ other: NSEntityDescription, _ toOne: String
  ) {
    one.relationship(toMany, to: other, isToMany: true)
    other.relationship(toOne, to: one)
    let pair = (one.relationshipsByName[toMany], other.relationshipsByName[toOne])
    pair.0?.inverseRelationship = pair.1
    pair.1?.inverseRelationship = pair.0
  }

  private static func extended() -> NSManagedObjectModel {
    books { models, book in
      book.attribute("isRead", .boolean, isOptional: false, default: true)
        .attribute("abstract").attribute("price", .decimal)
      let aisle = models.entity("Aisle").attribute("name")
      join(aisle, "boards", models.entity("Board").attribute("name"), "aisle")
    }
  }

  private static func updatedNames(_ context: NSManagedObjectContext) throws -> [[String]] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(
      after: nil as NSPersistentHistoryToken?)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    return transactions.flatMap { $0.changes ?? [] }.filter { $0.changeType == .update }
      .map { ($0.updatedProperties ?? []).map(\.name).sorted() }
  }

  @Test("programs with both versions read and write it at the same time")
  func twoVersions() throws {
    let store = try ServedStore()
    let old = Self.books()
    try store.with(old, options: Self.history) { context in
      context.insert("Book", ["title": "Dune", "pages": 412])
    }
    let earlier = try store.context(old, options: Self.history)
    try store.migrate(old, Self.extended(), by: .expand)
    let later = try store.context(Self.extended(), options: Self.history)

    // The earlier version inserts and changes rows.
    try earlier.performAndWait {
      let titles = try earlier.texts("Book", "title")
      #expect(titles == ["Dune"])
      earlier.insert("Book", ["title": "Emma"])
      try #require(try earlier.all("Book", by: "title").first).setValue(500, forKey: "pages")
      try earlier.save()
    }
    // The later one sees them with the default values, and writes what only it has.
    try later.performAndWait {
      let books = try later.all("Book", by: "title")
      #expect(books.map { $0.value(forKey: "isRead") as? Bool } == [true, true])
      #expect(books.map { $0.value(forKey: "pages") as? Int } == [500, nil])
      books[0].setValue(false, forKey: "isRead")
      books[0].setValue("Sand", forKey: "abstract")
      let aisle = later.insert("Aisle", ["name": "A"])
      later.insert("Board", ["name": "1", "aisle": aisle])
      try later.save()
      let names = try Self.updatedNames(later)
      #expect(names == [["pages"], ["abstract", "isRead"]])
    }
    try earlier.performAndWait {
      earlier.refreshAllObjects()
      let titles = try earlier.texts("Book", "title")
      #expect(titles == ["Dune", "Emma"])
      try #require(try earlier.all("Book", by: "title").first).setValue("Dune II", forKey: "title")
      try earlier.save()
      let names = try Self.updatedNames(earlier)
      #expect(names == [["pages"], [], ["title"]])
    }
    try later.performAndWait {
      later.refreshAllObjects()
      let book = try #require(try later.all("Book", by: "title").first)
      #expect(book.value(forKey: "abstract") as? String == "Sand")
      #expect(book.value(forKey: "title") as? String == "Dune II")
    }
  }

  @Test("a program with the earlier version that starts afterward uses the store unchanged")
  func startedAfterwards() throws {
    let store = try ServedStore()
    try store.with(Self.books()) { $0.insert("Book", ["title": "Dune"]) }
    try store.migrate(Self.books(), Self.extended(), by: .expand)
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    try store.with(Self.books(), options: options) { $0.insert("Book", ["title": "Emma"]) }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: OpenPostgresStoreType, at: store.url)
    for model in [Self.books(), Self.extended()] {
      #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }
    let read = try store.with(Self.extended()) {
      try $0.all("Book", by: "title").map { $0.value(forKey: "isRead") as? Bool }
    }
    #expect(read == [true, true])
    // An ordinary migration ends the earlier versions.
    let last = Self.books { $1.attribute("subtitle") }
    try store.migrate(Self.extended(), last)
    #expect(throws: (any Error).self) { try store.context(Self.books()) }
  }

  @Test("an expansion of an expanded store keeps all earlier versions")
  func twice() throws {
    let store = try ServedStore()
    let versions = [
      Self.books(), Self.books { $1.attribute("note") },
      Self.books { $1.attribute("note").attribute("isbn", .uuid) },
    ]
    try store.with(versions[0]) { $0.insert("Book", ["title": "0"]) }
    try store.migrate(versions[0], versions[1], by: .expand)
    try store.migrate(versions[1], versions[2], by: .expand)
    for (number, version) in versions.enumerated() {
      try store.with(version) { $0.insert("Book", ["title": "\(number + 1)"]) }
    }
    let titles = try store.with(versions[2]) { try $0.texts("Book", "title") }
    #expect(titles == ["0", "1", "2", "3"])
  }

  @Test(
    "an expansion that waits for a long read does not block other reads", .timeLimit(.minutes(30)))
  func longRead() throws {
    let server = try TestServer.shared.get()
    let schema = "expanded_during_read"
    let url = try server.url(schema: schema)
    let store = ServedStore(at: url)
    try store.with(Self.books()) { $0.insert("Book", ["title": "Dune"]) }
    let (long, short) = (try store.context(Self.books()), try store.context(Self.books()))
    try long.performAndWait {
      try long.setQueryGenerationFrom(.current)
      let titles = try long.texts("Book", "title")
      #expect(titles == ["Dune"])
    }
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let result = Result<Void, any Error> {
        var migrated = ServedStore(at: url)
        migrated.timeout = 120
        try migrated.migrate(Self.books(), Self.extended(), by: .expand)
      }
      outcome.withLock { $0 = result }
      end.signal()
    }
    // Divides by zero until the migration waits.
    let wait = "SELECT 1 / count(*) FROM pg_locks WHERE NOT granted AND relation = "
    while outcome.withLock({ $0 == nil }),
      (try? server.execute(wait + "'\(schema).zbook'::regclass")) == nil
    {}
    try short.performAndWait {
      let titles = try short.texts("Book", "title")
      #expect(titles == ["Dune"])
    }
    try long.performAndWait { try long.setQueryGenerationFrom(nil) }
    end.wait()
    try outcome.withLock { $0 }?.get()
    let read = try store.with(Self.extended()) {
      try $0.all("Book", by: "title").map { $0.value(forKey: "isRead") as? Bool }
    }
    #expect(read == [true])
  }

  /// A version to which a store cannot be expanded, and a part of the sentence that says why.
  struct Refusal: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable () -> NSManagedObjectModel
  }

  static let refusals: [Refusal] = [
    Refusal(description: "Book.pages is removed") {
      Models.make { $0.entity("Book").attribute("title") }
    },
    Refusal(description: "Book.title is renamed") {
      Models.make {
        $0.entity("Book").attribute("pages", .integer32).attribute("name", renaming: "title")
      }
    },
    Refusal(description: "entity Book is renamed") {
      Models.make {
        $0.entity("Volume", renaming: "Book").attribute("pages", .integer32).attribute("title")
      }
    },
    Refusal(description: "Book.title is no longer optional") {
      Models.make {
        $0.entity("Book").attribute("pages", .integer32)
          .attribute("title", isOptional: false, default: "")
      }
    },
    Refusal(description: "relationship Book.shelf is new") {
      books { models, book in join(models.entity("Shelf"), "books", book, "shelf") }
    },
    Refusal(description: "new entity Novel inherits from an entity") {
      books { models, book in models.entity("Novel", parent: book) }
    },
    Refusal(description: "The migration changes a table") {
      books { $1.uniquenessConstraints = [["title"]] }
    },
  ]

  @Test("a relationship that becomes ordered is rejected")
  func ordered() throws {
    func shelves(isOrdered: Bool) -> NSManagedObjectModel {
      Self.books { models, book in
        let shelf = models.entity("Shelf")
        Self.join(shelf, "books", book, "shelf")
        shelf.relationshipsByName["books"]?.isOrdered = isOrdered
      }
    }
    let store = try ServedStore()
    try store.with(shelves(isOrdered: false)) { $0.insert("Book", ["title": "Dune"]) }
    let error = #expect(throws: StoreError.self) {
      try store.migrate(shelves(isOrdered: false), shelves(isOrdered: true), by: .expand)
    }
    #expect(error?.message.contains("Shelf.books changes between to-one and to-many") == true)
  }

  @Test("changes that earlier versions cannot ignore are rejected", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let store = try ServedStore()
    try store.with(Self.books()) { $0.insert("Book", ["title": "Dune"]) }
    let error = #expect(throws: StoreError.self) {
      try store.migrate(Self.books(), refusal.make(), by: .expand)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains(refusal.description) == true, "\(error?.message ?? "")")
    let titles = try store.with(Self.books()) { try $0.texts("Book", "title") }
    #expect(titles == ["Dune"])
  }
}
