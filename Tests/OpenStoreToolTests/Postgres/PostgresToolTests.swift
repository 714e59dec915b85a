import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPostgresStore
import OpenStoreTool
import PostgresTestServer
import Testing

@Suite("The store tool on PostgreSQL stores", .enabled(if: TestServer.isPresent))
struct PostgresToolTests {
  private static func attribute(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  /// Shelves with ordered books, which have tags and a subentity.
  private static func model(hasNote: Bool = false) -> NSManagedObjectModel {
    let entities = ["Shelf", "Book", "Novel", "Tag"].map { name in
      let entity = NSEntityDescription()
      entity.name = name
      return entity
    }
    let (shelf, book, tag) = (entities[0], entities[1], entities[3])
    func relationship(
      _ name: String, _ destination: NSEntityDescription, isMany: Bool, isOrdered: Bool = false
    ) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.destinationEntity) = (name, destination)
      (relationship.maxCount, relationship.isOrdered) = (isMany ? 0 : 1, isOrdered)
      relationship.isOptional = true
      return relationship
    }
    let books = relationship("books", book, isMany: true, isOrdered: true)
    let owner = relationship("shelf", shelf, isMany: false)
    let tags = relationship("tags", tag, isMany: true, isOrdered: true)
    let tagged = relationship("tagged", book, isMany: true)
    let favorites = relationship("favorites", tag, isMany: true)
    (books.inverseRelationship, owner.inverseRelationship) = (owner, books)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    shelf.properties = [attribute("name", .stringAttributeType), books, favorites]
    book.properties = [
      attribute("title", .stringAttributeType), attribute("price", .decimalAttributeType),
      attribute("cover", .binaryDataAttributeType), attribute("added", .dateAttributeType),
      attribute("isbn", .UUIDAttributeType), attribute("pages", .integer32AttributeType), owner,
      tags,
    ]
    if hasNote { book.properties.append(attribute("note", .stringAttributeType)) }
    tag.properties = [attribute("word", .stringAttributeType), tagged]
    book.subentities = [entities[2]]
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private static func fill(_ url: URL, books count: Int = 30) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      func insert(_ name: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      }
      let tags = (0..<5).map { index in
        let tag = insert("Tag")
        tag.setValue("t\(index)\u{0}\u{1}", forKey: "word")
        return tag
      }
      let books = (0..<count).map { index in
        let book = insert(index % 3 == 0 ? "Novel" : "Book")
        book.setValue("Ä \(index) ☃", forKey: "title")
        book.setValue(NSDecimalNumber(string: "\(index).25"), forKey: "price")
        book.setValue(Data(repeating: UInt8(index % 256), count: index), forKey: "cover")
        book.setValue(Date(timeIntervalSinceReferenceDate: Double(index) / 3), forKey: "added")
        book.setValue(UUID(), forKey: "isbn")
        if index % 4 > 0 { book.setValue(index, forKey: "pages") }
        book.setValue(
          NSOrderedSet(array: [tags[index % 5], tags[(index + 3) % 5]]), forKey: "tags")
        return book
      }
      let shelf = insert("Shelf")
      shelf.setValue(NSOrderedSet(array: books.reversed()), forKey: "books")
      shelf.setValue(Set(tags.prefix(2)), forKey: "favorites")
      try context.save()
      books[1].setValue("changed", forKey: "title")
      try context.save()
    }
    try coordinator.remove(store)
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    PostgresStore.register()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func copy(_ source: URL, _ destination: URL) throws -> [StoreCopying.Result] {
    func text(_ url: URL) -> String { url.isFileURL ? url.path : url.absoluteString }
    var fractions: [Double] = []
    let results = try StoreCopying(
      from: text(source), to: text(destination), modelPath: nil
    ) { fractions.append($0) }.run()
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
    let one = try StoreCopying.hashes(at: text(source))
    let other = try StoreCopying.hashes(at: text(destination))
    #expect(one == other)
    return results
  }

  @Test("a store is copied to a server and back with every row, link and order")
  func copyBothWays() throws {
    try withFolder { folder in
      let (one, other) = (
        folder.appendingPathComponent("one.sqlite"), folder.appendingPathComponent("two.sqlite")
      )
      let served = try TestServer.shared.get().newURL()
      try Self.fill(one)
      let there = try copy(one, served)
      let back = try copy(served, other)
      for results in [there, back] {
        #expect(results.map(\.differences) == [0, 0, 0, 0])
        let rows: Int = results.reduce(0) { $0 + $1.rows }
        let links: Int = results.reduce(0) { $0 + $1.links }
        // Tags from both sides, books of the shelf, and its favorites.
        let expected = 60 + 60 + 30 + 2
        #expect(rows == 36)
        #expect(links == expected)
      }
      for place in [one.path, served.absoluteString, other.path] {
        let store = try InspectedStore(at: place, modelPath: nil)
        let findings = try Verification.findings(in: store)
        #expect(findings.isEmpty, "\(place): \(findings)")
        try store.close()
      }
      let error = #expect(throws: ToolError.self) { try copy(one, served) }
      #expect(error?.status == .usage)
    }
  }

  /// Inserts a book, deletes it if requested, and returns its URI.
  private func insertBook(_ url: URL, isDeleted: Bool = false) throws -> URL {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let uri = try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      try context.save()
      let uri = book.objectID.uriRepresentation()
      if isDeleted {
        context.delete(book)
        try context.save()
      }
      return uri
    }
    try coordinator.remove(store)
    return uri
  }

  @Test("a new object of a copy does not get the URI of an object that was deleted before")
  func deletedKeys() throws {
    try withFolder { folder in
      let (one, other) = (
        folder.appendingPathComponent("one.sqlite"), folder.appendingPathComponent("two.sqlite")
      )
      let served = try TestServer.shared.get().newURL()
      try Self.fill(one, books: 3)
      var uris = [try insertBook(one, isDeleted: true)]
      _ = try copy(one, served)
      uris.append(try insertBook(served, isDeleted: true))
      _ = try copy(served, other)
      uris.append(try insertBook(other))
      #expect(Set(uris).count == 3)
    }
  }

  @Test("ls, fetch and info read a store with the model in it")
  func reading() throws {
    try withFolder { _ in
      let url = try TestServer.shared.get().newURL()
      try Self.fill(url)
      let store = try InspectedStore(at: url.absoluteString, modelPath: nil)
      let list = try StoreReport(store).list()
      let counts = list.map { row in row.first { $0.key == "rows" }?.value }
      #expect(counts == [.integer(20), .integer(10), .integer(1), .integer(5)])
      var query = StoreQuery(entity: "Book")
      query.predicate = "pages > 20 AND title CONTAINS[c] 'ä'"
      query.sortKeys = ["-pages"]
      query.limit = 2
      var pages: [OutputValue?] = []
      try query.forEachRow(in: store, includesToMany: true) { row in
        pages.append(row.first { $0.key == "pages" }?.value)
      }
      #expect(pages == [.integer(29), .integer(27)])
      let facts = try StoreReport.facts(ofStoreAt: url.absoluteString, modelPath: nil)
      #expect(facts.first { $0.key == "hashesAgree" }?.value == .bool(true))
      try store.close()
    }
  }

  @Test("explain shows the server's plan and the parts that the library evaluates")
  func explaining() throws {
    try withFolder { _ in
      let url = try TestServer.shared.get().newURL()
      try Self.fill(url)
      var query = StoreQuery(entity: "Book")
      query.predicate = "pages > 20"
      let served = try Explanation(query, storeAt: url.absoluteString, modelPath: nil)
      #expect(served.text.contains("zbook"))
      #expect(!served.text.contains("The library evaluates"))
      query.predicate = "title MATCHES 'x.*'"
      let decided = try Explanation(query, storeAt: url.absoluteString, modelPath: nil)
      #expect(decided.text.contains("The library evaluates"))
    }
  }

  @Test("migrate plans and executes a migration")
  func migrating() throws {
    try withFolder { folder in
      let url = try TestServer.shared.get().newURL()
      try Self.fill(url)
      let file = folder.appendingPathComponent("New.mom")
      try Self.model(hasNote: true).write(to: file)
      func report() throws -> ServedMigrationReport {
        let report = try ServedMigrationReport(
          storeAt: url.absoluteString, modelAt: file.path, to: nil)
        return try #require(report)
      }
      let plan = try report().plan(showsStatements: true)
      #expect(plan.count == 1)
      let steps = try report().run()
      #expect(steps.count == 1)
      let isComplete = try report().completeness != nil
      #expect(isComplete)
      let store = try InspectedStore(at: url.absoluteString, modelPath: nil)
      #expect(store.model.entitiesByName["Book"]?.attributesByName["note"] != nil)
      try store.close()
    }
  }

  @Test("migrate uses the mapping models next to the model")
  func mapping() throws {
    try withFolder { folder in
      let url = try TestServer.shared.get().newURL()
      try Self.fill(url, books: 2)
      let file = folder.appendingPathComponent("New.mom")
      let new = Self.model(hasNote: true)
      try new.write(to: file)
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: Self.model(), destinationModel: new)
      for entity in mapping.entityMappings {
        guard let title = entity.attributeMappings?.first(where: { $0.name == "title" }) else {
          continue
        }
        let note = NSPropertyMapping()
        (note.name, note.valueExpression) = ("note", title.valueExpression)
        entity.attributeMappings?.append(note)
      }
      try mapping.write(to: folder.appendingPathComponent("OldToNew.cdm"))
      func report() throws -> ServedMigrationReport {
        let report = try ServedMigrationReport(
          storeAt: url.absoluteString, modelAt: file.path, to: nil)
        return try #require(report)
      }
      let way = OutputValue.Field("way", .text("objects"))
      #expect(try report().plan(showsStatements: false).map { $0.contains(way) } == [true])
      #expect(throws: ToolError.self) { try report().expand() }
      #expect(try report().run().map { $0.contains(way) } == [true])
      let store = try InspectedStore(at: url.absoluteString, modelPath: nil)
      var notes: Set<String> = []
      try StoreQuery(entity: "Book").forEachRow(in: store, includesToMany: false) { fields in
        notes.insert(fields.first { $0.key == "note" }?.value.cell ?? "")
      }
      #expect(notes == ["Ä 0 ☃", "changed"])
      try store.close()
    }
  }

  @Test("commands that read a model accept the URL of a store")
  func models() throws {
    try withFolder { folder in
      let url = try TestServer.shared.get().newURL().absoluteString
      try Self.fill(try #require(URL(string: url)), books: 2)
      let file = folder.appendingPathComponent("New.mom")
      try Self.model(hasNote: true).write(to: file)
      let report = try ModelReport(at: url)
      #expect(!report.properties().isEmpty)
      let changes = report.changes(to: try ModelReport(at: file.path))
      #expect(!changes.isEmpty)
      let same = report.changes(to: try ModelReport(at: url))
      #expect(same.isEmpty)
      try InspectedStore(at: url, modelPath: url).close()
    }
  }

  @Test("commands for store files reject URLs of servers")
  func fileCommands() throws {
    try withFolder { folder in
      let url = try TestServer.shared.get().newURL().absoluteString
      let file = folder.appendingPathComponent("one.sqlite").path
      let calls: [() throws -> Void] = [
        { _ = try TextIndexReport.rows(.show, ofStoreAt: url, modelPath: nil) },
        { try BackupReport.copy(storeAt: file, to: url) },
        { try BackupReport.copy(storeAt: url, to: file) },
        { _ = try BackupReport.list(ofStoreAt: url, in: nil) },
        { _ = try BackupReport.restore(url, to: nil) },
        { _ = try BackupReport.restore(file, to: url) },
      ]
      for call in calls {
        let error = #expect(throws: ToolError.self) { try call() }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("only for store files") == true)
      }
    }
  }

  @Test("a schema without a store is reported")
  func missingStore() throws {
    try withFolder { _ in
      let url = try TestServer.shared.get().newURL().absoluteString
      let error = #expect(throws: ToolError.self) {
        _ = try InspectedStore(at: url, modelPath: nil)
      }
      #expect(error?.message.contains("does not contain a store") == true)
    }
  }
}
