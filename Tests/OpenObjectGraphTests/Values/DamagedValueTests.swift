import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenStoreContract
import Testing

/// Values that another program wrote to the columns of a SQLite store.
@Suite("Stored values that their properties cannot have (D-404)")
struct DamagedValueTests {
  /// Returns a store with one thing, whose row was changed by a statement.
  private func damagedStack(_ change: String) throws -> ThingStack {
    let stack = try ThingStack(NSSQLiteStoreType)
    try stack.run { context in
      HostileThing(context: context).text = "intact"
      try context.save()
    }
    try stack.execute("UPDATE ZTHING SET \(change)")
    return stack
  }

  private func expectUnreadable(_ key: String, _ read: () throws -> Void) throws {
    let error = try #require(throws: CocoaError.self) { try read() }
    #expect(error.code == .fileReadCorruptFile)
    let cause = try #require(error.userInfo[OpenStoreErrorKey] as? StoreError)
    #expect(cause.entityName == "Thing" && cause.propertyName == key)
  }

  private func request(_ key: String) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [key]
    return request
  }

  @Test(
    "a fetch throws an error that names the entity and the property",
    arguments: [
      ("small", "ZSMALL = 'many'"), ("large", "ZLARGE = 2.5"), ("flag", "ZFLAG = 'yes'"),
      ("real", "ZREAL = 'much'"), ("amount", "ZAMOUNT = 'much'"), ("amount", "ZAMOUNT = 9e999"),
      ("moment", "ZMOMENT = x'00'"), ("text", "ZTEXT = x'41'"),
      ("code", "ZCODE = x'00010203040506070809'"), ("code", "ZCODE = 'no UUID'"),
      ("link", "ZLINK = x'41'"), ("bytes", "ZBYTES = 'text'"),
    ])
  func unfitValue(_ key: String, _ change: String) throws {
    let stack = try damagedStack(change)
    defer { withExtendedLifetime(stack) {} }
    let reader = try stack.reader()
    try reader.performAndWait {
      let things = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      try expectUnreadable(key) { _ = try reader.fetch(things) }
      try expectUnreadable(key) { _ = try reader.fetch(request(key)) }
      let update = NSBatchUpdateRequest(entityName: "Thing")
      update.propertiesToUpdate = [key: NSNull()]
      _ = try reader.execute(update)
      #expect(try reader.fetch(things).first?.value(forKey: key) == nil)
    }
  }

  @Test(
    "a string that is not valid UTF-8, or not a URL, reads as nil, and saves throw",
    arguments: [
      ("text", "ZTEXT = CAST(x'C3' AS TEXT)"),
      ("text", "ZTEXT = CAST(x'61626364656667686970616263646566C3' AS TEXT)"),
      ("link", "ZLINK = CAST(x'C3' AS TEXT)"), ("link", "ZLINK = ''"),
    ])
  func undecodableText(_ key: String, _ change: String) throws {
    let stack = try damagedStack(change)
    defer { withExtendedLifetime(stack) {} }
    let reader = try stack.reader()
    try reader.performAndWait {
      let thing = try thing(in: reader)
      try expectUnreadable(key) { _ = try thing.checkedValue(forKey: key) }
      try reader.save()
      if key == "text" { #expect(thing.text == nil) }
      #expect(thing.value(forKey: key) == nil)
      try expectUnreadable(key) { try reader.save() }
      reader.rollback()
      try expectUnreadable(key) { _ = try reader.fetch(request(key)) }
    }
  }

  private func thing(in context: NSManagedObjectContext) throws -> HostileThing {
    let things = NSFetchRequest<HostileThing>(entityName: "Thing")
    return try #require(try context.fetch(things).first)
  }

  @Test("describing an object shows that a value cannot be read, and does not make saves throw")
  func describing() throws {
    let stack = try damagedStack("ZTEXT = CAST(x'C3' AS TEXT)")
    defer { withExtendedLifetime(stack) {} }
    let reader = try stack.reader()
    try reader.performAndWait { () throws in
      let thing = try thing(in: reader)
      thing.small = 1
      var dumped = ""
      dump(thing, to: &dumped)
      #expect(thing.description.contains("text = <cannot be read>;"))
      #expect(dumped.contains("text: \"<cannot be read>\""))
      try reader.save()
    }
  }

  @Test("repeated reads of a value that cannot be read log one message")
  func logging() throws {
    let stack = try damagedStack("ZTEXT = CAST(x'C3' AS TEXT)")
    defer { withExtendedLifetime(stack) {} }
    let reader = try stack.reader()
    try reader.performAndWait { () throws in
      let path = try #require(reader.persistentStoreCoordinator?.persistentStores.first?.url?.path)
      let thing = try thing(in: reader)
      for _ in 0..<3 { #expect(thing.text == nil) }
      let messages = UnreadableValues.messages.filter { $0.contains(path) }
      #expect(messages.count == 1, "\(messages)")
    }
  }

  @Test("conflicts omit a value that cannot be read, and do not make later saves throw")
  func conflict() throws {
    let stack = try damagedStack("ZTEXT = CAST(x'C3' AS TEXT)")
    defer { withExtendedLifetime(stack) {} }
    let (reader, other) = (try stack.reader(), try stack.reader())
    try reader.performAndWait { () throws in
      let mine = try thing(in: reader)
      mine.small = 1
      try other.performAndWait { () throws in
        let theirs = try thing(in: other)
        theirs.middle = 2
        try other.save()
      }
      let error = #expect(throws: CocoaError.self) { try reader.save() }
      let conflict = try #require(error?.persistentStoreSaveConflicts?.first)
      let snapshots = [
        conflict.objectSnapshot, conflict.cachedSnapshot, conflict.persistedSnapshot,
      ]
      for snapshot in snapshots {
        #expect(snapshot?["small"] != nil && snapshot?["text"] == nil)
      }
      reader.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try reader.save()
      #expect(mine.middle == 2)
      mine.small = 3
      try reader.save()
    }
  }

  @Test(
    "the undo of a saved deletion keeps a stored value that cannot be read",
    arguments: [false, true])
  func undoneDeletion(inChild: Bool) throws {
    let stack = try damagedStack("ZTEXT = CAST(x'C3' AS TEXT), ZSMALL = 7")
    defer { withExtendedLifetime(stack) {} }
    let parent = try stack.reader()
    let context = inChild ? parent.makeChild() : parent
    func save() throws {
      try context.save()
      if inChild { try parent.performAndWait { try parent.save() } }
    }
    try context.performAndWait { () throws in
      context.undoManager = UndoManager()
      let thing = try thing(in: context)
      context.delete(thing)
      try save()
      context.undo()
      #expect(thing.isInserted && thing.small == 7)
      try save()
    }
    let reader = try stack.reader()
    try reader.performAndWait { () throws in
      let thing = try thing(in: reader)
      #expect(thing.small == 7)
      try expectUnreadable("text") { _ = try thing.checkedValue(forKey: "text") }
    }
  }

  @Test("the undo of a change restores a value that cannot be read, or makes saves throw")
  func undoneChange() throws {
    let stack = try damagedStack("ZTEXT = CAST(x'C3' AS TEXT)")
    defer { withExtendedLifetime(stack) {} }
    let reader = try stack.reader()
    try reader.performAndWait { () throws in
      reader.undoManager = UndoManager()
      let thing = try thing(in: reader)
      thing.text = "new"
      reader.processPendingChanges()
      reader.undo()
      #expect(!reader.hasChanges)
      try reader.save()
      thing.text = "newer"
      try reader.save()
      reader.undo()
      #expect(thing.text == "newer")
      try expectUnreadable("text") { try reader.save() }
      reader.refresh(thing, mergeChanges: true)
      try reader.save()
    }
  }

  @Test("the maximum of a column with data of a wrong type is an error")
  func maximum() throws {
    let stack = try damagedStack("ZREAL = x'41'")
    defer { withExtendedLifetime(stack) {} }
    let reader = try stack.reader()
    reader.performAndWait {
      let maximum = NSExpressionDescription()
      maximum.name = "maximum"
      maximum.expression = NSExpression(
        forFunction: "max:", arguments: [NSExpression(forKeyPath: "real")])
      maximum.resultType = .double
      let request = request("real")
      request.propertiesToFetch = [maximum]
      let error = #expect(throws: CocoaError.self) { try reader.fetch(request) }
      #expect(error?.code == .fileReadCorruptFile)
    }
  }

  @Test("a string that is not valid UTF-8 is not copied to a store of another type")
  func copiedText() throws {
    let stack = try damagedStack("ZTEXT = CAST(x'C3' AS TEXT)")
    defer { withExtendedLifetime(stack) {} }
    let reader = try stack.reader()
    let coordinator = try #require(reader.persistentStoreCoordinator)
    let store = try #require(coordinator.persistentStores.first)
    let copy = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: copy) }
    #expect(throws: CocoaError.self) {
      try coordinator.migratePersistentStore(
        store, to: copy, options: nil, withType: NSXMLStoreType)
    }
  }

  @Test(
    "a value outside the range of its attribute is not copied to a file that cannot contain it",
    arguments: [NSXMLStoreType, NSBinaryStoreType],
    [
      ("small", "ZSMALL = 100000"), ("single", "ZSINGLE = 1e300"), ("link", "ZLINK = ''"),
      ("amount", "ZAMOUNT = 1e200"),
    ])
  func copiedValue(type: String, damage: (key: String, change: String)) throws {
    let stack = try damagedStack(damage.change)
    defer { withExtendedLifetime(stack) {} }
    try copy(stack, type) { coordinator, store, file in
      try expectUnreadable(damage.key) {
        try coordinator.migratePersistentStore(store, to: file, options: nil, withType: type)
      }
    }
  }

  @Test(
    "an integer other than 0 in the column of a Boolean attribute is copied to a file as true",
    arguments: [NSXMLStoreType, NSBinaryStoreType])
  func copiedFlag(type: String) throws {
    let stack = try damagedStack("ZFLAG = 2")
    defer { withExtendedLifetime(stack) {} }
    try copy(stack, type) { coordinator, store, file in
      try coordinator.migratePersistentStore(store, to: file, options: nil, withType: type)
      let other = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
      try other.addPersistentStore(ofType: type, configurationName: nil, at: file)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = other
      try context.performAndWait {
        let things = try context.fetch(NSFetchRequest<HostileThing>(entityName: "Thing"))
        #expect(things.map(\.flag) == [true])
      }
    }
  }

  /// Passes a second coordinator with the store of a stack and the URL of a new file.
  private func copy(
    _ stack: ThingStack, _ type: String,
    _ body: (NSPersistentStoreCoordinator, NSPersistentStore, URL) throws -> Void
  ) throws {
    let coordinator = try #require(try stack.reader().persistentStoreCoordinator)
    let store = try #require(coordinator.persistentStores.first)
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).\(type)")
    defer { try? FileManager.default.removeItem(at: file) }
    try body(coordinator, store, file)
  }

  @Test("a damaged row does not prevent reads of other rows")
  func siblings() throws {
    let files = try FileTestStack()
    let url = files.url("files.sqlite")
    let writer = files.coordinator()
    try writer.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    _ = try files.fill(files.context(writer))
    try files.execute("UPDATE ZBOOK SET ZTITLE = x'41' WHERE ZTITLE = 'A'", on: url)
    let coordinator = files.coordinator()
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let context = files.context(coordinator)
    try context.performAndWait {
      let authors = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
      let books = try #require(authors.first?.value(forKey: "books") as? NSOrderedSet).array
      let titles = books.map { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
      #expect(titles == ["C", nil, "B"])
      try expectFailedSave(in: context)
    }
  }

  private func expectFailedSave(in context: NSManagedObjectContext) throws {
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code == .fileReadCorruptFile)
    #expect((error.userInfo[OpenStoreErrorKey] as? StoreError)?.propertyName == "title")
  }
}
