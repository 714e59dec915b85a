import Foundation
import OpenCoreData
import Testing

/// Results after saves of other contexts, and after their context drops or refreshes objects.
@Suite("Fetched results: contexts")
struct ResultsContextTests {
  private func entry(_ rank: Int32, in context: NSManagedObjectContext) throws -> ResultsEntry {
    let request = NSFetchRequest<ResultsEntry>(entityName: "ResultsEntry")
    request.predicate = NSPredicate(format: "rank == %d", rank)
    return try #require(try context.fetch(request).first)
  }

  /// Saves changes of every kind in another context: 10 goes, 20 moves, 30 hides, 40 shows, 15 comes.
  private func change(_ stack: ResultsStack, in writer: NSManagedObjectContext) throws {
    try writer.performAndWait {
      writer.delete(try entry(10, in: writer))
      try entry(20, in: writer).rank = 60
      try entry(30, in: writer).isShown = false
      try entry(40, in: writer).isShown = true
      stack.insert(15, in: writer)
      try writer.save()
    }
  }

  private func seeded(_ store: String) throws -> ResultsStack {
    let stack = try ResultsStack(store)
    try stack.seed(5)
    try stack.context.performAndWait {
      try entry(40, in: stack.context).isShown = false
      try stack.context.save()
      stack.context.reset()
    }
    return stack
  }

  private let expected = [
    "will", "delete 0.0 -", "delete 0.2 -", "insert - 0.0", "insert - 0.1", "move 0.1 0.3", "did",
  ]

  @Test(
    "automatic merges are followed, also for unregistered objects",
    arguments: ResultsStack.stores)
  func automatic(_ store: String) throws {
    let stack = try seeded(store)
    stack.context.automaticallyMergesChangesFromParent = true
    let (controller, recorder) = try stack.context.performAndWait { try stack.followed() }
    try change(stack, in: stack.container.newBackgroundContext())
    stack.context.performAndWait {
      #expect(recorder.calls == expected)
      #expect(controller.ranks == [15, 40, 50, 60])
    }
  }

  @Test(
    "an object that a later save deleted is not in the results, even if that save is merged first",
    arguments: ResultsStack.stores)
  func deletedBeforeMerge(_ store: String) throws {
    let stack = try seeded(store)
    stack.context.automaticallyMergesChangesFromParent = true
    let (controller, _) = try stack.context.performAndWait { try stack.followed() }
    let writer = stack.container.newBackgroundContext()
    let remover = stack.container.newBackgroundContext()
    // Other contexts merge a save after the observers of its notification have returned.
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { _ in
      do {
        try remover.performAndWait { () throws in
          for rank: Int32 in [15, 40] { remover.delete(try entry(rank, in: remover)) }
          try remover.save()
        }
      } catch { Issue.record(error) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try writer.performAndWait { () throws in
      stack.insert(15, in: writer)
      try entry(40, in: writer).isShown = true
      try writer.save()
    }
    stack.context.performAndWait { #expect(controller.ranks == [10, 20, 30, 50]) }
  }

  @Test("merges of a notification and of ids are followed", arguments: ResultsStack.stores)
  func merged(_ store: String) throws {
    for isRemote in [false, true] {
      let stack = try seeded(store)
      let (controller, recorder) = try stack.context.performAndWait { try stack.followed() }
      let writer = stack.container.newBackgroundContext()
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: writer)
      try change(stack, in: writer)
      let save = try #require(saves.all.first)
      if isRemote {
        let ids = (save.userInfo ?? [:]).compactMapValues { value in
          (value as? Set<NSManagedObject>)?.map(\.objectID)
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [stack.context])
      } else {
        stack.context.mergeChanges(fromContextDidSave: save)
      }
      stack.context.performAndWait {
        #expect(recorder.calls == expected)
        #expect(controller.ranks == [15, 40, 50, 60])
      }
    }
  }

  @Test(
    "a child context's results follow its parent's merges", arguments: ResultsStack.stores)
  func childOfMerging(_ store: String) throws {
    let stack = try seeded(store)
    stack.context.automaticallyMergesChangesFromParent = true
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stack.context
    child.automaticallyMergesChangesFromParent = true
    let (controller, recorder) = try child.performAndWait { try stack.followed(in: child) }
    try change(stack, in: stack.container.newBackgroundContext())
    stack.context.performAndWait {}
    child.performAndWait {
      #expect(recorder.calls == expected)
      #expect(controller.ranks == [15, 40, 50, 60])
    }
  }

  @Test("a parent's results follow a child's save; the child's follow its own changes")
  func childSaves() throws {
    let stack = try seeded(NSSQLiteStoreType)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stack.context
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      try child.performAndWait {
        let (inner, innerRecorder) = try stack.followed(in: child)
        let entries = try [10, 20, 30, 40].map { try entry($0, in: child) }
        child.delete(entries[0])
        entries[1].rank = 60
        entries[2].isShown = false
        entries[3].isShown = true
        stack.insert(15, in: child)
        child.processPendingChanges()
        #expect(innerRecorder.calls == expected)
        #expect(recorder.calls.isEmpty)
        try child.save()
        #expect(inner.ranks == [15, 40, 50, 60])
      }
      #expect(recorder.calls == expected)
      #expect(controller.ranks == [15, 40, 50, 60])
      recorder.calls = []
      try stack.context.save()
      #expect(recorder.calls.isEmpty)
    }
  }

  @Test("a rollback restores the fetched content", arguments: ResultsStack.stores)
  func rollback(_ store: String) throws {
    let stack = try seeded(store)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      let before = controller.fetchedObjects
      stack.insert(15)
      stack.context.delete(try #require(controller.entry(10)))
      try #require(controller.entry(20)).rank = 60
      try #require(controller.entry(30)).isShown = false
      stack.context.processPendingChanges()
      let withdrawn = stack.insert(1)
      stack.context.processPendingChanges()
      stack.context.delete(withdrawn)
      stack.context.rollback()
      #expect(controller.fetchedObjects == before)
      #expect(controller.ranks == [10, 20, 30, 50])
      #expect(recorder.calls.last == "did")
      recorder.calls = []
      stack.context.rollback()
      #expect(recorder.calls.isEmpty)
    }
  }

  @Test("refreshing objects is reported as updates and moves only", arguments: ResultsStack.stores)
  func refresh(_ store: String) throws {
    let stack = try seeded(store)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      stack.context.refreshAllObjects()
      #expect(recorder.changes.count == 4)
      #expect(recorder.count(.update) == 4)
      let writer = stack.container.newBackgroundContext()
      try writer.performAndWait {
        try entry(20, in: writer).rank = 60
        try writer.save()
      }
      recorder.calls = []
      stack.context.refreshAllObjects()
      #expect(recorder.count(.move) + recorder.count(.update) == recorder.changes.count)
      #expect(controller.ranks == [10, 30, 50, 60])
      let edited = try #require(controller.entry(10))
      edited.rank = 70
      stack.context.processPendingChanges()
      recorder.calls = []
      stack.context.refresh(edited, mergeChanges: false)
      #expect(recorder.calls == ["will", "move 0.3 0.0", "did"])
      #expect(controller.ranks == [10, 30, 50, 60])
    }
  }

  @Test(
    "a reset empties the results without a delegate call; the next fetch fills them",
    arguments: ResultsStack.stores)
  func reset(_ store: String) throws {
    let stack = try seeded(store)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed(sections: true)
      stack.context.reset()
      #expect(controller.fetchedObjects?.isEmpty == true)
      #expect(controller.sections?.isEmpty == true)
      stack.insert(1)
      stack.context.processPendingChanges()
      #expect(recorder.calls.isEmpty)
      #expect(controller.fetchedObjects?.isEmpty == true)
      try controller.performFetch()
      #expect(controller.ranks == [1, 10, 20, 30, 50])
    }
  }

  @Test("a new predicate takes effect at the next fetch")
  func newPredicate() throws {
    let stack = try seeded(NSSQLiteStoreType)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      controller.fetchRequest.predicate = NSPredicate(format: "rank > 25")
      stack.insert(1)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [1, 10, 20, 30, 50])
      recorder.calls = []
      try controller.performFetch()
      #expect(recorder.calls.isEmpty)
      #expect(controller.ranks == [30, 40, 50])
      stack.insert(2)
      stack.context.processPendingChanges()
      #expect(recorder.calls.isEmpty)
    }
  }

  @Test(
    "a predicate with an unsaved object is valid after the save", arguments: ResultsStack.stores)
  func unsavedName(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.context.performAndWait {
      let folder = ResultsFolder(context: stack.context)
      stack.insert(1).folder = folder
      stack.insert(2)
      for format in ["folder == %@", "folder IN {%@}"] {
        let (controller, recorder) = try stack.followed {
          $0.predicate = NSPredicate(format: format, folder)
        }
        let count = controller.ranks.count
        #expect(count > 0)
        try stack.context.save()
        #expect(recorder.calls.isEmpty)
        #expect(controller.ranks.count == count)
        stack.insert(3).folder = folder
        stack.context.processPendingChanges()
        #expect(controller.ranks.count == count + 1)
      }
    }
  }

  @Test("a limit and an offset stay exact", arguments: ResultsStack.stores)
  func window(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(6)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed {
        $0.fetchLimit = 3
        $0.fetchOffset = 1
      }
      #expect(controller.ranks == [20, 30, 40])
      stack.insert(15)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [15, 20, 30])
      #expect(recorder.calls == ["will", "delete 0.2 -", "insert - 0.0", "did"])
      stack.insert(5)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [10, 15, 20])
      stack.context.delete(try #require(controller.entry(15)))
      stack.context.processPendingChanges()
      #expect(controller.ranks == [10, 20, 30])
      recorder.calls = []
      stack.insert(99)
      stack.context.processPendingChanges()
      #expect(recorder.calls.isEmpty)
      try stack.context.save()
      #expect(controller.ranks == [10, 20, 30])
    }
  }

  @Test("results with a batch size are also followed", arguments: ResultsStack.stores)
  func batches(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(100)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed { $0.fetchBatchSize = 10 }
      #expect(controller.fetchedObjects?.count == 100)
      stack.insert(505)
      stack.context.delete(try #require(controller.entry(200)))
      try #require(controller.entry(300)).rank = 2000
      stack.context.processPendingChanges()
      #expect(
        recorder.calls == ["will", "delete 0.19 -", "insert - 0.48", "move 0.29 0.99", "did"])
    }
  }

  @Test("a released controller reports nothing")
  func released() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let recorder = ResultsRecorder()
      weak var released: NSFetchedResultsController<ResultsEntry>?
      do {
        let controller = stack.controller()
        controller.delegate = recorder
        try controller.performFetch()
        released = controller
      }
      #expect(released == nil)
      stack.insert(1)
      stack.context.processPendingChanges()
      #expect(recorder.calls.isEmpty)
    }
  }
}
