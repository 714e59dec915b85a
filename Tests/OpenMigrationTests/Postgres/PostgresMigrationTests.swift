import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

@Suite("A PostgreSQL store migrates itself", .enabled(if: TestServer.isPresent))
struct PostgresMigrationTests {
  static let ways: [StoreMigrationPlan.Way] = [.inPlace, .copy]

  /// Options of a store that is migrated when it is added.
  static func automatic(from old: NSManagedObjectModel) -> [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true, OpenModelVersionsOption: [old],
    ]
  }

  private static func books(
    _ change: (NSEntityDescription) -> Void = { _ in }
  ) -> NSManagedObjectModel {
    Models.make { change($0.entity("Book").attribute("title")) }
  }

  private static func filled(_ titles: [String] = ["Dune", "Emma"]) throws -> ServedStore {
    let store = try ServedStore()
    try store.with(books()) { context in
      for title in titles { context.insert("Book", ["title": title]) }
    }
    return store
  }

  private func requireOld(_ store: ServedStore, _ titles: [String] = ["Dune", "Emma"]) throws {
    let found = try store.with(Self.books()) { context in
      context.insert("Book", ["title": "Zorn"])
      return try context.texts("Book", "title")
    }
    #expect(found == (titles + ["Zorn"]).sorted())
  }

  @Test("a store is migrated when it is added, like a SQLite store")
  func automatic() throws {
    let (old, new) = (Library.old(), Library.new())
    let fixture = try MigrationFixture()
    try fixture.with("store", old) { Library.fill($0) }
    let expected = try fixture.with("store", new, options: Self.automatic(from: old)) {
      try Library.contents($0)
    }
    let store = try ServedStore()
    try store.with(old) { Library.fill($0) }
    let identifier = try store.identifier
    let error = #expect(throws: CocoaError.self) { try store.with(new) { _ in } }
    #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
    let contents = try store.with(new, options: Self.automatic(from: old)) {
      try Library.contents($0)
    }
    #expect(contents == expected)
    #expect(try store.identifier == identifier)
    let again = try store.with(new) { try Library.contents($0) }
    #expect(again == expected)
  }

  @Test(
    "a store contains its model, so the program can omit the version that wrote the store")
  func keptModel() throws {
    let store = try Self.filled()
    let new = Self.books { $0.attribute("note") }
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    let titles = try store.with(new, options: options) { try $0.texts("Book", "title") }
    #expect(titles == ["Dune", "Emma"])
  }

  @Test("a required attribute without a default value can be added if there are no objects")
  func missingValues() throws {
    let new = Self.books { $0.attribute("isbn", isOptional: false) }
    let filled = try Self.filled()
    let error = #expect(throws: CocoaError.self) {
      try filled.with(new, options: Self.automatic(from: Self.books())) { _ in }
    }
    #expect(error?.code.rawValue == 134_110)
    #expect(error?.localizedDescription.contains("Book.isbn") == true)
    try requireOld(filled)
    let empty = try Self.filled([])
    try empty.with(new, options: Self.automatic(from: Self.books())) { context in
      context.insert("Book", ["title": "a", "isbn": "1"])
    }
    #expect(try empty.with(new) { try $0.texts("Book", "isbn") } == ["1"])
  }

  @Test("default values of every type are the same as in new objects", arguments: ways)
  func defaults(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    let identifier = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    let new = Self.books { book in
      book.attribute("pages", .integer64, default: 7)
        .attribute("isRead", .boolean, isOptional: false, default: true)
        .attribute("price", .decimal, default: NSDecimalNumber(string: "12.345678901234567890123"))
        .attribute("weight", .double, default: Double.infinity)
        .attribute("note", default: "it's \u{0} ☃ \\ \"x\"")
        .attribute("added", .date, default: date)
        .attribute("cover", .binaryData, default: Data([0, 255]))
        .attribute("isbn", .uuid, default: identifier)
        .attribute("link", .uri, default: URL(string: "https://example.org/x"))
    }
    try store.migrate(Self.books(), new, by: way)
    try store.with(new) { context in
      context.insert("Book", ["title": "new"])
      let made = try #require(try context.all("Book", by: "title").last)
      let stored = try #require(try context.all("Book", by: "title").first)
      #expect(stored.value(forKey: "title") as? String == "Dune")
      for key in ["pages", "isRead", "price", "weight", "note", "added", "cover", "isbn", "link"] {
        let (one, other) = (stored.value(forKey: key), made.value(forKey: key))
        #expect(StoreImage.text(one) == StoreImage.text(other), "\(key)")
        #expect(one != nil, "\(key)")
      }
    }
  }

  @Test("a new entity does not change the numbers of other entities")
  func stableNumbers() throws {
    let store = try Self.filled()
    let new = Models.make { models in
      models.entity("Aardvark").attribute("name")
      models.entity("Book").attribute("title")
    }
    try store.migrate(Self.books(), new)
    try store.with(new) { context in
      context.insert("Aardvark", ["name": "A"])
      let titles = try context.texts("Book", "title")
      #expect(titles == ["Dune", "Emma"])
    }
    let reopened = try store.with(new) { try $0.texts("Aardvark", "name") }
    #expect(reopened == ["A"])
  }

  @Test("after a new entity, the ids in dictionaries have the entities of the rows")
  func entitiesOfIDs() throws {
    func model(_ change: (Models) -> Void) -> NSManagedObjectModel {
      Models.make { models in
        change(models)
        let work = models.entity("Work").attribute("title")
        models.entity("Novel", parent: work)
        models.entity("Shelf").relationship("first", to: work)
      }
    }
    let (old, new) = (model { _ in }, model { $0.entity("Aardvark").attribute("name") })
    let store = try ServedStore()
    try store.with(old) { $0.insert("Shelf", ["first": $0.insert("Novel")]) }
    try store.migrate(old, new)
    try store.with(new) { context in
      for (entity, key) in [("Work", "objectID"), ("Shelf", "first")] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [key]
        let ids = try context.fetch(request).map { $0[key] as? NSManagedObjectID }
        #expect(ids.map { $0?.entity.name } == ["Novel"])
      }
    }
  }

  @Test("a program with the old version open can no longer save, but keeps its edits (D-399)")
  func openPrograms() throws {
    let store = try Self.filled()
    let open = try store.context(Self.books())
    try store.migrate(Self.books(), Self.books { $0.attribute("note") })
    open.performAndWait {
      let book = open.insert("Book", ["title": "late"])
      Self.requireOutdated { try open.save() }
      #expect(book.isInserted)
    }
    let titles = try store.with(Self.books { $0.attribute("note") }) {
      try $0.texts("Book", "title")
    }
    #expect(titles == ["Dune", "Emma"])
  }

  private static func requireOutdated(
    _ work: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try work() }
    let cause = (error as NSError?)?.userInfo[OpenStoreErrorKey] as? StoreError
    #expect(cause?.code == .incompatibleSchema, "\(error as Any)", sourceLocation: sourceLocation)
  }

  /// A model whose two attributes have exchanged names in another version.
  private static func names(
    _ given: String, _ family: String, _ adjust: (NSEntityDescription) -> Void = { _ in }
  ) -> NSManagedObjectModel {
    Models.make { models in
      models.entity("Book").attribute("title")
      let person = models.entity("Person")
      adjust(person.attribute("given", renaming: given).attribute("family", renaming: family))
    }
  }

  @Test(
    "no read of a program that has the old version open takes values of other properties (D-399)")
  func openReaders() throws {
    let store = try ServedStore()
    let old = Self.names("given", "family")
    try store.with(old) { context in
      context.insert("Person", ["given": "Jane", "family": "Austen"])
      context.insert("Book", ["title": "Emma"])
    }
    let open = try store.context(old)
    let books = try open.performAndWait { try open.all("Book", by: "title") }
    // The columns exchange their names, which no statement of the old version notices.
    let new = Self.names("family", "given") { $0.attribute("middle") }
    try store.migrate(old, new)
    open.performAndWait {
      let people = NSFetchRequest<NSManagedObject>(entityName: "Person")
      people.predicate = NSPredicate(format: "family == 'Austen'")
      let decided = NSFetchRequest<NSManagedObject>(entityName: "Person")
      decided.predicate = NSPredicate(format: "family CONTAINS[cd] 'aust'")
      let first = NSFetchRequest<NSManagedObject>(entityName: "Person")
      first.sortDescriptors = [NSSortDescriptor(key: "given", ascending: true)]
      first.fetchLimit = 1
      for request in [people, decided, first] {
        Self.requireOutdated { _ = try open.fetch(request) }
        Self.requireOutdated { _ = try open.count(for: request) }
      }
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
      ids.resultType = .managedObjectIDResultType
      Self.requireOutdated { _ = try open.fetch(ids) }
      let values = NSFetchRequest<NSDictionary>(entityName: "Person")
      values.resultType = .dictionaryResultType
      values.propertiesToFetch = ["given"]
      Self.requireOutdated { _ = try open.fetch(values) }
      open.refreshAllObjects()
      Self.requireOutdated {
        open.refresh(books[0], mergeChanges: false)
        _ = books[0].value(forKey: "title")
        try open.save()
      }
    }
    let names = try store.with(new) { try $0.texts("Person", "family") }
    #expect(names == ["Jane"])
  }

  @Test("of several programs that add the store at once, one migrates it")
  func severalAtOnce() async throws {
    let store = try Self.filled()
    let url = store.url
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let new = Self.books { $0.attribute("note", default: "n") }
          return try ServedStore(at: url).with(new, options: Self.automatic(from: Self.books())) {
            try $0.texts("Book", "note")
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: ["n", "n"], count: 4))
  }

  @Test("duplicates under a new constraint are named, and nothing is changed", arguments: ways)
  func duplicates(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled(["Dune", "Emma", "Dune"])
    let new = Self.books { $0.uniquenessConstraints = [["title"]] }
    let error = try #require(throws: StoreError.self) {
      try store.migrate(Self.books(), new, by: way)
    }
    #expect(error.code == .constraintConflict)
    #expect(error.propertyName == "title")
    #expect(!error.description.contains("Dune"))
    #expect((error.underlying as? DuplicateValues)?.values == [["Dune"]])
    try requireOld(store, ["Dune", "Dune", "Emma"])
  }

  @Test("a migration is cancelled by its progress", arguments: ways)
  func cancelled(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    var fractions: [Double] = []
    let error = try #require(throws: StoreError.self) {
      try store.migrate(Self.books(), Self.books { $0.attribute("note") }, by: way) { fraction in
        fractions.append(fraction)
        return fraction < 1
      }
    }
    #expect(error.code == .interrupted)
    #expect(fractions == fractions.sorted())
    try requireOld(store)
  }

  @Test("a connection that is cut anywhere leaves the old store or the new one", arguments: ways)
  func cut(_ way: StoreMigrationPlan.Way) throws {
    let server = try TestServer.shared.get()
    let proxy = try CuttingProxy(server: server.socketFolder)
    defer { proxy.close() }
    let new = Self.books { $0.attribute("note", default: "n") }
    var isCut = true
    var outcomes: Set<Bool> = []
    var count = 200
    var schema = 0
    while isCut {
      schema += 1
      let name = "cut\(way.rawValue)\(schema)"
      let store = ServedStore(at: try server.url(schema: name))
      try store.with(Self.books()) { context in context.insert("Book", ["title": "Dune"]) }
      let throughProxy = ServedStore(at: try server.url(schema: name, host: proxy.folder))
      proxy.cut(after: count, .toServer)
      count += 350
      var failure: (any Error)?
      do { try throughProxy.migrate(Self.books(), new, by: way) } catch { failure = error }
      isCut = proxy.finish()
      let isNew = (try? store.with(new) { try $0.texts("Book", "note") == ["n"] }) ?? false
      let isOld =
        (try? store.with(Self.books()) { try $0.texts("Book", "title") == ["Dune"] }) ?? false
      #expect(isNew != isOld)
      if failure == nil { #expect(isNew) }
      outcomes.insert(isNew)
    }
    #expect(outcomes == [true, false])
    #expect(schema > 10)
  }

  @Test("the history names the properties of the new version", arguments: ways)
  func history(_ way: StoreMigrationPlan.Way) throws {
    let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    func model(_ title: String, _ identifier: String?) -> NSManagedObjectModel {
      Models.make { models in
        let book = models.entity("Book").attribute(title, renaming: identifier)
        book.attributesByName[title]?.preservesValueInHistoryOnDeletion = true
        if identifier != nil { book.attribute("added").attribute("zone") }
        book.attribute("pages", .integer32)
      }
    }
    let (old, new) = (model("title", nil), model("zeta", "title"))
    let store = try ServedStore()
    try store.with(old, options: options) { context in
      let book = context.insert("Book", ["title": "Dune"])
      try context.save()
      book.setValue("Emma", forKey: "title")
      try context.save()
      book.setValue(3, forKey: "pages")
      try context.save()
      context.delete(book)
    }
    try store.migrate(old, new, by: way)
    try store.with(new, options: options) { context in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      let changes = try #require(result.result as? [NSPersistentHistoryTransaction])
        .flatMap { $0.changes ?? [] }
      #expect(changes.map(\.changeType) == [.insert, .update, .update, .delete])
      #expect(changes[1].updatedProperties?.map(\.name) == ["zeta"])
      #expect(changes[2].updatedProperties?.map(\.name) == ["pages"])
      #expect(changes[3].tombstone?["zeta"] as? String == "Emma")
    }
  }

  @Test("a migration by copy does not drop the view of another program, but changes nothing")
  func dependentView() throws {
    let server = try TestServer.shared.get()
    let (schema, view) = ("copied_below_view", "view_of_copied.titles")
    let store = ServedStore(at: try server.url(schema: schema))
    try store.with(Self.books()) { $0.insert("Book", ["title": "Dune"]) }
    try server.execute(
      "CREATE SCHEMA view_of_copied; CREATE VIEW \(view) AS SELECT ztitle FROM \(schema).zbook")
    let new = Self.books { $0.attribute("note") }
    let error = #expect(throws: StoreError.self) {
      try store.migrate(Self.books(), new, by: .copy)
    }
    #expect(error?.message.contains("depends on a table") == true)
    try requireOld(store, ["Dune"])
    try server.execute("SELECT ztitle FROM \(view); DROP VIEW \(view)")
    try store.migrate(Self.books(), new, by: .copy)
    let titles = try store.with(new) { try $0.texts("Book", "title") }
    #expect(titles == ["Dune", "Zorn"])
  }

  @Test("a plan counts rows and losses, and changes nothing")
  func plan() throws {
    let store = try ServedStore()
    let old = Self.books { $0.attribute("pages", .integer32) }
    try store.with(old) { context in
      for pages in [1, 2, nil] { context.insert("Book", ["title": "x", "pages": pages]) }
    }
    let plan = try store.plan(old, Self.books { $0.attribute("note", default: "n") })
    #expect(plan.way == .inPlace)
    #expect(plan.losses == [.init(entityName: "Book", propertyName: "pages", rowCount: 2)])
    #expect(plan.rewrittenRows > 0)
    #expect(try store.plan(old, old).way == .none)
    let titles = try store.with(old) { try $0.texts("Book", "title") }
    #expect(titles == ["x", "x", "x"])
  }
}
