import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenStoreContract
import Testing

/// Gives initials to people.
final class InitialPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    let name = sInstance.value(forKey: "name") as? String
    made.first?.setValue(name.map { String($0.prefix(1)) }, forKey: "initial")
  }
}

/// Creates nothing.
final class ThrowingPolicy: NSEntityMigrationPolicy {
  struct Failure: Error {}

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    throw Failure()
  }
}

/// Stores that are migrated over several versions, with a plan before.
@Suite("Store migrations")
struct StoreMigrationTests {
  private let fixture: MigrationFixture
  /// Person(name) → +email → name becomes title, +rank 1 → +initial → email gone → +rank 2 elsewhere.
  private let versions: [StoreMigration.Version]

  init() throws {
    fixture = try MigrationFixture()
    func person(_ build: (NSEntityDescription) -> Void) -> NSManagedObjectModel {
      Models.make { build($0.entity("Person").attribute("name")) }
    }
    let models: [NSManagedObjectModel] = [
      person { _ in },
      person { $0.attribute("email") },
      person { $0.attribute("email").attribute("rank", .integer16, isOptional: false, default: 1) },
      person {
        $0.attribute("email").attribute("rank", .integer16, isOptional: false, default: 1)
          .attribute("initial")
      },
      person {
        $0.attribute("rank", .integer16, isOptional: false, default: 1).attribute("initial")
      },
    ]
    versions = models.enumerated().map { StoreMigration.Version("V\($0 + 1)", $1) }
  }

  private func fill(_ index: Int, type: String = NSSQLiteStoreType) throws {
    try fixture.with("store", versions[index].model, type: type) { context in
      for name in ["Ada", "Bo"] { context.insert("Person", ["name": name]) }
    }
  }

  /// The mapping model from the third to the fourth version.
  private func initials() throws -> NSMappingModel {
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: versions[2].model, destinationModel: versions[3].model)
    model.entityMappings[0].mappingType = .customEntityMappingType
    model.entityMappings[0].entityMigrationPolicyClassName = "InitialPolicy"
    return model
  }

  private func migration(
    _ mappings: [NSMappingModel] = [], type: String = NSSQLiteStoreType
  ) -> StoreMigration {
    StoreMigration(
      storeAt: fixture.url("store"), type: type, versions: versions, mappings: mappings)
  }

  private func people(_ index: Int, type: String = NSSQLiteStoreType) throws -> [String] {
    let keys = ["name", "email", "rank", "initial"]
    return try fixture.with("store", versions[index].model, type: type) { context in
      try context.all("Person", by: "name").map { person in
        keys.filter { person.entity.attributesByName[$0] != nil }
          .map { "\(person.value(forKey: $0) ?? "nil")" }.joined(separator: " ")
      }
    }
  }

  @Test(
    "steps that bring over the same run as one", arguments: [NSSQLiteStoreType, NSXMLStoreType])
  func oneStep(type: String) throws {
    try fill(0, type: type)
    let migration = migration(type: type)
    #expect(try migration.currentVersion == "V1")
    #expect(try migration.isNeeded())
    let plan = try migration.plan(to: "V3")
    #expect(plan.steps.map(\.source) == ["V1"] && plan.steps.map(\.destination) == ["V3"])
    #expect(plan.steps[0].kind == .inferred && plan.steps[0].rewrittenRows != nil)
    #expect(plan.steps[0].way == (type == NSSQLiteStoreType ? .inPlace : nil))
    #expect(try migration.currentVersion == "V1")
    #expect(try migration.run(to: "V3") == plan)
    #expect(try people(2, type: type) == ["Ada nil 1", "Bo nil 1"])
    #expect(try !migration.isNeeded(to: "V3"))
    #expect(try migration.run(to: "V3").isEmpty)
    #expect(try migration.interrupted == nil)
  }

  @Test(
    "a single-file store cannot be saved during its migration, and is not overwritten afterward",
    arguments: [NSXMLStoreType, NSBinaryStoreType])
  func saveDuringMigration(type: String) throws {
    try fill(0, type: type)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[0].model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: fixture.url("store"),
      options: [NSPersistentStoreTimeoutOption: 0])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.performAndWait { _ = context.insert("Person", ["name": "Cy"]) }
    var codes: [Int] = []
    try migration(type: type).run(to: "V2") { _ in
      codes.append(code { try context.performAndWait { try context.save() } } ?? 0)
      return true
    }
    #expect(codes.first == 134_090 && codes.last == 133_020)
    #expect(try people(1, type: type) == ["Ada nil", "Bo nil"])
    #expect(try fixture.files.filter { $0.contains("migrating") } == [])
  }

  @Test("a mapping model is a separate step, and is not passed over")
  func mappedStep() throws {
    try fill(0)
    let migration = migration([try initials()])
    let plan = try migration.plan()
    #expect(plan.steps.map(\.description.self).count == 3)
    #expect(plan.steps.map(\.kind) == [.inferred, .mapped, .inferred])
    #expect(plan.steps.map(\.destination) == ["V3", "V4", "V5"])
    #expect(plan.losses.map(\.propertyName) == ["email"])
    #expect(plan.description.contains("lost: Person.email"))
    var seen: [Double] = []
    try migration.run { fraction in
      seen.append(fraction)
      return true
    }
    #expect(seen == seen.sorted() && seen.last == 1)
    #expect(try people(4) == ["Ada 1 A", "Bo 1 B"])
  }

  @Test("versions that are named are passed through")
  func stops() throws {
    try fill(0)
    let plan = try migration().plan(to: "V4", via: ["V2", "V3"])
    #expect(plan.steps.map(\.destination) == ["V2", "V3", "V4"])
    try migration().run(to: "V4", via: ["V2", "V3"])
    #expect(try people(3) == ["Ada nil 1 nil", "Bo nil 1 nil"])
    // Versions that are older than the store are ignored.
    #expect(try migration().run(to: "V4", via: ["V2", "V3"]).isEmpty)
  }

  @Test("inferred steps whose outcome differs from one step's are not joined")
  func unfaithful() throws {
    // A rename of a rename, and a default that changes, are lost by one step.
    let models = [
      Models.make { $0.entity("Person").attribute("name") },
      Models.make {
        $0.entity("Person").attribute("title", renaming: "name")
          .attribute("rank", .integer16, isOptional: false, default: 1)
      },
      Models.make {
        $0.entity("Person").attribute("heading", renaming: "title")
          .attribute("rank", .integer16, isOptional: false, default: 2)
      },
    ]
    try fixture.with("store", models[0]) { $0.insert("Person", ["name": "Ada"]) }
    let migration = StoreMigration(
      storeAt: fixture.url("store"),
      versions: models.enumerated().map { StoreMigration.Version("\($0)", $1) })
    #expect(try migration.run().steps.map(\.destination) == ["1", "2"])
    let values = try fixture.with("store", models[2]) { context in
      try context.all("Person", by: "heading").map {
        "\($0.value(forKey: "heading") ?? "nil") \($0.value(forKey: "rank") ?? "nil")"
      }
    }
    #expect(values == ["Ada 1"])
  }

  @Test("a dry run changes a copy and leaves no files")
  func dryRun() throws {
    try fill(0)
    let before = try Data(contentsOf: fixture.url("store"))
    let work = fixture.url("work")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    var names: [String] = []
    let plan = try migration().dryRun(to: "V3", in: work) { copy in
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[2].model)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: copy, options: nil)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      names = try context.performAndWait { try context.texts("Person", "name") }
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
    #expect(plan.steps.count == 1 && names == ["Ada", "Bo"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: work.path) == [])
    #expect(try Data(contentsOf: fixture.url("store")) == before)
    #expect(try migration().currentVersion == "V1")
  }

  @Test(
    "a migration that failed in a later step continues from the version that the store has got to")
  func resuming() throws {
    try fill(0)
    let broken = try initials()
    broken.entityMappings[0].entityMigrationPolicyClassName = "ThrowingPolicy"
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).run() }
    #expect(try migration().currentVersion == "V3")
    let interrupted = try #require(try migration().interrupted)
    #expect(interrupted.source == "V1" && interrupted.destination == "V5")
    #expect(interrupted.process == ProcessInfo.processInfo.processIdentifier)
    let backup = try #require(migration().backups?.list().first)
    #expect(interrupted.backup == backup.url.path)
    let rest = try #require(try migration([try initials()]).resume())
    #expect(rest.steps.map(\.destination) == ["V4", "V5"])
    #expect(try people(4) == ["Ada 1 A", "Bo 1 B"])
    #expect(try migration().interrupted == nil)
    #expect(try migration().resume() == nil)
  }

  @Test("a migration that failed in a later step is undone with the backup from the start")
  func takingBack() throws {
    try fill(0)
    let broken = try initials()
    broken.entityMappings[0].entityMigrationPolicyClassName = "ThrowingPolicy"
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).run() }
    #expect(try migration().currentVersion == "V3")
    #expect(try migration().rollBack() != nil)
    #expect(try migration().currentVersion == "V1")
    #expect(try people(0) == ["Ada", "Bo"])
    #expect(try migration().interrupted == nil)
    #expect(try migration().rollBack() == nil)
    // Without a backup, there is no state to restore.
    var bare = migration([broken])
    bare.backups = nil
    #expect(throws: ThrowingPolicy.Failure.self) { try bare.run() }
    #expect(try bare.rollBack() == nil)
    #expect(try migration().backups?.list().count == 1)
  }

  @Test("undoing a migration does not replace another store that is at the URL")
  func otherStore() throws {
    try fill(0)
    let broken = try initials()
    broken.entityMappings[0].entityMigrationPolicyClassName = "ThrowingPolicy"
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).run() }
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .destroyPersistentStore(at: fixture.url("store"), type: .sqlite)
    try fixture.with("store", versions[1].model) { $0.insert("Person", ["name": "Cy"]) }
    #expect(code { _ = try migration().rollBack() } == NSMigrationError)
    let names = try fixture.with("store", versions[1].model) { try $0.texts("Person", "name") }
    #expect(names == ["Cy"])
    // The migration of the other store does not keep the backup of the first store.
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).run() }
    #expect(try migration().interrupted?.source == "V2")
  }

  @Test("a migration whose first step failed creates a new backup when it is run again")
  func newerData() throws {
    try fill(2)
    let broken = try initials()
    broken.entityMappings[0].entityMigrationPolicyClassName = "ThrowingPolicy"
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).run() }
    try fixture.with("store", versions[2].model) { $0.insert("Person", ["name": "Cy"]) }
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).resume() }
    #expect(try migration().rollBack() != nil)
    #expect(try people(2) == ["Ada nil 1", "Bo nil 1", "Cy nil 1"])
  }

  @Test("undoing a migration whose first step failed keeps newer data than the backup")
  func newerDataThanBackup() throws {
    try fill(2)
    let broken = try initials()
    broken.entityMappings[0].entityMigrationPolicyClassName = "ThrowingPolicy"
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).run() }
    try fixture.with("store", versions[2].model) { $0.insert("Person", ["name": "Cy"]) }
    #expect(try migration().rollBack() != nil)
    #expect(try people(2) == ["Ada nil 1", "Bo nil 1", "Cy nil 1"])
    #expect(try migration().interrupted == nil)
    #expect(try migration().backups?.list().count == 1)
  }

  @Test("an unreadable mapping model in a bundle is error 134140 if a step has no mapping model")
  func unreadableMapping() throws {
    try fill(2)
    let (damaged, both) = (try MappingFolder(), try MappingFolder())
    for folder in [damaged, both] {
      try folder.write(Data("bplist00".utf8), to: "Damaged.cdm")
    }
    try initials().write(to: both["Initials.cdm"])
    func migration(_ folder: MappingFolder) throws -> StoreMigration {
      StoreMigration(
        storeAt: fixture.url("store"), versions: versions,
        bundles: [try #require(Bundle(url: folder.url))])
    }
    let inferred = try migration(damaged)
    #expect(code { try inferred.run(to: "V4") } == NSMigrationMissingMappingModelError)
    #expect(try inferred.currentVersion == "V3")
    #expect(try inferred.interrupted == nil)
    let mapped = try migration(both)
    #expect(try mapped.plan(to: "V4").steps.map(\.kind) == [.mapped])
    #expect(code { _ = try mapped.plan() } == NSMigrationMissingMappingModelError)
  }

  @Test("a continued migration creates a new backup if its backup was removed")
  func removedBackup() throws {
    try fill(0)
    let broken = try initials()
    broken.entityMappings[0].entityMigrationPolicyClassName = "ThrowingPolicy"
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).run() }
    try migration().backups?.removeAll(butNewest: 0)
    #expect(throws: ThrowingPolicy.Failure.self) { try migration([broken]).resume() }
    #expect(try migration().interrupted?.source == "V3")
    #expect(try migration().rollBack() != nil)
    #expect(try people(2) == ["Ada nil 1", "Bo nil 1"])
  }

  @Test("a class that a later step needs is missed before the first one")
  func missingPolicy() throws {
    try fill(0)
    let broken = try initials()
    broken.entityMappings[0].entityMigrationPolicyClassName = "MissingPolicy"
    let plan = try migration([broken]).plan()
    #expect(plan.steps[1].reasons.contains { $0.contains("MissingPolicy") })
    #expect(code { try migration([broken]).run() } == NSEntityMigrationPolicyError)
    #expect(try migration().currentVersion == "V1")
    #expect(try migration().interrupted == nil)
    #expect(try migration().backups?.list().isEmpty == true)
  }

  @Test("a progress handler that returns false cancels the step, and the store stays whole")
  func cancelling() throws {
    try fill(0)
    #expect(throws: (any Error).self) { try migration([try initials()]).run { $0 < 0.34 } }
    let version = try migration().currentVersion
    #expect(["V1", "V3"].contains(version))
    try migration([try initials()]).resume()
    #expect(try people(4) == ["Ada 1 A", "Bo 1 B"])
  }

  private func code(_ work: () throws -> Void) -> Int? {
    let error = #expect(throws: CocoaError.self) { try work() }
    #expect(error?.localizedDescription.isEmpty == false)
    return error?.code.rawValue
  }

  @Test(
    "an unknown version is error 134130, a version further on 134506, a hole in the chain 134190")
  func badInput() throws {
    try fill(3)
    #expect(code { _ = try migration().plan(to: "V2") } == 134_506)
    #expect(code { _ = try migration().plan(to: "V9") } == 134_110)
    try fixture.with("other", Models.make { $0.entity("Nobody").attribute("x") }) {
      $0.insert("Nobody")
    }
    let other = StoreMigration(storeAt: fixture.url("other"), versions: versions)
    #expect(code { _ = try other.plan() } == 134_130)
    let holed = [
      versions[0],
      StoreMigration.Version(
        "hole", Models.make { $0.entity("Person").attribute("name", .integer16) }),
    ]
    try fixture.with("third", versions[0].model) { $0.insert("Person", ["name": "x"]) }
    let third = StoreMigration(storeAt: fixture.url("third"), versions: holed)
    #expect(code { _ = try third.plan() } == 134_190)
  }

  @Test("a thousand versions are one step if one mapping can be inferred")
  func thousandVersions() throws {
    let models = (0..<1_000).map { number in
      Models.make { $0.entity("Person").attribute("name").attribute("a\(number)") }
    }
    try fixture.with("store", models[0]) { $0.insert("Person", ["name": "Ada"]) }
    let migration = StoreMigration(
      storeAt: fixture.url("store"),
      versions: models.enumerated().map { StoreMigration.Version("\($0)", $1) })
    let plan = try migration.run()
    #expect(plan.steps.count == 1)
    #expect(try fixture.with("store", models[999]) { try $0.texts("Person", "name") } == ["Ada"])
  }
}
