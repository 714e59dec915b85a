import Foundation
import OpenCoreData
import OpenSQLiteStore
import OpenStoreContract
import ProcessModel
import Testing

@Suite("A store that another process uses", .serialized)
struct StoreInUseTests {
  private let brief: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.05 as NSNumber]

  /// Returns the error of work that must fail because another process uses the store.
  private func refusal(_ work: () throws -> Void) throws -> StoreError {
    let error = try #require(throws: CocoaError.self) { try work() }
    #expect(error.errorCode == NSPersistentStoreTimeoutError)
    return try #require(error.userInfo[OpenStoreErrorKey] as? StoreError)
  }

  private func expect(_ error: StoreError, names process: ChildProcess, _ operation: String) throws
  {
    #expect(error.code == .locked)
    let holder = try #require((error.underlying as? StoreInUse)?.holders.first)
    #expect(holder.processID == process.processID)
    #expect(holder.programName.hasPrefix("opencoredata-p"))
    #expect(holder.operation == operation)
    #expect(error.description.contains("process \(process.processID)"))
  }

  @Test("destroying or replacing it is an error that names the process, and changes nothing")
  func users() throws {
    let store = try SharedStore()
    let other = try SharedStore()
    try other.insert("Tally", "value", [1])
    let process = try store.startProcess()
    #expect(try process.ask("save").hasPrefix("saved"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
    try expect(
      try refusal {
        try coordinator.destroyPersistentStore(at: store.url, type: .sqlite, options: brief)
      }, names: process, "open")
    try expect(
      try refusal {
        try coordinator.replacePersistentStore(
          at: store.url, destinationOptions: brief, withPersistentStoreFrom: other.url,
          type: .sqlite)
      }, names: process, "open")
    #expect(try process.ask("save").hasPrefix("saved"))
    #expect(try process.ask("close") == "closed")
    #expect(try store.numbers("Entry", "amount").count == 2)
    try coordinator.destroyPersistentStore(at: store.url, type: .sqlite, options: brief)
    #expect(try store.names == ["shared.sqlite"])
  }

  @Test("a process that was killed blocks no other process")
  func killed() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    #expect(try process.ask("save").hasPrefix("saved"))
    process.kill()
    #expect(try store.names.contains("shared.sqlite-lock"))
    try NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
      .destroyPersistentStore(at: store.url, type: .sqlite, options: brief)
    #expect(try store.names == ["shared.sqlite"])
  }

  @Test("a program that uses only SQLite prevents destroying a store, and is named")
  func foreign() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    let process = try ChildProcess()
    #expect(try process.ask("lock \(store.url.path)") == "locked")
    let error = try refusal {
      try NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
        .destroyPersistentStore(at: store.url, type: .sqlite, options: brief)
    }
    #if os(Linux)
      try expect(error, names: process, "open in SQLite")
    #endif
    #expect(try process.ask("unlock") == "unlocked")
    process.kill()
    #expect(try store.numbers("Tally", "value") == [1])
  }

  @Test("a save that waits too long for a lock throws, names the holder, and can be repeated")
  func busy() throws {
    let store = try SharedStore()
    let process = try ChildProcess()
    try store.opened(brief) { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      #expect(try process.ask("lock \(store.url.path)") == "locked")
      try context.performAndWait {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Tally", into: context)
        let error = try refusal { try context.save() }
        #if os(Linux)
          try expect(error, names: process, "open in SQLite")
        #endif
        #expect(error.nativeCode & 0xFF == 5)
        #expect(context.insertedObjects.count == 1)
        #expect(try process.ask("unlock") == "unlocked")
        try context.save()
      }
    }
    process.kill()
    #expect(try store.numbers("Tally", "value") == [0])
  }

  @Test("a process that reads a store in use through a read-only store can also write to the store")
  func writingAfterReading() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    #expect(try process.ask("save").hasPrefix("saved"))
    try store.opened([NSReadOnlyPersistentStoreOption: true]) { reader in
      #expect(try SharedStore.numbers("Entry", "amount", in: reader).count == 1)
      try store.insert("Tally", "value", [5])
      #expect(try SharedStore.numbers("Tally", "value", in: reader).contains(5))
    }
    #expect(try process.ask("save").hasPrefix("saved"))
    #expect(try process.ask("close") == "closed")
  }

  @Test("opening waits for an operation on the store's files, and names its process")
  func operations() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    let lock = try StoreLock(
      of: store.url.path, for: .migrate, besides: .noUsers, timeout: 0)
    for options in [brief, brief.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }] {
      let error = try refusal { _ = try store.open(options) }
      let holder = try #require((error.underlying as? StoreInUse)?.holders.first)
      #expect(holder.processID == ProcessInfo.processInfo.processIdentifier)
      #expect(holder.operation == "migrate")
    }
    lock.release()
    #expect(try store.numbers("Tally", "value") == [1])
    #expect(try store.names == ["shared.sqlite"])
  }

  @Test("a migration that another process prevents leaves the store open in this process")
  func preventedMigration() throws {
    let store = try SharedStore()
    try store.insert("Tally", "value", [1])
    try store.opened { coordinator in
      let process = try store.startProcess()
      let options: [AnyHashable: Any] = brief.merging([
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
        NSPersistentHistoryTrackingKey: true,
        OpenModelVersionsOption: [ProcessModel.make()],
      ]) { $1 }
      let other = NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.makeNext())
      let error = try #require(throws: CocoaError.self) {
        _ = try other.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: options)
      }
      #expect(error.errorCode == 134_110)
      #expect(try SharedStore.numbers("Tally", "value", in: coordinator) == [1])
      #expect(try process.ask("close") == "closed")
    }
  }

  @Test("a store that was destroyed by force while it was open cannot be saved to")
  func destroyed() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    #expect(try process.ask("save").hasPrefix("saved"))
    try NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
      .destroyPersistentStore(
        at: store.url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
    #expect(try store.names == [])
    #expect(try process.ask("save").hasPrefix("error 260 "))
    // A new file at the same path is another store, which is not changed.
    try store.insert("Tally", "value", [2])
    #expect(try process.ask("save").hasPrefix("error 260 "))
    #expect(try process.ask("close") == "closed")
    #expect(try store.numbers("Tally", "value") == [2])
    #expect(try store.findings() == [])
  }

  @Test("a token of another store is an error in a store's history")
  func tokens() throws {
    let store = try SharedStore()
    let other = try SharedStore()
    try other.insert("Tally", "value", [1])
    try store.insert("Tally", "value", [1])
    let token = try other.opened { $0.currentPersistentHistoryToken(fromStores: nil) }
    try store.opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      try context.performAndWait {
        let error = try #require(throws: CocoaError.self) {
          try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        }
        #expect(error.errorCode == NSPersistentHistoryTokenExpiredError)
      }
    }
  }

  @Test("a damaged lock file does not matter", arguments: [0, 1, 127, 5000])
  func damagedLockFile(length: Int) throws {
    let store = try SharedStore()
    let lock = store.folder.appendingPathComponent("shared.sqlite-lock")
    try Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }).write(to: lock)
    try store.insert("Tally", "value", [1])
    #expect(try store.names == ["shared.sqlite"])
  }

  @Test("a lock file that cannot be one is an error")
  func impossibleLockFile() throws {
    let store = try SharedStore()
    let lock = store.folder.appendingPathComponent("shared.sqlite-lock")
    try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
    let error = try #require(throws: CocoaError.self) { _ = try store.open() }
    #expect((error.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix("-lock") == true)
    #expect(try store.names == ["shared.sqlite-lock"])
  }
}
