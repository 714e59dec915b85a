import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

// Serialized, because two tests inspect the same log messages.
@Suite("Values of transformable attributes", .serialized)
struct TransformableTests {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  @Test(
    "an object of the model's class encodes itself, and another context reads it back",
    arguments: stores)
  func applicationClass(type: String) throws {
    let stack = try ThingStack(type)
    try stack.run { context in
      let thing = HostileThing(context: context)
      let inner = CodedCover("inner", pages: -2)
      thing.setValue(
        CodedCover("outer", pages: 300, weight: .infinity, next: inner), forKey: "cover")
      try context.save()
    }
    let cover = try #require(try stack.takeValue("cover") as? CodedCover)
    #expect(cover.title == "outer" && cover.pages == 300 && cover.weight == .infinity)
    #expect(cover.next?.title == "inner" && cover.next?.pages == -2)
  }

  @Test(
    "an unreadable encoded value makes the save throw 1550 with object, attribute and value",
    arguments: stores)
  func refused(type: String) throws {
    let stack = try ThingStack(type)
    let cycle = CodedCover("cycle", pages: 1)
    cycle.next = CodedCover("second", pages: 2, next: cycle)
    defer { cycle.next = nil }
    let cases: [(key: String, value: Any)] = [
      ("cover", cycle),
      ("blob", CodedCover("not the attribute's class", pages: 1)), ("mute", MuteCover()),
      ("blob", [MuteCover()]), ("blob", NSObject()), ("blob", [NSRange(location: 0, length: 1)]),
    ]
    for (key, value) in cases {
      try stack.run { context in
        let thing = HostileThing(context: context)
        thing.setValue(value, forKey: key)
        let error = try #require(throws: CocoaError.self, "\(value)") { try context.save() }
        #expect(error.code == .managedObjectValidation)
        #expect(error.validationKey == key && error.validationObject as AnyObject? === thing)
        #expect(error.localizedDescription.contains("Thing.\(key)"))
        // The next save works without it.
        thing.setValue(nil, forKey: key)
        try context.save()
      }
    }
  }

  @Test("several such values are reported together, with other failures", arguments: stores)
  func several(type: String) throws {
    try ThingStack(type) { $0.attributesByName["text"]?.isOptional = false }.run { context in
      for _ in 0..<2 {
        let thing = HostileThing(context: context)
        thing.setValue("text", forKey: "text")
        thing.setValue(NSObject(), forKey: "blob")
      }
      _ = HostileThing(context: context)
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .validationMultipleErrors)
      let codes = (error.userInfo[NSDetailedErrorsKey] as? [CocoaError])?.map(\.code.rawValue)
      #expect(codes?.sorted() == [1550, 1550, 1570])
    }
  }

  @Test(
    "a value changed in place after a failed save is saved with the change", arguments: stores
  )
  func changedInPlace(type: String) throws {
    let stack = try ThingStack(type) { $0.attributesByName["text"]?.isOptional = false }
    let list = NSMutableArray(array: [1])
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue(list, forKey: "blob")
      #expect(throws: CocoaError.self) { try context.save() }
      list.add(2)
      thing.setValue("text", forKey: "text")
      try context.save()
    }
    let read = try stack.takeValue("blob")
    #expect(read as? [Int] == [1, 2])
    #expect(read is NSMutableArray)
  }

  @Test("a child context's values reach the store through its parent", arguments: stores)
  func throughParent(type: String) throws {
    let stack = try ThingStack(type)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try child.performAndWait {
      let thing = HostileThing(context: child)
      thing.setValue(CodedCover("child's", pages: 1), forKey: "cover")
      thing.setValue(NSObject(), forKey: "blob")
      #expect(throws: CocoaError.self) { try child.save() }
      thing.setValue(IndexSet([1, 2]), forKey: "blob")
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    #expect(try stack.takeValue("blob") as? IndexSet == IndexSet([1, 2]))
  }

  @Test(
    "defaults of transformable attributes apply, each object with its own value",
    arguments: stores)
  func defaults(type: String) throws {
    let stack = try ThingStack(type) { thing in
      thing.attributesByName["blob"]?.defaultValue = ["a": [1, 2]]
      thing.attributesByName["cover"]?.defaultValue = CodedCover("default", pages: 7)
    }
    defer { withExtendedLifetime(stack) {} }
    try stack.run { context in
      let thing = HostileThing(context: context)
      let other = HostileThing(context: context)
      #expect(thing.value(forKey: "blob") as? [String: [Int]] == ["a": [1, 2]])
      #expect((thing.value(forKey: "cover") as? CodedCover)?.pages == 7)
      #expect(
        thing.value(forKey: "cover") as AnyObject? !== other.value(forKey: "cover") as AnyObject?)
      context.delete(other)
      try context.save()
      #expect(
        thing.committedValues(forKeys: ["blob"])["blob"] as? [String: [Int]] == ["a": [1, 2]])
    }
    let reader = try stack.reader()
    try reader.performAndWait {
      let things = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      #expect(things.first?.value(forKey: "blob") as? [String: [Int]] == ["a": [1, 2]])
      #expect((things.first?.value(forKey: "cover") as? CodedCover)?.title == "default")
    }
  }

  @Test("a default value that could not be read back makes the model unusable")
  func unreadableDefault() throws {
    let error = try #require(throws: CocoaError.self) {
      try ThingStack(NSInMemoryStoreType) { $0.attributesByName["blob"]?.defaultValue = NSObject() }
    }
    let cause = try #require(error.userInfo["OpenModelError"] as? ModelError)
    #expect(cause.code == .mismatchedDefault)
    #expect(cause.entityName == "Thing" && cause.propertyName == "blob")
  }

  @Test(
    "values that cannot be read are logged once for each attribute, with the names of attribute and entity"
  )
  func loggedOnce() throws {
    let stack = try ThingStack(NSSQLiteStoreType)
    defer { withExtendedLifetime(stack) {} }
    try stack.run { context in
      for number in 0..<50 {
        let thing = HostileThing(context: context)
        thing.setValue(CodedCover("cover", pages: number), forKey: "cover")
        thing.setValue([number], forKey: "blob")
      }
      try context.save()
    }
    let entityName = "Thing"
    let model = ThingStack.model { $0.attributesByName["cover"]?.attributeValueClassName = nil }
    let reader = try stack.reader(model)
    let before = UnreadableValues.messages.count
    try reader.performAndWait {
      let things = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: entityName))
      #expect(things.count == 50)
      for thing in things {
        #expect(thing.value(forKey: "cover") == nil)
        #expect(thing.value(forKey: "blob") is [Any])
      }
    }
    let new = UnreadableValues.messages.dropFirst(before).filter { $0.contains("Thing.cover") }
    #expect(new.count == 1)
    #expect(new.first?.contains("CodedCover") == true)
  }

  @Test("a value that cannot be read makes saves throw until its object is refreshed")
  func unreadable() throws {
    let stack = try ThingStack(NSSQLiteStoreType)
    defer { withExtendedLifetime(stack) {} }
    try stack.run { context in
      HostileThing(context: context).setValue(CodedCover("cover", pages: 1), forKey: "cover")
      try context.save()
    }
    let model = ThingStack.model { $0.attributesByName["cover"]?.attributeValueClassName = nil }
    let reader = try stack.reader(model)
    try reader.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      let thing = try #require(try reader.fetch(request).first)
      let thrown = #expect(throws: ModelError.self) { try thing.checkedValue(forKey: "cover") }
      #expect(thrown?.entityName == "Thing" && thrown?.propertyName == "cover")
      // A thrown error does not prevent saves; an unread value does not change.
      thing.setValue("new", forKey: "text")
      try reader.save()
      #expect(thing.value(forKey: "cover") == nil)
      let other = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: reader)
      for _ in 1...2 {
        let error = #expect(throws: CocoaError.self) { try reader.save() }
        #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [thing])
        #expect(error?.localizedDescription.contains("Thing.cover") == true)
      }
      reader.refresh(thing, mergeChanges: true)
      try reader.save()
      #expect(!other.objectID.isTemporaryID)
    }
    #expect((try stack.takeValue("cover") as? CodedCover)?.title == "cover")
  }

  @Test("fetches of dictionaries decode values, and throw for a value that cannot be read")
  func dictionaries() throws {
    let stack = try ThingStack(NSSQLiteStoreType)
    defer { withExtendedLifetime(stack) {} }
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue(CodedCover("cover", pages: 1), forKey: "cover")
      thing.setValue("text", forKey: "text")
      _ = HostileThing(context: context)
      try context.save()
    }
    func request<Result>(_ type: Result.Type, _ keys: [String]) -> NSFetchRequest<Result> {
      let request = NSFetchRequest<Result>(entityName: "Thing")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = keys
      request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
      return request
    }
    try stack.run { context in
      let rows = try context.fetch(request(FetchedRow.self, ["cover", "text"]))
      #expect(rows.map { ($0["cover"] as? CodedCover)?.title } == ["cover", nil])
      #expect(rows.map(\.keys) == [["cover", "text"], []])
      let plain = try context.fetch(request(NSDictionary.self, ["cover"]))
      #expect(plain.map { ($0["cover"] as? CodedCover)?.pages } == [1, nil])
    }
    let model = ThingStack.model { $0.attributesByName["cover"]?.attributeValueClassName = nil }
    let reader = try stack.reader(model)
    try reader.performAndWait {
      let reads: [() throws -> Void] = [
        { _ = try reader.fetch(request(NSDictionary.self, ["cover"])) },
        { _ = try reader.fetch(request([String: Any].self, ["cover"])) },
        { _ = try reader.fetch(request(FetchedRow.self, ["text", "cover"])) },
      ]
      for read in reads {
        let error = try #require(throws: CocoaError.self) { try read() }
        #expect(error.code == .coreData)
        #expect(error.localizedDescription.contains("Thing.cover"))
      }
      let texts = try reader.fetch(request(FetchedRow.self, ["text"]))
      #expect(texts.map { $0["text"] as? String } == ["text", nil])
      // Such an error does not prevent saves.
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: reader)
      try reader.save()
      #expect(!thing.objectID.isTemporaryID)
    }
  }

  @Test("archives written by Foundation are read, and vice versa")
  func formOfFoundation() throws {
    let values: [NSObject] = [
      IndexSet([1, 2, 500, 70_000]) as NSIndexSet, NSIndexPath(index: 70_000),
      NSArray(array: [NSNull()]),
      NSLocale(localeIdentifier: "de_DE"), NSValue(range: NSRange(location: 3, length: 4)),
      NSDate(timeIntervalSinceReferenceDate: 3), NSUUID(), NSArray(array: [1, "two", 2.5]),
      NSDictionary(dictionary: ["a": 1]), NSOrderedSet(array: [3, 1, 2]), NSSet(array: [1, 2]),
      IndexPath(indexes: [1, 200, 70_000]) as NSIndexPath, NSString(string: "text"),
    ]
    let stack = try ThingStack(NSSQLiteStoreType) { thing in
      // The bytes of the archive, in a column with the same format.
      thing.attributesByName["bytes"]?.allowsExternalBinaryDataStorage = false
    }
    for value in values {
      let foreign = try NSKeyedArchiver.archivedData(
        withRootObject: value, requiringSecureCoding: false)
      #expect(
        try stack.exchange(foreign).map { HostileTable.isSame($0, value) } == true, "\(value)")
      let own = try stack.archive(of: value)
      // Foundation traps if the bytes are not a property list.
      _ = try PropertyListSerialization.propertyList(from: own, format: nil)
      let readByFoundation = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(own)
      #expect(HostileTable.isSame(readByFoundation, value), "written \(value)")
    }
  }

  @Test("date components keep the day of the year", arguments: stores)
  func dayOfYear(type: String) throws {
    let stack = try ThingStack(type)
    var components = DateComponents(year: 2024)
    components.dayOfYear = 100
    try stack.run { context in
      HostileThing(context: context).setValue(components, forKey: "blob")
      try context.save()
    }
    let read = try stack.takeValue("blob") as? DateComponents
    #expect(read?.year == 2024)
    #expect(read?.dayOfYear == 100)
  }

  @Test("an error keeps its domain, code and dictionary", arguments: stores)
  func errors(type: String) throws {
    let stack = try ThingStack(type)
    let cause = NSError(domain: "Cause", code: -3)
    let error = NSError(
      domain: "Application", code: 7,
      userInfo: [
        NSLocalizedDescriptionKey: "It failed.", NSUnderlyingErrorKey: cause, "attempts": 2,
      ])
    try stack.run { context in
      HostileThing(context: context).setValue(error, forKey: "blob")
      try context.save()
    }
    let read = try #require(try stack.takeValue("blob") as? NSError)
    #expect(read.domain == "Application")
    #expect(read.code == 7)
    #expect(read.localizedDescription == "It failed.")
    #expect((read.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == -3)
    #expect(read.userInfo["attempts"] as? Int == 2)
  }

  @Test(
    "the snapshots of a conflict contain the values of transformable attributes", arguments: stores)
  func conflictSnapshots(type: String) throws {
    let context = try UndoModel.context(type)
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    try context.performAndWait { () throws in
      let node = UndoModel.insert("Node", "n", in: context)
      node.setValue(["old"], forKey: "blob")
      try context.save()
      try other.performAndWait { () throws in
        other.object(with: node.objectID).setValue(["theirs"], forKey: "blob")
        try other.save()
      }
      node.setValue(["mine"], forKey: "blob")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let conflict = try #require(error?.persistentStoreSaveConflicts?.first)
      #expect(conflict.objectSnapshot?["blob"] as? [String] == ["mine"])
      #expect(conflict.cachedSnapshot?["blob"] as? [String] == ["old"])
      #expect(conflict.persistedSnapshot?["blob"] as? [String] == ["theirs"])
    }
  }
}

extension ThingStack {
  /// A model whose attribute `blob` has the bytes of archives.
  private static func rawModel() -> NSManagedObjectModel {
    model { $0.attributesByName["blob"]?.type = .binaryData }
  }

  /// Stores an archive unchanged and reads its value.
  func exchange(_ archive: Data) throws -> Any? {
    let context = try reader(Self.rawModel())
    try context.performAndWait {
      let thing = HostileThing(context: context)
      thing.setValue(archive, forKey: "blob")
      try context.save()
    }
    return try takeValue("blob")
  }

  /// The archive in which a value is stored.
  func archive(of value: Any) throws -> Data {
    try run { context in
      let thing = HostileThing(context: context)
      thing.setValue(value, forKey: "blob")
      try context.save()
    }
    let reader = try reader(Self.rawModel())
    let archive = try reader.performAndWait {
      try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        .first?.value(forKey: "blob") as? Data
    }
    _ = try takeValue("blob")
    return archive ?? Data()
  }
}
