import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Objects that are inserted and deleted before a save, and windows whose objects another context
/// changes.
@Suite("Fetched results: unsaved objects and windows")
struct ResultsWindowTests {
  private func entry(_ rank: Int32, in context: NSManagedObjectContext) throws -> ResultsEntry {
    let request = NSFetchRequest<ResultsEntry>(entityName: "ResultsEntry")
    request.predicate = NSPredicate(format: "rank == %d", rank)
    return try #require(try context.fetch(request).first)
  }

  @Test(
    "an unsaved object that is changed and deleted in one event leaves the results",
    arguments: ResultsStack.stores)
  func changedAndDeleted(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(1)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      let unsaved = stack.insert(20)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [10, 20])
      recorder.calls = []
      unsaved.rank = 5
      stack.context.delete(unsaved)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [10])
      #expect(recorder.calls == ["will", "delete 0.1 -", "did"])
      #expect(!stack.context.hasChanges)
    }
  }

  @Test("an object that is inserted and deleted in one event is not reported")
  func unseen() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let (_, recorder) = try stack.followed()
      let changes = NotificationCollector(
        .NSManagedObjectContextObjectsDidChange, of: stack.context)
      let unsaved = stack.insert(20)
      unsaved.rank = 5
      stack.context.delete(unsaved)
      stack.context.processPendingChanges()
      #expect(recorder.calls.isEmpty)
      #expect(changes.all.allSatisfy { $0.userInfo?[NSDeletedObjectsKey] == nil })
    }
  }

  @Test(
    "an object that a child inserted, referred to and deleted over three saves leaves the results",
    arguments: ResultsStack.stores)
  func childOverThreeSaves(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(1)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stack.context
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      try child.performAndWait {
        let entry = stack.insert(20, in: child)
        try child.save()
        let folder = ResultsFolder(context: child)
        entry.folder = folder
        try child.save()
        child.delete(entry)
        try child.save()
      }
      #expect(controller.ranks == [10])
      #expect(recorder.list.joined().count == 1)
      try stack.context.save()
      #expect(controller.ranks == [10])
      let fresh = stack.controller()
      try fresh.performFetch()
      #expect(fresh.ranks == [10])
    }
  }

  @Test(
    "a window moves when a batch deletion removes unregistered rows before the window",
    arguments: ResultsStack.stores)
  func batchBeforeWindow(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(8)
    let writer = stack.container.newBackgroundContext()
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed { ($0.fetchLimit, $0.fetchOffset) = (3, 2) }
      #expect(controller.ranks == [30, 40, 50])
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: writer)
      let ids = try writer.performAndWait {
        try entry(40, in: writer).rank = 75
        try writer.save()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "ResultsEntry")
        request.predicate = NSPredicate(format: "rank == 10")
        let deletion = NSBatchDeleteRequest(fetchRequest: request)
        deletion.resultType = .resultTypeObjectIDs
        let result = try writer.execute(deletion) as? NSBatchDeleteResult
        return try #require(result?.result as? [NSManagedObjectID])
      }
      #expect(ids.count == 1)
      stack.context.mergeChanges(fromContextDidSave: try #require(saves.all.first))
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [stack.context])
      #expect(controller.ranks == [50, 60, 70])
      #expect(recorder.list.joined().count == 3)
    }
  }

  @Test(
    "a window moves when a row before it no longer matches, or is deleted by another context's save",
    arguments: ResultsStack.stores)
  func saveBeforeWindow(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(8)
    stack.context.automaticallyMergesChangesFromParent = true
    let writer = stack.container.newBackgroundContext()
    let (controller, recorder) = try stack.context.performAndWait {
      try stack.followed { ($0.fetchLimit, $0.fetchOffset) = (3, 2) }
    }
    try writer.performAndWait {
      try entry(10, in: writer).isShown = false
      try writer.save()
    }
    stack.context.performAndWait {
      #expect(controller.ranks == [40, 50, 60])
      #expect(recorder.list.joined().count == 3)
    }
    try writer.performAndWait {
      writer.delete(try entry(20, in: writer))
      try writer.save()
    }
    stack.context.performAndWait { #expect(controller.ranks == [50, 60, 70]) }
  }

  @Test(
    "a window that cannot be fetched again does not grow, and loses objects that do not match",
    arguments: StoreTypes.both)
  func unreadWindow(_ type: String) throws {
    let stack = try FaultStack(type)
    try stack.context.performAndWait { () throws in
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = NSPredicate(format: "code < 100")
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      request.fetchLimit = 2
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
        cacheName: nil)
      let recorder = ResultsRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      recorder.mirror(controller)
      let books = try #require(controller.fetchedObjects)
      #expect(books.map(\.code) == [11, 12])
      stack.faults.failAll(of: FaultInjection.Call.reads)
      let fresh = ShelfBook(context: stack.context)
      fresh.code = 1
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects == books)
      books[0].code = 200
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects == [books[1]])
      #expect(stack.faults.stop())
      books[0].code = 2
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects == [fresh, books[0]])
    }
  }
}
