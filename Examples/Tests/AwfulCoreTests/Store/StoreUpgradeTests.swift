import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import Testing

/// Upgrading stores that older versions of the program have created.
@Suite("Upgrades of stores")
struct StoreUpgradeTests {
  /// Returns the backups that migrations of a store have made.
  private func backups(of file: URL) throws -> [StoreBackup] {
    let folder = URL(fileURLWithPath: "\(file.path).migration-backups")
    return try StoreBackups(ofStoreAt: file, in: folder).list()
  }

  /// Opens a store, and returns the progress that was reported.
  private func steps(opening file: URL) throws -> [UpgradeProgress] {
    var steps: [UpgradeProgress] = []
    let store = try ForumStore.openExisting(file) { step in
      steps.append(step)
      return true
    }
    #expect(try store.objectCounts()["Forum"] == 12)
    return steps
  }

  @Test(
    "opening a store of an older version reports the progress of the migration and of the texts once",
    arguments: 1..<AwfulModel.newestVersion)
  func progress(_ number: Int) throws {
    let old = try VersionedStore()
    try old.fill(version: number, seed: UInt64(number))
    let found = try steps(opening: old.file)
    let migration = found.filter { $0.phase == .migration }
    #expect(migration.map(\.done) == migration.map(\.done).sorted())
    #expect(migration.last?.done == 100 && migration.allSatisfy { $0.total == 100 })
    let texts = found.filter { $0.phase == .texts }
    let total = try #require(texts.last?.total)
    #expect(total > 0 && texts.last?.done == total)
    #expect(try backups(of: old.file).count == 1)
    #expect(try steps(opening: old.file).isEmpty)
  }

  @Test("opening a new store reports no progress")
  func new() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("NewStore-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var count = 0
    let store = try ForumStore.openOrMake(folder.appendingPathComponent("forums.sqlite")) { _ in
      count += 1
      return true
    }
    #expect(try store.objectCounts().isEmpty)
    #expect(count == 0)
  }

  @Test(
    "a migration that is cancelled leaves the store unchanged, and the next opening migrates it",
    arguments: [0, 50])
  func cancelled(at percent: Int) throws {
    let old = try VersionedStore()
    try old.fill(version: 2, seed: 9)
    let error = #expect(throws: ForumStoreError.self) {
      try ForumStore.openExisting(old.file) { $0.done < percent }
    }
    #expect(error?.code == .notMigrated && error?.path == old.file.path)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: old.file, options: nil)
    let model = try AwfulModel.make(version: 2)
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(try steps(opening: old.file).contains { $0.phase == .migration && $0.done == 100 })
  }

  @Test("tasks that open an old store at the same time migrate it once")
  func together() async throws {
    let old = try VersionedStore()
    try old.fill(version: 1, seed: 4)
    let file = old.file
    let counts = try await withThrowingTaskGroup(of: Int?.self) {
      group -> [Int?] in
      for _ in 0..<3 {
        group.addTask { try ForumStore.openExisting(file).objectCounts()["Forum"] }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [12, 12, 12])
    #expect(try backups(of: old.file).count == 1)
  }

  @Test("a migration keeps the backups that the user has made")
  func backupsOfUser() throws {
    let old = try VersionedStore()
    try old.fill(version: 1, seed: 6)
    let own = StoreBackups(ofStoreAt: old.file)
    let made = try [own.make(), own.make()]
    #expect(try steps(opening: old.file).contains { $0.phase == .migration })
    #expect(try Set(own.list()) == Set(made))
    #expect(try backups(of: old.file).count == 1)
  }

  @Test("opening the store for drafts reports the progress of its migration once")
  func personal() throws {
    let temporary = try TemporaryStore()
    let file = temporary.folder.appendingPathComponent("forums-personal.sqlite")
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try PersonalStore.model(version: 1))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [NSPersistentHistoryTrackingKey: true])
    try coordinator.remove(store)
    var steps: [UpgradeProgress] = []
    func open() throws {
      let personal = try PersonalStore.openIfPresent(beside: temporary.file) { step in
        steps.append(step)
        return true
      }
      #expect(personal != nil)
    }
    try open()
    #expect(steps.last?.phase == .migration && steps.last?.done == 100)
    steps = []
    try open()
    #expect(steps.isEmpty)
  }
}
