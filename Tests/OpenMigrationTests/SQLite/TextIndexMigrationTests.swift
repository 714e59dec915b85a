import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("A store with an index of words migrates itself")
struct TextIndexMigrationTests {
  static let ways: [StoreMigrationPlan.Way] = [.inPlace, .copy]

  private func model(
    _ entity: String = "Book", _ change: (NSEntityDescription) -> Void
  ) -> NSManagedObjectModel {
    let made = Models.make { models in change(models.entity(entity)) }
    for entity in made.entities {
      for case let attribute as NSAttributeDescription in entity.properties {
        attribute.isIndexedBySpotlight = attribute.attributeType == .stringAttributeType
      }
    }
    return made
  }

  private func search(
    _ store: MigratedStore, _ model: NSManagedObjectModel, _ words: String,
    _ entity: String = "Book"
  ) throws -> Int {
    let plain: [AnyHashable: Any] = [:]
    return try store.withContext(model, options: plain) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      // A ranked fetch requires an index.
      let found = try context.fetch(request, rankedBy: TextQuery(words))
      let coordinator = try #require(context.persistentStoreCoordinator)
      #expect(try coordinator.damagedTextIndexes(of: coordinator.persistentStores[0]) == [])
      request.predicate = NSPredicate(search: TextQuery(words))
      #expect(try context.count(for: request) == found.count)
      return found.count
    }
  }

  private func filled(_ model: NSManagedObjectModel) throws -> MigratedStore {
    let store = try MigratedStore()
    try store.withContext(model, options: [OpenTextIndexOption: true]) { context in
      for title in ["Dune", "Emma", "Dune Messiah"] {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
      }
      try context.save()
    }
    return store
  }

  @Test("an added attribute leaves the index, or gets into it", arguments: ways)
  func addedAttribute(_ way: StoreMigrationPlan.Way) throws {
    let old = model { $0.attribute("title") }
    let store = try filled(old)
    let wider = model { $0.attribute("title").attribute("pages", .integer64, default: 1) }
    try store.migrate(old, wider, by: way)
    #expect(try search(store, wider, "dune") == 2)
    let noted = model { $0.attribute("title").attribute("pages", .integer64).attribute("note") }
    try store.migrate(wider, noted, by: way)
    #expect(try search(store, noted, "dune") == 2)
    try store.withContext(noted) { context in
      for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
        book.setValue("a classic", forKey: "note")
      }
      try context.save()
    }
    #expect(try search(store, noted, "classic") == 3)
  }

  @Test("renamed attributes and entities, and a removed attribute", arguments: ways)
  func renames(_ way: StoreMigrationPlan.Way) throws {
    let old = model { $0.attribute("title").attribute("note") }
    let store = try filled(old)
    let renamed = model("Volume") { entity in
      entity.renamingIdentifier = "Book"
      entity.attribute("name")
      entity.attributesByName["name"]?.renamingIdentifier = "title"
    }
    try store.migrate(old, renamed, by: way)
    #expect(try search(store, renamed, "dune", "Volume") == 2)
    try store.withContext(renamed) { context in
      let volumes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Volume"))
      for volume in volumes { volume.setValue("Persuasion", forKey: "name") }
      try context.save()
    }
    #expect(try search(store, renamed, "dune", "Volume") == 0)
    #expect(try search(store, renamed, "persuasion", "Volume") == 3)
  }

  @Test("an index has the prefix lengths of the new model", arguments: ways)
  func prefixLengths(_ way: StoreMigrationPlan.Way) throws {
    let old = model { $0.attribute("title") }
    let store = try filled(old)
    let new = model { entity in
      entity.attribute("title").attribute("pages", .integer64)
      entity.attributesByName["title"]?.userInfo = [OpenTextPrefixLengthsKey: "2,3"]
    }
    try store.migrate(old, new, by: way)
    #expect(try search(store, new, "du*") == 2)
    let lengths = try store.withContext(new, options: [AnyHashable: Any]()) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      return try coordinator.textIndexes(of: coordinator.persistentStores[0]).map(\.prefixLengths)
    }
    #expect(lengths == [[2, 3]])
  }

  @Test("the index of an unchanged table does not change")
  func unchanged() throws {
    let old = model { $0.attribute("title") }
    let store = try filled(old)
    let new = model { $0.attribute("title").attribute("pages", .integer64) }
    try store.migrate(old, new)
    #expect(!store.statements.contains { $0.contains("'rebuild'") })
    #expect(try search(store, new, "dune") == 2)
  }

  @Test("a store without an index gets none", arguments: ways)
  func noIndex(_ way: StoreMigrationPlan.Way) throws {
    let old = model { $0.attribute("title") }
    let store = try MigratedStore()
    try store.withContext(old) { try $0.save() }
    let new = model { $0.attribute("title").attribute("note") }
    try store.migrate(old, new, by: way)
    #expect(!store.statements.contains { $0.contains("OpenCoreDataText_") })
    #expect(throws: (any Error).self) { try search(store, new, "dune") }
  }
}
