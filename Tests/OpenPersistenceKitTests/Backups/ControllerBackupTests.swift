import CoreData
import Foundation
import OpenPersistenceKit
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Backups of a stack")
struct ControllerBackupTests {
  @MainActor
  private func titles(_ persistence: PersistenceController) throws -> [String] {
    try persistence.viewContext.fetch(Track.fetchRequest()).map(\.title).sorted()
  }

  @Test("a backup contains the saved objects; restoring it keeps the stack usable")
  @MainActor
  func restoring() async throws {
    let folder = try Folder()
    let persistence = folder.open()
    _ = Track(title: "Saved", context: persistence.viewContext)
    try persistence.saveViewContext()
    _ = Track(title: "Unsaved", context: persistence.viewContext)
    let made = try await persistence.backUp()
    let backup = try #require(made.first)
    #expect(made.count == 1)
    #expect(try persistence.backups.map { try $0.list() } == [[backup]])
    _ = Track(title: "Later", context: persistence.viewContext)
    try persistence.saveViewContext()
    try persistence.restore(backup)
    #expect(try titles(persistence) == ["Saved"])
    #expect(!persistence.viewContext.hasChanges)
    _ = Track(title: "New", context: persistence.viewContext)
    try persistence.saveViewContext()
    #expect(try titles(folder.open()) == ["New", "Saved"])
  }

  @Test("the newest backups are kept")
  func retention() async throws {
    let folder = try Folder()
    let persistence = folder.open()
    var made: [StoreBackup] = []
    for _ in 0..<3 { made += try await persistence.backUp(keeping: 2) }
    #expect(try persistence.backups.flatMap { try $0.list() } == [made[2], made[1]])
  }

  @Test("an in-memory stack has no backups; a cancelled task creates none")
  func refusals() async throws {
    let memory = PersistenceController(inMemory: true)
    #expect(memory.backups.isEmpty)
    let error = await #expect(throws: CocoaError.self) { try await memory.backUp() }
    #expect(error?.errorCode == 134060)
    let folder = try Folder()
    let persistence = folder.open()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await persistence.backUp()
    }
    let cancelled = await #expect(throws: CancelledWork<[StoreBackup]>.self) {
      try await task.value
    }
    #expect(cancelled?.completed == [])
    #expect(try persistence.backups.flatMap { try $0.list() } == [])
  }

  @Test("a SQLite store in memory has no backups", arguments: ["/dev/null", "/dev/null/backups"])
  func memoryStores(_ path: String) async throws {
    let persistence = PersistenceController(opening: .kanora(.file(URL(fileURLWithPath: path))))
    try persistence.requireStores()
    #expect(persistence.backups.isEmpty)
    let error = await #expect(throws: CocoaError.self) { try await persistence.backUp() }
    #expect(error?.errorCode == 134060)
  }

  @Test("if a store can be neither changed nor opened again, the error contains both causes")
  @MainActor
  func heldStore() throws {
    let folder = try Folder()
    var configuration = PersistenceController.Configuration.kanora(.file(folder.store))
    configuration.prepareStore = { $0.timeout = 0.05 }
    let persistence = PersistenceController(opening: configuration)
    _ = Track(title: "Saved", context: persistence.viewContext)
    try persistence.saveViewContext()
    let hold = try StoreHold(folder.store)
    let error = #expect(throws: CocoaError.self) { try persistence.reset() }
    #expect(error?.code == .persistentStoreTimeout)
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
    #expect(cause?.code == .persistentStoreTimeout)
    #expect((error?.userInfo[NSDetailedErrorsKey] as? [any Error])?.count == 2)
    #expect(persistence.container.persistentStoreCoordinator.persistentStores.isEmpty)
    hold.end()
    #expect(try titles(folder.open()) == ["Saved"])
  }

  @Test("a failed reset keeps the order of the stores, which determines the store of new objects")
  @MainActor
  func orderAfterFailedReset() throws {
    let folder = try Folder()
    let persistence = folder.open()
    let coordinator = persistence.container.persistentStoreCoordinator
    let urls = [folder.store] + ["second", "third"].map { folder.url.appendingPathComponent($0) }
    for url in urls.dropFirst() {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [NSPersistentStoreTimeoutOption: 0.05 as NSNumber])
    }
    let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
    let user = try other.addPersistentStore(type: .sqlite, at: urls[1])
    #expect(throws: CocoaError.self) { try persistence.reset() }
    #expect(coordinator.persistentStores.compactMap(\.url) == urls)
    try other.remove(user)
    try persistence.reset()
    #expect(coordinator.persistentStores.compactMap(\.url) == urls)
  }

  @Test("a damaged backup, or a backup of another model or store, changes nothing")
  @MainActor
  func badBackups() async throws {
    let folder = try Folder()
    let persistence = folder.open()
    _ = Track(title: "Saved", context: persistence.viewContext)
    try persistence.saveViewContext()
    let damaged = try #require(try await persistence.backUp().first)
    try Data("no database".utf8).write(to: damaged.storeURL)
    let damage = #expect(throws: CocoaError.self) { try persistence.restore(damaged) }
    #expect(damage?.errorCode == 259)

    let place = try Folder()
    let model = NSManagedObjectModel()
    let entity = NSEntityDescription()
    entity.name = "Other"
    model.entities = [entity]
    let other = try PersistenceController(
      name: "Other", model: model, storage: .file(place.store))
    let foreign = try #require(try await other.backUp().first)
    var configuration = PersistenceController.Configuration.kanora(.file(folder.store))
    configuration.migratesAutomatically = false
    let strict = PersistenceController(opening: configuration)
    let version = #expect(throws: CocoaError.self) { try strict.restore(foreign) }
    #expect(version?.errorCode == 134100)
    let stranger = try PersistenceController(
      name: "Other", model: model, storage: .file(place.url.appendingPathComponent("B.sqlite")))
    #expect(throws: CocoaError.self) { try stranger.restore(foreign) }
    #expect(try titles(persistence) == ["Saved"])
    #expect(try titles(strict) == ["Saved"])
  }
}

/// Holds the lock of a store, like a process that changes the store's files.
private struct StoreHold {
  private let descriptor: Int32

  init(_ store: URL) throws {
    descriptor = open(store.path + "-lock", O_RDWR | O_CLOEXEC)
    var request = flock()
    request.l_type = Int16(F_WRLCK)
    request.l_whence = Int16(SEEK_SET)
    request.l_len = 1
    // 37 is F_OFD_SETLK, whose declaration requires a feature macro.
    let result = fcntl(descriptor, 37, &request)
    try #require(result == 0)
  }

  func end() { close(descriptor) }
}
