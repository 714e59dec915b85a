import Dispatch
import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenStoreContract
import Synchronization
import Testing

/// A store of an older version that several coordinators open at the same time.
@Suite("Migration by several coordinators at the same time")
struct SimultaneousMigrationTests {
  private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

  private static func options(_ versions: [NSManagedObjectModel]?) -> [AnyHashable: Any] {
    var options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    options[OpenModelVersionsOption] = versions
    return options
  }

  /// Fills a store of the old version, opens it with three coordinators at the same time, and
  /// requires that each of them reads the expected contents.
  private func migrate(
    _ old: NSManagedObjectModel, to new: NSManagedObjectModel, type: String = NSSQLiteStoreType,
    options: [[AnyHashable: Any]], fill: (NSManagedObjectContext) throws -> Void,
    expected: [String], contents: (NSManagedObjectContext) throws -> [String]
  ) throws {
    let fixture = try MigrationFixture()
    try fixture.with("store", old, type: type, fill)
    let coordinators = options.map { _ in NSPersistentStoreCoordinator(managedObjectModel: new) }
    let url = fixture.url("store")
    // Each thread uses its own options.
    nonisolated(unsafe) let options = options
    DispatchQueue.concurrentPerform(iterations: coordinators.count) { index in
      do {
        try coordinators[index].addPersistentStore(
          ofType: type, configurationName: nil, at: url, options: options[index])
      } catch {
        Issue.record(error)
      }
    }
    for coordinator in coordinators {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      let found = try context.performAndWait { try contents(context) }
      #expect(found == expected)
    }
    for coordinator in coordinators {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
    #expect(try fixture.files == ["store"])
  }

  @Test("all coordinators open the store that one of them has migrated", arguments: types)
  func inferred(type: String) throws {
    for _ in 0..<10 {
      let (old, new) = (Library.old(), Library.new())
      try migrate(
        old, to: new, type: type, options: Array(repeating: Self.options([old]), count: 3),
        fill: { Library.fill($0) }, expected: Library.expected,
        contents: { try Library.contents($0) })
    }
  }

  @Test("all coordinators open the store if only the store contains the old model")
  func keptModel() throws {
    for _ in 0..<10 {
      let grown = Library.old()
      grown.entitiesByName["Tag"]?.attribute("color")
      try migrate(
        Library.old(), to: grown, options: Array(repeating: Self.options(nil), count: 3),
        fill: { Library.fill($0) }, expected: ["blue", "green", "red"],
        contents: { try $0.texts("Tag", "word") })
    }
  }

  @Test("all coordinators open the store if the migration copies the rows to a new file")
  func copied() throws {
    for _ in 0..<10 {
      let old = Models.make { models in
        models.entity("Book", parent: models.entity("Work").attribute("title"))
      }
      let new = Models.make { models in
        models.entity("Work").attribute("title")
        models.entity("Book").attribute("title")
      }
      try migrate(
        old, to: new, options: Array(repeating: Self.options([old]), count: 3),
        fill: { $0.insert("Book", ["title": "Emma"]) }, expected: ["Emma"],
        contents: { try $0.texts("Book", "title") })
    }
  }

  @Test("a migration without steps deletes a part of a journal only while it excludes others")
  func partOfJournal() throws {
    let fixture = try MigrationFixture()
    let model = Library.old()
    try fixture.with("store", model) { Library.fill($0) }
    let part = fixture.url(".store.migration-state.new")
    try Data().write(to: part)
    let migration = StoreMigration(
      storeAt: fixture.url("store"), options: [NSPersistentStoreTimeoutOption: 0 as NSNumber],
      versions: [StoreMigration.Version("V1", model)])
    let files = try #require(try StoreTypes.opener(of: NSSQLiteStoreType).files)
    let exclude = try #require(files.excludeMigrations)
    let endExclusion = try exclude(StoreConfiguration(url: fixture.url("store")))
    let error = #expect(throws: CocoaError.self) { try migration.run() }
    #expect(error?.code == .persistentStoreTimeout)
    #expect(FileManager.default.fileExists(atPath: part.path))
    endExclusion()
    let plan = try migration.run()
    #expect(plan.steps.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: part.path))
  }

  /// Runs migrations at the same time, and returns the sorted numbers of steps that they ran.
  private func stepCounts(of migrations: [StoreMigration], via stops: [String] = []) -> [Int] {
    let counts = Mutex<[Int]>([])
    // Each thread uses its own migration.
    nonisolated(unsafe) let shared = migrations
    DispatchQueue.concurrentPerform(iterations: shared.count) { index in
      do {
        let count = try shared[index].run(via: stops).steps.count
        counts.withLock { $0.append(count) }
      } catch {
        Issue.record(error)
      }
    }
    return counts.withLock { $0.sorted() }
  }

  @Test("store migrations at the same time wait for each other, and run each step once")
  func storeMigrations() throws {
    for _ in 0..<10 {
      let fixture = try MigrationFixture()
      let models = Self.versions()
      try fixture.with("store", models[0]) { $0.insert("Person", ["name": "Ada"]) }
      let migrations = try (0..<3).map { _ in
        let mapping = try NSMappingModel.inferredMappingModel(
          forSourceModel: models[0], destinationModel: models[1])
        var migration = StoreMigration(
          storeAt: fixture.url("store"), versions: [.init("1", models[0]), .init("2", models[1])],
          mappings: [mapping])
        migration.backups = nil
        return migration
      }
      #expect(stepCounts(of: migrations) == [0, 0, 1])
      let names = try fixture.with("store", models[1]) { try $0.texts("Person", "name") }
      #expect(names == ["Ada"])
      #expect(try fixture.files == ["store"])
    }
  }

  @Test("store migrations at the same time run the steps before and after a stop once")
  func stops() throws {
    for _ in 0..<10 {
      let fixture = try MigrationFixture()
      try fixture.with("store", Self.versions()[0]) { $0.insert("Person", ["name": "Ada"]) }
      let migrations = (0..<3).map { _ in
        let versions = Self.versions().enumerated().map {
          StoreMigration.Version("\($0 + 1)", $1)
        }
        var migration = StoreMigration(storeAt: fixture.url("store"), versions: versions)
        migration.backups = nil
        return migration
      }
      #expect(stepCounts(of: migrations, via: ["2"]) == [0, 0, 2])
      let newest = Self.versions()[2]
      let names = try fixture.with("store", newest) { try $0.texts("Person", "first") }
      #expect(names == ["nil"])
      #expect(try fixture.files == ["store"])
    }
  }

  // MARK: Stages

  /// The names of the handlers that were called.
  private final class HandlerLog: Sendable {
    private let calls = Mutex<[String]>([])
    var names: [String] { calls.withLock { $0 } }

    func add(_ name: String) { calls.withLock { $0.append(name) } }
  }

  /// The versions of a store of persons: with a name, with a first name too, and with a first name
  /// only.
  private static func versions() -> [NSManagedObjectModel] {
    [
      Models.make { $0.entity("Person").attribute("name") },
      Models.make { $0.entity("Person").attribute("name").attribute("first") },
      Models.make { $0.entity("Person").attribute("first") },
    ]
  }

  /// Returns the options for stages whose second handler sets the first names.
  private static func stagedOptions(
    _ versions: [NSManagedObjectModel], _ log: HandlerLog, _ more: @escaping () -> Void = {},
    will: @escaping () -> Void = {}
  ) -> [AnyHashable: Any] {
    let references = versions.map { model in
      NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }
    let split = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
    split.willMigrateHandler = { _, _ in
      log.add("will")
      will()
    }
    split.didMigrateHandler = { manager, _ in
      log.add("did")
      let context = try #require(manager.container?.newBackgroundContext())
      try context.performAndWait {
        for person in try context.all("Person", by: "name") {
          let words = (person.value(forKey: "name") as? String ?? "").split(separator: " ")
          person.setValue(words.first.map(String.init), forKey: "first")
        }
        try context.save()
      }
      more()
    }
    let last = NSLightweightMigrationStage(versions.dropFirst().map(\.versionChecksum))
    var options = options(versions)
    options[NSPersistentStoreStagedMigrationManagerOptionKey] =
      NSStagedMigrationManager([split, last])
    return options
  }

  private func fill(_ context: NSManagedObjectContext) {
    for name in ["Ada Lovelace", "Bo Derek"] { context.insert("Person", ["name": name]) }
  }

  @Test("all coordinators open the store after stages whose handlers run once")
  func staged() throws {
    for _ in 0..<5 {
      let versions = Self.versions()
      let log = HandlerLog()
      try migrate(
        versions[0], to: versions[2],
        options: (0..<3).map { _ in Self.stagedOptions(versions, log) },
        fill: { fill($0) }, expected: ["Ada", "Bo"],
        contents: { try $0.texts("Person", "first") })
      #expect(log.names == ["will", "did"])
    }
  }

  @Test("an interrupted migration is neither undone nor continued during another migration")
  func interrupted() throws {
    let fixture = try MigrationFixture()
    let versions = Self.versions()
    try fixture.with("store", versions[0]) { fill($0) }
    let broken = try NSMappingModel.inferredMappingModel(
      forSourceModel: versions[0], destinationModel: versions[1])
    broken.entityMappings[0].mappingType = .customEntityMappingType
    broken.entityMappings[0].entityMigrationPolicyClassName = "ThrowingPolicy"
    let migration = StoreMigration(
      storeAt: fixture.url("store"), options: [NSPersistentStoreTimeoutOption: 0],
      versions: [.init("1", versions[0]), .init("2", versions[1])], mappings: [broken])
    #expect(throws: ThrowingPolicy.Failure.self) { try migration.run() }
    var codes: [Int?] = []
    func noteError(_ work: () throws -> Void) {
      do {
        try work()
        codes.append(nil)
      } catch {
        codes.append((error as? CocoaError)?.code.rawValue)
      }
    }
    let options = Self.stagedOptions(
      versions, HandlerLog(),
      will: {
        noteError { _ = try migration.rollBack() }
        noteError { _ = try migration.resume() }
      })
    let names = try fixture.with("store", versions[2], options: options) { context in
      try context.texts("Person", "first")
    }
    #expect(names == ["Ada", "Bo"])
    #expect(codes == [134_090, 134_090])
    #expect(try migration.interrupted?.source == "1")
  }

  @Test("until its timeout, a coordinator waits for a migration; the error names the process")
  func timeout() throws {
    let fixture = try MigrationFixture()
    let versions = Self.versions()
    try fixture.with("store", versions[0]) { fill($0) }
    let other = NSPersistentStoreCoordinator(managedObjectModel: versions[2])
    let url = fixture.url("store")
    var waiting = Self.options(versions)
    waiting[NSPersistentStoreTimeoutOption] = 0
    var errors: [CocoaError] = []
    let options = Self.stagedOptions(versions, HandlerLog()) {
      do {
        try other.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: waiting)
      } catch {
        if let error = error as? CocoaError { errors.append(error) }
      }
    }
    let names = try fixture.with("store", versions[2], options: options) { context in
      try context.texts("Person", "first")
    }
    #expect(names == ["Ada", "Bo"])
    #expect(errors.map(\.code.rawValue) == [134_090])
    let process = "\(ProcessInfo.processInfo.processIdentifier)"
    #expect(errors.first?.localizedDescription.contains(process) == true)
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: waiting)
  }
}
