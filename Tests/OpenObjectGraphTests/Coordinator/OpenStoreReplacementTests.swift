import Foundation
import OpenCoreData
import Synchronization
import Testing

@Suite("Destroying and replacing stores that the coordinator has open")
struct OpenStoreReplacementTests {
  static let fileTypes = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
  static let types = fileTypes + [NSInMemoryStoreType]

  /// The notifications of a coordinator about one store, in order.
  private final class Events: Sendable {
    private let names = Mutex<[String]>([])
    private let coordinator: NSPersistentStoreCoordinator

    init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    var all: [String] { names.withLock { $0 } }

    func add(_ notification: Notification) {
      if let store = notification.object as? NSPersistentStore {
        guard store.persistentStoreCoordinator === coordinator else { return }
        return names.withLock { $0.append("will remove") }
      }
      guard notification.object as? NSPersistentStoreCoordinator === coordinator else { return }
      let keys = (notification.userInfo ?? [:]).keys.map { "\($0)" }
      names.withLock { $0 += keys }
    }

    /// Runs work and returns the notifications posted during it.
    static func during(
      _ coordinator: NSPersistentStoreCoordinator, _ work: () throws -> Void
    ) rethrows -> [String] {
      let events = Events(coordinator)
      let observers = [
        Notification.Name.NSPersistentStoreCoordinatorStoresDidChange,
        .NSPersistentStoreCoordinatorWillRemoveStore,
      ].map { name in
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
          events.add($0)
        }
      }
      defer { observers.forEach(NotificationCenter.default.removeObserver) }
      try work()
      return events.all
    }
  }

  private func add(
    _ type: String, _ url: URL, to coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url,
      options: [NSPersistentStoreTimeoutOption: 0.05])
  }

  private func code(_ work: () throws -> Void) -> Int {
    do { try work() } catch { return (error as NSError).code }
    return 0
  }

  @Test("a destroyed store leaves the coordinator, and a new store is added", arguments: types)
  func destruction(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try add(type, stack.url("store"), to: coordinator)
    let context = stack.context(coordinator)
    let author = try stack.fill(context)
    let events = try Events.during(coordinator) {
      try coordinator.destroyPersistentStore(at: stack.url("store"), ofType: type)
    }
    #expect(events == ["will remove", "removed"])
    #expect(coordinator.persistentStores.isEmpty)
    context.performAndWait {
      #expect(author.value(forKey: "name") as? String == "Ada")
      author.setValue("Grace", forKey: "name")
      #expect(throws: CocoaError.self) { try context.save() }
    }
    let new = try add(type, stack.url("store"), to: coordinator)
    #expect(new.identifier != old.identifier)
    #expect(try stack.summary(stack.context(coordinator)) == "0")
  }

  @Test("a merged deletion of an object of a destroyed store does not prevent saves")
  func mergedDeletion() throws {
    let stack = try FileTestStack()
    let (first, second) = (stack.url("a.sqlite"), stack.url("b.sqlite"))
    let coordinator = stack.coordinator()
    _ = try add(NSSQLiteStoreType, first, to: coordinator)
    let writer = stack.context(coordinator)
    let author = try stack.fill(writer)
    let id = writer.performAndWait { author.objectID }
    let reader = stack.context(coordinator)
    reader.automaticallyMergesChangesFromParent = true
    let known = try reader.performAndWait { () throws in
      let known = try reader.existingObject(with: id)
      #expect(known.value(forKey: "name") as? String == "Ada")
      return known
    }
    try writer.performAndWait { () throws in
      writer.delete(author)
      try writer.save()
    }
    // The save enqueued the merge on the reader's queue, so this block ends after it.
    reader.performAndWait {}
    _ = try add(NSSQLiteStoreType, second, to: coordinator)
    try coordinator.destroyPersistentStore(at: first, ofType: NSSQLiteStoreType)
    try reader.performAndWait { () throws in
      #expect(reader.deletedObjects == [known])
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: reader)
      tag.setValue("new", forKey: "word")
      try reader.save()
      #expect(!reader.hasChanges && known.managedObjectContext == nil)
    }
  }

  @Test("a store is replaced by another store of the coordinator", arguments: fileTypes)
  func replacement(_ type: String) throws {
    let stack = try FileTestStack()
    let (place, backup) = (stack.url("store"), stack.url("backup"))
    let maker = stack.coordinator()
    let made = try add(type, backup, to: maker)
    _ = try stack.fill(stack.context(maker))
    try maker.remove(made)
    let coordinator = stack.coordinator()
    _ = try add(type, place, to: coordinator)
    let source = try add(type, backup, to: coordinator)
    let events = try Events.during(coordinator) {
      try coordinator.replacePersistentStore(
        at: place, withPersistentStoreFrom: backup, ofType: type)
    }
    #expect(events == ["will remove", "removed"])
    #expect(coordinator.persistentStores == [source])
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
    try coordinator.remove(source)
    _ = try add(type, place, to: coordinator)
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
  }

  @Test("after an error, the store is in the coordinator as before (D-408)")
  func failure() throws {
    let stack = try FileTestStack()
    let (place, second) = (stack.url("a.sqlite"), stack.url("b.sqlite"))
    let coordinator = stack.coordinator()
    let old = try add(NSSQLiteStoreType, place, to: coordinator)
    _ = try add(NSSQLiteStoreType, second, to: coordinator)
    let context = stack.context(coordinator)
    let author = try stack.fill(context)
    context.performAndWait { author.setValue("Grace", forKey: "name") }
    coordinator.setMetadata(["Mine": 1], for: old)
    let brief = [NSPersistentStoreTimeoutOption: 0.05]
    let other = stack.coordinator()
    let user = try add(NSSQLiteStoreType, place, to: other)
    #expect(
      code {
        try coordinator.destroyPersistentStore(at: place, type: .sqlite, options: brief)
      } == NSPersistentStoreTimeoutError)
    try other.remove(user)
    #expect(
      code {
        try coordinator.replacePersistentStore(
          at: place, destinationOptions: brief,
          withPersistentStoreFrom: stack.url("none.sqlite"), type: .sqlite)
      } == CocoaError.fileReadNoSuchFile.rawValue)
    #expect(coordinator.persistentStores.map { $0.url } == [place, second])
    #expect(coordinator.persistentStores.first?.identifier == old.identifier)
    try context.performAndWait { () throws in
      #expect(author.value(forKey: "name") as? String == "Grace")
      try context.save()
    }
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: place)
    #expect(metadata["Mine"] as? Int == 1)
  }

  @Test("if the source is missing, the destination stays open (D-408)")
  func missingSource() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let store = try add(NSSQLiteStoreType, stack.url("a.sqlite"), to: coordinator)
    let events = Events.during(coordinator) {
      let number = code {
        try coordinator.replacePersistentStore(
          at: stack.url("a.sqlite"), withPersistentStoreFrom: stack.url("none.sqlite"),
          type: .sqlite)
      }
      #expect(number == CocoaError.fileReadNoSuchFile.rawValue)
    }
    #expect(events == [])
    #expect(coordinator.persistentStores == [store])
  }

  @Test("a store that replaces itself stays open", arguments: fileTypes)
  func sameStore(type: String) throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let store = try add(type, stack.url("a"), to: coordinator)
    let events = Events.during(coordinator) {
      // Some types of stores refuse to copy a store to its own location.
      _ = code {
        try coordinator.replacePersistentStore(
          at: stack.url("a"), withPersistentStoreFrom: stack.url("a"),
          type: NSPersistentStore.StoreType(rawValue: type))
      }
    }
    #expect(events == [])
    #expect(coordinator.persistentStores == [store])
  }

  @Test("a store whose file was deleted is not created again after an error (D-408)")
  func deletedFile() throws {
    let stack = try FileTestStack()
    let (place, text) = (stack.url("a.sqlite"), stack.url("text"))
    try Data("This is not a store.".utf8).write(to: text)
    let coordinator = stack.coordinator()
    _ = try add(NSSQLiteStoreType, place, to: coordinator)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: place.path + suffix)
    }
    let error = try #require(throws: CocoaError.self) {
      try coordinator.replacePersistentStore(
        at: place, withPersistentStoreFrom: text, type: .sqlite)
    }
    #expect(error.code == .fileReadCorruptFile)
    let causes = error.userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
    #expect(causes.map { ($0 as NSError).code } == [259, 260])
    #expect(coordinator.persistentStores.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: place.path))
  }

  @Test("a store at /dev/null is destroyed, but not replaced", arguments: types)
  func memory(_ type: String) throws {
    let stack = try FileTestStack()
    let place = URL(fileURLWithPath: "/dev/null")
    let coordinator = stack.coordinator()
    _ = try add(type, place, to: coordinator)
    _ = try stack.fill(stack.context(coordinator))
    _ = code {
      try coordinator.replacePersistentStore(
        at: place, withPersistentStoreFrom: stack.url("none"), ofType: type)
    }
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
    try coordinator.destroyPersistentStore(at: place, ofType: type)
    #expect(coordinator.persistentStores.isEmpty)
    _ = try add(type, place, to: coordinator)
    #expect(try stack.summary(stack.context(coordinator)) == "0")
  }

  @Test("an in-memory store that another coordinator shares keeps its contents and objects")
  func sharedMemory() throws {
    let stack = try FileTestStack()
    let place = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)")
    let (coordinator, other) = (stack.coordinator(), stack.coordinator())
    _ = try add(NSSQLiteStoreType, place, to: coordinator)
    let context = stack.context(coordinator)
    let author = try stack.fill(context)
    let user = try add(NSSQLiteStoreType, place, to: other)
    #expect(
      code { try coordinator.destroyPersistentStore(at: place, type: .sqlite) }
        == NSPersistentStoreTimeoutError)
    try context.performAndWait { () throws in
      author.setValue("Grace", forKey: "name")
      try context.save()
    }
    #expect(try stack.summary(stack.context(other)) == "CAB2")
    try other.remove(user)
    try coordinator.destroyPersistentStore(at: place, type: .sqlite)
    #expect(coordinator.persistentStores.isEmpty)
  }
}
