import Foundation
import OpenCoreData
import OpenPredicates
import OpenSQLiteStore
import OpenTestSupport
import Testing

@Suite("Batch updates")
struct BatchUpdateTests {
  private func update(
    _ values: [AnyHashable: Any], where predicate: NSPredicate? = nil, in stack: TrackStack,
    entity: String = "Track", _ type: NSBatchUpdateRequestResultType = .updatedObjectIDsResultType,
    _ adjust: (NSBatchUpdateRequest) -> Void = { _ in }
  ) throws -> NSBatchUpdateResult {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.predicate = predicate
    request.propertiesToUpdate = values
    request.resultType = type
    adjust(request)
    let context = stack.makeContext()
    return try context.performAndWait {
      try #require(try context.execute(request) as? NSBatchUpdateResult)
    }
  }

  @Test(
    "constants of every type are written, and null for NSNull",
    arguments: TrackStack.Place.allCases)
  func constants(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(3)
    let day = Date(timeIntervalSinceReferenceDate: 86_400)
    let result = try update(
      [
        "length": 3.5, "isLoved": true, "added": day, "code": NSNull(), "rating": 9,
        "price": Decimal(string: "0.10") as Any, "cover": ["x"] as NSArray,
      ], where: NSPredicate(format: "title == %@", "Track 1"), in: stack)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.count == 1)
    let lengths: [String: Double] = try stack.values("length")
    #expect(lengths == ["Track 1": 3.5])
    let days: [String: Date] = try stack.values("added")
    #expect(days == ["Track 1": day])
    let ratings: [String: Int] = try stack.values("rating")
    #expect(ratings == ["Track 0": 0, "Track 1": 9, "Track 2": 2])
    let prices: [String: Decimal] = try stack.values("price")
    #expect(prices == ["Track 1": Decimal(string: "0.1")])
    let covers: [String: NSArray] = try stack.values("cover")
    #expect(covers == ["Track 1": ["x"] as NSArray])
  }

  @Test(
    "an expression uses each row's original values, and property descriptions work as keys",
    arguments: TrackStack.Place.allCases)
  func expressions(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(4)
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Track"])
    let rating = try #require(entity.attributesByName["rating"])
    let result = try update(
      [
        rating: OpenPredicates.NSExpression(format: "rating + 10"),
        "length": OpenPredicates.NSExpression(format: "rating * 1.5"),
        "code": OpenPredicates.NSExpression(forKeyPath: "title"),
        "isLoved": OpenPredicates.NSExpression(forConstantValue: true),
      ], where: NSPredicate(format: "rating > %d", 1), in: stack, .updatedObjectsCountResultType)
    #expect((result.result as? NSNumber)?.intValue == 2)
    let ratings: [String: Int] = try stack.values("rating")
    #expect(ratings == ["Track 0": 0, "Track 1": 1, "Track 2": 12, "Track 3": 13])
    let lengths: [String: Double] = try stack.values("length")
    #expect(lengths == ["Track 2": 3, "Track 3": 4.5])
    let codes: [String: String] = try stack.values("code")
    #expect(codes == ["Track 2": "Track 2", "Track 3": "Track 3"])
  }

  @Test(
    "an integer attribute stores an integer if an expression results in a fraction",
    arguments: TrackStack.Place.allCases)
  func fractions(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(4)
    _ = try update(
      ["rating": OpenPredicates.NSExpression(format: "rating * 1.5")], in: stack)
    let ratings: [String: Int] = try stack.values("rating")
    #expect(ratings == ["Track 0": 0, "Track 1": 1, "Track 2": 3, "Track 3": 4])
  }

  @Test(
    "predicates and expressions follow relationships, and objects are values of to-one relationships",
    arguments: TrackStack.Place.allCases)
  func relationships(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(3)
    let context = stack.makeContext()
    let album = try context.performAndWait {
      let album = TrackStack.insert("Album", ["title": "Blue"], in: context)
      try context.save()
      return album
    }
    _ = try update(
      ["album": album], where: NSPredicate(format: "rating > 0"), in: stack)
    let albums: [String: NSManagedObject] = try stack.values("album")
    #expect(albums.keys.sorted() == ["Track 1", "Track 2"])
    _ = try update(
      ["code": OpenPredicates.NSExpression(forKeyPath: "album.title")],
      where: NSPredicate(format: "album.title == %@ AND rating < 2", "Blue"), in: stack)
    let codes: [String: String] = try stack.values("code")
    #expect(codes == ["Track 1": "Blue"])
    _ = try update(["album": NSNull()], in: stack)
    let none: [String: NSManagedObject] = try stack.values("album")
    #expect(none.isEmpty)
  }

  @Test("an object of another entity or an unsaved object is not a valid relationship value")
  func foreignObjects() throws {
    let stack = try TrackStack(.file)
    try stack.seed(1)
    let context = stack.makeContext()
    try context.performAndWait {
      let label = TrackStack.insert("Label", ["title": "Label"], in: context)
      try context.save()
      #expect(throws: CocoaError.self) { try update(["album": label], in: stack) }
      let album = TrackStack.insert("Album", ["title": "New"], in: context)
      #expect(throws: CocoaError.self) { try update(["album": album], in: stack) }
      #expect(throws: CocoaError.self) { try update(["album": "Blue"], in: stack) }
    }
  }

  @Test(
    "an update that refers to a deleted object throws 133020 and writes nothing",
    arguments: TrackStack.Place.allCases)
  func deletedDestination(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(2)
    let (context, other) = (stack.makeContext(), stack.makeContext())
    let id = try context.performAndWait {
      let album = TrackStack.insert("Album", ["title": "Blue"], in: context)
      try context.save()
      return album.objectID
    }
    try other.performAndWait {
      other.delete(try other.existingObject(with: id))
      try other.save()
    }
    let error = #expect(throws: CocoaError.self) {
      try update(["album": id, "rating": 5], in: stack)
    }
    #expect(error?.errorCode == NSManagedObjectMergeError)
    let albums: [String: NSManagedObject] = try stack.values("album")
    #expect(albums.isEmpty)
    let ratings: [String: Int16] = try stack.values("rating")
    #expect(ratings == ["Track 0": 0, "Track 1": 1])
  }

  @Test("subentities are updated unless the request excludes them")
  func subentities() throws {
    for place in TrackStack.Place.allCases {
      let stack = try TrackStack(place)
      try stack.seed(1)
      let context = stack.makeContext()
      try context.performAndWait {
        TrackStack.insert("LiveTrack", ["title": "Live"], in: context)
        try context.save()
      }
      let own = try update(["rating": 5], in: stack) { $0.includesSubentities = false }
      #expect((own.result as? [NSManagedObjectID])?.map { $0.entity.name } == ["Track"])
      let all = try update(["rating": 6], in: stack)
      let names = (all.result as? [NSManagedObjectID])?.compactMap { $0.entity.name }.sorted()
      #expect(names == ["LiveTrack", "Track"])
      let live = try update(
        ["venue": "Hall"], in: stack, entity: "LiveTrack", .statusOnlyResultType)
      #expect(live.result as? Bool == true)
      let venues: [String: String] = try stack.values("venue", of: "LiveTrack")
      #expect(venues == ["Live": "Hall"])
    }
  }

  @Test(
    "null can be written to a required attribute; the row then has no value",
    arguments: TrackStack.Place.allCases)
  func brokenRow(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(1)
    _ = try update(["title": NSNull()], in: stack)
    let context = stack.makeContext()
    try context.performAndWait {
      let track = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Track")).first)
      #expect(track.value(forKey: "title") == nil)
      track.setValue(3, forKey: "rating")
      #expect(throws: CocoaError.self) { try context.save() }
    }
  }

  @Test(
    "unknown and to-many keys, unfit values and no values throw",
    arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func badInput(_ index: Int) throws {
    let values: [[AnyHashable: Any]] = [
      ["nothing": 1], ["playlists": NSNull()], ["rating": "five"], [:], [7: 1],
      ["rating": OpenPredicates.NSExpression(format: "sum:(rating)")],
      ["rating": OpenPredicates.NSExpression(forKeyPath: "title")],
      ["length": OpenPredicates.NSExpression(forKeyPath: "title")],
    ]
    for place in TrackStack.Place.allCases {
      let stack = try TrackStack(place)
      try stack.seed(1)
      #expect(throws: (any Error).self) { try update(values[index], in: stack) }
      let ratings: [String: Int] = try stack.values("rating")
      #expect(ratings == ["Track 0": 0])
    }
  }

  @Test(
    "a violated uniqueness constraint throws 133021 and changes nothing",
    arguments: TrackStack.Place.allCases)
  func collision(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(2)
    let error = try #require(throws: CocoaError.self) { try update(["code": "same"], in: stack) }
    #expect(error.code == .managedObjectConstraintMerge)
    let codes: [String: String] = try stack.values("code")
    #expect(codes.isEmpty)
  }

  @Test(
    "loaded objects keep their values until the ids of the result are merged",
    arguments: TrackStack.Place.allCases)
  func merging(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(2)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
      request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
      let tracks = try context.fetch(request)
      #expect(tracks.map { $0.value(forKey: "rating") as? Int } == [0, 1])
      let result = try update(["rating": 7], in: stack)
      #expect(tracks.map { $0.value(forKey: "rating") as? Int } == [0, 1])
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: result.result as Any], into: [context])
      #expect(tracks.map { $0.value(forKey: "rating") as? Int } == [7, 7])
    }
  }

  @Test("an update raises the version, so that a save of an older value is a conflict")
  func versions() throws {
    for place in TrackStack.Place.allCases {
      let stack = try TrackStack(place)
      try stack.seed(1)
      let context = stack.makeContext()
      try context.performAndWait {
        let track = try #require(
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Track")).first)
        track.setValue("Mine", forKey: "title")
        _ = try update(["rating": 4], in: stack)
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.code == .managedObjectMerge)
      }
    }
  }

  @Test("an update is one statement with bound values in one transaction")
  func statements() throws {
    let stack = try TrackStack(.file)
    try stack.seed(50)
    let (_, statements) = try stack.recorder.recording {
      try update(
        ["rating": OpenPredicates.NSExpression(format: "rating + 1"), "length": 77.25],
        where: NSPredicate(format: "rating < %d", 4242), in: stack)
    }
    #expect(
      statements == [
        "BEGIN IMMEDIATE",
        "UPDATE ZTRACK AS t0 SET ZRATING = CAST((t0.ZRATING + ?) AS INTEGER), ZLENGTH = ?, "
          + "Z_OPT = (ifnull(t0.Z_OPT, 0) + 1) WHERE t0.ZRATING < ? RETURNING Z_PK, Z_ENT",
        "COMMIT",
      ])
  }

  @Test("a predicate or value over a relationship is a subquery in the one statement")
  func joinedStatement() throws {
    let stack = try TrackStack(.file)
    let (_, statements) = try stack.recorder.recording {
      try update(
        ["code": OpenPredicates.NSExpression(forKeyPath: "album.title")],
        where: NSPredicate(format: "album.title == %@", "Blue"), in: stack)
    }
    #expect(
      statements.filter { $0.hasPrefix("UPDATE") } == [
        "UPDATE ZTRACK AS t2 SET ZCODE = (SELECT t4.ZTITLE FROM ZTRACK AS t3 "
          + "LEFT OUTER JOIN ZALBUM AS t4 ON t3.ZALBUM = t4.Z_PK WHERE t3.Z_PK = t2.Z_PK), "
          + "Z_OPT = (ifnull(t2.Z_OPT, 0) + 1) WHERE t2.Z_PK IN (SELECT t0.Z_PK FROM ZTRACK AS t0 "
          + "LEFT OUTER JOIN ZALBUM AS t1 ON t0.ZALBUM = t1.Z_PK WHERE t1.ZTITLE = ?) "
          + "RETURNING Z_PK, Z_ENT"
      ])
  }

  @Test("the coordinator executes requests for its own contexts")
  func coordinator() throws {
    let stack = try TrackStack(.memory)
    try stack.seed(2)
    let context = stack.makeContext()
    let request = NSBatchUpdateRequest(entityName: "Track")
    request.propertiesToUpdate = ["rating": 3]
    let other = try TrackStack(.memory).makeContext()
    try context.performAndWait {
      let result = try stack.coordinator.execute(request, with: context)
      #expect((result as? NSBatchUpdateResult)?.result as? Bool == true)
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Track")
      #expect((try stack.coordinator.execute(fetch, with: context) as? [Any])?.count == 2)
    }
    #expect(throws: CocoaError.self) { try stack.coordinator.execute(request, with: other) }
  }

  @Test("a one-to-one relationship cannot be set (D-464)")
  func oneToOne() throws {
    let (member, card) = (NSEntityDescription(), NSEntityDescription())
    let (cardOfMember, memberOfCard) = (NSRelationshipDescription(), NSRelationshipDescription())
    for (relationship, name, destination) in [
      (cardOfMember, "card", card), (memberOfCard, "member", member),
    ] {
      relationship.name = name
      relationship.destinationEntity = destination
      relationship.maxCount = 1
      relationship.isOptional = true
    }
    (cardOfMember.inverseRelationship, memberOfCard.inverseRelationship) =
      (memberOfCard, cardOfMember)
    (member.name, card.name) = ("Member", "Card")
    (member.properties, card.properties) = ([cardOfMember], [memberOfCard])
    let model = NSManagedObjectModel()
    model.entities = [member, card]
    let store = NSPersistentStoreDescription(type: NSInMemoryStoreType)
    let context = try NSPersistentContainer.loaded("Cards", model, [store]).newBackgroundContext()
    try context.performAndWait { () throws in
      TrackStack.insert("Member", [:], in: context)
      let card = TrackStack.insert("Card", [:], in: context)
      try context.save()
      for value in [card, NSNull()] as [Any] {
        let request = NSBatchUpdateRequest(entityName: "Member")
        request.propertiesToUpdate = ["card": value]
        let error = try #require(throws: CocoaError.self) { try context.execute(request) }
        #expect(error.code == .coreData)
      }
    }
  }

  @Test("two keys of one property are an error", arguments: TrackStack.Place.allCases)
  func repeatedProperty(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(1)
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Track"])
    let rating = try #require(entity.attributesByName["rating"])
    let error = try #require(throws: CocoaError.self) {
      _ = try update(["rating": 1, rating: 2], in: stack)
    }
    #expect(error.code == .coreData && error.localizedDescription.contains("\"rating\""))
    let ratings: [String: Int] = try stack.values("rating")
    #expect(ratings == ["Track 0": 0])
  }

  @Test("a read-only store rejects batch requests")
  func readOnly() throws {
    let stack = try TrackStack(.file)
    try stack.seed(1)
    try stack.coordinator.remove(stack.store)
    let second = try stack.secondCoordinator(
      history: false, options: [NSReadOnlyPersistentStoreOption: true])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = second
    let request = NSBatchUpdateRequest(entityName: "Track")
    request.propertiesToUpdate = ["rating": 3]
    try context.performAndWait {
      let error = try #require(throws: CocoaError.self) { try context.execute(request) }
      #expect(error.code == .persistentStoreSave)
    }
  }
}
