import Foundation
import OpenCoreData
import Testing

@Suite("Coordinators and stores' files")
struct StoreFileTests {
  private func code(_ work: () throws -> Void) -> Int {
    do { try work() } catch { return (error as NSError).code }
    return 0
  }

  @Test("reading the metadata of a missing file throws an error and creates no file")
  func missingMetadata() throws {
    let stack = try FileTestStack()
    let url = stack.url("none.sqlite")
    #expect(
      code {
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: NSSQLiteStoreType, at: url)
      } == CocoaError.fileReadNoSuchFile.rawValue)
    #expect(try stack.names == [])
  }

  @Test("metadata set for a file is written at once, and an open store has it too (D-498)")
  func setMetadata() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    try NSPersistentStoreCoordinator.setMetadata(
      ["color": "red"], forPersistentStoreOfType: NSSQLiteStoreType, at: url)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: url)
    #expect(metadata["color"] as? String == "red")
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    #expect(metadata["NSStoreModelVersionHashes"] != nil)
    #expect(coordinator.metadata(for: store)["color"] as? String == "red")
    try coordinator.remove(store)
    let again = try coordinator.addPersistentStore(type: .sqlite, at: url)
    #expect(again.metadata["color"] as? String == "red")
    try coordinator.remove(again)
  }

  @Test("a store is created at a location where only the log of a deleted file remains")
  func logWithoutFile() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(coordinator))
    try FileManager.default.copyItem(at: stack.url("a.sqlite-wal"), to: stack.url("b.sqlite-wal"))
    let other = stack.coordinator()
    try other.addPersistentStore(type: .sqlite, at: stack.url("b.sqlite"))
    let context = stack.context(other)
    let count = try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }
    #expect(count == 0)
  }

  @Test("a coordinator rejects a file that it already has, regardless of links and path forms")
  func sameFile() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    let files = FileManager.default
    try files.createDirectory(at: stack.url("folder"), withIntermediateDirectories: false)
    try files.createSymbolicLink(at: stack.url("link.sqlite"), withDestinationURL: url)
    try files.createSymbolicLink(at: stack.url("other"), withDestinationURL: stack.folder)
    try files.linkItem(at: url, to: stack.url("hard.sqlite"))
    let paths = [
      "link.sqlite", "hard.sqlite", "./a.sqlite", "folder/../a.sqlite", "other/a.sqlite",
      "folder//..//./a.sqlite", "other/link.sqlite",
    ]
    for path in paths {
      let again = URL(fileURLWithPath: stack.folder.path + "/" + path)
      #expect(code { try coordinator.addPersistentStore(type: .sqlite, at: again) } == 134081)
    }
    #expect(coordinator.persistentStores == [store])
    // An in-memory store has no file, and a removed file can be added again.
    try coordinator.addPersistentStore(type: .inMemory, at: stack.url("link.sqlite"))
    try coordinator.remove(store)
    try coordinator.addPersistentStore(type: .sqlite, at: stack.url("./a.sqlite"))
  }

  @Test("if several threads add the same new file, one succeeds")
  func sameNewFile() async throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let urls = (0..<4).map {
      URL(fileURLWithPath: stack.folder.path + String(repeating: "/.", count: $0) + "/a.sqlite")
    }
    let added = await withTaskGroup(of: Bool.self) { group in
      for url in urls {
        group.addTask { (try? coordinator.addPersistentStore(type: .sqlite, at: url)) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(added == 1)
    #expect(coordinator.persistentStores.count == 1)
  }

  @Test("the same file twice, an unknown type, and an unknown configuration are errors")
  func refusals() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    #expect(code { try coordinator.addPersistentStore(type: .sqlite, at: url) } == 134081)
    #expect(
      code {
        try coordinator.addPersistentStore(type: .init(rawValue: "Card"), at: stack.url("b"))
      } == NSPersistentStoreInvalidTypeError)
    #expect(
      code {
        try coordinator.addPersistentStore(
          type: .sqlite, configuration: "Nothing", at: stack.url("c"))
      } == NSCoreDataError)
    #expect(coordinator.persistentStores.count == 1)
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes[NSSQLiteStoreType] != nil)
    #expect(coordinator.url(for: coordinator.persistentStores[0]) == url)
    #expect(!coordinator.setURL(stack.url("d"), for: coordinator.persistentStores[0]))
  }

  @Test("opening a store of another model version throws error 134100, which names the entities")
  func otherVersion() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
    let other = NSPersistentStoreCoordinator(
      managedObjectModel: FileTestStack.makeModel(hashModifier: "2"))
    let error = try #require(throws: CocoaError.self) {
      try other.addPersistentStore(type: .sqlite, at: url)
    }
    #expect(error.errorCode == 134100)
    #expect((error.userInfo[NSLocalizedDescriptionKey] as? String)?.contains("Author") == true)
    #expect(
      error.userInfo["reason"] as? String
        == "The model used to open the store is incompatible with the one used to create the store")
    try other.addPersistentStore(
      type: .sqlite, at: url, options: [NSIgnorePersistentStoreVersioningOption: true])
  }

  @Test("a copied store has the source's objects and identifier")
  func replacement() throws {
    let stack = try FileTestStack()
    let source = stack.coordinator()
    let store = try source.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(source))
    let target = stack.coordinator()
    try target.replacePersistentStore(
      at: stack.url("b.sqlite"), withPersistentStoreFrom: stack.url("a.sqlite"), type: .sqlite)
    let copy = try target.addPersistentStore(type: .sqlite, at: stack.url("b.sqlite"))
    #expect(copy.identifier == store.identifier)
    #expect(try stack.summary(stack.context(target)) == "CAB2")
    #expect(
      code {
        try source.replacePersistentStore(
          at: stack.url("b.sqlite"),
          destinationOptions: [NSPersistentStoreTimeoutOption: 0],
          withPersistentStoreFrom: stack.url("a.sqlite"), type: .sqlite)
      } == NSPersistentStoreTimeoutError)
  }

  @Test("an emptied store is added again as a new one")
  func destruction() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    _ = try stack.fill(stack.context(coordinator))
    #expect(
      code {
        try stack.coordinator().destroyPersistentStore(
          at: url, type: .sqlite, options: [NSPersistentStoreTimeoutOption: 0])
      } == NSPersistentStoreTimeoutError)
    try coordinator.remove(store)
    try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    #expect(try stack.names == ["a.sqlite"])
    let new = try coordinator.addPersistentStore(type: .sqlite, at: url)
    #expect(new.identifier != store.identifier)
    #expect(try stack.summary(stack.context(coordinator)) == "0")
    try coordinator.destroyPersistentStore(at: url, type: .inMemory)
  }

  @Test("the option for file protection is accepted and has no effect (D-409)")
  func fileProtection() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: stack.url("a.sqlite"),
      options: [NSPersistentStoreFileProtectionKey: "NSFileProtectionComplete"])
    _ = try stack.fill(stack.context(coordinator))
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
    #expect(store.metadata[NSPersistentStoreFileProtectionKey] == nil)
  }

  @Test("a store of a configuration contains the versions of only its entities")
  func configuration() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, configuration: "Tags", at: url)
    #expect(store.configurationName == "Tags")
    let hashes = store.metadata["NSStoreModelVersionHashes"] as? [String: Any]
    #expect(hashes.map { $0.keys.sorted() } == ["Tag"])
    try coordinator.remove(store)
    #expect(code { try coordinator.addPersistentStore(type: .sqlite, at: url) } == 134100)
    try coordinator.addPersistentStore(type: .sqlite, configuration: "Tags", at: url)
  }

  @Test("a store with more entities than the configuration can be opened for reading and writing")
  func configurationOfPart() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let whole = stack.coordinator()
    let store = try whole.addPersistentStore(type: .sqlite, at: url)
    _ = try stack.fill(stack.context(whole))
    let hashes = store.metadata["NSStoreModelVersionHashes"] as? [String: Data]
    try whole.remove(store)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: url)
    let fits = { stack.model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    #expect(fits(nil) && fits("Tags") && fits("Everything") && !fits("Unknown"))
    for isReadOnly in [true, false] {
      let coordinator = stack.coordinator()
      let part = try coordinator.addPersistentStore(
        type: .sqlite, configuration: "Tags", at: url,
        options: [NSReadOnlyPersistentStoreOption: isReadOnly])
      let context = stack.context(coordinator)
      try context.performAndWait {
        let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        #expect(tags.map { $0.value(forKey: "word") as? String } == ["good"])
        if isReadOnly { return }
        tags.first?.setValue("better", forKey: "word")
        try context.save()
      }
      #expect(part.metadata["NSStoreModelVersionHashes"] as? [String: Data] == hashes)
      try coordinator.remove(part)
    }
    let again = stack.coordinator()
    try again.addPersistentStore(type: .sqlite, at: url)
    #expect(try stack.summary(stack.context(again)) == "CAB2")
  }

  @Test("entities outside the configuration can have any version or no table")
  func configurationBesideOthers() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let older = FileTestStack.makeModel(hashModifier: "older")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: older)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    try coordinator.remove(store)
    #expect(code { try stack.coordinator().addPersistentStore(type: .sqlite, at: url) } == 134100)
    #expect(
      code {
        try stack.coordinator().addPersistentStore(
          type: .sqlite, configuration: "Everything", at: url)
      } == 134100)
    let options = [NSReadOnlyPersistentStoreOption: true]
    try stack.coordinator().addPersistentStore(
      type: .sqlite, configuration: "Tags", at: url, options: options)
    try stack.execute("DROP TABLE ZAUTHOR", on: url)
    let part = stack.coordinator()
    try part.addPersistentStore(type: .sqlite, configuration: "Tags", at: url, options: options)
    let context = stack.context(part)
    let count = try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
    }
    #expect(count == 0)
  }

  @Test("a store without one of the configuration's entities does not open for it")
  func configurationBeyondStore() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, configuration: "Tags", at: url)
    try coordinator.remove(store)
    #expect(
      code {
        try coordinator.addPersistentStore(type: .sqlite, configuration: "Everything", at: url)
      } == 134100)
    #expect(
      !stack.model.isConfiguration(
        withName: "Everything", compatibleWithStoreMetadata: store.metadata))
  }

  @Test("a store that contains a table without rowids is replaced like any other")
  func tableWithoutRowids() throws {
    let stack = try FileTestStack()
    let source = stack.coordinator()
    let store = try source.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    _ = try stack.fill(stack.context(source))
    try source.remove(store)
    try stack.execute(
      """
      CREATE TABLE cache (name TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID;
      INSERT INTO cache VALUES ('one', x'01')
      """, on: stack.url("a.sqlite"))
    let target = stack.coordinator()
    try target.replacePersistentStore(
      at: stack.url("b.sqlite"), withPersistentStoreFrom: stack.url("a.sqlite"), type: .sqlite)
    try target.addPersistentStore(type: .sqlite, at: stack.url("b.sqlite"))
    #expect(try stack.summary(stack.context(target)) == "CAB2")
  }
}
