import Foundation
import OpenCoreData
import Testing

/// Saves of many objects: each row is handled the same, regardless of the number of rows written together.
@Suite("Saves of many rows")
struct ManyRowsTests {
  private static let kinds: [(name: String, type: NSAttributeDescription.AttributeType)] = [
    ("small", .integer16), ("large", .integer64), ("real", .double), ("flag", .boolean),
    ("note", .string), ("day", .date), ("token", .uuid), ("link", .uri), ("price", .decimal),
    ("bytes", .binaryData),
  ]

  /// Items whose codes are unique, and parts, which are items; in files also titles, whose folded text is derived.
  private static func model(_ type: String) throws -> NSManagedObjectModel {
    let (item, part) = (NSEntityDescription(), NSEntityDescription())
    (item.name, part.name) = ("Item", "Part")
    item.properties = [attribute("code", .string)] + kinds.map { attribute($0.name, $0.type) }
    item.uniquenessConstraints = [["code"]]
    part.properties = [attribute("extra", .string)]
    item.subentities = [part]
    let model = NSManagedObjectModel()
    model.entities = [item, part]
    if type == NSInMemoryStoreType { return model }
    let title = NSEntityDescription()
    title.name = "Title"
    let folded = NSDerivedAttributeDescription()
    (folded.name, folded.type) = ("folded", .string)
    folded.derivationExpression = try .parsing("canonical:(text)")
    title.properties = [attribute("text", .string), folded]
    model.entities.append(title)
    return model
  }

  private func container(_ type: String) throws -> NSPersistentContainer {
    try .loaded("Items", Self.model(type), [NSPersistentStoreDescription(type: type)])
  }

  @discardableResult
  private func insert(
    _ codes: some Sequence<Int>, in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    codes.map { code in
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      item.setValue("\(code)", forKey: "code")
      item.setValue(code, forKey: "large")
      return item
    }
  }

  /// The contents of the store, in the order of the numbers.
  private func items(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    context.reset()
    return try items(in: context, by: "large")
  }

  private func items(
    in context: NSManagedObjectContext, by name: String
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
    return try context.fetch(request)
  }

  private func value(
    _ type: NSAttributeDescription.AttributeType, _ random: inout SeededNumbers
  ) -> NSObject? {
    if random.below(5) == 0 { return nil }
    let number = random.below(2000) - 1000
    let text = String(repeating: "ä\(number) ", count: random.below(4))
    switch type {
    case .integer16: return NSNumber(value: Int16(number))
    case .integer64: return NSNumber(value: Int64(number) * 1_000_000_000_000)
    case .double: return NSNumber(value: Double(number) / 7)
    case .boolean: return NSNumber(value: number > 0)
    case .string: return text as NSString
    case .date: return Date(timeIntervalSinceReferenceDate: Double(number) / 3) as NSDate
    case .uuid:
      return UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number & 255)))
        as NSUUID
    case .uri: return NSURL(string: "https://example.org/\(number)")
    case .decimal: return NSDecimalNumber(string: "\(number).25")
    default: return Data(text.utf8) as NSData
    }
  }

  /// Apple, save(): commits unsaved changes to registered objects.
  @Test("values of all kinds are saved as they were set", arguments: StoreTypes.both)
  func values(type: String) throws {
    let context = try container(type).newBackgroundContext()
    var random = SeededNumbers(seed: 700_256)
    try context.performAndWait { () throws in
      var expected: [NSManagedObjectID: [String: NSObject]] = [:]
      for round in 0..<6 {
        if round == 0 {
          for code in 0..<700 {
            let entity = code % 100 < 90 ? "Item" : "Part"
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
              .setValue("\(code)", forKey: "code")
          }
          try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        }
        // Runs of the same changes, as an import makes them, and single others.
        var changes = Self.kinds
        for (position, item) in try items(in: context, by: "code").enumerated() {
          if position % 37 == 0 || random.below(40) == 0 {
            changes = Self.kinds.filter { _ in random.below(round + 1) == 0 }
          }
          for (name, type) in changes {
            let new = value(type, &random)
            item.setValue(new, forKey: name)
            expected[item.objectID, default: [:]][name] = new
          }
        }
        try context.save()
        context.reset()
        let stored = try items(in: context, by: "code")
        #expect(stored.count == 700)
        for item in stored {
          let values = item.dictionaryWithValues(forKeys: Self.kinds.map(\.name))
            .compactMapValues { $0 is NSNull ? nil : $0 as? NSObject }
          #expect(values == expected[item.objectID] ?? [:])
        }
      }
    }
  }

  /// Apple, NSMergeConflict: each object whose row has changed since the fetch.
  @Test(
    "exactly the rows that another context changed or deleted are conflicts, and nothing is saved",
    arguments: StoreTypes.both, [[300], [0, 1, 255, 256, 300, 599], Array(0..<600)])
  func versionConflicts(type: String, changed: [Int]) throws {
    let container = try container(type)
    let (mine, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    try mine.performAndWait { () throws in
      insert(0..<600, in: mine)
      try mine.save()
    }
    try mine.performAndWait { () throws in
      let items = try items(in: mine)
      for item in items { item.setValue("mine", forKey: "note") }
      try other.performAndWait { () throws in
        let theirs = try self.items(in: other)
        for number in changed {
          if number % 5 == 0 {
            other.delete(theirs[number])
          } else {
            theirs[number].setValue("theirs", forKey: "note")
          }
        }
        try other.save()
      }
      let error = #expect(throws: CocoaError.self) { try mine.save() }
      let conflicts = try #require(error?.persistentStoreSaveConflicts)
      #expect(Set(conflicts.map(\.sourceObject)) == Set(changed.map { items[$0] }))
      #expect(conflicts.count == changed.count)
      for conflict in conflicts {
        let number = try #require(conflict.sourceObject.value(forKey: "large") as? Int)
        #expect((conflict.newVersionNumber == 0) == (number % 5 == 0))
        #expect(
          conflict.persistedSnapshot?["note"] as? String == (number % 5 == 0 ? nil : "theirs"))
      }
      #expect(mine.updatedObjects.count == 600)
      let deleted = changed.filter { $0 % 5 == 0 }
      let stored = try self.items(in: mine)
      #expect(stored.count == 600 - deleted.count)
      #expect(stored.allSatisfy { $0.value(forKey: "note") as? String != "mine" })
      #expect(Set(stored.compactMap { $0.value(forKey: "code") as? String }).count == stored.count)
    }
  }

  /// Apple, NSMergeByPropertyObjectTrumpMergePolicy: the context's changes prevail, property by property.
  @Test("a policy resolves the conflicts of some rows among many", arguments: StoreTypes.both)
  func policy(type: String) throws {
    let container = try container(type)
    let (mine, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try mine.performAndWait { () throws in
      insert(0..<600, in: mine)
      try mine.save()
      for item in try items(in: mine) { item.setValue("mine", forKey: "note") }
      try other.performAndWait { () throws in
        for item in try self.items(in: other)[250..<260] { item.setValue(7, forKey: "small") }
        try other.save()
      }
      try mine.save()
      let stored = try items(in: mine)
      #expect(stored.count { $0.value(forKey: "note") as? String == "mine" } == 600)
      #expect(stored.count { $0.value(forKey: "small") as? Int == 7 } == 10)
    }
  }

  /// Apple, NSEntityDescription.uniquenessConstraints: the save fails, or the merge policy decides.
  @Test(
    "a duplicate among many inserted rows is a conflict, or resolved", arguments: StoreTypes.both)
  func duplicates(type: String) throws {
    let context = try container(type).newBackgroundContext()
    try context.performAndWait { () throws in
      insert(0..<500, in: context)
      try context.save()
      for duplicate in [1, 2, 257, 499] {
        let new = insert((1000..<1600).map { $0 == 1000 + duplicate ? duplicate : $0 }, in: context)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        let list =
          error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(list?.count == 1)
        #expect(list?.first?.conflictingObjects == [new[duplicate]])
        #expect(try items(in: context).count == 500)
      }
      insert((1000..<1600).map { $0 == 1400 ? 400 : $0 }, in: context)
        .forEach { $0.setValue("new", forKey: "note") }
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      let stored = try items(in: context)
      #expect(stored.count == 1099)
      #expect(stored[400].value(forKey: "note") as? String == "new")
      #expect(stored.count { $0.value(forKey: "note") as? String == "new" } == 600)
    }
  }

  /// Apple, NSEntityDescription.uniquenessConstraints: values are compared as they are after the save.
  @Test("many rows exchange their unique values in one save", arguments: StoreTypes.both)
  func rotation(type: String) throws {
    let context = try container(type).newBackgroundContext()
    try context.performAndWait { () throws in
      insert(0..<300, in: context)
      try context.save()
      for (number, item) in try items(in: context).enumerated() {
        item.setValue("\((number + 1) % 300)", forKey: "code")
        item.setValue("moved", forKey: "note")
      }
      try context.save()
      for (number, item) in try items(in: context).enumerated() {
        #expect(item.value(forKey: "code") as? String == "\((number + 1) % 300)")
        #expect(item.value(forKey: "note") as? String == "moved")
      }
    }
  }

  /// Apple, NSDerivedAttributeDescription: recomputed when the object is saved.
  @Test("derived attributes of many rows follow them")
  func derivation() throws {
    let context = try container(NSSQLiteStoreType).newBackgroundContext()
    try context.performAndWait { () throws in
      let titles = (0..<300).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Title", into: context)
      }
      for word in ["Eins", "ZWEI"] {
        for (number, title) in titles.enumerated() {
          title.setValue("\(word)\(number)", forKey: "text")
        }
        try context.save()
        titles.forEach { context.refresh($0, mergeChanges: false) }
        for (number, title) in titles.enumerated() {
          #expect(title.value(forKey: "folded") as? String == "\(word.lowercased())\(number)")
        }
      }
    }
  }
}
