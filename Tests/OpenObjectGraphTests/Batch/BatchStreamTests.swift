import Foundation
import OpenCoreData
import OpenTestSupport
import Synchronization
import Testing

/// Handlers supply all rows before the transaction that writes them; few rows are in memory at a time.
@Suite("Batch insertions of many rows")
struct BatchStreamTests {
  private func execute(
    _ request: NSBatchInsertRequest, in context: NSManagedObjectContext
  ) throws -> NSBatchInsertResult {
    try context.performAndWait {
      try #require(try context.execute(request) as? NSBatchInsertResult)
    }
  }

  /// A request for tracks with numbers as titles; `body` runs for each and may throw by returning an error.
  private func request(
    _ count: Int, _ body: @escaping (Int, NSManagedObject) -> Void = { _, _ in }
  ) -> NSBatchInsertRequest {
    var number = 0
    let request = NSBatchInsertRequest(entityName: "Track") { (object: NSManagedObject) in
      guard number < count else { return true }
      object.setValue("\(number)", forKey: "title")
      body(number, object)
      number += 1
      return false
    }
    request.resultType = .count
    return request
  }

  private func titles(_ stack: TrackStack) throws -> Set<String> { Set(try stack.titles()) }

  @Test("the handler supplies all rows before the single transaction begins")
  func stream() throws {
    let stack = try TrackStack(.file)
    let before = stack.recorder.all.count
    var statementsAtLastRow = -1
    let result = try execute(
      request(3000) { number, _ in
        if number == 2999 { statementsAtLastRow = stack.recorder.all.count - before }
      }, in: stack.makeContext())
    #expect((result.result as? NSNumber)?.intValue == 3000)
    #expect(statementsAtLastRow == 0)
    let statements = stack.recorder.all[before...]
    #expect(statements.count { $0.hasPrefix("BEGIN") } == 1)
    #expect(statements.count { $0 == "COMMIT" } == 1)
    #expect(statements.count { $0.hasPrefix("INSERT") } < 12)
    #expect(statements.count < 40)
    #expect(try titles(stack) == Set((0..<3000).map(String.init)))
  }

  @Test("rows that exceed the memory limit pass through a temporary file and keep their order")
  func longRows() throws {
    let stack = try TrackStack(.file)
    let text = String(repeating: "x", count: 20_000)
    let result = try execute(
      request(1000) { number, object in object.setValue("\(number) \(text)", forKey: "title") },
      in: stack.makeContext())
    #expect((result.result as? NSNumber)?.intValue == 1000)
    #expect(try titles(stack) == Set((0..<1000).map { "\($0) \(text)" }))
  }

  @Test("the handler is not called again after it returns true", arguments: [0, 1, 499, 500, 501])
  func end(_ count: Int) throws {
    let stack = try TrackStack(.file)
    var calls = 0
    let request = NSBatchInsertRequest(entityName: "Track") { (row: NSMutableDictionary) in
      calls += 1
      row["title"] = "\(calls)"
      return calls > count
    }
    request.resultType = .objectIDs
    let result = try execute(request, in: stack.makeContext())
    #expect(calls == count + 1)
    #expect((result.result as? [NSManagedObjectID])?.count == count)
    #expect(try titles(stack).count == count)
  }

  @Test(
    "a late row without a required value undoes all previous rows",
    arguments: TrackStack.Place.allCases)
  func failure(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    try stack.seed(3)
    let request = request(2000) { number, object in
      if number == 1700 { object.setValue(nil, forKey: "title") }
    }
    let error = #expect(throws: CocoaError.self) {
      try execute(request, in: stack.makeContext())
    }
    #expect(error?.code == .validationMissingMandatoryProperty)
    #expect(try titles(stack).count == 3)
    _ = try execute(self.request(2), in: stack.makeContext())
    #expect(try titles(stack).count == 5)
  }

  @Test(
    "distant rows that collide become one row under object trump, and no row under the error policy",
    arguments: TrackStack.Place.allCases)
  func collisions(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place)
    func request() -> NSBatchInsertRequest {
      self.request(1500) { number, object in
        if number == 3 || number == 1400 { object.setValue("same", forKey: "code") }
      }
    }
    let error = #expect(throws: CocoaError.self) {
      try execute(request(), in: stack.makeContext())
    }
    #expect(error?.code == .managedObjectConstraintMerge)
    #expect(try titles(stack).isEmpty)
    let result = try execute(
      request(), in: stack.makeContext(policy: NSMergeByPropertyObjectTrumpMergePolicy))
    #expect((result.result as? NSNumber)?.intValue == 1499)
    #expect(try titles(stack).contains("1400"))
    #expect(try !titles(stack).contains("3"))
    let again = try execute(
      request(), in: stack.makeContext(policy: NSMergeByPropertyStoreTrumpMergePolicy))
    #expect((again.result as? NSNumber)?.intValue == 1498)
  }

  @Test("history has one transaction with all rows", arguments: TrackStack.Place.allCases)
  func history(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place, history: true)
    let context = stack.makeContext(author: "importer")
    _ = try execute(request(1200), in: context)
    try context.performAndWait {
      let asked = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      let result = try #require(try context.execute(asked) as? NSPersistentHistoryResult)
      let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.count == 1)
      #expect(transactions.first?.author == "importer")
      let changes = transactions.first?.changes ?? []
      #expect(changes.count == 1200)
      #expect(changes.allSatisfy { $0.changeType == .insert })
      #expect(Set(changes.map(\.changedObjectID)).count == 1200)
    }
  }

  @Test("a handler can fetch; uncommitted rows are not visible")
  func fetching() throws {
    let stack = try TrackStack(.file)
    try stack.seed(2)
    let context = stack.makeContext()
    var counts: [Int] = []
    _ = try execute(
      request(1000) { number, _ in
        guard number == 900 else { return }
        let tracks = NSFetchRequest<NSManagedObject>(entityName: "Track")
        counts.append((try? context.count(for: tracks)) ?? -1)
      }, in: context)
    #expect(counts == [2])
    #expect(try titles(stack).count == 1002)
  }

  @Test("a handler can save to the same store, because the store is not locked during the call")
  func writing() throws {
    let stack = try TrackStack(.file)
    let context = stack.makeContext()
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = stack.coordinator
    var failure: (any Error)?
    _ = try execute(
      request(10) { number, _ in
        guard number == 5 else { return }
        other.performAndWait {
          TrackStack.insert("Track", ["title": "other"], in: other)
          do { try other.save() } catch { failure = error }
        }
      }, in: context)
    #expect(failure == nil)
    #expect(try titles(stack) == Set((0..<10).map(String.init) + ["other"]))
  }

  /// Apple, obtainPermanentIDs(for:): the ids stay the same when the objects are saved.
  @Test("an insertion in memory never uses the permanent ids that objects receive meanwhile")
  func idsDuringInsertion() throws {
    let stack = try TrackStack(.memory)
    let (importer, editor) = (stack.makeContext(), stack.makeContext())
    let isFilled = DispatchSemaphore(value: 0)
    let isDone = Atomic<Bool>(false)
    var (number, count) = (0, 0)
    nonisolated(unsafe) let request = NSBatchInsertRequest(entityName: "Track") {
      (row: NSMutableDictionary) in
      number += 1
      row["title"] = "\(number)"
      if number > 5000 { isFilled.signal() }
      return number > 5000
    }
    nonisolated(unsafe) var failure: (any Error)?
    importer.perform {
      do { try importer.execute(request) } catch { failure = error }
      isDone.store(true, ordering: .releasing)
    }
    isFilled.wait()
    try editor.performAndWait {
      while !isDone.load(ordering: .acquiring) {
        let track = TrackStack.insert("Track", ["title": "own"], in: editor)
        try editor.obtainPermanentIDs(for: [track])
        count += 1
      }
      try editor.save()
    }
    #expect(failure == nil)
    #expect(try stack.titles().count == 5000 + count)
  }

  @Test("a batch update names the rows that it changed, of one entity and of several")
  func updatedKeys() throws {
    let stack = try TrackStack(.file)
    try stack.seed(5)
    let context = stack.makeContext()
    try context.performAndWait {
      for number in 0..<3 { TrackStack.insert("Label", ["title": "\(number)"], in: context) }
      try context.save()
      for (entity, predicate, count) in [("Label", "title != '1'", 2), ("Track", "rating > 1", 3)] {
        let update = NSBatchUpdateRequest(entityName: entity)
        update.predicate = NSPredicate(format: predicate)
        let objects = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        objects.resultType = .managedObjectIDResultType
        objects.predicate = update.predicate
        let expected = Set(try context.fetch(objects))
        update.propertiesToUpdate = ["title": "new"]
        update.resultType = .updatedObjectIDsResultType
        let result = try #require(try context.execute(update) as? NSBatchUpdateResult)
        let ids = try #require(result.result as? [NSManagedObjectID])
        #expect(Set(ids) == expected)
        #expect(ids.count == count)
        update.resultType = .updatedObjectsCountResultType
        update.predicate = nil
        let all = try #require(try context.execute(update) as? NSBatchUpdateResult)
        #expect((all.result as? NSNumber)?.intValue == (entity == "Label" ? 3 : 5))
      }
    }
  }
}
