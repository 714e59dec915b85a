import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import Testing

import class OpenPredicates.NSExpression

/// SQLite stores that were opened with a named configuration, so that their metadata lists only
/// some entities of the model.
@Suite("Migration of the store of a configuration")
struct ConfigurationMigrationTests {
  private let fixture: MigrationFixture
  private let old: NSManagedObjectModel

  init() throws {
    fixture = try MigrationFixture()
    old = Self.model { _ in }
    try fixture.with("a.sqlite", old, configuration: "A") { $0.insert("Book", ["title": "Emma"]) }
  }

  /// Returns a model with books in the configuration "A" and logs in the configuration "B".
  private static func model(_ build: (NSEntityDescription) -> Void) -> NSManagedObjectModel {
    let model = Models.make { models in
      build(models.entity("Book").attribute("title"))
      models.entity("Log").attribute("line")
    }
    for (name, entity) in [("A", "Book"), ("B", "Log")] {
      model.setEntities(model.entities.filter { $0.name == entity }, forConfigurationName: name)
    }
    return model
  }

  private func options(_ more: [AnyHashable: Any]) -> [AnyHashable: Any] {
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, OpenModelVersionsOption: [old],
    ]
    return options.merging(more) { $1 }
  }

  /// Opens the store, and returns the titles and numbers of the books.
  private func books(
    _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]
  ) throws -> [String] {
    try fixture.with("a.sqlite", model, configuration: "A", options: options) { context in
      try context.all("Book", by: "title").map { book in
        ["title", "isbn"].map { book.value(forKey: $0) as? String ?? "nil" }.joined(separator: " ")
      }
    }
  }

  // MARK: Mapping models

  @Test("a mapping model migrates the store")
  func mappingModel() throws {
    let new = Self.model { $0.attribute("isbn", isOptional: false) }
    let bundle = try TestBundle(file: "Books.cdm") { try mapping(to: new).write(to: $0) }
    defer { bundle.remove() }
    let options = options([NSInferMappingModelAutomaticallyOption: false])
    for _ in 0..<2 { #expect(try books(new, options) == ["Emma unknown"]) }
  }

  /// The mapping that would be inferred if the number of a book were optional, with a value for it.
  private func mapping(to new: NSManagedObjectModel) throws -> NSMappingModel {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: Self.model { $0.attribute("isbn") })
    for entityMapping in mapping.entityMappings {
      let entity = entityMapping.destinationEntityName.flatMap { new.entitiesByName[$0] }
      entityMapping.destinationEntityVersionHash = entity?.versionHash
      guard entity?.attributesByName["isbn"] != nil else { continue }
      let number = NSPropertyMapping()
      number.name = "isbn"
      number.valueExpression = NSExpression(forConstantValue: "unknown")
      entityMapping.attributeMappings?.append(number)
    }
    return mapping
  }

  // MARK: Stages

  private struct StageFailure: Error {}

  @Test("a lightweight stage migrates the store")
  func lightweightStage() throws {
    let new = Self.model { $0.attribute("isbn", isOptional: false, default: "none") }
    let stage = NSLightweightMigrationStage([old.versionChecksum, new.versionChecksum])
    let options = options([
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage])
    ])
    for _ in 0..<2 { #expect(try books(new, options) == ["Emma none"]) }
  }

  @Test("a handler that throws runs again at the next opening of the store")
  func failingHandler() throws {
    let new = Self.model { $0.attribute("isbn") }
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(
        model: old, versionChecksum: old.versionChecksum),
      to: NSManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum))
    let options = options([
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage])
    ])
    stage.didMigrateHandler = { _, _ in throw StageFailure() }
    #expect(throws: StageFailure.self) { try books(new, options) }
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container?.newBackgroundContext())
      try context.performAndWait {
        for book in try context.all("Book", by: "title") { book.setValue("set", forKey: "isbn") }
        try context.save()
      }
    }
    for _ in 0..<2 { #expect(try books(new, options) == ["Emma set"]) }
  }
}
