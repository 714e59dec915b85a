import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Opening of stacks")
struct StackOpeningTests {
  @Test("a store is open, or its error is known, when the stack is created")
  func asynchronousStores() throws {
    let folder = try Folder()
    var configuration = PersistenceController.Configuration.kanora(
      .file(folder.store), journal: Journal())
    configuration.prepareStore = { $0.shouldAddStoreAsynchronously = true }
    let opened = PersistenceController(opening: configuration)
    #expect(opened.container.persistentStoreCoordinator.persistentStores.count == 1)
    #expect(opened.loadErrors.isEmpty)

    let damaged = try Folder()
    try Data("no store".utf8).write(to: damaged.store)
    configuration.storage = .file(damaged.store)
    #expect(PersistenceController(opening: configuration).loadErrors.count == 1)
    withExtendedLifetime((folder, damaged)) {}
  }

  @Test("if the model cannot be created, its error is the only error, and no store is opened")
  func failedModel() throws {
    struct Refusal: Error {}
    let folder = try Folder()
    let journal = Journal()
    var configuration = PersistenceController.Configuration.kanora(
      .file(folder.store), journal: journal)
    configuration.makeModel = { throw Refusal() }
    let persistence = PersistenceController(opening: configuration)
    #expect(persistence.loadErrors.count == 1)
    #expect(persistence.loadErrors.first is Refusal)
    #expect(journal.all.count == 1)
    #expect(persistence.container.persistentStoreCoordinator.persistentStores.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.store.path))
    #expect(throws: Refusal.self) { try persistence.requireStores() }
  }
}
