import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("A SQLite store migrates itself")
struct SQLiteMigrationTests {
  static let ways: [StoreMigrationPlan.Way] = [.inPlace, .copy]

  /// Books with a title.
  private func books(_ change: (NSEntityDescription) -> Void = { _ in }) -> NSManagedObjectModel {
    Models.make { models in
      let book = models.entity("Book").attribute("title")
      change(book)
    }
  }

  private func fill(
    _ store: MigratedStore, _ model: NSManagedObjectModel, _ titles: [String] = ["Dune", "Emma"]
  ) throws {
    try store.withContext(model) { context in
      for title in titles {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue(title, forKey: "title")
      }
      try context.save()
    }
  }

  private func values(
    _ store: MigratedStore, _ model: NSManagedObjectModel, _ key: String, of entity: String = "Book"
  ) throws -> [String] {
    try store.withContext(model) { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        .sorted { "\($0.objectID)" < "\($1.objectID)" }
        .map { $0.value(forKey: key).map { "\($0)" } ?? "nil" }
    }
  }

  @Test("an attribute is added, with its default value if it has one", arguments: ways)
  func addedAttribute(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let (old, new) = (
      books(),
      books { $0.attribute("pages", .integer64, default: 7).attribute("note") }
    )
    try fill(store, old)
    try store.migrate(old, new, by: way)
    #expect(try values(store, new, "pages") == ["7", "7"])
    #expect(try values(store, new, "note") == ["nil", "nil"])
    #expect(try values(store, new, "title").sorted() == ["Dune", "Emma"])
    #expect(try store.damage(new) == [])
    #expect(try store.schema() == store.newSchema(new))
  }

  @Test("a new optional attribute costs the same regardless of the number of rows")
  func cost() throws {
    var costs: [(statements: Int, pages: Int)] = []
    for count in [10, 5000] {
      let store = try MigratedStore()
      let old = books { book in
        book.attribute("code", .integer64)
        book.uniquenessConstraints = [["title"]]
      }
      try fill(store, old, (0..<count).map { "\($0)" })
      let before = try Data(contentsOf: store.file)
      try store.migrate(
        old,
        books { book in
          book.attribute("code", .integer64).attribute("note")
          book.uniquenessConstraints = [["title"]]
        })
      let after = try Data(contentsOf: store.file)
      let pages = stride(from: 0, to: max(before.count, after.count), by: 4096).count { start in
        before.dropFirst(start).prefix(4096) != after.dropFirst(start).prefix(4096)
      }
      costs.append((store.statements.count, pages))
    }
    #expect(costs[0].statements == costs[1].statements)
    #expect(costs[0].pages == costs[1].pages)
    #expect(costs[1].pages < 16)
  }

  @Test("a required attribute gets its default where rows have no value", arguments: ways)
  func required(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let old = books { $0.attribute("rating", .integer64) }
    let new = books { $0.attribute("rating", .integer64, isOptional: false, default: 3) }
    try fill(store, old)
    try store.sqlite("UPDATE ZBOOK SET ZRATING = 5 WHERE ZTITLE = 'Dune'")
    try store.migrate(old, new, by: way)
    #expect(try values(store, new, "rating").sorted() == ["3", "5"])
  }

  @Test("names exchange", arguments: ways)
  func exchange(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let old = Models.make { models in
      models.entity("Book").attribute("title").attribute("subtitle")
      models.entity("Album").attribute("title")
    }
    let new = Models.make { models in
      models.entity("Album", renaming: "Book").attribute("subtitle", renaming: "title")
        .attribute("title", renaming: "subtitle")
      models.entity("Book", renaming: "Album").attribute("title")
    }
    try fill(store, old)
    try store.migrate(old, new, by: way)
    #expect(try values(store, new, "subtitle", of: "Album").sorted() == ["Dune", "Emma"])
    #expect(try values(store, new, "title", of: "Album") == ["nil", "nil"])
    #expect(try values(store, new, "title") == [])
    #expect(try store.damage(new) == [])
  }

  @Test("a plan contains the way, its reasons, statements and losses, and changes nothing")
  func plan() throws {
    let store = try MigratedStore()
    let old = Models.make { models in
      models.entity("Book").attribute("title").attribute("note")
      models.entity("Draft").attribute("text")
    }
    let new = Models.make { models in models.entity("Book").attribute("title") }
    try fill(store, old)
    try store.sqlite("UPDATE ZBOOK SET ZNOTE = 'x' WHERE ZTITLE = 'Dune'")
    try store.sqlite("INSERT INTO ZDRAFT (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)")
    let bytes = try Data(contentsOf: store.file)
    let plan = try store.plan(old, new)
    #expect(plan.way == .inPlace)
    #expect(plan.reasons == [])
    #expect(plan.statements.contains("ALTER TABLE ZBOOK DROP COLUMN ZNOTE"))
    #expect(plan.statements.contains("DROP TABLE ZDRAFT"))
    #expect(
      plan.losses == [
        .init(entityName: "Draft", propertyName: nil, rowCount: 1),
        .init(entityName: "Book", propertyName: "note", rowCount: 1),
      ])
    #expect(plan.rewrittenRows == 3)
    #expect(try Data(contentsOf: store.file) == bytes)
    #expect(try store.names == ["store.sqlite"])
    #expect(try store.plan(old, old).way == .none)
    let split = Models.make { models in
      let book = models.entity("Book").attribute("title").attribute("note")
      models.entity("Draft", parent: nil).attribute("text").relationship("book", to: book)
    }
    #expect(try store.plan(old, split).way == .inPlace)
  }

  @Test("the plan reports how many links the new model cannot store")
  func narrowedLinks() throws {
    let store = try MigratedStore()
    let make = { (isToMany: Bool) in
      Models.make { models in
        let tag = models.entity("Tag").attribute("word")
        models.entity("Book").attribute("title")
          .relationship("tag", to: tag, isToMany: isToMany)
      }
    }
    let (old, new) = (make(false), make(true))
    try store.withContext(old) { context in
      let tags = (0..<2).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      }
      for number in 0..<4 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(tags[number / 3], forKey: "tag")
      }
      try context.save()
    }
    let loss = StoreMigrationPlan.Loss(entityName: "Book", propertyName: "tag", rowCount: 2)
    #expect(try store.plan(old, new).losses == [loss])
    #expect(try store.plan(old, old).losses == [])
  }

  @Test("rows that leave a hierarchy require a copy, which the plan reports")
  func leavingHierarchy() throws {
    let store = try MigratedStore()
    let make = { (isChild: Bool) in
      Models.make { models in
        let book = models.entity("Book").attribute("title")
        let comic = models.entity("Comic", parent: isChild ? book : nil)
        if !isChild { comic.attribute("title") }
      }
    }
    let (old, new) = (make(true), make(false))
    try store.withContext(old) { context in
      for entity in ["Book", "Comic"] {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
          .setValue(entity, forKey: "title")
      }
      try context.save()
    }
    let plan = try store.plan(old, new)
    #expect(plan.way == .copy)
    #expect(plan.reasons == ["The rows of ZBOOK are moved to several tables: ZBOOK, ZCOMIC."])
    try store.migrate(old, new)
    #expect(try values(store, new, "title") == ["Book"])
    #expect(try values(store, new, "title", of: "Comic") == ["Comic"])
    #expect(try store.sqlite("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == ["Book|2", "Comic|2"])
    #expect(try store.damage(new) == [])
  }

  @Test(
    "the application's metadata stays, and versions and the model cache are new", arguments: ways)
  func metadata(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let (old, new) = (books(), books { $0.attribute("note") })
    try fill(store, old)
    var metadata = try SQLiteStore.metadata(at: store.file)
    let identifier = metadata["NSStoreUUID"] as? String
    metadata["mine"] = "kept"
    try SQLiteStore.setMetadata(metadata, store.configuration)
    try store.migrate(old, new, by: way)
    let found = try SQLiteStore.metadata(at: store.file)
    #expect(found["mine"] as? String == "kept")
    #expect(found["NSStoreUUID"] as? String == identifier)
    #expect(new.isConfiguration(withName: nil, compatibleWithStoreMetadata: found))
    let cached = try #require(try ModelCache.model(inStoreAt: store.file))
    #expect(cached.entityVersionHashesByName == new.entityVersionHashesByName)
  }

  @Test("history names entities and properties by the new model", arguments: ways)
  func history(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let options = [NSPersistentHistoryTrackingKey: true as NSNumber]
    let make = { (isNew: Bool) in
      Models.make { models in
        if isNew { models.entity("Author").attribute("name") } else { models.entity("Zine") }
        let book = models.entity("Book").attribute("title").attribute("note")
        if isNew { book.attribute("author") }
        book.attributesByName["note"]?.preservesValueInHistoryOnDeletion = true
        if isNew { book.attributesByName["author"]?.preservesValueInHistoryOnDeletion = true }
      }
    }
    let (old, new) = (make(false), make(true))
    try store.withContext(old, options: options) { context in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Zine", into: context)
      try context.save()
      book.setValue("Dune", forKey: "title")
      book.setValue("sand", forKey: "note")
      try context.save()
      context.delete(book)
      try context.save()
    }
    try store.migrate(old, new, by: way)
    try store.withContext(new, options: options) { context in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      request.resultType = .transactionsAndChanges
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      let changes = transactions.flatMap { $0.changes ?? [] }
      #expect(transactions.count == 3)
      #expect(changes.map { $0.changedObjectID.entity.name } == ["Book", "Book", "Book"])
      #expect(
        changes.compactMap { $0.updatedProperties }.first.map { Set($0.map(\.name)) } == [
          "title", "note",
        ])
      #expect(changes.last?.tombstone?["note"] as? String == "sand")
    }
    #expect(try store.damage(new) == [])
    #expect(try store.schema() == store.newSchema(new, tracksHistory: true))
  }

  @Test(
    "external values stay in their files, or come into their rows; those of removed attributes go",
    arguments: ways)
  func externalValues(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let make = { (isExternal: Bool, hasCover: Bool) in
      self.books { book in
        book.attribute("image", .binaryData)
        book.attributesByName["image"]?.allowsExternalBinaryDataStorage = isExternal
        if !hasCover { return }
        book.attribute("cover", .binaryData)
        book.attributesByName["cover"]?.allowsExternalBinaryDataStorage = true
      }
    }
    let large = Data(repeating: 9, count: 200_000)
    let (old, middle, new) = (make(true, true), make(true, false), make(false, false))
    try store.withContext(old) { context in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(large, forKey: "image")
      book.setValue(large, forKey: "cover")
      try context.save()
    }
    let folder = store.folder.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
    let count = { try FileManager.default.contentsOfDirectory(atPath: folder).count }
    #expect(try count() == 2)
    try store.migrate(old, middle, by: way)
    #expect(try count() == 1)
    #expect(try store.damage(middle) == [])
    try store.migrate(middle, new, by: way)
    #expect(try count() == 0)
    let images = try store.withContext(new) { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        .map { $0.value(forKey: "image") as? Data }
    }
    #expect(images == [large])
    // In the other direction, the value stays in its row and is still readable.
    try store.migrate(new, middle, by: way)
    #expect(try count() == 0)
    #expect(try store.damage(middle) == [])
    let kept = try store.withContext(middle) { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        .map { $0.value(forKey: "image") as? Data }
    }
    #expect(kept == [large])
    try store.withContext(middle) { context in
      let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      books.first?.setValue(Data(repeating: 8, count: 200_000), forKey: "image")
      try context.save()
    }
    #expect(try count() == 1)
  }

  @Test("tables of other programs are kept", arguments: ways)
  func foreignTables(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let (old, new) = (books(), books { $0.attribute("note") })
    try fill(store, old)
    try store.sqlite("CREATE TABLE ANSCKRECORD (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR)")
    try store.sqlite("INSERT INTO ANSCKRECORD VALUES (1, 'one')")
    try store.migrate(old, new, by: way)
    #expect(try store.sqlite("SELECT * FROM ANSCKRECORD") == ["1|one"])
  }

  @Test("views and triggers of other programs are kept", arguments: ways)
  func foreignObjects(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let (old, new) = (books(), books { $0.attribute("note") })
    try fill(store, old)
    for sql in [
      "CREATE TABLE LOG (NAME VARCHAR)",
      "CREATE VIEW TITLES AS SELECT ZTITLE FROM ZBOOK",
      "CREATE TRIGGER LOGGING AFTER INSERT ON ZBOOK BEGIN INSERT INTO LOG VALUES (new.ZTITLE); END",
    ] { try store.sqlite(sql) }
    try store.migrate(old, new, by: way)
    #expect(try store.sqlite("SELECT * FROM TITLES ORDER BY ZTITLE") == ["Dune", "Emma"])
    #expect(try store.sqlite("SELECT * FROM LOG") == [])
    try fill(store, new, ["Ilias"])
    #expect(try store.sqlite("SELECT * FROM LOG") == ["Ilias"])
  }

  @Test("views and triggers that use a missing column are omitted", arguments: ways)
  func unfitObjects(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let old = books { $0.attribute("note") }
    try fill(store, old)
    for sql in [
      "CREATE TABLE LOG (NAME VARCHAR)",
      "CREATE VIEW NOTES AS SELECT ZNOTE FROM ZBOOK",
      "CREATE TRIGGER LOGGING AFTER INSERT ON ZBOOK BEGIN INSERT INTO LOG VALUES (new.ZNOTE); END",
      "CREATE TRIGGER TITLED AFTER INSERT ON ZBOOK BEGIN INSERT INTO LOG VALUES (new.ZTITLE); END",
    ] { try store.sqlite(sql) }
    try store.migrate(old, books(), by: way)
    let names = try store.sqlite(
      "SELECT name FROM sqlite_master WHERE name IN ('LOG', 'NOTES', 'LOGGING', 'TITLED') "
        + "ORDER BY name")
    #expect(names == ["LOG", "TITLED"])
    try fill(store, books(), ["Ilias"])
    #expect(try values(store, books(), "title").sorted() == ["Dune", "Emma", "Ilias"])
    #expect(try store.sqlite("SELECT * FROM LOG") == ["Ilias"])
  }

  @Test("a trigger that uses a removed column does not prevent changes of other columns and rows")
  func unfitTriggerDuringSteps() throws {
    let store = try MigratedStore()
    let old = books { $0.attribute("note").attribute("rating", .integer64) }
    let new = Models.make { models in
      models.entity("Book").attribute("name", renaming: "title")
        .attribute("rating", .integer64, isOptional: false, default: 3)
    }
    try fill(store, old)
    for sql in [
      "CREATE TABLE LOG (NAME VARCHAR)",
      "CREATE TRIGGER LOGGING AFTER UPDATE ON ZBOOK BEGIN INSERT INTO LOG VALUES (new.ZNOTE); END",
      "CREATE TRIGGER TITLED AFTER INSERT ON ZBOOK BEGIN INSERT INTO LOG VALUES (new.ZTITLE); END",
    ] { try store.sqlite(sql) }
    try store.migrate(old, new, by: .inPlace)
    let triggers = try store.sqlite("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    #expect(triggers == ["TITLED"])
    #expect(try values(store, new, "rating") == ["3", "3"])
    #expect(try values(store, new, "name").sorted() == ["Dune", "Emma"])
    try store.withContext(new) { context in
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue("Ilias", forKey: "name")
      try context.save()
    }
    #expect(try store.sqlite("SELECT * FROM LOG") == ["Ilias"])
  }
}
