import Foundation
import OpenCoreData
import PostgresTestServer
import Testing

import class OpenPredicates.NSExpression

@Suite("Derived attributes of a PostgreSQL store", .enabled(if: TestServer.isPresent))
struct DerivedAttributeTests {
  /// Authors with counted books, whose attributes derive from theirs; tags of books.
  // Invariant: the model is not changed once it is made.
  nonisolated(unsafe) private static let model: NSManagedObjectModel = {
    let (author, book, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    let novel = NSEntityDescription()
    (author.name, book.name, tag.name, novel.name) = ("Author", "Book", "Tag", "Novel")
    func link(
      _ one: NSEntityDescription, _ name: String, _ isMany: Bool, _ other: NSEntityDescription,
      _ back: String, _ isBackMany: Bool
    ) -> [NSRelationshipDescription] {
      let (to, from) = (NSRelationshipDescription(), NSRelationshipDescription())
      (to.name, to.destinationEntity, to.maxCount) = (name, other, isMany ? 0 : 1)
      (from.name, from.destinationEntity, from.maxCount) = (back, one, isBackMany ? 0 : 1)
      (to.inverseRelationship, from.inverseRelationship) = (from, to)
      (to.isOptional, from.isOptional) = (true, true)
      return [to, from]
    }
    let books = link(author, "books", true, book, "author", false)
    let tags = link(book, "tags", true, tag, "books", true)
    let mentor = link(author, "mentor", false, author, "pupils", true)
    author.properties = [
      plain("name", .stringAttributeType),
      derived("count", .integer64AttributeType, "books.@count"),
      derived("sum", .integer64AttributeType, "books.@sum.pages"),
      derived("plainName", .stringAttributeType, "canonical:(name)"),
      derived("mentorName", .stringAttributeType, "mentor.name"),
      derived("pupilSum", .integer64AttributeType, "pupils.@sum.count"), books[0], mentor[0],
      mentor[1],
    ]
    book.properties = [
      plain("title", .stringAttributeType), plain("pages", .integer32AttributeType),
      derived("upper", .stringAttributeType, "uppercase:(title)"),
      derived("authorName", .stringAttributeType, "author.name"),
      derived("mentorOfAuthor", .stringAttributeType, "lowercase:(author.mentor.name)"),
      derived("tagCount", .integer64AttributeType, "tags.@count"),
      derived("tagSum", .doubleAttributeType, "tags.@sum.weight"), books[1], tags[0],
    ]
    tag.properties = [
      plain("word", .stringAttributeType), plain("weight", .doubleAttributeType),
      derived("bookCount", .integer64AttributeType, "books.@count"), tags[1],
    ]
    book.subentities = [novel]
    let model = NSManagedObjectModel()
    model.entities = [author, book, novel, tag]
    return model
  }()

  private static func plain(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private static func derived(
    _ name: String, _ type: NSAttributeType, _ expression: String
  ) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    attribute.derivationExpression = NSExpression(format: expression)
    return attribute
  }

  private static func context(_ url: URL) throws -> NSManagedObjectContext {
    try .opening(model, NSSQLiteStoreType, at: url)
  }

  /// The values of all objects, as the context has them and as the store has them.
  private static func contents(_ context: NSManagedObjectContext) throws -> [[String]] {
    func lines() throws -> [String] {
      try ["Author", "Book", "Tag"].flatMap { name in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)).map { object in
          let values = object.entity.attributesByName.keys.sorted().map { key in
            "\(key)=\(object.value(forKey: key).map { "\($0)" } ?? "nil")"
          }
          return "\(name) " + values.joined(separator: " ")
        }.sorted()
      }
    }
    let known = try lines()
    context.refreshAllObjects()
    return [known, try lines()]
  }

  /// One random change; the same one for the same numbers.
  private static func change(
    _ context: NSManagedObjectContext, _ numbers: inout SystemlessNumbers
  ) throws {
    func all(_ name: String) throws -> [NSManagedObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      let key = name == "Author" ? "name" : name == "Book" ? "title" : "word"
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
      return try context.fetch(request)
    }
    let (authors, books, tags) = (try all("Author"), try all("Book"), try all("Tag"))
    let name = "Ä\(numbers.next() % 1_000_000_007) é"
    switch numbers.next() % 12 {
    case 0:
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue(name, forKey: "name")
      author.setValue(authors.randomElement(using: &numbers), forKey: "mentor")
    case 1, 2, 3:
      let entity = numbers.next() % 2 == 0 ? "Book" : "Novel"
      let book = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      book.setValue(name, forKey: "title")
      book.setValue(Int(numbers.next() % 100), forKey: "pages")
      book.setValue(authors.randomElement(using: &numbers), forKey: "author")
    case 4:
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(name, forKey: "word")
      tag.setValue(Double(numbers.next() % 100), forKey: "weight")
    case 5: authors.randomElement(using: &numbers)?.setValue(name, forKey: "name")
    case 6:
      books.randomElement(using: &numbers)?
        .setValue(authors.randomElement(using: &numbers), forKey: "author")
    case 7: books.randomElement(using: &numbers)?.setValue(Int(numbers.next() % 9), forKey: "pages")
    case 8:
      let chosen = tags.filter { _ in numbers.next() % 3 == 0 }
      books.randomElement(using: &numbers)?.setValue(Set(chosen), forKey: "tags")
    case 9:
      tags.randomElement(using: &numbers)?.setValue(Double(numbers.next() % 9), forKey: "weight")
    case 10:
      authors.randomElement(using: &numbers)?
        .setValue(authors.randomElement(using: &numbers), forKey: "mentor")
    default:
      let doomed = [authors, books, tags].randomElement(using: &numbers) ?? []
      if doomed.count > 2, let object = doomed.randomElement(using: &numbers) {
        context.delete(object)
      }
    }
  }

  @Test("they have the same values as in a SQLite store after the same changes", arguments: 1...4)
  func agreesWithSQLite(_ seed: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("derived-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let contexts = [
      try Self.context(folder.appendingPathComponent("store.sqlite")),
      try Self.context(try TestServer.shared.get().newURL()),
    ]
    var results: [[[[String]]]] = []
    for context in contexts {
      var numbers = SystemlessNumbers(state: UInt64(seed))
      let result = try context.performAndWait {
        try (0..<60).map { _ in
          for _ in 0...numbers.next() % 3 { try Self.change(context, &numbers) }
          try context.save()
          return try Self.contents(context)
        }
      }
      results.append(result)
    }
    for (step, (one, other)) in zip(results[0], results[1]).enumerated() {
      let missing = Set(one[1]).symmetricDifference(other[1]).sorted()
      try #require(missing == [], "Seed \(seed), step \(step)")
      try #require(other[0] == other[1], "Seed \(seed), step \(step): stale objects")
    }
  }

  @Test("processes that add members to one object at the same time count all of them")
  func concurrentMembers() async throws {
    let url = try TestServer.shared.get().newURL()
    let first = try Self.context(url)
    try await first.perform {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: first)
      author.setValue("Ä", forKey: "name")
      try first.save()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let context = try Self.context(url)
          for index in 0..<10 {
            try await context.perform {
              let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
              let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
              book.setValue(index, forKey: "pages")
              book.setValue(try context.fetch(request).first, forKey: "author")
              try context.save()
              context.reset()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await first.perform {
      first.refreshAllObjects()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
      let author = try #require(try first.fetch(request).first)
      #expect(author.value(forKey: "count") as? Int == 40)
      #expect(author.value(forKey: "sum") as? Int == 180)
    }
  }

  @Test("a save is repeated after a deadlock of the statement that computes a value")
  func deadlock() throws {
    let server = try TestServer.shared.get()
    let schema = "derived_deadlock"
    let context = try Self.context(try server.url(schema: schema))
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      try context.save()
      // A sequence also counts the attempts that are rolled back.
      try server.execute(
        """
        CREATE SEQUENCE \(schema).attempts;
        CREATE FUNCTION \(schema).refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('\(schema).attempts') = 1 THEN
            RAISE EXCEPTION 'first attempt' USING ERRCODE = 'deadlock_detected';
          END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER refuse BEFORE UPDATE OF zcount ON \(schema).zauthor
        FOR EACH ROW EXECUTE FUNCTION \(schema).refuse()
        """)
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue(author, forKey: "author")
      try context.save()
      #expect(author.value(forKey: "count") as? Int == 1)
      let books = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(books == 1)
    }
  }

  @Test("a value that is assigned to one of a saved object is not saved")
  func assigned() throws {
    let context = try Self.context(try TestServer.shared.get().newURL())
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("Ä", forKey: "name")
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(3, forKey: "pages")
      book.setValue(author, forKey: "author")
      try context.save()
      author.setValue("Ö", forKey: "name")
      author.setValue(5, forKey: "count")
      author.setValue("x", forKey: "plainName")
      book.setValue("x", forKey: "authorName")
      try context.save()
      for _ in 0..<2 {
        #expect(author.value(forKey: "count") as? Int == 1)
        #expect(author.value(forKey: "plainName") as? String == "o")
        #expect(book.value(forKey: "authorName") as? String == "Ö")
        context.refreshAllObjects()
      }
    }
  }

  @Test("batch requests also compute them")
  func batches() throws {
    let context = try Self.context(try TestServer.shared.get().newURL())
    try context.performAndWait {
      let insertion = NSBatchInsertRequest(
        entityName: "Book",
        objects: (0..<3).map { ["title": "b\($0)", "pages": $0] as [String: Any] })
      try context.execute(insertion)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      func texts() throws -> [String] {
        context.refreshAllObjects()
        return try context.fetch(request).compactMap { $0.value(forKey: "upper") as? String }
          .sorted()
      }
      let inserted = try texts()
      #expect(inserted == ["B0", "B1", "B2"])
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.predicate = NSPredicate(format: "pages > 0")
      update.propertiesToUpdate = ["title": "ß"]
      try context.execute(update)
      let updated = try texts()
      #expect(updated == ["B0", "SS", "SS"])
    }
  }
}

/// Numbers that are the same for the same seed.
private struct SystemlessNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
