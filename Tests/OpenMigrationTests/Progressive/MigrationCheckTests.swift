import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenTestSupport
import Testing

/// The test helper for migrations.
@Suite("Checks of migrations")
struct MigrationCheckTests {
  private func version(_ name: String, _ model: NSManagedObjectModel) -> StoreMigration.Version {
    StoreMigration.Version(name, model)
  }

  @Test("three lines of code test the migration of each old version in a model's folder")
  func folder() throws {
    let fixture = try MigrationFixture()
    let middle = Library.old()
    middle.entitiesByName["Tag"]?.attribute("color")
    let folder = fixture.url("Library.momd")
    try NSManagedObjectModel.write(
      ["Library": Library.old(), "Library 2": middle, "Library 10": Library.new()],
      current: "Library 10", to: folder)
    let check = try MigrationCheck(modelAt: folder)
    var seen: [String] = []
    try check.run(verify: { context, name in
      seen.append(name)
      let works = try context.all("Work", by: "heading")
      #expect(works.count == 3)
    })
    #expect(seen == ["Library", "Library", "Library 2"])
  }

  @Test("custom rows, and checks of the migrated stores")
  func own() throws {
    let check = MigrationCheck(versions: [
      version("1", Library.old()), version("2", Library.new()),
    ])
    try check.run(
      fill: { context, _ in Library.fill(context) },
      verify: { context, _ in
        let contents = try Library.contents(context)
        #expect(contents == Library.expected)
      })
  }

  @Test("generated rows satisfy the rules of attributes")
  func rules() throws {
    func model(_ build: (NSEntityDescription) -> Void) -> NSManagedObjectModel {
      Models.make { models in
        let entity = models.entity("Thing").attribute("code", isOptional: false)
          .attribute("size", .integer32, isOptional: false)
        entity.attributesByName["code"]?.setValidationPredicates(
          [NSPredicate(format: "length > 50")], withValidationWarnings: ["long"])
        entity.attributesByName["size"]?.setValidationPredicates(
          [NSPredicate(format: "SELF > 1000")], withValidationWarnings: ["large"])
        build(entity)
      }
    }
    let check = MigrationCheck(versions: [
      version("1", model { _ in }), version("2", model { $0.attribute("more") }),
    ])
    try check.run()
    let impossible = model { entity in
      entity.attributesByName["code"]?.setValidationPredicates(
        [NSPredicate(format: "SELF == 'nothing like it'")], withValidationWarnings: ["never"])
    }
    let failure = #expect(throws: MigrationCheckFailure.self) {
      try MigrationCheck(versions: [version("1", impossible), version("2", impossible)]).run()
    }
    #expect(failure?.description.contains("Thing.code") == true)
  }

  @Test("values that are lost on the way are named")
  func lostValues() throws {
    // Only adjacent versions contain a repeated rename, and the mapping model omits it.
    let old = Models.make { $0.entity("Person").attribute("name") }
    let new = Models.make { $0.entity("Person").attribute("title", renaming: "name") }
    let check = MigrationCheck(versions: [version("1", old), version("2", new)])
    let failure = #expect(throws: MigrationCheckFailure.self) {
      try check.run(
        fill: { context, _ in context.insert("Person", ["name": "Ada"]) },
        verify: { context, _ in
          for person in try context.all("Person", by: "title") {
            person.setValue("other", forKey: "title")
          }
        })
    }
    #expect(failure?.differences == ["1 → 2: Person p1.name was Ada, but title is other"])
  }
}
