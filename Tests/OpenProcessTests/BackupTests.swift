import Foundation
import OpenCoreData
import OpenPersistenceKit
import OpenStoreContract
import ProcessModel
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Backups of stores", .serialized)
struct BackupTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 817_000_000)

  private func backups(_ store: SharedStore, at date: Date = start) -> StoreBackups {
    StoreBackups(ofStoreAt: store.url, timeout: 0.05, now: { date })
  }

  private func tallies(in url: URL) throws -> [Int] {
    let coordinator = try ProcessModel.open(url)
    // Closing does not fail.
    defer { try? coordinator.persistentStores.forEach(coordinator.remove) }
    return try SharedStore.numbers("Tally", "value", in: coordinator)
  }

  /// Returns the library's error that underlies one of Apple's errors.
  private func refusal(_ code: Int, _ work: () throws -> Void) throws -> StoreError {
    let error = try #require(throws: CocoaError.self) { try work() }
    #expect(error.errorCode == code)
    return try #require(error.userInfo[OpenStoreErrorKey] as? StoreError)
  }

  // MARK: Names and retention

  @Test("a backup has the store's name, the moment and the model's version in its name")
  func names() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    let backup = try backups(store).make()
    #expect(backup.date == Self.start)
    let checksum = ProcessModel.make().versionChecksum.filter { $0.isLetter || $0.isNumber }
    #expect(backup.versionPrefix == String(checksum.prefix(8)))
    #expect(
      backup.url.lastPathComponent == "shared.sqlite-20261122T002640Z-\(backup.versionPrefix)")
    #expect(backup.url.deletingLastPathComponent().lastPathComponent == "shared.sqlite.backups")
    #expect(try store.names == ["shared.sqlite", "shared.sqlite.backups"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: backup.url.path) == ["shared.sqlite"])
    let second = try backups(store).make()
    #expect(second.url.lastPathComponent == backup.url.lastPathComponent + "-2")
    #expect(try backups(store).list() == [second, backup])
    #expect(StoreBackups(containing: backup.url)?.storeURL.path == store.url.path)
  }

  @Test("the newest backups are kept, and incomplete backups are not listed")
  func retention() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    #expect(try backups(store).list() == [])
    var made: [StoreBackup] = []
    for day in 0..<5 {
      made.append(try backups(store, at: Self.start + Double(day) * 86_400).make(keeping: 3))
    }
    let all = backups(store)
    #expect(try all.list() == made[2...].reversed())
    for name in ["shared.sqlite-20261122T002640Z-abc", "shared.sqlite-2026-abc", "other"] {
      try FileManager.default.createDirectory(
        at: all.folder.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    #expect(try all.list() == made[2...].reversed())
    try all.remove(made[4])
    #expect(try all.list() == [made[3], made[2]])
    try all.removeAll(butNewest: 0)
    #expect(try all.list() == [])
  }

  @Test("the new backup is kept if several are made in one second, or if the clock was set back")
  func newBackup() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    var made: [StoreBackup] = []
    for count in [1, 2] {
      for _ in 0..<4 {
        made.append(try backups(store).make(keeping: count))
        #expect(try backups(store).list() == made.suffix(count).reversed())
      }
    }
    let back = try backups(store, at: Self.start - 86_400).make(keeping: 2)
    #expect(try backups(store).list() == [made[7], back])
  }

  @Test("an incomplete backup is removed if its program ended, whatever process ids there are")
  func abandoned() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    let folder = backups(store).folder
    func partialNames() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasPrefix(".partial-") }
    }
    // The folders of an ended process with the same id as this process, and of a running process in
    // another container.
    let ended = ".partial-\(ProcessInfo.processInfo.processIdentifier)-A"
    let running = ".partial-\(Int32.max)-B"
    for name in [ended, running] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    let descriptor = Glibc.open(folder.appendingPathComponent(running).path, O_RDONLY | O_CLOEXEC)
    let result = flock(descriptor, LOCK_EX)
    #expect(result == 0)
    _ = try backups(store).make()
    #expect(try partialNames() == [running])
    close(descriptor)
    _ = try backups(store).make()
    #expect(try partialNames() == [])
  }

  // MARK: Contents

  @Test("a backup has rows of the log and external values, and restores them")
  func externalValues() throws {
    let store = try SharedStore()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CrashModel.make())
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: nil)
    func values(_ coordinator: NSPersistentStoreCoordinator) throws -> [Int: Data] {
      let context = ProcessModel.context(coordinator, author: "test")
      return try context.performAndWait {
        let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
        return Dictionary(
          uniqueKeysWithValues: items.map {
            ($0.value(forKey: "number") as? Int ?? 0, $0.value(forKey: "value") as? Data ?? Data())
          })
      }
    }
    let context = ProcessModel.context(coordinator, author: "test")
    for number in 0..<6 {
      let (stamp, value) = (number, CrashModel.value(of: number))
      try SharedStore.insert("Item", ["number": stamp, "value": value], in: context)
    }
    let expected = try values(coordinator)
    // The store is open, and its rows are in the log.
    let backup = try backups(store).make()
    try context.performAndWait {
      for item in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) {
        context.delete(item)
      }
      try context.save()
    }
    #expect(try values(coordinator).isEmpty)
    try coordinator.persistentStores.forEach(coordinator.remove)
    try backups(store).restore(backup)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: nil)
    #expect(try values(coordinator) == expected)
    #expect(try IntegrityCheck().findings(in: coordinator).isEmpty)
    try coordinator.persistentStores.forEach(coordinator.remove)
  }

  @Test("a backup made while another process saves has one consistent state")
  func writer() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    try process.send("stream 0")
    for round in 0..<5 {
      let before = try #require(try process.line().flatMap { Int($0) })
      let backup = try backups(store, at: Self.start + Double(round)).make()
      let coordinator = try ProcessModel.open(backup.storeURL)
      #expect(try IntegrityCheck().findings(in: coordinator).isEmpty)
      let saves = try SharedStore.numbers("Counter", "value", in: coordinator)
      #expect((saves.first ?? 0) >= before)
      #expect(
        try SharedStore.numbers("Entry", "batch", in: coordinator).count == 3 * (saves.first ?? 0))
      try coordinator.persistentStores.forEach(coordinator.remove)
    }
    process.kill()
    #expect(try store.findings() == [])
  }

  @Test("a store that is one file is copied, and restored", arguments: [true, false])
  func singleFiles(isXML: Bool) throws {
    let store = try SharedStore()
    let type: NSPersistentStore.StoreType = isXML ? .xml : .binary
    let url = store.folder.appendingPathComponent("plain")
    func opened<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
      let added = try coordinator.addPersistentStore(
        type: type, configuration: nil, at: url, options: nil)
      defer { try? coordinator.remove(added) }  // Closing does not fail.
      return try work(ProcessModel.context(coordinator, author: "test"))
    }
    try opened { try SharedStore.insert("Tally", ["value": 1], in: $0) }
    let all = StoreBackups(ofStoreAt: url, type: type)
    let backup = try all.make()
    try opened { try SharedStore.insert("Tally", ["value": 2], in: $0) }
    try all.restore(backup)
    let count = try opened { context in
      try context.performAndWait {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tally"))
      }
    }
    #expect(count == 1)
  }

  // MARK: Failures

  @Test("a damaged or missing store causes an error and leaves no files")
  func damaged() throws {
    let store = try SharedStore()
    #expect(try refusal(260) { _ = try backups(store).make() }.code == .missingFile)
    #expect(try store.names == [])
    try store.insert("Tally", "value", Array(0..<3000))
    let sound = try backups(store).make()
    try backups(store).remove(sound)
    var bytes = try Data(contentsOf: store.url)
    // The pages after the first ones: rows and indexes.
    for offset in stride(from: bytes.count / 2, to: bytes.count, by: 7) { bytes[offset] ^= 0x5A }
    try bytes.write(to: store.url)
    let error = try refusal(259) { _ = try backups(store).make() }
    #expect(error.code == .corrupt)
    #expect(try store.names == ["shared.sqlite"])
    #expect(try Data(contentsOf: store.url) == bytes)
  }

  @Test("a damaged backup does not replace a store")
  func damagedBackup() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", Array(0..<3000))
    let backup = try backups(store).make()
    var bytes = try Data(contentsOf: backup.storeURL)
    for offset in stride(from: bytes.count / 2, to: bytes.count, by: 7) { bytes[offset] ^= 0x5A }
    try bytes.write(to: backup.storeURL)
    let error = try refusal(259) { try backups(store).restore(backup) }
    #expect(error.code == .corrupt)
    #expect(try store.numbers("Tally", "value").count == 3000)
    try backups(store).remove(backup)
    #expect(try refusal(260) { try backups(store).restore(backup) }.code == .missingFile)
  }

  @Test(
    "a truncated XML or binary store causes an error and does not replace an earlier backup",
    arguments: [NSPersistentStore.StoreType.xml, .binary])
  func truncated(_ type: NSPersistentStore.StoreType) throws {
    let store = try SharedStore()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
    let added = try coordinator.addPersistentStore(type: type, at: store.url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for value in 0..<100 {
        NSEntityDescription.insertNewObject(forEntityName: "Tally", into: context)
          .setValue(value, forKey: "value")
      }
      try context.save()
    }
    try coordinator.remove(added)
    let all = StoreBackups(ofStoreAt: store.url, type: type, now: { Self.start })
    let sound = try all.make(keeping: 1)
    let bytes = try Data(contentsOf: store.url)
    try bytes.prefix(bytes.count * 3 / 4).write(to: store.url)
    let error = try refusal(259) { _ = try all.make(keeping: 1) }
    #expect(error.code == .corrupt)
    #expect(try all.list() == [sound])
    try all.restore(sound)
    #expect(try Data(contentsOf: store.url) == bytes)
  }

  @Test("a store that a process has open is not replaced, and the error names the process")
  func open() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    let backup = try backups(store).make()
    let process = try store.startProcess()
    let error = try refusal(NSPersistentStoreTimeoutError) { try backups(store).restore(backup) }
    #expect(error.code == .locked)
    #expect(error.description.contains("process \(process.processID)"))
    #expect(try process.ask("save").hasPrefix("saved"))
    #expect(try process.ask("close") == "closed")
    try backups(store).restore(backup)
    #expect(try store.numbers("Entry", "amount") == [])
    #expect(try store.numbers("Tally", "value") == [1])
  }

  @Test("a full disk causes an error and leaves no files")
  func fullDisk() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", Array(0..<20_000))
    let process = try ChildProcess()
    #expect(try process.ask("limit 100000") == "limited")
    #expect(try process.ask("backup \(store.url.path)").hasPrefix("error 13"))
    #expect(try store.names == ["shared.sqlite"])
    #expect(try process.ask("limit -1") == "limited")
    #expect(try process.ask("backup \(store.url.path)").hasPrefix("shared.sqlite-"))
    #expect(try backups(store).list().count == 1)
  }

  // MARK: Kills

  /// Waits for some answers and a moment of chance, then kills the process.
  private func kill(_ process: ChildProcess, using numbers: inout SeededRandom) throws {
    for _ in 0..<Int.random(in: 0...3, using: &numbers) { _ = try process.line() }
    usleep(useconds_t.random(in: 0...30_000, using: &numbers))
    process.kill()
  }

  @Test("a process killed during backups leaves complete backups, and the next process cleans up")
  func killedBackup() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", Array(0..<500))
    var numbers = SeededRandom(seed: 26)
    for _ in 0..<12 {
      let process = try ChildProcess()
      try process.send("backups \(store.url.path)")
      try kill(process, using: &numbers)
      for backup in try backups(store).list() {
        #expect(try tallies(in: backup.storeURL).count == 500)
      }
    }
    let folder = backups(store).folder.path
    _ = try backups(store).make()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!names.contains { $0.hasPrefix(".partial-") }, "\(names)")
    #expect(try store.numbers("Tally", "value").count == 500)
    #expect(try store.findings() == [])
  }

  @Test("a process killed while it restores leaves the old store or the new one")
  func killedRestore() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", Array(0..<500))
    _ = try backups(store).make()
    try store.insert("Tally", "value", Array(500..<900))
    _ = try backups(store, at: Self.start + 1).make()
    var numbers = SeededRandom(seed: 27)
    for _ in 0..<12 {
      let process = try ChildProcess()
      try process.send("restore \(store.url.path)")
      try kill(process, using: &numbers)
      let count = try store.numbers("Tally", "value").count
      #expect(count == 500 || count == 900)
      #expect(try store.findings() == [])
    }
  }
}
