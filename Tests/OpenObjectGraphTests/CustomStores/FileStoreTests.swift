import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import Testing

@Suite("Single-file stores: XML and binary")
struct FileStoreTests {
  static let types = [NSXMLStoreType, NSBinaryStoreType]

  private func open(
    _ type: String, _ stack: FileTestStack, _ options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: stack.url("store"), options: options)
    return coordinator
  }

  @Test("objects, order and pairs persist when the store is reopened", arguments: types)
  func roundTrip(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = try open(type, stack)
    _ = try stack.fill(stack.context(coordinator))
    let again = try open(type, stack)
    #expect(try stack.summary(stack.context(again)) == "CAB2")
    #expect(
      again.persistentStores.first?.identifier == coordinator.persistentStores.first?.identifier)
    #expect(try stack.names == ["store"])
  }

  @Test("an empty or missing file is a new store", arguments: types)
  func newStores(_ type: String) throws {
    let stack = try FileTestStack()
    try Data().write(to: stack.url("store"))
    _ = try stack.fill(stack.context(try open(type, stack)))
    #expect(try stack.summary(stack.context(try open(type, stack))) == "CAB2")
  }

  @Test("a store that is created through a link is the destination of the link", arguments: types)
  func linkToMissingFile(_ type: String) throws {
    let stack = try FileTestStack()
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: stack.url("store").path, withDestinationPath: "destination")
    let identifier = try open(type, stack).persistentStores.first?.identifier
    #expect(try files.destinationOfSymbolicLink(atPath: stack.url("store").path) == "destination")
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: stack.url("destination"))
    #expect(metadata[NSStoreUUIDKey] as? String == identifier)
  }

  @Test(
    "metadata has type, identifier and versions, and what the application sets", arguments: types)
  func metadata(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = try open(type, stack)
    let store = try #require(coordinator.persistentStores.first)
    let date = Date(timeIntervalSinceReferenceDate: 0.25)
    store.metadata["first"] = ["text <&>", 1, 2.5, true, date, Data([1])] as [Any]
    _ = try stack.fill(stack.context(coordinator))
    let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: stack.url("store"))
    #expect(stored[NSStoreTypeKey] as? String == type)
    #expect(stored[NSStoreUUIDKey] as? String == store.identifier)
    #expect(
      stored[NSStoreModelVersionHashesKey] as? [String: Data]
        == stack.model.entityVersionHashesByName)
    let list = try #require(stored["first"] as? [Any])
    #expect(list.first as? String == "text <&>")
    #expect(list[4] as? Date == date)
    #expect(list[3] as? Bool == true)
    try NSPersistentStoreCoordinator.setMetadata(
      ["second": 2], forPersistentStoreOfType: type, at: stack.url("store"))
    let again = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: stack.url("store"))
    #expect(again["second"] as? Int == 2)
    #expect(again["first"] == nil)
    #expect(again[NSStoreUUIDKey] as? String == store.identifier)
    #expect(try stack.summary(stack.context(try open(type, stack))) == "CAB2")
  }

  @Test("another version of the model is a separate error", arguments: types)
  func otherVersion(_ type: String) throws {
    let stack = try FileTestStack()
    _ = try open(type, stack)
    let other = NSPersistentStoreCoordinator(
      managedObjectModel: FileTestStack.makeModel(hashModifier: "2"))
    let error = #expect(throws: CocoaError.self) {
      try other.addPersistentStore(
        ofType: type, configurationName: nil, at: stack.url("store"), options: nil)
    }
    #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test("a save that cannot write its file throws, and nothing changes", arguments: types)
  func failedSave(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = try open(type, stack)
    let context = stack.context(coordinator)
    _ = try stack.fill(context)
    let moved = stack.url("moved")
    try FileManager.default.moveItem(at: stack.url("store"), to: moved)
    try context.performAndWait { () throws in
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        .setValue("new", forKey: "word")
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(context.hasChanges)
      try FileManager.default.moveItem(at: moved, to: stack.url("store"))
      try context.save()
    }
    let again = stack.context(try open(type, stack))
    try again.performAndWait { () throws in
      #expect(try again.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 2)
    }
  }

  @Test(
    "a file that another coordinator wrote in the meantime is not overwritten", arguments: types)
  func twoCoordinators(_ type: String) throws {
    let stack = try FileTestStack()
    let first = stack.context(try open(type, stack))
    let second = stack.context(try open(type, stack))
    _ = try stack.fill(first)
    second.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: second)
        .setValue("lost", forKey: "word")
      let error = #expect(throws: CocoaError.self) { try second.save() }
      #expect(error?.code == .managedObjectMerge)
    }
    #expect(try stack.summary(stack.context(try open(type, stack))) == "CAB2")
  }

  @Test("if two coordinators save at the same time, one save throws", arguments: types)
  func savesAtTheSameTime(_ type: String) throws {
    for _ in 0..<20 {
      let stack = try FileTestStack()
      let contexts = [stack.context(try open(type, stack)), stack.context(try open(type, stack))]
      for context in contexts {
        context.performAndWait {
          NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            .setValue("new", forKey: "word")
        }
      }
      let failures = Mutex<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: contexts.count) { index in
        contexts[index].performAndWait {
          do { try contexts[index].save() } catch {
            failures.withLock { $0.append((error as? CocoaError)?.code.rawValue ?? 0) }
          }
        }
      }
      #expect(failures.withLock { $0 } == [133_020])
      let again = stack.context(try open(type, stack))
      try again.performAndWait { () throws in
        #expect(try again.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 1)
      }
      #expect(try stack.names == ["store"])
    }
  }

  @Test("two coordinators that create a store at the same time open one store", arguments: types)
  func creationAtTheSameTime(_ type: String) throws {
    for _ in 0..<20 {
      let stack = try FileTestStack()
      let coordinators = [stack.coordinator(), stack.coordinator()]
      let url = stack.url("store")
      let identifiers = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: coordinators.count) { index in
        do {
          let store = try coordinators[index].addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: nil)
          let identifier: String = store.identifier
          identifiers.withLock { $0.append(identifier) }
        } catch {
          Issue.record(error)
        }
      }
      #expect(identifiers.withLock { $0.count } == 2)
      #expect(identifiers.withLock { Set($0).count } == 1)
      #expect(try stack.names == ["store"])
    }
  }

  @Test("the file of a killed migration is deleted when the store is opened", arguments: types)
  func killedMigration(_ type: String) throws {
    let stack = try FileTestStack()
    _ = try stack.fill(stack.context(try open(type, stack)))
    try Data("incomplete".utf8).write(to: stack.url(".store.migrating"))
    _ = try open(type, stack, [NSReadOnlyPersistentStoreOption: true])
    #expect(try stack.names == [".store.migrating", "store"])
    #expect(try stack.summary(stack.context(try open(type, stack))) == "CAB2")
    #expect(try stack.names == ["store"])
  }

  @Test(
    "row versions of XML begin at 1 again when the store is opened, those of binary files do not")
  func versionsAfterOpening() throws {
    let stack = try FileTestStack()
    for type in Self.types {
      let coordinator = stack.coordinator()
      func add() throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
          ofType: type, configurationName: nil, at: stack.url("store of \(type)"))
      }
      let store = try add()
      let context = stack.context(coordinator)
      try context.performAndWait { () throws in
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        for word in ["one", "two"] {
          tag.setValue(word, forKey: "word")
          try context.save()
        }
        try coordinator.remove(store)
        _ = try add()
        tag.setValue("three", forKey: "word")
        guard type == NSXMLStoreType else { return try context.save() }
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .managedObjectMerge)
        context.refresh(tag, mergeChanges: false)
        tag.setValue("three", forKey: "word")
        try context.save()
        #expect(
          try stack.context(coordinator).performAndWait { () throws in
            try stack.context(coordinator).count(
              for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
          } == 1)
      }
    }
  }

  @Test("a store is destroyed, replaced, and saved as a store of another type")
  func files() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    let xml = try coordinator.migratePersistentStore(store, to: stack.url("a.xml"), type: .xml)
    let binary = try coordinator.migratePersistentStore(xml, to: stack.url("store"), type: .binary)
    #expect(binary.type == NSBinaryStoreType)
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
    try coordinator.replacePersistentStore(
      at: stack.url("b.xml"), withPersistentStoreFrom: stack.url("a.xml"), type: .xml)
    let copy = stack.coordinator()
    try copy.addPersistentStore(type: .xml, at: stack.url("b.xml"))
    #expect(try stack.summary(stack.context(copy)) == "CAB2")
    try copy.destroyPersistentStore(at: stack.url("b.xml"), type: .xml)
    #expect(try !stack.names.contains("b.xml"))
  }

  @Test("a store that is added with history tracking records no history", arguments: types)
  func history(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = try open(type, stack, [NSPersistentHistoryTrackingKey: true])
    _ = try stack.fill(stack.context(coordinator))
    #expect(coordinator.persistentStores.first?.isReadOnly == false)
    #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
  }

  @Test("a read-only store is read but not written", arguments: types)
  func readOnly(_ type: String) throws {
    let stack = try FileTestStack()
    let options = [NSReadOnlyPersistentStoreOption: true]
    #expect(throws: CocoaError.self) { try open(type, stack, options) }
    _ = try stack.fill(stack.context(try open(type, stack)))
    let context = stack.context(try open(type, stack, options))
    #expect(try stack.summary(context) == "CAB2")
    context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      #expect(throws: CocoaError.self) { try context.save() }
    }
  }

  @Test("a file that is not a store of the type is not destroyed", arguments: types)
  func foreignFileIsKept(_ type: String) throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let url = stack.url("store")
    for text in ["my notes", "SQLite format 3\0", "<html></html>"] {
      try Data(text.utf8).write(to: url)
      let error = #expect(throws: CocoaError.self) {
        try coordinator.destroyPersistentStore(at: url, ofType: type)
      }
      #expect(error?.code == .fileReadCorruptFile)
      #expect(try Data(contentsOf: url) == Data(text.utf8))
    }
    try Data().write(to: url)
    _ = try stack.fill(stack.context(try open(type, stack)))
    let whole = try Data(contentsOf: url)
    try whole.prefix(whole.count / 2).write(to: url)
    try coordinator.destroyPersistentStore(at: url, ofType: type)
    #expect(try stack.names == [])
  }

  @Test("damaged and foreign files of every kind are errors", arguments: types)
  func damage(_ type: String) throws {
    let stack = try FileTestStack()
    _ = try stack.fill(stack.context(try open(type, stack)))
    let whole = try Data(contentsOf: stack.url("store"))
    var wrong: [Data] = [
      Data("SQLite format 3\0".utf8), Data("<model/>".utf8), Data("bplist00".utf8), Data([0xFF]),
    ]
    for step in 1..<24 { wrong.append(whole.prefix(whole.count * step / 24)) }
    for data in wrong {
      try data.write(to: stack.url("store"))
      let error = #expect(throws: CocoaError.self) { try open(type, stack) }
      #expect(error?.code == .fileReadCorruptFile)
    }
    // Single bytes: whatever opens must be readable.
    for place in stride(from: 0, to: whole.count, by: 7) {
      var data = whole
      data[place] ^= 0x15
      try data.write(to: stack.url("store"))
      guard let coordinator = try? open(type, stack) else { continue }
      _ = try? stack.summary(stack.context(coordinator))
    }
  }
}
