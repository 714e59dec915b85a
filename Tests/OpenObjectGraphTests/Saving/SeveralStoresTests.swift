import COpenSQLite
import Foundation
import OpenCoreData
import Testing

/// Two SQLite stores with one coordinator: the save writes one after the other.
@Suite("A save that writes several stores")
struct SeveralStoresTests {
  private final class Stack {
    let files: FileTestStack
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private(set) var stores: [NSPersistentStore] = []
    private var blocker: OpaquePointer?

    init() throws {
      files = try FileTestStack()
      coordinator = files.coordinator()
      for name in ["first.sqlite", "second.sqlite"] {
        stores.append(
          try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: files.url(name),
            options: [NSPersistentStoreTimeoutOption: 0]))
      }
      context = files.context(coordinator)
    }

    deinit { sqlite3_close(blocker) }

    /// Runs work on the queue of the context.
    func run(_ work: (Stack, NSManagedObjectContext) throws -> Void) throws {
      try context.performAndWait { try work(self, context) }
    }

    /// Locks the second store so that no other connection can write to it.
    func block() throws {
      try #require(sqlite3_open(files.url("second.sqlite").path, &blocker) == SQLITE_OK)
      try #require(sqlite3_exec(blocker, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    }

    func unblock() throws {
      try #require(sqlite3_exec(blocker, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    }

    func insert(_ word: String, into store: Int) -> NSManagedObject {
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(word, forKey: "word")
      context.assign(tag, to: stores[store])
      return tag
    }

    /// A context of another coordinator, in which the second store is read-only.
    func contextWithReadOnlyStore() throws -> NSManagedObjectContext {
      let coordinator = files.coordinator()
      for (name, isReadOnly) in [("first.sqlite", false), ("second.sqlite", true)] {
        _ = try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: files.url(name),
          options: [NSReadOnlyPersistentStoreOption: isReadOnly])
      }
      return files.context(coordinator)
    }

    /// The words of a store, as another coordinator reads them.
    func words(in name: String) throws -> [String] {
      let coordinator = files.coordinator()
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: files.url(name), options: nil)
      let context = files.context(coordinator)
      return try context.performAndWait {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
          .compactMap { $0.value(forKey: "word") as? String }.sorted()
      }
    }
  }

  @Test("when the second store fails, the first one's objects are clean, permanent and announced")
  func secondFails() throws {
    try Stack().run { stack, context in
      let one = stack.insert("one", into: 0)
      let two = stack.insert("two", into: 1)
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
      func announced() -> [Set<NSManagedObject>] {
        saves.all.map { $0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] }
      }
      try stack.block()
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .persistentStoreIncompleteSave)
      #expect(error.affectedStores?.first === stack.stores[1])
      let written = error.userInfo[OpenWrittenStoresErrorKey] as? [NSPersistentStore]
      #expect(written == [stack.stores[0]])
      #expect(
        (error.userInfo[NSUnderlyingErrorKey] as? CocoaError)?.code == .persistentStoreTimeout)
      #expect(announced() == [[one]])
      #expect(!one.hasChanges && !one.objectID.isTemporaryID)
      #expect(two.isInserted && two.objectID.isTemporaryID)
      #expect(context.insertedObjects == [two])
      #expect(context.registeredObject(for: one.objectID) === one)
      #expect(try stack.words(in: "first.sqlite") == ["one"])
      try stack.unblock()
      try context.save()
      #expect(announced() == [[one], [two]])
      #expect(!context.hasChanges)
      #expect(try stack.words(in: "first.sqlite") == ["one"])
      #expect(try stack.words(in: "second.sqlite") == ["two"])
    }
  }

  @Test(
    "after an incomplete save, rollback drops only unwritten changes, and the context stays usable"
  )
  func rollback() throws {
    try Stack().run { stack, context in
      let one = stack.insert("one", into: 0)
      _ = stack.insert("two", into: 1)
      try stack.block()
      #expect(throws: CocoaError.self) { try context.save() }
      try stack.unblock()
      context.rollback()
      #expect(!context.hasChanges)
      #expect(context.registeredObjects == [one])
      one.setValue("once more", forKey: "word")
      try context.save()
      #expect(try stack.words(in: "first.sqlite") == ["once more"])
      #expect(try stack.words(in: "second.sqlite") == [])
    }
  }

  @Test("updates and deletions of a written store are done, those of the failed one are pending")
  func changes() throws {
    try Stack().run { stack, context in
      let kept = [stack.insert("kept one", into: 0), stack.insert("kept two", into: 1)]
      let gone = [stack.insert("gone one", into: 0), stack.insert("gone two", into: 1)]
      try context.save()
      for object in kept { object.setValue("new", forKey: "word") }
      for object in gone { context.delete(object) }
      try stack.block()
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(context.updatedObjects == [kept[1]])
      #expect(context.deletedObjects == [gone[1]])
      #expect(gone[0].managedObjectContext == nil)
      try stack.unblock()
      try context.save()
      #expect(try stack.words(in: "first.sqlite") == ["new"])
      #expect(try stack.words(in: "second.sqlite") == ["new"])
    }
  }

  @Test("a store that is not writable is detected before any store is written")
  func readOnlyStore() throws {
    let stack = try Stack()
    try stack.context.performAndWait { () throws in
      _ = stack.insert("two", into: 1)
      try stack.context.save()
    }
    let context = try stack.contextWithReadOnlyStore()
    try context.performAndWait { () throws in
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      for tag in tags { tag.setValue("changed", forKey: "word") }
      _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .persistentStoreSave)
      #expect(context.insertedObjects.count == 1 && context.updatedObjects.count == 1)
    }
    #expect(try stack.words(in: "first.sqlite") == [])
  }

  @Test("changes of objects whose store was removed make the save throw, and nothing is written")
  func removedStore() throws {
    try Stack().run { stack, context in
      _ = stack.insert("one", into: 0)
      let two = stack.insert("two", into: 1)
      try stack.coordinator.remove(stack.stores[1])
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .persistentStoreOperation)
      #expect(context.insertedObjects.count == 2 && two.isInserted)
      #expect(try stack.words(in: "first.sqlite") == [])
    }
  }

  @Test(
    "a batch request that fails in the second store names the first one, which is written",
    arguments: ["update", "deletion"])
  func batch(kind: String) throws {
    try Stack().run { stack, context in
      for (index, word) in ["one", "two"].enumerated() { _ = stack.insert(word, into: index) }
      try context.save()
      try stack.block()
      let error = try #require(throws: CocoaError.self) {
        try context.execute(Self.batch(kind))
      }
      #expect(error.code == .persistentStoreIncompleteSave)
      #expect(error.affectedStores?.first === stack.stores[1])
      let written = error.userInfo[OpenWrittenStoresErrorKey] as? [NSPersistentStore]
      #expect(written == [stack.stores[0]])
      #expect(try stack.words(in: "first.sqlite") == (kind == "update" ? ["batch"] : []))
      try stack.unblock()
      let rest = Self.batch(kind)
      rest.affectedStores = [stack.stores[1]]
      try context.execute(rest)
      #expect(try stack.words(in: "second.sqlite") == (kind == "update" ? ["batch"] : []))
    }
  }

  @Test(
    "a batch request changes nothing when one of its stores cannot be written",
    arguments: ["update", "deletion"])
  func batchOnReadOnlyStore(kind: String) throws {
    let stack = try Stack()
    try stack.context.performAndWait { () throws in
      for (index, word) in ["one", "two"].enumerated() { _ = stack.insert(word, into: index) }
      try stack.context.save()
    }
    let context = try stack.contextWithReadOnlyStore()
    let error = try #require(throws: CocoaError.self) {
      try context.performAndWait { _ = try context.execute(Self.batch(kind)) }
    }
    #expect(error.code == .persistentStoreSave)
    #expect(try stack.words(in: "first.sqlite") == ["one"])
  }

  private static func batch(_ kind: String) -> NSPersistentStoreRequest {
    if kind == "deletion" {
      return NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag"))
    }
    let update = NSBatchUpdateRequest(entityName: "Tag")
    update.propertiesToUpdate = ["word": "batch"]
    return update
  }

  @Test("batch requests go to the stores whose configuration has their entity")
  func configurations() throws {
    let files = try FileTestStack()
    let coordinator = files.coordinator()
    for (name, configuration) in [("tags.sqlite", "Tags"), ("all.sqlite", "Everything")] {
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: configuration, at: files.url(name),
        options: nil)
    }
    let context = files.context(coordinator)
    try context.performAndWait { () throws in
      let insertion = NSBatchInsertRequest(entityName: "Author", objects: [["name": "Ann"]])
      insertion.resultType = .objectIDs
      let result = try context.execute(insertion) as? NSBatchInsertResult
      let ids = try #require(result?.result as? [NSManagedObjectID])
      #expect(ids.first?.persistentStore?.configurationName == "Everything")
      #expect(try context.existingObject(with: ids[0]).value(forKey: "name") as? String == "Ann")
    }
  }

  @Test("updates and deletions find the rows that a fetch finds, whatever the configuration")
  func rowsOutsideConfiguration() throws {
    let files = try FileTestStack()
    func context(_ configuration: String?) throws -> NSManagedObjectContext {
      let coordinator = files.coordinator()
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: configuration, at: files.url("all.sqlite"),
        options: nil)
      return files.context(coordinator)
    }
    _ = try files.fill(try context(nil))
    let limited = try context("Tags")
    try limited.performAndWait { () throws in
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Author")
      #expect(try limited.count(for: fetch) == 1)
      let update = NSBatchUpdateRequest(entityName: "Author")
      update.propertiesToUpdate = ["name": "Ann"]
      update.resultType = .updatedObjectsCountResultType
      let updated = try limited.execute(update) as? NSBatchUpdateResult
      #expect((updated?.result as? NSNumber)?.intValue == 1)
      let deletion = NSBatchDeleteRequest(fetchRequest: fetch)
      deletion.resultType = .resultTypeCount
      let deleted = try limited.execute(deletion) as? NSBatchDeleteResult
      #expect((deleted?.result as? NSNumber)?.intValue == 1)
      #expect(try limited.count(for: fetch) == 0)
    }
  }

  @Test("a deletion with a limit selects the newest rows, even in a pinned context")
  func limitInPinnedContext() throws {
    try Stack().run { stack, context in
      for (place, word) in ["a", "c"].enumerated() { _ = stack.insert(word, into: place) }
      try context.save()
      try context.setQueryGenerationFrom(.current)
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      fetch.sortDescriptors = [NSSortDescriptor(key: "word", ascending: true)]
      #expect(try context.count(for: fetch) == 2)
      let other = stack.files.context(stack.coordinator)
      try other.performAndWait {
        try other.fetch(fetch).first?.setValue("z", forKey: "word")
        try other.save()
      }
      fetch.fetchLimit = 1
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
      #expect(try stack.words(in: "first.sqlite") == ["z"])
      #expect(try stack.words(in: "second.sqlite").isEmpty)
    }
  }
}
