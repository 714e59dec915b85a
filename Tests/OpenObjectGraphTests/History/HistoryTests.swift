import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

@Suite("Persistent history")
struct HistoryTests {
  /// Three saves by two authors: two tracks and an album; changes; a deletion.
  private func filled(_ place: TrackStack.Place) throws -> TrackStack {
    let stack = try TrackStack(place, history: true)
    let app = stack.makeContext(author: "app", name: "main")
    try app.performAndWait {
      TrackStack.insert("Track", ["title": "One"], in: app)
      let live = TrackStack.insert("LiveTrack", ["title": "Two", "venue": "Hall"], in: app)
      let album = TrackStack.insert("Album", ["title": "Blue"], in: app)
      try app.save()
      live.setValue(album, forKey: "album")
      live.setValue(4, forKey: "rating")
      try app.save()
    }
    let tool = stack.makeContext(author: "tool")
    try tool.performAndWait {
      for track in try tool.fetch(NSFetchRequest<NSManagedObject>(entityName: "LiveTrack")) {
        tool.delete(track)
      }
      try tool.save()
    }
    return stack
  }

  private func result(
    _ request: NSPersistentHistoryChangeRequest, in stack: TrackStack,
    _ type: NSPersistentHistoryResultType? = nil
  ) throws -> Any? {
    if let type { request.resultType = type }
    let context = stack.makeContext()
    return try context.performAndWait {
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      #expect(result.resultType == request.resultType)
      return result.result
    }
  }

  private func transactions(
    _ request: NSPersistentHistoryChangeRequest, in stack: TrackStack
  ) throws -> [NSPersistentHistoryTransaction] {
    try #require(try result(request, in: stack) as? [NSPersistentHistoryTransaction])
  }

  private var everything: NSPersistentHistoryChangeRequest {
    .fetchHistory(after: nil as NSPersistentHistoryToken?)
  }

  private func names(_ change: NSPersistentHistoryChange) -> [String]? {
    change.updatedProperties?.map(\.name).sorted()
  }

  @Test(
    "every save is one transaction, oldest first, with author, context, process and changes",
    arguments: TrackStack.Place.allCases)
  func transactions(_ place: TrackStack.Place) throws {
    let start = Date()
    let stack = try filled(place)
    let history = try transactions(everything, in: stack)
    #expect(history.map(\.transactionNumber) == [1, 2, 3])
    #expect(history.map(\.author) == ["app", "app", "tool"])
    #expect(history.map(\.contextName) == ["main", "main", nil])
    #expect(history.allSatisfy { $0.storeID == stack.store.identifier })
    #expect(history.allSatisfy { !$0.processID.isEmpty && !$0.bundleID.isEmpty })
    #expect(history.allSatisfy { $0.timestamp > start - 1 && $0.timestamp < Date() + 1 })
    #expect(
      history.map { $0.changes?.map(\.changeType) } == [
        [.insert, .insert, .insert], [.update, .update], [.update, .delete],
      ])
    let ids = history.flatMap { $0.changes ?? [] }.map(\.changeID)
    #expect(ids == Array(1...7))
    let entities = history[0].changes?.compactMap { $0.changedObjectID.entity.name }.sorted()
    #expect(entities == ["Album", "LiveTrack", "Track"])
    #expect(history[0].changes?.allSatisfy { $0.transaction == history[0] } == true)
    #expect(history[0].changes?.allSatisfy { $0.transaction?.changes == nil } == true)
  }

  @Test(
    "updates name the changed properties and inverses; insertions and deletions name none",
    arguments: TrackStack.Place.allCases)
  func updatedProperties(_ place: TrackStack.Place) throws {
    let stack = try filled(place)
    let history = try transactions(everything, in: stack)
    let changes = try #require(history[1].changes)
    let track = try #require(changes.first { $0.changedObjectID.entity.name == "LiveTrack" })
    #expect(names(track) == ["album", "rating"])
    let album = try #require(changes.first { $0.changedObjectID.entity.name == "Album" })
    #expect(names(album) == ["tracks"])
    #expect(NSPredicate(format: "updatedProperties.@count == 2").evaluate(with: track))
    #expect(history[0].changes?.allSatisfy { $0.updatedProperties == nil } == true)
    #expect(history[0].changes?.allSatisfy { $0.tombstone == nil } == true)
  }

  @Test(
    "an object that changed and gained members is recorded once, with all its properties",
    arguments: TrackStack.Place.allCases)
  func changedAndTouched(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place, history: true)
    let context = stack.makeContext()
    try context.performAndWait {
      let albums = (0..<7).map { TrackStack.insert("Album", ["title": "\($0)"], in: context) }
      let tracks = albums.map { _ in TrackStack.insert("Track", ["title": "T"], in: context) }
      try context.save()
      for (index, album) in albums.enumerated() {
        tracks[index].setValue(album, forKey: "album")
        if index % 3 == 0 { album.setValue("new \(index)", forKey: "title") }
      }
      try context.save()
    }
    let changes = try #require(try transactions(everything, in: stack)[1].changes)
    let albums = changes.filter { $0.changedObjectID.entity.name == "Album" }
    #expect(changes.count == 14 && Set(albums.map(\.changedObjectID)).count == 7)
    #expect(albums.count { names($0) == ["title", "tracks"] } == 3)
    #expect(albums.count { names($0) == ["tracks"] } == 4)
  }

  @Test(
    "a deletion contains the values that the model preserves",
    arguments: TrackStack.Place.allCases)
  func tombstones(_ place: TrackStack.Place) throws {
    let stack = try filled(place)
    let history = try transactions(everything, in: stack)
    let deletion = try #require(history[2].changes?.last)
    #expect(deletion.changeType == .delete && deletion.updatedProperties == nil)
    #expect(deletion.tombstone as? [String: String] == ["title": "Two", "venue": "Hall"])
  }

  @Test(
    "history continues after a token, a transaction and a date",
    arguments: TrackStack.Place.allCases)
  func places(_ place: TrackStack.Place) throws {
    let stack = try filled(place)
    let history = try transactions(everything, in: stack)
    let behindToken = try transactions(.fetchHistory(after: history[0].token), in: stack)
    #expect(behindToken == Array(history[1...]))
    let behindTransaction = try transactions(.fetchHistory(after: history[1]), in: stack)
    #expect(behindTransaction == [history[2]])
    let behindDate = try transactions(.fetchHistory(after: history[0].timestamp), in: stack)
    #expect(behindDate == history.filter { $0.timestamp > history[0].timestamp })
    #expect(try transactions(.fetchHistory(after: Date() + 60), in: stack).isEmpty)
    let current = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
    #expect(current == history[2].token)
    #expect(try transactions(.fetchHistory(after: current), in: stack).isEmpty)
  }

  @Test("result types", arguments: TrackStack.Place.allCases)
  func resultTypes(_ place: TrackStack.Place) throws {
    let stack = try filled(place)
    #expect(try result(everything, in: stack, .statusOnly) as? Bool == true)
    #expect((try result(everything, in: stack, .count) as? NSNumber)?.intValue == 7)
    #expect((try result(everything, in: stack, .objectIDs) as? [NSManagedObjectID])?.count == 3)
    let changes = try result(everything, in: stack, .changesOnly) as? [NSPersistentHistoryChange]
    #expect(changes?.map(\.changeID) == Array(1...7))
    let plain = try #require(
      try result(everything, in: stack, .transactionsOnly) as? [NSPersistentHistoryTransaction])
    #expect(plain.count == 3 && plain.allSatisfy { $0.changes == nil })
  }

  @Test(
    "deleting before the first transaction deletes nothing; before the last, all others",
    arguments: TrackStack.Place.allCases)
  func deleting(_ place: TrackStack.Place) throws {
    let stack = try filled(place)
    let history = try transactions(everything, in: stack)
    let none = try result(
      .deleteHistory(before: nil as NSPersistentHistoryToken?), in: stack)
    #expect(none as? Bool == true)
    #expect(try result(.deleteHistory(before: history[0]), in: stack) as? Bool == true)
    #expect(try transactions(everything, in: stack) == history)
    #expect(try result(.deleteHistory(before: history[2].token), in: stack) as? Bool == true)
    #expect(try transactions(everything, in: stack) == [history[2]])
    _ = try result(.deleteHistory(before: Date() + 60), in: stack)
    #expect(try transactions(everything, in: stack).isEmpty)
    try stack.seed(1)
    #expect(try transactions(everything, in: stack).map(\.transactionNumber) == [4])
  }

  @Test(
    "a token whose history was deleted, or that the history never reached, throws 134301",
    arguments: TrackStack.Place.allCases)
  func expiredTokens(_ place: TrackStack.Place) throws {
    let stack = try filled(place)
    let other = try TrackStack(place, history: true)
    let initial = try #require(other.coordinator.currentPersistentHistoryToken(fromStores: nil))
    let history = try transactions(everything, in: stack)
    _ = try result(.deleteHistory(before: history[2]), in: stack)
    let error = try #require(throws: CocoaError.self) {
      try transactions(.fetchHistory(after: history[0].token), in: stack)
    }
    #expect(error.code.rawValue == NSPersistentHistoryTokenExpiredError)
    #expect(try transactions(.fetchHistory(after: history[1].token), in: stack) == [history[2]])
    // A token of another store has no position in this one.
    let foreign = try #require(throws: CocoaError.self) {
      try transactions(.fetchHistory(after: initial), in: stack)
    }
    #expect(foreign.code.rawValue == NSPersistentHistoryTokenExpiredError)
    _ = try result(.deleteHistory(before: Date() + 60), in: stack)
    #expect(throws: CocoaError.self) {
      try transactions(.fetchHistory(after: history[1].token), in: stack)
    }
    #expect(try transactions(.fetchHistory(after: history[2].token), in: stack).isEmpty)
  }

  @Test("a store without history has no token and rejects requests")
  func withoutHistory() throws {
    for place in TrackStack.Place.allCases {
      let stack = try TrackStack(place)
      try stack.seed(1)
      #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
      let error = try #require(throws: CocoaError.self) { try result(everything, in: stack) }
      #expect(error.code == .persistentStoreUnsupportedRequestType)
    }
  }

  @Test("there is no current token while the history of one of the stores cannot be read")
  func unreadHistory() throws {
    let faults = FaultInjection()
    let types = [
      NSInMemoryStoreType, try FaultInjectingStore.register(NSInMemoryStoreType, faults: faults),
    ]
    let descriptions = types.map { type in
      let description = NSPersistentStoreDescription(type: type)
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      return description
    }
    let container = try NSPersistentContainer.loaded("Shelf", ShelfModel.make(), descriptions)
    let coordinator = container.persistentStoreCoordinator
    let token = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    faults.failAll(of: [.history])
    #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    let readable = Array(coordinator.persistentStores.prefix(1))
    #expect(coordinator.currentPersistentHistoryToken(fromStores: readable) != nil)
    #expect(faults.stop())
    #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) == token)
  }

  @Test("tokens are equal across coordinators, and can be archived")
  func tokens() throws {
    let stack = try filled(.file)
    let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    let second = try stack.secondCoordinator()
    let other = try #require(second.currentPersistentHistoryToken(fromStores: nil))
    #expect(token == other && token.hash == other.hash)
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let restored = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(restored == token)
    #expect(try transactions(.fetchHistory(after: restored), in: stack).isEmpty)
    #expect(token.copy() as? NSPersistentHistoryToken == token)
  }

  @Test("an archive without a token decodes to nil", arguments: [0, 1])
  func badArchives(_ index: Int) throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    let bad: NSDictionary = index == 0 ? ["store": "number"] : ["store": NSArray()]
    archiver.encode(bad, forKey: "NSPersistentHistoryTokenDictionary")
    archiver.finishEncoding()
    let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    reader.decodingFailurePolicy = .setErrorAndReturn
    #expect(NSPersistentHistoryToken(coder: reader) == nil)
  }

  @Test("a batch request is a separate transaction", arguments: TrackStack.Place.allCases)
  func batches(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place, history: true)
    let context = stack.makeContext(author: "batch", name: "import")
    try context.performAndWait {
      try context.execute(
        NSBatchInsertRequest(
          entityName: "Track", objects: [["title": "One"], ["title": "Two", "rating": 3]]))
      let update = NSBatchUpdateRequest(entityName: "Track")
      update.propertiesToUpdate = ["rating": 5, "length": 1.5]
      update.predicate = NSPredicate(format: "rating == 3")
      try context.execute(update)
      update.predicate = NSPredicate(value: false)
      try context.execute(update)
      try context.execute(
        NSBatchDeleteRequest(
          fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Track")))
    }
    let history = try transactions(everything, in: stack)
    #expect(history.map(\.author) == ["batch", "batch", "batch"])
    #expect(
      history.map { $0.changes?.map(\.changeType) } == [
        [.insert, .insert], [.update], [.delete, .delete],
      ])
    #expect(history[1].changes.map { names($0[0]) } == ["length", "rating"])
    let titles = history[2].changes?.compactMap { $0.tombstone?["title"] as? String }.sorted()
    #expect(titles == ["One", "Two"])
  }

  @Test("a save that writes nothing, or only deletes unsaved objects, records no transaction")
  func emptySaves() throws {
    for place in TrackStack.Place.allCases {
      let stack = try TrackStack(place, history: true)
      let context = stack.makeContext()
      try context.performAndWait {
        try context.save()
        context.delete(TrackStack.insert("Track", ["title": "One"], in: context))
        try context.save()
      }
      #expect(try transactions(everything, in: stack).isEmpty)
    }
  }

  @Test("a failed save leaves no trace in the history", arguments: TrackStack.Place.allCases)
  func failedSave(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place, history: true)
    try stack.seed(1)
    let (one, other) = (stack.makeContext(), stack.makeContext())
    func rate(_ rating: Int, in context: NSManagedObjectContext) throws {
      let track = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Track")).first)
      track.setValue(rating, forKey: "rating")
    }
    try one.performAndWait { try rate(1, in: one) }
    try other.performAndWait {
      try rate(2, in: other)
      try other.save()
    }
    let error = one.performAndWait {
      #expect(throws: CocoaError.self) { try one.save() }
    }
    #expect(error?.code == .managedObjectMerge)
    #expect(try transactions(everything, in: stack).map(\.transactionNumber) == [1, 2])
  }

  @Test(
    "a transaction's notification merges into contexts", arguments: TrackStack.Place.allCases)
  func notification(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place, history: true)
    try stack.seed(2)
    let context = stack.makeContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let tracks = try context.fetch(request)
      #expect(tracks[1].value(forKey: "rating") as? Int == 1)
      let writer = stack.makeContext()
      try writer.performAndWait {
        let same = try writer.fetch(request)
        writer.delete(same[0])
        same[1].setValue(9, forKey: "rating")
        TrackStack.insert("Track", ["title": "New"], in: writer)
        try writer.save()
      }
      let last = try #require(try transactions(everything, in: stack).last)
      let notification = last.objectIDNotification()
      #expect((notification.userInfo?["inserted_objectIDs"] as? Set<NSManagedObjectID>)?.count == 1)
      context.mergeChanges(fromContextDidSave: notification)
      #expect(tracks[0].isDeleted)
      #expect(tracks[1].value(forKey: "rating") as? Int == 9)
    }
  }

  @Test("a save's notification contains the token after the save")
  func changeToken() throws {
    for place in TrackStack.Place.allCases {
      let stack = try TrackStack(place, history: true)
      let context = stack.makeContext()
      nonisolated(unsafe) var found: NSPersistentHistoryToken?
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { found = $0.userInfo?["newChangeToken"] as? NSPersistentHistoryToken }
      defer { NotificationCenter.default.removeObserver(observer) }
      try context.performAndWait {
        TrackStack.insert("Track", ["title": "One"], in: context)
        try context.save()
      }
      #expect(found == stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
      #expect(found != nil)
    }
  }
}
