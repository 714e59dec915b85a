import Foundation
import OpenCoreData
import Synchronization
import Testing

@Suite("Saving a store as another store")
struct SaveAsTests {
  /// The notifications of coordinators about the stores in one folder, in order.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    var all: [String] { entries.withLock { $0 } }

    func add(_ notification: Notification, of coordinator: NSPersistentStoreCoordinator) {
      if let store = notification.object as? NSPersistentStore {
        guard store.url?.path.hasPrefix(folder.path) == true else { return }
        return entries.withLock { $0.append("will remove \(store.url?.lastPathComponent ?? "")") }
      }
      guard notification.object as? NSPersistentStoreCoordinator === coordinator else { return }
      for (key, value) in notification.userInfo ?? [:] {
        let parts = (value as? [Any])?.map { part in
          (part as? NSPersistentStore)?.url?.lastPathComponent
            ?? "\((part as? [NSManagedObjectID])?.count ?? 0) ids"
        }
        entries.withLock { $0.append("\(key) " + (parts ?? []).joined(separator: ", ")) }
      }
    }
  }

  @Test("notifications arrive in Apple's order, with alternating old and new ids")
  func notifications() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    let log = Log(stack.folder)
    let observers = [
      Notification.Name.NSPersistentStoreCoordinatorStoresDidChange,
      .NSPersistentStoreCoordinatorWillRemoveStore,
    ].map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
        log.add($0, of: coordinator)
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    try coordinator.migratePersistentStore(old, to: stack.url("b.sqlite"), type: .sqlite)
    #expect(
      log.all == [
        "added b.sqlite", "will remove a.sqlite", "will remove b.sqlite",
        "NSUUIDChangedPersistentStoresKey a.sqlite, b.sqlite, 10 ids", "will remove a.sqlite",
        "removed a.sqlite",
      ])
  }

  @Test("objects, order and pairs are copied, and registered objects continue in the new store")
  func copy() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    coordinator.setMetadata(["color": "red"], for: old)
    let context = stack.context(coordinator)
    let author = try stack.fill(context)
    let new = try coordinator.migratePersistentStore(
      old, to: stack.url("b.sqlite"), type: .sqlite)
    #expect(new.identifier != old.identifier)
    #expect(coordinator.persistentStores == [new])
    #expect(new.metadata["color"] as? String == "red")
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
    try context.performAndWait {
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
      #expect(found == [author])
      author.setValue("Grace", forKey: "name")
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(author, forKey: "author")
      book.setValue("D", forKey: "title")
      try context.save()
    }
    #expect(try stack.summary(stack.context(coordinator)) == "CABD2")
    let untouched = stack.coordinator()
    try untouched.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    #expect(try stack.summary(stack.context(untouched)) == "CAB2")
  }

  @Test("from memory to a file and back", arguments: [true, false])
  func otherType(_ isToFile: Bool) throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(
      type: isToFile ? .inMemory : .sqlite, at: stack.url("a"))
    _ = try stack.fill(stack.context(coordinator))
    try coordinator.migratePersistentStore(
      old, to: stack.url("b"), type: isToFile ? .sqlite : .inMemory)
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
  }

  @Test(
    "a read-only store is written before it becomes read-only",
    arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
  func readOnly(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    let new = try coordinator.migratePersistentStore(
      old, to: stack.url("b"), options: [NSReadOnlyPersistentStoreOption: true], withType: type)
    #expect(new.isReadOnly)
    #expect(new.options?[NSReadOnlyPersistentStoreOption] as? Bool == true)
    #expect(coordinator.persistentStores == [new])
    let context = stack.context(coordinator)
    #expect(try stack.summary(context) == "CAB2")
    context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      #expect(throws: CocoaError.self) { try context.save() }
    }
  }

  @Test("metadata that was set and is not yet saved is written to the new store")
  func pendingMetadata() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    coordinator.setMetadata(["Mine": 1], for: old)
    let new = try coordinator.migratePersistentStore(
      old, to: stack.url("b.sqlite"), type: .sqlite)
    #expect(coordinator.metadata(for: new)["Mine"] as? Int == 1)
    try coordinator.remove(new)
    let written = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: stack.url("b.sqlite"))
    #expect(written["Mine"] as? Int == 1)
    #expect(written[NSStoreUUIDKey] as? String != old.identifier)
  }

  @Test("a store with a value whose file is missing cannot be copied (D-112)")
  func missingValue() throws {
    let stack = try FileTestStack()
    let bytes = NSAttributeDescription()
    bytes.name = "bytes"
    bytes.attributeType = .binaryDataAttributeType
    bytes.allowsExternalBinaryDataStorage = true
    let picture = NSEntityDescription()
    picture.name = "Picture"
    picture.properties = [bytes]
    let model = NSManagedObjectModel()
    model.entities = [picture]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let object = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
      object.setValue(Data(repeating: 7, count: 200_000), forKey: "bytes")
      try context.save()
    }
    let values = stack.url(".a_SUPPORT").appendingPathComponent("_EXTERNAL_DATA")
    let names = try FileManager.default.contentsOfDirectory(atPath: values.path)
    #expect(names.count == 1)
    for name in names {
      try FileManager.default.removeItem(at: values.appendingPathComponent(name))
    }
    let copies: [() throws -> Void] = [
      {
        try coordinator.replacePersistentStore(
          at: stack.url("b.sqlite"), withPersistentStoreFrom: stack.url("a.sqlite"), type: .sqlite)
      },
      {
        _ = try coordinator.migratePersistentStore(
          store, to: stack.url("c.sqlite"), type: .sqlite)
      },
    ]
    for copy in copies {
      let error = #expect(throws: CocoaError.self) { try copy() }
      #expect(error?.code == .fileReadNoSuchFile)
    }
    #expect(coordinator.persistentStores == [store])
    #expect(!FileManager.default.fileExists(atPath: stack.url("b.sqlite").path))
  }

  @Test(
    "new objects do not receive the keys of objects that were deleted from the old store",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func deletedKeys(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(
      type: NSPersistentStore.StoreType(rawValue: type), at: stack.url("a"))
    func insertTag(_ word: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(word, forKey: "word")
      try context.save()
      return tag
    }
    let (context, other) = (stack.context(coordinator), stack.context(coordinator))
    let outdated = try context.performAndWait { () throws in try insertTag("old", context) }
    try other.performAndWait { () throws in
      other.delete(try other.existingObject(with: outdated.objectID))
      try other.save()
    }
    try coordinator.migratePersistentStore(old, to: stack.url("b.sqlite"), type: .sqlite)
    let new = try other.performAndWait { () throws in try insertTag("new", other) }
    context.performAndWait {
      outdated.setValue("outdated", forKey: "word")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
    }
    other.performAndWait {
      other.refresh(new, mergeChanges: false)
      #expect(new.value(forKey: "word") as? String == "new")
    }
  }

  @Test("a store that is written while it is copied is not replaced (D-465)")
  func writtenDuringCopy() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    let context = stack.context(coordinator)
    let isSaved = Atomic<Bool>(false)
    let observer = StatementObserver { text in
      // The new store receives the rows after all rows of the old store were read.
      guard text.hasPrefix("INSERT"), text.contains("ZAUTHOR"),
        !isSaved.exchange(true, ordering: .relaxed)
      else { return }
      context.performAndWait {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("late", forKey: "word")
        // If the save fails, the fetch below does not find the object.
        try? context.save()
      }
    }
    let error = #expect(throws: CocoaError.self) {
      try coordinator.migratePersistentStore(
        old, to: stack.url("b.sqlite"), options: [OpenStatementObserverOption: observer],
        type: .sqlite)
    }
    #expect(error?.code == .persistentStoreOperation)
    #expect(coordinator.persistentStores == [old])
    let new = try coordinator.migratePersistentStore(old, to: stack.url("b.sqlite"), type: .sqlite)
    #expect(coordinator.persistentStores == [new])
    let reader = stack.context(coordinator)
    let words = try reader.performAndWait { () throws in
      try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        .compactMap { $0.value(forKey: "word") as? String }
    }
    #expect(words.sorted() == ["good", "late"])
  }

  @Test("a file in the new store's place is not changed, and the old store stays")
  func occupied() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    try Data("a letter".utf8).write(to: stack.url("b.sqlite"))
    #expect(throws: CocoaError.self) {
      try coordinator.migratePersistentStore(old, to: stack.url("b.sqlite"), type: .sqlite)
    }
    #expect(try Data(contentsOf: stack.url("b.sqlite")) == Data("a letter".utf8))
    #expect(coordinator.persistentStores == [old])
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
  }
}
