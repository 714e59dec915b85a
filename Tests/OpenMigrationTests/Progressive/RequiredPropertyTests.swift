import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import Testing

@Suite("Store migrations to models with further required properties")
struct RequiredPropertyTests {
  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  @Test(
    "properties without values can become required if no object lacks a value (D-438)",
    arguments: [NSSQLiteStoreType, NSXMLStoreType])
  func requiredProperties(type: String) throws {
    func models(isOptional: Bool, _ added: String...) -> NSManagedObjectModel {
      Models.make { models in
        models.entity("Person").attribute("name", isOptional: isOptional)
        let pet = models.entity("Pet").attribute("name")
        for name in added { pet.attribute(name, isOptional: false) }
      }
    }
    let old = models(isOptional: true)
    let new = models(isOptional: false, "kind")
    try fixture.with("store", old, type: type) { $0.insert("Person", ["name": "Ada"]) }
    let migration = StoreMigration(
      storeAt: fixture.url("store"), type: type,
      versions: [StoreMigration.Version("old", old), StoreMigration.Version("new", new)])
    #expect(try migration.run().steps.map(\.kind) == [.inferred])
    let names = try fixture.with("store", new, type: type) { try $0.texts("Person", "name") }
    #expect(names == ["Ada"])
  }

  @Test("a plan throws 134190 if an object lacks a value for a property that becomes required")
  func missingValue() throws {
    let old = Models.make { $0.entity("Person").attribute("name") }
    try fixture.with("store", old) { $0.insert("Person", ["name": "Ada"]) }
    let strict = Models.make {
      $0.entity("Person").attribute("name").attribute("email", isOptional: false)
    }
    let migration = StoreMigration(
      storeAt: fixture.url("store"),
      versions: [StoreMigration.Version("old", old), StoreMigration.Version("strict", strict)])
    let planned = #expect(throws: CocoaError.self) { try migration.plan() }
    #expect(planned?.code == .inferredMappingModel)
    let run = #expect(throws: CocoaError.self) { try migration.run() }
    #expect(run?.code == .inferredMappingModel)
    #expect(try migration.currentVersion == "old")
    #expect(try migration.interrupted == nil)
  }
}
