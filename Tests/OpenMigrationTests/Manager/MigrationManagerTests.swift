import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import class OpenPredicates.NSExpression
import Testing

/// Objects that a migration manager brings from one store to another.
@Suite("Migration managers")
struct MigrationManagerTests {
  private let fixture: MigrationFixture
  private let old = Library.old()
  private let new = Library.new()

  init() throws { fixture = try MigrationFixture() }

  private func makeManager() -> NSMigrationManager {
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    manager.usesStoreSpecificMigrationManager = false
    return manager
  }

  private func inferred() throws -> NSMappingModel {
    try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
  }

  @Test(
    "an inferred mapping brings over values, links and order",
    arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func inferredMapping(type: String) throws {
    try fixture.with("old", old, type: type) { Library.fill($0) }
    try fixture.migrate(makeManager(), try inferred(), type: type)
    let contents = try fixture.with("new", new, type: type) { try Library.contents($0) }
    #expect(contents == Library.expected)
  }

  @Test(
    "the destination is one file, and the source has no log, so that it can replace the source"
  )
  func noLogs() throws {
    try fixture.with("old", old) { Library.fill($0) }
    try fixture.migrate(makeManager(), try inferred())
    #expect(try fixture.files.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } == [])
    try FileManager.default.removeItem(at: fixture.url("old"))
    try FileManager.default.moveItem(at: fixture.url("new"), to: fixture.url("old"))
    let contents = try fixture.with("old", new) { try Library.contents($0) }
    #expect(contents == Library.expected)
  }

  @Test("a value that cannot be read makes the migration throw, and the source is unchanged")
  func unreadableValue() throws {
    let model = Models.make {
      $0.entity("Book").attribute("title").attribute("cover", .transformable)
    }
    let next = Models.make { models in
      models.entity("Book").attribute("title").attribute("cover", .transformable)
        .attribute("pages", .integer16)
    }
    let store = try MigratedStore()
    try store.withContext(model) { context in
      context.insert("Book", ["title": "Emma", "cover": ["green"]])
      try context.save()
    }
    let place = store.folder.appendingPathComponent("new.sqlite")
    let migrate = { try RandomMigrationTests.migrateByObjects(store.file, to: place, model, next) }
    let archive = try #require(try store.sqlite("SELECT hex(ZCOVER) FROM ZBOOK").first)
    _ = try store.sqlite("UPDATE ZBOOK SET ZCOVER = x'0102'")
    let error = #expect(throws: CocoaError.self) { try migrate() }
    #expect(error?.code.rawValue == NSMigrationError)
    #expect(error?.localizedDescription.contains("Book.cover") == true)
    #expect(!FileManager.default.fileExists(atPath: place.path))
    #expect(try store.sqlite("SELECT hex(ZCOVER) FROM ZBOOK") == ["0102"])
    _ = try store.sqlite("UPDATE ZBOOK SET ZCOVER = x'\(archive)'")
    try migrate()
    let cover = try store.withContext(next, at: place) { context in
      try context.all("Book", by: "title").first?.value(forKey: "cover") as? [String]
    }
    #expect(cover == ["green"])
  }

  @Test("the application's metadata is copied, and the source does not change")
  func metadata() throws {
    try fixture.with("old", old) { context in
      Library.fill(context)
      let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
      store.metadata["note"] = "mine"
    }
    try fixture.migrate(makeManager(), try inferred())
    let note = try fixture.with("new", new) { context in
      context.persistentStoreCoordinator?.persistentStores.first?.metadata["note"] as? String
    }
    #expect(note == "mine")
    let titles = try fixture.with("old", old) { try $0.texts("Book", "title") }
    #expect(titles == ["B0", "B1", "B2", "B3", "B4", "B5"])
  }

  @Test("progress rises from 0 to 1, and observers are notified")
  func progress() throws {
    try fixture.with("old", old) { Library.fill($0) }
    let manager = makeManager()
    #expect(manager.migrationProgress == 1)
    var seen: [Float] = []
    let observation = manager.observe(\.migrationProgress, options: [.new]) { _, change in
      seen.append(change.newValue ?? -1)
    }
    try fixture.migrate(manager, try inferred())
    withExtendedLifetime(observation) {}
    #expect(seen.first == 0 && seen.last == 1 && seen == seen.sorted())
    #expect(Set(seen).count == 24)
    #expect(manager.currentEntityMapping.name == manager.mappingModel.entityMappings.last?.name)
  }

  @Test(
    "a cancelled migration throws the error that it was cancelled with, and leaves no destination")
  func cancellation() throws {
    struct Stopped: Error {}
    try fixture.with("old", old) { Library.fill($0) }
    let manager = makeManager()
    let observation = manager.observe(\.migrationProgress) { manager, _ in
      if manager.migrationProgress > 0.5 { manager.cancelMigrationWithError(Stopped()) }
    }
    #expect(throws: Stopped.self) { try fixture.migrate(manager, try inferred()) }
    observation.invalidate()
    #expect(try !fixture.files.contains("new"))
    // The manager can be used again.
    try fixture.migrate(manager, try inferred())
    #expect(try fixture.with("new", new) { try Library.contents($0) } == Library.expected)
  }

  @Test("several mapping models add to one destination")
  func severalMappings() throws {
    try fixture.with("old", old) { Library.fill($0) }
    for entity in ["Person", "Tag"] {
      let mapping = try inferred()
      mapping.entityMappings.removeAll { $0.destinationEntityName != entity }
      for one in mapping.entityMappings { one.relationshipMappings = nil }
      try fixture.migrate(makeManager(), mapping)
    }
    let names = try fixture.with("new", new) { context in
      try [context.texts("Person", "name"), context.texts("Tag", "word")]
    }
    #expect(names == [["Anna", "Bert"], ["blue", "green", "red"]])
  }

  // MARK: Bad input

  private func code(_ migrate: () throws -> Void) -> Int? {
    let error = #expect(throws: CocoaError.self) { try migrate() }
    #expect(error?.localizedDescription.isEmpty == false)
    return error?.code.rawValue
  }

  @Test("a missing source, a source of another model, and another file are error 134150")
  func badSource() throws {
    #expect(code { try fixture.migrate(makeManager(), try inferred()) } == 134_150)
    try fixture.with("old", new) { _ = $0.insert("Tag", ["word": "x"]) }
    #expect(code { try fixture.migrate(makeManager(), try inferred()) } == 134_150)
    try Data("no store".utf8).write(to: fixture.url("text"))
    #expect(
      code { try fixture.migrate(makeManager(), try inferred(), from: "text") } == 134_150)
    #expect(try fixture.files.filter { $0.hasPrefix("new") } == [])
  }

  @Test(
    "a store that migrates its own rows but cannot be opened is error 134150 or 134160")
  func badStoreOfOwnRows() throws {
    let manager = { NSMigrationManager(sourceModel: old, destinationModel: new) }
    #expect(code { try fixture.migrate(manager(), try inferred()) } == 134_150)
    try Data("no store".utf8).write(to: fixture.url("text"))
    #expect(
      code { try fixture.migrate(manager(), try inferred(), from: "text") } == 134_150)
    try fixture.with("other", new) { _ = $0.insert("Tag", ["word": "x"]) }
    #expect(
      code { try fixture.migrate(manager(), try inferred(), from: "other") } == 134_150)
    try fixture.with("old", old) { Library.fill($0) }
    #expect(
      code { try fixture.migrate(manager(), try inferred(), to: "none/new") } == 134_160)
    #expect(try !fixture.files.contains("new"))
  }

  @Test("a destination that is the source, or of another model, is error 134160")
  func badDestination() throws {
    try fixture.with("old", old) { Library.fill($0) }
    #expect(code { try fixture.migrate(makeManager(), try inferred(), to: "old") } == 134_160)
    try FileManager.default.createSymbolicLink(
      at: fixture.url("link"), withDestinationURL: fixture.url("old"))
    #expect(code { try fixture.migrate(makeManager(), try inferred(), to: "link") } == 134_160)
    #expect(try fixture.with("old", old) { try $0.texts("Book", "title").count } == 6)
    try fixture.with("other", old) { Library.fill($0) }
    #expect(code { try fixture.migrate(makeManager(), try inferred(), to: "other") } == 134_160)
    let titles = try fixture.with("other", old) { try $0.texts("Book", "title") }
    #expect(titles.count == 6)
  }

  @Test("a missing mapping model is error 134140, a mapping model for other versions 134110")
  func badMapping() throws {
    try fixture.with("old", old) { Library.fill($0) }
    #expect(code { try fixture.migrate(makeManager(), nil) } == 134_140)
    let reversed = try NSMappingModel.inferredMappingModel(
      forSourceModel: new, destinationModel: new)
    #expect(code { try fixture.migrate(makeManager(), reversed) } == 134_110)
    let twice = try inferred()
    twice.entityMappings.append(twice.entityMappings[0])
    #expect(code { try fixture.migrate(makeManager(), twice) } == 134_110)
  }

  @Test(
    "objects that break a uniqueness constraint are error 134111, invalid ones 134110 with the cause (D-440)"
  )
  func invalidObjects() throws {
    new.entitiesByName["Work"]?.uniquenessConstraints = [["price"]]
    try fixture.with("old", old) { Library.fill($0) }
    #expect(code { try fixture.migrate(makeManager(), try inferred()) } == 134_111)
    #expect(try fixture.files.filter { $0.hasPrefix("new") } == [])
    let mapping = try inferred()
    for one in mapping.entityMappings where one.destinationEntityName == "Work" {
      one.attributeMappings?.removeAll { $0.name == "heading" }
    }
    let error = #expect(throws: CocoaError.self) { try fixture.migrate(makeManager(), mapping) }
    #expect(error?.code.rawValue == 134_110)
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
    #expect(cause?.code.rawValue == 1560)
  }

  @Test(
    "a value that does not fit the destination's type ends the migration and names the property")
  func unfitValue() throws {
    try fixture.with("old", old) { Library.fill($0) }
    let mapping = try inferred()
    let work = try #require(
      mapping.entityMappings.first { $0.destinationEntityName == "Work" })
    work.attributeMappings?.first { $0.name == "pages" }?.valueExpression =
      NSExpression(format: "$source.title")
    let error = #expect(throws: CocoaError.self) { try fixture.migrate(makeManager(), mapping) }
    #expect(error?.code.rawValue == 134_110)
    #expect(error?.localizedDescription.contains("pages") == true)
    #expect(try fixture.files.filter { $0.hasPrefix("new") } == [])
  }
}
