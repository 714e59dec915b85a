import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("A migration that cannot be done leaves the old store")
struct SQLiteMigrationSafetyTests {
  private static func model(_ change: (NSEntityDescription) -> Void = { _ in })
    -> NSManagedObjectModel
  {
    Models.make { change($0.entity("Book").attribute("title")) }
  }

  private static func filled(_ titles: [String] = ["Dune", "Emma"]) throws -> MigratedStore {
    let store = try MigratedStore()
    try store.withContext(model()) { context in
      for title in titles {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue(title, forKey: "title")
      }
      try context.save()
    }
    return store
  }

  private func requireOld(_ store: MigratedStore, count: Int = 2) throws {
    #expect(try store.names == ["store.sqlite"])
    #expect(try store.damage(Self.model()) == [])
    let rows = try store.withContext(Self.model()) { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }
    #expect(rows == count)
  }

  @Test(
    "duplicates under a new constraint are named, and nothing is changed",
    arguments: SQLiteMigrationTests.ways)
  func duplicates(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled(["Dune", "Emma", "Dune"])
    let new = Self.model { $0.uniquenessConstraints = [["title"]] }
    let error = try #require(throws: StoreError.self) {
      try store.migrate(Self.model(), new, by: way)
    }
    #expect(error.code == .constraintConflict)
    #expect(error.entityName == "Book")
    #expect(error.propertyName == "title")
    #expect(!error.description.contains("Dune"))
    let duplicates = try #require(error.underlying as? DuplicateValues)
    #expect(duplicates.values == [["Dune"]])
    try requireOld(store, count: 3)
  }

  @Test("a migration is cancelled by its progress", arguments: SQLiteMigrationTests.ways)
  func cancelled(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    let new = Self.model { $0.attribute("note", default: "none") }
    var calls = 0
    let error = try #require(throws: StoreError.self) {
      try store.migrate(Self.model(), new, by: way) { fraction in
        calls += 1
        return calls < 3
      }
    }
    #expect(error.code == .interrupted)
    #expect(calls == 3)
    try requireOld(store)
  }

  @Test("progress grows from 0 to 1", arguments: SQLiteMigrationTests.ways)
  func progress(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    var fractions: [Double] = []
    try store.migrate(Self.model(), Self.model { $0.attribute("note") }, by: way) {
      fractions.append($0)
      return true
    }
    #expect(fractions == fractions.sorted())
    #expect(fractions.first.map { $0 >= 0 } == true)
    #expect(fractions.last == 1)
  }

  @Test("a store that is open is closed and migrated", arguments: SQLiteMigrationTests.ways)
  func openStore(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    let new = Self.model { $0.attribute("note") }
    try store.withContext(Self.model()) { context in
      try store.migrate(Self.model(), new, by: way)
      #expect(throws: CocoaError.self) {
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
      }
    }
    #expect(try store.names == ["store.sqlite"])
    #expect(try store.damage(new) == [])
  }

  @Test("a store is not migrated while its rows are read", arguments: SQLiteMigrationTests.ways)
  func readStore(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    let model = try Self.model().compiled()
    let reader = try SQLiteStore.open(store.configuration, model: model)
    let plan = FetchPlan(shape: FetchShape(entity: try #require(model.entities.first)))
    var found: StoreError?
    try reader.forEachChunk(matching: plan) { (_) throws(StoreError) in
      do {
        try store.migrate(Self.model(), Self.model { $0.attribute("note") }, by: way)
      } catch { found = error as? StoreError }
    }
    #expect(found?.code == .locked)
    let users = try #require(found?.underlying as? StoreInUse)
    #expect(users.holders.first?.processID == ProcessInfo.processInfo.processIdentifier)
    #expect(users.holders.first?.operation == "open")
    #expect(try reader.count(matching: plan) == 2)
    reader.close()
    try requireOld(store)
  }

  @Test("opening the store during a migration throws an error that reports the migration")
  func migratingProcessIsNamed() throws {
    let store = try Self.filled()
    var error: (any Error)?
    try store.migrate(Self.model(), Self.model { $0.attribute("note") }) { _ in
      if error == nil {
        do {
          try store.withContext(
            Self.model(), options: [NSPersistentStoreTimeoutOption: 0.01 as NSNumber]
          ) { _ in }
        } catch let found { error = found }
      }
      return true
    }
    #expect("\(try #require(error))".contains("migrate"))
  }

  @Test("a read-only store, another model's store, and a missing store are rejected")
  func refused() throws {
    let store = try Self.filled()
    let (old, new) = (Self.model(), Self.model { $0.attribute("note") })
    var configuration = store.configuration
    configuration.isReadOnly = true
    let transition = try store.transition(old, new)
    let readOnly = try #require(throws: StoreError.self) {
      try SQLiteStore.migrate(configuration, transition)
    }
    #expect(readOnly.code == .readOnly)
    let other = Self.model { $0.attribute("pages", .integer64) }
    let foreign = try #require(throws: StoreError.self) { try store.migrate(other, new) }
    #expect(foreign.code == .incompatibleSchema)
    try requireOld(store)
    let missing = try #require(throws: StoreError.self) { try MigratedStore().migrate(old, new) }
    #expect(missing.code == .missingFile)
  }

  @Test("a damaged store is rejected or does not change", arguments: SQLiteMigrationTests.ways)
  func damaged(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled((0..<2000).map { "\($0) " + String(repeating: "x", count: 50) })
    let root = try #require(
      Int(try store.sqlite("SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK'")[0]))
    var bytes = try Data(contentsOf: store.file)
    bytes.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(repeating: 7, count: 4096))
    try bytes.write(to: store.file)
    let error = try #require(throws: StoreError.self) {
      try store.migrate(
        Self.model(), Self.model { $0.attribute("note", default: "none") }, by: way)
    }
    #expect(error.code == .corrupt)
    #expect(try store.names == ["store.sqlite"])
    #expect(try Data(contentsOf: store.file).dropFirst(100) == bytes.dropFirst(100))
  }

  @Test("the files of a killed copy are deleted at the next opening")
  func leftovers() throws {
    let store = try Self.filled()
    try Data("rest".utf8).write(to: store.folder.appendingPathComponent(".store.sqlite.migration"))
    try store.withContext(Self.model()) { _ in }
    try requireOld(store)
  }

  @Test(
    "the index of a log that a killed process left is deleted", arguments: SQLiteMigrationTests.ways
  )
  func leftIndex(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    try Data(count: 32_768).write(to: URL(fileURLWithPath: store.file.path + "-shm"))
    try store.migrate(Self.model(), Self.model { $0.attribute("note") }, by: way)
    #expect(try store.names == ["store.sqlite"])
  }

  @Test(
    "rows that are only in the log are migrated, and no log remains",
    arguments: SQLiteMigrationTests.ways)
  func log(_ way: StoreMigrationPlan.Way) throws {
    let live = try MigratedStore()
    let store = try MigratedStore()
    try live.withContext(Self.model()) { context in
      for number in 0..<50 {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          .setValue("\(number)", forKey: "title")
      }
      try context.save()
      // As a killed program leaves them.
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: live.file.path + suffix, toPath: store.file.path + suffix)
      }
    }
    let new = Self.model { $0.attribute("note") }
    try store.migrate(Self.model(), new, by: way)
    #expect(try store.names == ["store.sqlite"])
    let count = try store.withContext(new) { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }
    #expect(count == 50)
  }

  @Test("a migrated copy leaves the store as it is, without log, and is one file")
  func copy() throws {
    let store = try Self.filled()
    let new = Self.model { $0.attribute("note", default: "none") }
    let bytes = try Data(contentsOf: store.file)
    var place = store.configuration
    place.url = store.folder.appendingPathComponent("new.sqlite")
    let transition = try store.transition(Self.model(), new)
    try SQLiteStore.migrateCopy(of: store.configuration, to: place, transition)
    #expect(try store.names == ["new.sqlite", "store.sqlite"])
    #expect(try Data(contentsOf: store.file) == bytes)
    #expect(try store.damage(new, at: place.url) == [])
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore.migrateCopy(of: store.configuration, to: place, transition)
    }
    #expect(error.code == .permission)
    // A store that another coordinator has open is also copied.
    try FileManager.default.removeItem(at: try #require(place.url))
    try store.withContext(Self.model()) { _ in
      try SQLiteStore.migrateCopy(of: store.configuration, to: place, transition)
    }
    let notes = try store.withContext(new, at: place.url) { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        .map { $0.value(forKey: "note") as? String }
    }
    #expect(notes == ["none", "none"])
  }

  @Test(
    "while a file is migrated, no other thread opens it without SQLite",
    arguments: SQLiteMigrationTests.ways)
  func claimed(_ way: StoreMigrationPlan.Way) throws {
    let store = try Self.filled()
    var examined: [Bool] = []
    try store.migrate(Self.model(), Self.model { $0.attribute("note") }, by: way) { fraction in
      // At the end, a copied store has another file.
      if fraction < 1 {
        let found = try? OpenFiles.ifClosed(store.file.path) { () throws(StoreError) in true }
        examined.append(found != nil)
      }
      return true
    }
    #expect(examined.contains(false) && !examined.contains(true))
  }
}
