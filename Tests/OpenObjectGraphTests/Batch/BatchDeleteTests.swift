import Foundation
import OpenCoreData
import OpenSQLiteStore
import OpenTestSupport
import Testing

@Suite("Batch deletions")
struct BatchDeleteTests {
  private func delete(
    _ request: NSBatchDeleteRequest, in stack: TrackStack,
    _ type: NSBatchDeleteRequestResultType = .resultTypeObjectIDs
  ) throws -> NSBatchDeleteResult {
    request.resultType = type
    let context = stack.makeContext()
    return try context.performAndWait {
      try #require(try context.execute(request) as? NSBatchDeleteResult)
    }
  }

  private func request(
    _ entity: String, _ format: String? = nil
  ) -> NSBatchDeleteRequest {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = format.map { NSPredicate(format: $0) }
    return NSBatchDeleteRequest(fetchRequest: fetch)
  }

  @Test(
    "objects specified by id are deleted, including objects of subentities",
    arguments: TrackStack.Place.allCases)
  func ids(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(3)
    let context = stack.makeContext()
    let ids = try context.performAndWait {
      TrackStack.insert("LiveTrack", ["title": "Live"], in: context)
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
      request.predicate = NSPredicate(format: "title IN %@", ["Live", "Track 1"])
      return try context.fetch(request).map(\.objectID)
    }
    let result = try delete(NSBatchDeleteRequest(objectIDs: ids), in: stack)
    #expect(Set(try #require(result.result as? [NSManagedObjectID])) == Set(ids))
    #expect(try stack.titles() == ["Track 0", "Track 2"])
    let none = try delete(NSBatchDeleteRequest(objectIDs: []), in: stack, .resultTypeCount)
    #expect((none.result as? NSNumber)?.intValue == 0)
  }

  @Test(
    "a fetch request whose result type the compiler infers selects the rows",
    arguments: TrackStack.Place.allCases)
  func inferredType(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(2)
    let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Track"))
    let result = try delete(request, in: stack, .resultTypeCount)
    #expect((result.result as? NSNumber)?.intValue == 2)
    #expect(try stack.titles() == [])
  }

  @Test("ids of objects of several entities are rejected")
  func mixedIDs() throws {
    let stack = try TrackStack(.file)
    try stack.seed(1)
    let context = stack.makeContext()
    let ids = try context.performAndWait {
      TrackStack.insert("Album", ["title": "Album"], in: context)
      try context.save()
      return try ["Track", "Album"].flatMap {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0)).map(\.objectID)
      }
    }
    #expect(throws: CocoaError.self) {
      try delete(NSBatchDeleteRequest(objectIDs: ids), in: stack)
    }
    #expect(try stack.titles() == ["Track 0"])
  }

  @Test("delete rules nullify, cascade, and unlink pairs", arguments: TrackStack.Place.allCases)
  func rules(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let context = stack.makeContext()
    try context.performAndWait {
      let label = TrackStack.insert("Label", ["title": "Label"], in: context)
      let album = TrackStack.insert("Album", ["title": "Album", "label": label], in: context)
      let tracks = (0..<3).map {
        TrackStack.insert("Track", ["title": "Track \($0)", "album": album], in: context)
      }
      TrackStack.insert("Playlist", ["title": "List", "tracks": NSSet(array: tracks)], in: context)
      try context.save()
    }
    let result = try delete(request("Label"), in: stack)
    let names = (result.result as? [NSManagedObjectID])?.compactMap { $0.entity.name }.sorted()
    #expect(names == ["Album", "Label"])
    #expect(try stack.titles(of: "Album").isEmpty)
    let albums: [String: NSManagedObject] = try stack.values("album")
    #expect(albums.isEmpty)
    _ = try delete(request("Track", "title == 'Track 1'"), in: stack)
    try context.performAndWait {
      context.reset()
      let list = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Playlist")).first)
      #expect((list.value(forKey: "tracks") as? NSSet)?.count == 2)
    }
  }

  @Test(
    "a deny rule or an object that would lose a required value stops the whole deletion",
    arguments: TrackStack.Place.allCases)
  func refusals(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let context = stack.makeContext()
    try context.performAndWait {
      let track = TrackStack.insert("Track", ["title": "Opener"], in: context)
      TrackStack.insert("Playlist", ["title": "List", "opener": track], in: context)
      let live = TrackStack.insert("LiveTrack", ["title": "Live"], in: context)
      TrackStack.insert("Ticket", ["title": "Ticket", "concert": live], in: context)
      try context.save()
    }
    for format in ["title == 'Opener'", "title == 'Live'"] {
      let error = try #require(throws: CocoaError.self) {
        try delete(request("Track", format), in: stack)
      }
      #expect(error.code == .managedObjectConstraintMerge)
    }
    #expect(try stack.titles() == ["Live", "Opener"])
    let concerts: [String: NSManagedObject] = try stack.values("concert", of: "Ticket")
    #expect(concerts.keys.sorted() == ["Ticket"])
  }

  @Test("the number of statements does not depend on the number of rows")
  func statements() throws {
    var counts: [Int] = []
    for size in [2, 400] {
      let stack = try TrackStack(.file)
      try stack.seed(size)
      let (_, statements) = try stack.recorder.recording {
        _ = try delete(request("Playlist"), in: stack)
        _ = try delete(request("Album"), in: stack)
      }
      counts.append(statements.count)
    }
    #expect(counts[0] == counts[1])
    let stack = try TrackStack(.file)
    let context = stack.makeContext()
    try context.performAndWait {
      for number in 0..<400 { TrackStack.insert("Album", ["title": "\(number)"], in: context) }
      try context.save()
    }
    let (_, statements) = try stack.recorder.recording { try delete(request("Album"), in: stack) }
    #expect(statements.count == 5)
    #expect(statements.last { $0.hasPrefix("DELETE") }?.contains("json_each") == true)
  }

  @Test("the number of statements does not depend on the number of rows that rules reach")
  func statementsOfRules() throws {
    var counts: [Int] = []
    for size in [2, 100] {
      let stack = try TrackStack(.file, history: true)
      let context = stack.makeContext()
      try context.performAndWait {
        for number in 0..<size {
          let label = TrackStack.insert("Label", ["title": "\(number)"], in: context)
          for _ in 0..<2 {
            let album = TrackStack.insert("Album", ["label": label], in: context)
            for entity in ["Track", "LiveTrack"] {
              TrackStack.insert(entity, ["title": "\(number)", "album": album], in: context)
            }
          }
        }
        try context.save()
      }
      let (deleted, statements) = try stack.recorder.recording {
        let labels = try delete(request("Label"), in: stack, .resultTypeCount)
        let tracks = try delete(request("Track"), in: stack, .resultTypeCount)
        return [labels, tracks].map { ($0.result as? NSNumber)?.intValue }
      }
      #expect(deleted == [3 * size, 4 * size])
      counts.append(statements.count)
      let history = try context.performAndWait {
        try #require(
          try context.execute(
            NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none))
            as? NSPersistentHistoryResult)
      }
      let transactions = try #require(history.result as? [NSPersistentHistoryTransaction])
      let deletions = transactions.map { transaction in
        transaction.changes?.filter { $0.changeType == .delete } ?? []
      }
      #expect(deletions.map(\.count) == [0, 3 * size, 4 * size])
      let titles = (deletions.last ?? []).compactMap { $0.tombstone?["title"] as? String }
      #expect(titles.count == 4 * size)
      #expect(Set(titles) == Set((0..<size).map { "\($0)" }))
      #expect(try stack.titles().isEmpty)
    }
    #expect(counts[0] == counts[1])
  }

  @Test("deleted ids merge into contexts", arguments: TrackStack.Place.allCases)
  func merging(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(2)
    let context = stack.makeContext()
    try context.performAndWait {
      let tracks = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Track"))
      let result = try delete(request("Track", "rating == 0"), in: stack)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: result.result as Any], into: [context])
      #expect(tracks.filter(\.isDeleted).count == 1)
    }
  }

  @Test(
    "merged ids of deleted objects also empty the relationships that a nullify rule emptied",
    arguments: TrackStack.Place.allCases)
  func mergedReferences(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    let context = stack.makeContext()
    try context.performAndWait {
      let album = TrackStack.insert("Album", ["title": "Album"], in: context)
      let track = TrackStack.insert("Track", ["title": "Track", "album": album], in: context)
      try context.save()
      track.setValue(7, forKey: "rating")
      let result = try delete(request("Album"), in: stack)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: result.result as Any], into: [context])
      #expect(track.value(forKey: "album") == nil)
      #expect(track.value(forKey: "rating") as? Int == 7)
      // The row of the track has another version since the deletion.
      try context.save()
    }
    let ratings: [String: Int] = try stack.values("rating")
    #expect(ratings == ["Track": 7])
  }

  /// Apple, NSBatchDeleteRequest, fetchRequest: a copied property.
  @Test("later changes of the fetch request do not affect the batch request")
  func copiedFetchRequest() throws {
    let stack = try TrackStack(.memory)
    try stack.seed(3)
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Track")
    let requests = [0, 1].map { rating in
      fetch.predicate = NSPredicate(format: "rating == %d", rating)
      return NSBatchDeleteRequest(fetchRequest: fetch)
    }
    fetch.predicate = nil
    for request in requests { _ = try delete(request, in: stack) }
    #expect(try stack.titles() == ["Track 2"])
  }

  /// Returns a context with two stores in memory, each with half of a number of saved tracks.
  private func twoStores(
    tracks count: Int
  ) throws -> (NSManagedObjectContext, [NSPersistentStore]) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TrackStack.makeModel())
    let stores = try (0..<2).map { _ in
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for number in 0..<count {
        let track = TrackStack.insert(
          "Track", ["title": "Track \(number)", "rating": number], in: context)
        context.assign(track, to: stores[number % 2])
      }
      try context.save()
    }
    return (context, stores)
  }

  @Test("a limit and an offset apply to the rows of several stores together")
  func windowOfSeveralStores() throws {
    let (context, _) = try twoStores(tracks: 10)
    try context.performAndWait {
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Track")
      fetch.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
      fetch.fetchOffset = 1
      fetch.fetchLimit = 3
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeCount
      let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
      #expect((result.result as? NSNumber)?.intValue == 3)
      context.reset()
      let rest = NSFetchRequest<NSManagedObject>(entityName: "Track")
      #expect(
        try Set(context.fetch(rest).compactMap { $0.value(forKey: "rating") as? Int })
          == [0, 4, 5, 6, 7, 8, 9])
      fetch.fetchLimit = .max
      #expect(try context.fetch(fetch).count == 6)
    }
  }

  @Test("a deletion affects only stores that both the request and its fetch request select")
  func storesOfFetchRequest() throws {
    let (context, stores) = try twoStores(tracks: 4)
    try context.performAndWait { () throws in
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Track")
      fetch.affectedStores = [stores[0]]
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeCount
      for (affected, count) in [([stores[1]], 0), (nil, 2)] as [([NSPersistentStore]?, Int)] {
        request.affectedStores = affected
        let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
        #expect((result.result as? NSNumber)?.intValue == count)
      }
      context.reset()
      fetch.affectedStores = nil
      let ratings = try context.fetch(fetch).compactMap { $0.value(forKey: "rating") as? Int }
      #expect(ratings.sorted() == [1, 3])
    }
  }
}
