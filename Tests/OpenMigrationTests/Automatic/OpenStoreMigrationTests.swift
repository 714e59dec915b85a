import Dispatch
import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract
import Testing

@Suite("Migration of a store that another coordinator of the process has open")
struct OpenStoreMigrationTests {
  private let fixture: MigrationFixture
  private let old = Library.old()
  private let new = Library.new()
  private let options: [AnyHashable: Any]

  init() throws {
    fixture = try MigrationFixture()
    options = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      OpenModelVersionsOption: [old],
      NSPersistentStoreTimeoutOption: 0 as NSNumber,
    ]
  }

  /// Returns a context of a new coordinator with the store.
  private func open(
    _ model: NSManagedObjectModel, isReadOnly: Bool = false, timeout: Double = 0
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    var options = options
    options[NSPersistentStoreTimeoutOption] = timeout as NSNumber
    if isReadOnly { options[NSReadOnlyPersistentStoreOption] = true }
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: fixture.url("store"),
      options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func contents(_ context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait { try Library.contents(context) }
  }

  /// Migrates the store to a new file, as with a mapping model.
  ///
  /// - Parameter policy: The name of the policy's class; nil for the default policy.
  private func replace(with policy: String? = nil) throws {
    let url = fixture.url("store")
    let files = try #require(try StoreTypes.opener(of: NSSQLiteStoreType).files)
    let request = try StoreMigrationRequest(
      type: NSSQLiteStoreType, url: url,
      configuration: StoreConfiguration(url: url, options: options), options: options,
      model: new.compiled(), files: files)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    if let policy { mapping.entityMappings[0].entityMigrationPolicyClassName = policy }
    try ReplacingMigration(request, from: old, mapping).run()
  }

  private func requireClosed(_ work: () throws -> Void) {
    let error = #expect(throws: CocoaError.self) { try work() }
    #expect(error?.code == .persistentStoreOperation)
    #expect(error?.localizedDescription.contains("in order to migrate it") == true)
  }

  @Test(
    "an idle store is closed, and the store is migrated without a wait", arguments: [false, true])
  func idle(isReplaced: Bool) throws {
    let first = try open(old)
    try first.performAndWait { () throws in
      Library.fill(first)
      try first.save()
    }
    let reader = try open(old, isReadOnly: true)
    #expect(try reader.performAndWait { try reader.texts("Tag", "word") }.count == 3)
    if isReplaced { try replace() }
    let second = try open(new)
    #expect(try contents(second) == Library.expected)
    for context in [first, reader] {
      requireClosed { try context.performAndWait { _ = try context.texts("Tag", "word") } }
    }
  }

  @Test("after the migration, reads and saves of the other coordinator throw (D-436)")
  func closedStore() throws {
    try fixture.with("store", old) { Library.fill($0) }
    let first = try open(old)
    try first.performAndWait { () throws in
      let tags = try first.all("Tag", by: "word")
      tags[0].setValue("violet", forKey: "word")
      first.insert("Tag", ["word": "black"])
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
      request.resultType = .managedObjectIDResultType
      let book = try #require(try first.fetch(request).first)
      let second = try open(new)
      requireClosed { _ = try first.all("Book", by: "title") }
      requireClosed { try first.save() }
      #expect(throws: CocoaError.self) { _ = try first.existingObject(with: book) }
      #expect(first.insertedObjects.count == 1 && first.updatedObjects.count == 1)
      #expect(tags[0].value(forKey: "word") as? String == "violet")
      #expect(try contents(second) == Library.expected)
      let coordinator = try #require(first.persistentStoreCoordinator)
      for store in coordinator.persistentStores { try coordinator.remove(store) }
      #expect(try contents(second) == Library.expected)
    }
  }

  @Test("a save during a read does not wait for a migration, which waits for the end of the read")
  func saveDuringRead() throws {
    try fixture.with("store", old) { Library.fill($0) }
    let first = try open(old)
    let store = try #require(first.persistentStoreCoordinator?.persistentStores.first)
    let entity = try #require(try old.compiled().entity(named: "Tag"))
    let done = DispatchSemaphore(value: 0)
    // The thread of the read waits for the other thread.
    nonisolated(unsafe) let migrate = { _ = try self.open(self.new, timeout: 10) }
    nonisolated(unsafe) var failure: (any Error)?
    try store.backend.forEachChunk(matching: FetchPlan(shape: FetchShape(entity: entity))) { _ in
      DispatchQueue.global().async {
        do { try migrate() } catch { failure = error }
        done.signal()
      }
      first.performAndWait {
        for number in 0..<100 {
          first.insert("Tag", ["word": "\(number)"])
          do { try first.save() } catch { Issue.record(error) }
        }
      }
    }
    done.wait()
    #expect(failure == nil)
    let contents = try open(new)
    #expect(try contents.performAndWait { try contents.texts("Tag", "word") }.count == 103)
  }

  @Test("while a context is pinned to a query generation, the store is not migrated (D-437)")
  func pinned() throws {
    try fixture.with("store", old) { Library.fill($0) }
    let first = try open(old)
    try first.performAndWait { () throws in
      try first.setQueryGenerationFrom(.current)
      #expect(try first.texts("Tag", "word") == ["blue", "green", "red"])
      let error = try #require(throws: CocoaError.self) { _ = try open(new) }
      #expect(error.code.rawValue == 134_110)
      let cause = error.userInfo[NSUnderlyingErrorKey] as? CocoaError
      #expect(cause?.code.rawValue == 134_090)
      #expect(cause?.localizedDescription.contains("query generation") == true)
      #expect(try first.texts("Tag", "word") == ["blue", "green", "red"])
      try first.setQueryGenerationFrom(nil)
      #expect(try first.texts("Tag", "word") == ["blue", "green", "red"])
    }
    #expect(try contents(open(new)) == Library.expected)
  }

  @Test("if objects lack required values, the other coordinator's store stays open (D-438)")
  func missingValues() throws {
    try fixture.with("store", old) { Library.fill($0) }
    let first = try open(old)
    let other = Library.old()
    let book = try #require(other.entitiesByName["Book"])
    book.attribute("isbn", isOptional: false)
    let error = try #require(throws: CocoaError.self) { _ = try open(other) }
    #expect(error.code.rawValue == 134_110)
    try first.performAndWait { () throws in
      #expect(try first.texts("Tag", "word") == ["blue", "green", "red"])
      first.insert("Tag", ["word": "black"])
      try first.save()
    }
  }

  @Test("if a policy of the mapping model is missing, the other coordinator's store stays open")
  func missingPolicy() throws {
    try fixture.with("store", old) { Library.fill($0) }
    let first = try open(old)
    let error = try #require(throws: CocoaError.self) { try replace(with: "MissingPolicy") }
    #expect(error.code.rawValue == NSEntityMigrationPolicyError)
    let words = try first.performAndWait { try first.texts("Tag", "word") }
    #expect(words == ["blue", "green", "red"])
  }

  @Test("a coordinator with an older model that would lose data does not close the store (D-323)")
  func olderModel() throws {
    let newer = Library.old()
    newer.entitiesByName["Tag"]?.attribute("color")
    try fixture.with("store", newer) { Library.fill($0) }
    let first = try open(newer)
    let error = try #require(throws: CocoaError.self) { _ = try open(old) }
    #expect(error.code.rawValue == 134_130)
    try first.performAndWait { () throws in
      first.insert("Tag", ["word": "black"])
      try first.save()
      #expect(try first.texts("Tag", "word") == ["black", "blue", "green", "red"])
    }
  }

  @Test("a deleted store that is still open does not prevent the migration of its successor")
  func deletedFile() throws {
    let first = try open(old)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: fixture.url("store").path + suffix)
    }
    try fixture.with("store", old) { Library.fill($0) }
    #expect(try contents(open(new)) == Library.expected)
    requireClosed { try first.performAndWait { _ = try first.texts("Tag", "word") } }
  }
}
