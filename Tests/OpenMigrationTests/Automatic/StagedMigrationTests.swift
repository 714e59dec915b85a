import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import Testing

/// Stores that are migrated stage by stage.
@Suite("Staged migration")
struct StagedMigrationTests {
  private let fixture: MigrationFixture
  private let models: [NSManagedObjectModel]

  init() throws {
    fixture = try MigrationFixture()
    // 1: a name. 2: a nickname besides. 3: first and last name in its place. 4: a required rank.
    models = [
      Models.make { $0.entity("Person").attribute("name") },
      Models.make { $0.entity("Person").attribute("name").attribute("nickname") },
      Models.make {
        $0.entity("Person").attribute("name").attribute("nickname").attribute("first")
          .attribute("last")
      },
      Models.make {
        $0.entity("Person").attribute("nickname").attribute("first").attribute("last")
      },
      Models.make {
        $0.entity("Person").attribute("nickname").attribute("first").attribute("last")
          .attribute("rank", .integer16, isOptional: false, default: 1)
      },
    ]
  }

  private func reference(_ index: Int) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(
      model: models[index], versionChecksum: models[index].versionChecksum)
  }

  /// Lightweight from 0 to 1, custom from 1 to 2 that splits names, lightweight to the end.
  private func manager(
    _ log: NSMutableArray, failing: Bool = false
  ) -> NSStagedMigrationManager {
    let first = NSLightweightMigrationStage([models[0].versionChecksum])
    first.label = "nicknames"
    let split = NSCustomMigrationStage(migratingFrom: reference(1), to: reference(2))
    split.willMigrateHandler = { manager, stage in
      let context = try #require(manager.container?.newBackgroundContext())
      try context.performAndWait {
        log.add("will \(try context.texts("Person", "name").joined(separator: ","))")
        for person in try context.all("Person", by: "name") {
          person.setValue("?", forKey: "nickname")
        }
        try context.save()
      }
    }
    split.didMigrateHandler = { manager, stage in
      if failing { throw StageFailure() }
      let context = try #require(manager.container?.newBackgroundContext())
      try context.performAndWait {
        for person in try context.all("Person", by: "name") {
          let words = (person.value(forKey: "name") as? String ?? "").split(separator: " ")
          person.setValue(words.first.map(String.init), forKey: "first")
          person.setValue(words.last.map(String.init), forKey: "last")
        }
        log.add("did \(stage.nextModel.versionChecksum == models[2].versionChecksum)")
        try context.save()
      }
    }
    let last = NSLightweightMigrationStage([models[2].versionChecksum, models[3].versionChecksum])
    return NSStagedMigrationManager([first, split, last])
  }

  private struct StageFailure: Error {}

  private func options(
    _ manager: NSStagedMigrationManager, _ versions: [NSManagedObjectModel]? = nil
  ) -> [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      NSPersistentStoreStagedMigrationManagerOptionKey: manager,
      OpenModelVersionsOption: versions ?? models,
    ]
  }

  private func fill(_ index: Int) throws {
    try fixture.with("store", models[index]) { context in
      for name in ["Ada Lovelace", "Bo Derek"] { context.insert("Person", ["name": name]) }
    }
  }

  private let expected = ["Bo Derek ? 1", "Ada Lovelace ? 1"]

  private func people(_ options: [AnyHashable: Any]?) throws -> [String] {
    try fixture.with("store", models[4], options: options) { context in
      try context.all("Person", by: "last").map { person in
        ["first", "last", "nickname"].map { person.value(forKey: $0) as? String ?? "nil" }
          .joined(separator: " ") + " \(person.value(forKey: "rank") as? Int ?? -1)"
      }
    }
  }

  @Test(
    "stages run in their order, with handlers before and after, from whichever version",
    arguments: [0, 1])
  func stages(start: Int) throws {
    try fill(start)
    let log = NSMutableArray()
    let manager = manager(log)
    #expect(manager.stages.count == 3 && manager.container == nil)
    #expect(try people(options(manager)) == expected)
    #expect(log.map { "\($0)" } == ["will Ada Lovelace,Bo Derek", "did true"])
    #expect(manager.container == nil)
    #expect(try people(options(manager)) == expected)
    #expect(log.count == 2)
  }

  @Test("a handler has the container of its own store, even if it opens a store with its manager")
  func sharedManager() throws {
    let other = try MigrationFixture()
    for (folder, name) in [(fixture, "Ada"), (other, "Bo")] {
      try folder.with("store", models[1]) { $0.insert("Person", ["name": name]) }
    }
    let split = NSCustomMigrationStage(migratingFrom: reference(1), to: reference(2))
    let manager = NSStagedMigrationManager([split])
    let options = options(manager)
    let log = NSMutableArray()
    split.willMigrateHandler = { manager, _ in
      func names() throws -> [String] {
        let context = try #require(manager.container?.newBackgroundContext())
        return try context.performAndWait { try context.texts("Person", "name") }
      }
      log.addObjects(from: try names())
      if log.count > 1 { return }
      try other.with("store", models[2], options: options) { _ in }
      log.addObjects(from: try names())
    }
    try fixture.with("store", models[2], options: options) { _ in }
    #expect(log.map { "\($0)" } == ["Ada", "Bo", "Ada"])
    #expect(manager.container == nil)
  }

  @Test("a handler that throws ends the migration and runs again at the next opening")
  func failingHandler() throws {
    try fill(0)
    let log = NSMutableArray()
    #expect(throws: StageFailure.self) { try people(options(manager(log, failing: true))) }
    #expect(log.map { "\($0)" } == ["will Ada Lovelace,Bo Derek"])
    // The store has the shape of the stage.
    let names = try fixture.with("store", models[2]) { try $0.texts("Person", "name") }
    #expect(names == ["Ada Lovelace", "Bo Derek"])
    #expect(try people(options(manager(log))) == expected)
    #expect(log.map { "\($0)" } == ["will Ada Lovelace,Bo Derek", "did true"])
  }

  private func code(_ work: () throws -> Void) -> Int? {
    let error = #expect(throws: CocoaError.self) { try work() }
    #expect(error?.localizedDescription.isEmpty == false)
    return error?.code.rawValue
  }

  @Test("a stage whose mapping cannot be inferred is error 134140")
  func notInferred() throws {
    try fill(0)
    let other = Models.make { $0.entity("Person").attribute("name", .integer64) }
    let stage = NSLightweightMigrationStage([models[0].versionChecksum, other.versionChecksum])
    let options = options(NSStagedMigrationManager([stage]), [models[0], other])
    #expect(code { try fixture.with("store", other, options: options) { _ in } } == 134_140)
    #expect(
      try fixture.with("store", models[0]) { try $0.texts("Person", "name") } == [
        "Ada Lovelace", "Bo Derek",
      ])
  }

  @Test("a version without a stage is error 134504, a version after the target 134506")
  func unknownVersions() throws {
    try fixture.with("store", Models.make { $0.entity("Person").attribute("other") }) {
      $0.insert("Person")
    }
    let log = NSMutableArray()
    var options = options(manager(log))
    options[OpenModelVersionsOption] =
      models + [Models.make { $0.entity("Person").attribute("other") }]
    #expect(code { _ = try people(options) } == 134_504)
    let other = try MigrationFixture()
    try other.with("store", models[2]) { $0.insert("Person", ["name": "x"]) }
    #expect(code { try other.with("store", models[1], options: options) { _ in } } == 134_506)
    #expect(try other.with("store", models[2]) { try $0.texts("Person", "name") } == ["x"])
  }

  @Test("a reference finds its version in a file or by its model; another checksum is error 134504")
  func references() throws {
    let folder = fixture.url("People.momd")
    try NSManagedObjectModel.write(
      ["P1": models[0], "P2": models[1]], current: "P2", to: folder)
    let sum = models[0].versionChecksum
    let reference = NSManagedObjectModelReference(fileURL: folder, versionChecksum: sum)
    #expect(try reference.resolve().versionChecksum == sum)
    #expect(reference.resolvedModel === reference.resolvedModel)
    #expect(reference.versionChecksum == sum)
    let wrong = NSManagedObjectModelReference(model: models[1], versionChecksum: sum)
    #expect(code { _ = try wrong.resolve() } == 134_504)
    #expect(wrong.resolvedModel.entities.isEmpty)
    for missing in [
      NSManagedObjectModelReference(fileURL: fixture.url("none.momd"), versionChecksum: sum),
      NSManagedObjectModelReference(name: "nobodys", in: nil, versionChecksum: sum),
      NSManagedObjectModelReference(
        entityVersionHashes: models[0].entityVersionHashesByName, in: nil, versionChecksum: "x"),
    ] {
      #expect(code { _ = try missing.resolve() } == 134_504)
    }
  }

  @Test(
    "a stage whose version was changed after its release is error 134504, and the store is not changed"
  )
  func changedVersion() throws {
    try fill(1)
    let stage = NSCustomMigrationStage(
      migratingFrom: reference(1),
      to: NSManagedObjectModelReference(model: models[2], versionChecksum: "other"))
    let manager = NSStagedMigrationManager([stage])
    #expect(code { _ = try people(options(manager)) } == 134_504)
    #expect(try fixture.with("store", models[1]) { try $0.texts("Person", "name").count } == 2)
  }

  // MARK: Skipping versions

  /// An attribute that is renamed in every version, with the previous name as its identifier.
  private let renamed = [
    Models.make { $0.entity("Person").attribute("a") },
    Models.make { $0.entity("Person").attribute("b", renaming: "a") },
    Models.make { $0.entity("Person").attribute("c", renaming: "b") },
  ]

  private func lightweight(_ versions: [NSManagedObjectModel]) -> NSStagedMigrationManager {
    NSStagedMigrationManager([NSLightweightMigrationStage(versions.map(\.versionChecksum))])
  }

  @Test("no version is skipped if a single step would lose values that the versions keep")
  func lossySkip() throws {
    try fixture.with("store", renamed[0]) { $0.insert("Person", ["a": "Ada"]) }
    let options = options(lightweight(renamed), renamed)
    #expect(
      try fixture.with("store", renamed[2], options: options) { try $0.texts("Person", "c") }
        == ["Ada"])
  }

  @Test("a version without a property is not skipped if a later version adds the property again")
  func addedAgain() throws {
    let versions = [
      Models.make { $0.entity("Person").attribute("name").attribute("note") },
      Models.make { $0.entity("Person").attribute("name") },
      Models.make {
        $0.entity("Person").attribute("name").attribute("note").attribute("city")
      },
    ]
    try fixture.with("store", versions[0]) { $0.insert("Person", ["name": "Ada", "note": "old"]) }
    let options = options(lightweight(versions), versions)
    let people = try fixture.with("store", versions[2], options: options) { context in
      try context.texts("Person", "name") + context.texts("Person", "note")
    }
    #expect(people == ["Ada", "nil"])
  }

  @Test("a version that the program does not have is skipped only if no values are lost")
  func missingVersion() throws {
    try fixture.with("store", renamed[0]) { $0.insert("Person", ["a": "Ada"]) }
    let lossy = options(lightweight(renamed), [renamed[0]])
    #expect(code { try fixture.with("store", renamed[2], options: lossy) { _ in } } == 134_504)
    #expect(try fixture.with("store", renamed[0]) { try $0.texts("Person", "a") } == ["Ada"])

    let grown = [
      Models.make { $0.entity("Person").attribute("name") },
      Models.make { $0.entity("Person").attribute("name").attribute("city") },
      Models.make { $0.entity("Person").attribute("name").attribute("city").attribute("street") },
    ]
    try fixture.with("other", grown[0]) { $0.insert("Person", ["name": "Bo"]) }
    let harmless = options(lightweight(grown), [grown[0]])
    #expect(
      try fixture.with("other", grown[2], options: harmless) { try $0.texts("Person", "name") }
        == ["Bo"])
  }
}
