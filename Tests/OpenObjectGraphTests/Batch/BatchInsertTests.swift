import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

@Suite("Batch insertions")
struct BatchInsertTests {
  private func insert(
    _ request: NSBatchInsertRequest, in stack: TrackStack, policy: Any = NSErrorMergePolicy,
    _ type: NSBatchInsertRequestResultType = .objectIDs
  ) throws -> NSBatchInsertResult {
    request.resultType = type
    let context = stack.makeContext(policy: policy)
    return try context.performAndWait {
      try #require(try context.execute(request) as? NSBatchInsertResult)
    }
  }

  @Test(
    "dictionaries become rows; omitted properties have the model's default values",
    arguments: TrackStack.Place.allCases)
  func dictionaries(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let objects: [[String: Any]] = [
      ["title": "One", "rating": 5, "price": Decimal(string: "1.25") as Any],
      ["title": "Two", "length": 2.5, "isLoved": true, "cover": ["a", "b"] as NSArray],
    ]
    let result = try insert(NSBatchInsertRequest(entityName: "Track", objects: objects), in: stack)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.map { $0.entity.name } == ["Track", "Track"])
    #expect(Set(ids).count == 2)
    let ratings: [String: Int] = try stack.values("rating")
    #expect(ratings == ["One": 5, "Two": 0])
    let prices: [String: Decimal] = try stack.values("price")
    #expect(prices == ["One": Decimal(string: "1.25")])
    let covers: [String: NSArray] = try stack.values("cover")
    #expect(covers == ["Two": ["a", "b"] as NSArray])
    let loved: [String: Bool] = try stack.values("isLoved")
    #expect(loved == ["One": false, "Two": true])
    let context = stack.makeContext()
    try context.performAndWait {
      let second = try context.existingObject(with: ids[1])
      #expect(second.value(forKey: "title") as? String == "Two")
    }
  }

  @Test("an empty optional in a dictionary is nil", arguments: TrackStack.Place.allCases)
  func optionals(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let objects: [[String: Any]] = [
      ["title": "One", "length": Double?.none as Any, "cover": NSArray?.none as Any],
      ["title": Optional("Two") as Any, "cover": Optional(["a"] as NSArray) as Any],
    ]
    _ = try insert(NSBatchInsertRequest(entityName: "Track", objects: objects), in: stack)
    let covers: [String: NSArray] = try stack.values("cover")
    #expect(covers == ["Two": ["a"] as NSArray])
    let lengths: [String: Double] = try stack.values("length")
    #expect(lengths.isEmpty)
  }

  @Test(
    "the dictionary handler is called until it returns true, and that call inserts nothing",
    arguments: TrackStack.Place.allCases)
  func dictionaryHandler(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    var calls = 0
    let request = NSBatchInsertRequest(entityName: "Track") { (dictionary: NSMutableDictionary) in
      #expect(dictionary.count == 0)
      dictionary["title"] = "Track \(calls)"
      calls += 1
      return calls > 3
    }
    let result = try insert(request, in: stack, .count)
    #expect((result.result as? NSNumber)?.intValue == 3)
    #expect(calls == 4)
    #expect(try stack.titles() == ["Track 0", "Track 1", "Track 2"])
  }

  @Test(
    "the object handler fills objects that belong to no context",
    arguments: TrackStack.Place.allCases)
  func objectHandler(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    var calls = 0
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["LiveTrack"])
    let request = NSBatchInsertRequest(entity: entity) { (object: NSManagedObject) in
      #expect(object.managedObjectContext == nil)
      #expect(object.value(forKey: "venue") == nil)
      object.setValue("Live \(calls)", forKey: "title")
      if calls == 1 { object.setValue("Hall", forKey: "venue") }
      calls += 1
      return calls > 2
    }
    let result = try insert(request, in: stack, .statusOnly)
    #expect(result.result as? Bool == true)
    #expect(try stack.titles(of: "LiveTrack") == ["Live 0", "Live 1"])
    let venues: [String: String] = try stack.values("venue", of: "LiveTrack")
    #expect(venues == ["Live 1": "Hall"])
  }

  @Test(
    "a relationship to an object of a context on the object of a handler throws, and nothing is inserted",
    arguments: TrackStack.Place.allCases)
  func relatedObject(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      let album = TrackStack.insert("Album", ["title": "First"], in: context)
      try context.save()
      var calls = 0
      let request = NSBatchInsertRequest(entityName: "Track") { (object: NSManagedObject) in
        object.setValue("Track \(calls)", forKey: "title")
        object.setValue(album, forKey: "album")
        calls += 1
        return calls > 1
      }
      let error = #expect(throws: CocoaError.self) { try context.execute(request) }
      #expect(error?.code == .coreData)
      #expect(context.insertedObjects.isEmpty)
      #expect((album.value(forKey: "tracks") as? NSSet)?.count == 0)
      try context.save()
    }
    #expect(try stack.titles().isEmpty)
  }

  @Test(
    "an unknown key and a value of another type on the object of a handler throw, and nothing is inserted",
    arguments: TrackStack.Place.allCases)
  func misusedObject(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let mistakes: [(key: String, value: Any, code: CocoaError.Code)] = [
      ("rating", "five", .persistentStoreSave), ("title", 5, .persistentStoreSave),
      ("nothing", "x", .coreData),
    ]
    for mistake in mistakes {
      var calls = 0
      let request = NSBatchInsertRequest(entityName: "Track") { (object: NSManagedObject) in
        object.setValue("Track \(calls)", forKey: "title")
        if calls == 1 { object.setValue(mistake.value, forKey: mistake.key) }
        calls += 1
        return calls > 3
      }
      let error = try #require(throws: CocoaError.self) { try insert(request, in: stack) }
      #expect(error.code == mistake.code)
      #expect(error.localizedDescription.contains(mistake.key))
    }
    #expect(try stack.titles().isEmpty)
  }

  @Test("an unknown key throws, and nothing is inserted", arguments: TrackStack.Place.allCases)
  func unknownKey(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    for key in ["nothing", "album", "playlists", "", "title; DROP TABLE ZTRACK"] {
      let request = NSBatchInsertRequest(
        entityName: "Track", objects: [["title": "One"], ["title": "Two", key: "x"]])
      #expect(throws: CocoaError.self) { try insert(request, in: stack) }
    }
    #expect(try stack.titles().isEmpty)
  }

  @Test(
    "a missing value of a required attribute throws 1570",
    arguments: TrackStack.Place.allCases)
  func missingValue(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    for objects in [[["rating": 1]], [["title": NSNull(), "rating": 1]]] as [[[String: Any]]] {
      let request = NSBatchInsertRequest(entityName: "Track", objects: objects)
      let error = try #require(throws: CocoaError.self) { try insert(request, in: stack) }
      #expect(error.code == .validationMissingMandatoryProperty)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "title")
    }
    #expect(try stack.titles().isEmpty)
  }

  @Test("a value of another type throws", arguments: TrackStack.Place.allCases)
  func wrongType(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    for (key, value) in [("rating", "five"), ("title", 5), ("added", "today")] as [(String, Any)] {
      var object: [String: Any] = ["title": "One"]
      object[key] = value
      let request = NSBatchInsertRequest(entityName: "Track", objects: [object])
      #expect(throws: CocoaError.self) { try insert(request, in: stack) }
    }
    #expect(try stack.titles().isEmpty)
  }

  @Test(
    "an unknown entity, or a request without rows, throws", arguments: TrackStack.Place.allCases)
  func badRequests(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    #expect(throws: CocoaError.self) {
      try insert(NSBatchInsertRequest(entityName: "Song", objects: [[:]]), in: stack)
    }
    #expect(throws: CocoaError.self) { try insert(NSBatchInsertRequest(), in: stack) }
    let empty = NSBatchInsertRequest(entityName: "Track", objects: [])
    #expect(try insert(empty, in: stack).result as? [NSManagedObjectID] == [])
  }

  @Test(
    "under the error policy, a duplicate of a unique value throws 133021 and inserts nothing",
    arguments: TrackStack.Place.allCases)
  func collisionFails(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let first = NSBatchInsertRequest(
      entityName: "Track", objects: [["title": "Old", "code": "a"]])
    _ = try insert(first, in: stack)
    for objects in [
      [["title": "New", "code": "b"], ["title": "Bad", "code": "a"]],
      [["title": "New", "code": "c"], ["title": "Bad", "code": "c"]],
    ] {
      let request = NSBatchInsertRequest(entityName: "Track", objects: objects)
      let error = try #require(throws: CocoaError.self) { try insert(request, in: stack) }
      #expect(error.code == .managedObjectConstraintMerge)
    }
    #expect(try stack.titles() == ["Old"])
  }

  @Test(
    "under an object policy, the existing row takes every attribute and keeps its relationships",
    arguments: TrackStack.Place.allCases,
    [NSMergePolicy.overwrite, NSMergePolicy.mergeByPropertyObjectTrump])
  func collisionReplaces(_ place: TrackStack.Place, _ policy: NSMergePolicy) throws {
    let stack = try TrackStack(place)
    let context = stack.makeContext()
    let id = try context.performAndWait {
      let album = TrackStack.insert("Album", ["title": "Album"], in: context)
      let track = TrackStack.insert(
        "Track", ["title": "Old", "code": "a", "rating": 4, "length": 9.5, "album": album],
        in: context)
      try context.save()
      return track.objectID
    }
    let request = NSBatchInsertRequest(
      entityName: "Track",
      objects: [
        ["title": "New", "code": "a", "length": 1.5], ["title": "Other", "code": "b"],
        ["title": "Newer", "code": "a"],
      ])
    let result = try insert(request, in: stack, policy: policy)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.count == 2 && ids.contains(id))
    #expect(try stack.titles() == ["Newer", "Other"])
    let ratings: [String: Int] = try stack.values("rating")
    #expect(ratings == ["Newer": 0, "Other": 0])
    let lengths: [String: Double] = try stack.values("length")
    #expect(lengths.isEmpty)
    let albums: [String: NSManagedObject] = try stack.values("album")
    #expect(albums.keys.sorted() == ["Newer"])
  }

  @Test(
    "under a store policy, the existing row does not change",
    arguments: TrackStack.Place.allCases,
    [NSMergePolicy.rollback, NSMergePolicy.mergeByPropertyStoreTrump])
  func collisionKeeps(_ place: TrackStack.Place, _ policy: NSMergePolicy) throws {
    let stack = try TrackStack(place)
    let objects = [
      ["title": "Old", "code": "a"], ["title": "New", "code": "a"], ["title": "Free"],
    ]
    let result = try insert(
      NSBatchInsertRequest(entityName: "Track", objects: objects), in: stack, policy: policy)
    #expect((result.result as? [NSManagedObjectID])?.count == 2)
    #expect(try stack.titles() == ["Free", "Old"])
  }

  @Test("later saves use keys that no inserted row has", arguments: TrackStack.Place.allCases)
  func keys(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let objects = (0..<1500).map { ["title": "Track \($0)"] }
    let result = try insert(NSBatchInsertRequest(entityName: "Track", objects: objects), in: stack)
    #expect(Set(try #require(result.result as? [NSManagedObjectID])).count == 1500)
    try stack.seed(3)
    #expect(try stack.titles().count == 1503)
  }

  @Test("one statement in one transaction writes the rows")
  func statements() throws {
    let stack = try TrackStack(.file)
    let objects = (0..<20).map { ["title": "Track \($0)"] }
    let (_, statements) = try stack.recorder.recording {
      try insert(NSBatchInsertRequest(entityName: "Track", objects: objects), in: stack)
    }
    #expect(statements.count == 4)
    #expect(statements.first == "BEGIN IMMEDIATE" && statements.last == "COMMIT")
    #expect(Set(statements).count == 4)
    #expect(!statements.contains { $0.contains("Track 1") })
  }

  @Test(
    "the history has the author and name of the context with the stores, not those of its child",
    arguments: TrackStack.Place.allCases)
  func originOfChild(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place, history: true)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stack.makeContext(author: "app", name: "main")
    child.transactionAuthor = "child"
    try child.performAndWait { () throws in
      try child.execute(NSBatchInsertRequest(entityName: "Track", objects: [["title": "One"]]))
      let update = NSBatchUpdateRequest(entityName: "Track")
      update.propertiesToUpdate = ["rating": 5]
      try child.execute(update)
      try child.execute(
        NSBatchDeleteRequest(
          fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Track")))
    }
    let reader = stack.makeContext()
    try reader.performAndWait { () throws in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try reader.execute(request) as? NSPersistentHistoryResult
      let history = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(history.map(\.author) == ["app", "app", "app"])
      #expect(history.map(\.contextName) == ["main", "main", "main"])
    }
  }

  @Test("the affected stores determine where rows are inserted")
  func affectedStores() throws {
    let stack = try TrackStack(.file)
    let other = try stack.coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let request = NSBatchInsertRequest(entityName: "Track", objects: [["title": "One"]])
    request.affectedStores = [other]
    let result = try insert(request, in: stack)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.first?.persistentStore === other)
  }
}
