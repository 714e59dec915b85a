import Foundation
import Observation
import OpenCoreData
import Testing

/// Snapshots, differences, sequences and observed results.
@Suite("Fetched results: snapshots")
struct ResultsSnapshotTests {
  private final class SnapshotDelegate: NSFetchedResultsControllerDelegate {
    var snapshots: [FetchedResultsSnapshot] = []
    var otherCalls = 0

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChangeContentWith snapshot: FetchedResultsSnapshot
    ) {
      snapshots.append(snapshot)
    }

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      otherCalls += 1
    }
  }

  private final class DifferenceDelegate: NSFetchedResultsControllerDelegate {
    var ids: [NSManagedObjectID] = []
    var differences: [CollectionDifference<NSManagedObjectID>] = []
    var otherCalls = 0

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
      ids = ids.applying(diff) ?? []
      differences.append(diff)
    }

    func controllerWillChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      otherCalls += 1
    }
  }

  @Test(
    "a snapshot delegate receives snapshots after fetches and changes, and no other calls",
    arguments: ResultsStack.stores)
  func snapshots(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(4, perSection: 2)
    try stack.context.performAndWait {
      let controller = stack.controller(sections: true)
      let delegate = SnapshotDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      let first = try #require(delegate.snapshots.last)
      #expect(first.sectionIdentifiers == ["a", "b"])
      #expect(first.itemIdentifiers == controller.fetchedObjects?.map(\.objectID))
      #expect(first.itemIdentifiers(inSection: "b").count == 2)
      #expect(first.itemIdentifiers(inSection: "x").isEmpty)
      #expect((first.numberOfSections, first.numberOfItems) == (2, 4))
      #expect(first.reloadedItemIdentifiers.isEmpty)
      let entry = try #require(controller.entry(20))
      entry.rank = 5
      let added = stack.insert(15, section: "a")
      stack.context.processPendingChanges()
      #expect(delegate.snapshots.count == 2)
      #expect(delegate.snapshots.last?.reloadedItemIdentifiers == [entry.objectID])
      #expect(delegate.snapshots.last?.itemIdentifiers.contains(added.objectID) == true)
      #expect(added.objectID.isTemporaryID)
      try stack.context.save()
      #expect(delegate.snapshots.count == 3)
      #expect(
        delegate.snapshots.last?.itemIdentifiers == controller.fetchedObjects?.map(\.objectID))
      #expect(delegate.snapshots.last?.itemIdentifiers.contains { $0.isTemporaryID } == false)
      try stack.context.save()
      #expect(delegate.snapshots.count == 3)
      #expect(delegate.otherCalls == 0)
    }
  }

  @Test("a delegate set after the fetch gets the old content before the first change")
  func lateDelegate() throws {
    let stack = try ResultsStack()
    try stack.seed(2)
    try stack.context.performAndWait {
      let controller = stack.controller()
      try controller.performFetch()
      let delegate = SnapshotDelegate()
      controller.delegate = delegate
      #expect(delegate.snapshots.isEmpty)
      stack.insert(1)
      stack.context.processPendingChanges()
      #expect(delegate.snapshots.map(\.numberOfItems) == [2, 3])
      #expect(delegate.otherCalls == 0)
    }
  }

  @Test(
    "a delegate can apply each difference, also if ids become permanent",
    arguments: ResultsStack.stores)
  func differences(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(6)
    try stack.context.performAndWait {
      let controller = stack.controller()
      let delegate = DifferenceDelegate()
      controller.delegate = delegate
      try controller.performFetch()
      delegate.ids = (controller.fetchedObjects ?? []).map(\.objectID)
      func check() {
        #expect(delegate.ids == controller.fetchedObjects?.map(\.objectID))
        #expect(delegate.ids.count == controller.fetchedObjects?.count)
      }
      stack.insert(15)
      stack.context.delete(try #require(controller.entry(20)))
      try #require(controller.entry(30)).rank = 100
      try #require(controller.entry(40)).section = "x"
      stack.context.processPendingChanges()
      check()
      let difference = try #require(delegate.differences.last)
      #expect((difference.insertions.count, difference.removals.count) == (3, 3))
      try stack.context.save()
      check()
      #expect(delegate.otherCalls == 0)
    }
  }

  @Test(
    "the sequence of a request yields the content and each change, and ends on cancellation")
  func sequence() async throws {
    let stack = try ResultsStack()
    try stack.seed(3)
    let snapshots = stack.context.snapshots(of: ResultsStack.request())
    let (counts, send) = AsyncStream<Int>.makeStream()
    let task = Task {
      for try await snapshot in snapshots { send.yield(snapshot.numberOfItems) }
      send.finish()
    }
    var received = counts.makeAsyncIterator()
    #expect(await received.next() == 3)
    stack.context.performAndWait {
      stack.insert(1)
      stack.context.processPendingChanges()
    }
    #expect(await received.next() == 4)
    task.cancel()
    #expect(await received.next() == nil)
    try await task.value
  }

  @Test("a slow task receives the newest snapshot, with all changes since its last one")
  func newest() async throws {
    let stack = try ResultsStack()
    try stack.seed(3)
    let controller = stack.controller()
    try stack.context.performAndWait { try controller.performFetch() }
    var iterator = controller.snapshots.makeAsyncIterator()
    #expect(try await iterator.next()?.numberOfItems == 3)
    let changed = try stack.context.performAndWait {
      let entries = try #require(controller.fetchedObjects)
      for entry in entries.prefix(2) {
        entry.section = "x"
        stack.context.processPendingChanges()
      }
      stack.insert(1)
      stack.context.processPendingChanges()
      return entries.prefix(2).map(\.objectID)
    }
    let snapshot = try #require(try await iterator.next())
    #expect(snapshot.numberOfItems == 4)
    #expect(snapshot.reloadedItemIdentifiers == changed)
    stack.context.performAndWait { stack.context.reset() }
    #expect(try await iterator.next()?.numberOfItems == 0)
  }

  @Test("the sequence of a request fetches again after a reset of the context")
  func sequenceAfterReset() async throws {
    let stack = try ResultsStack()
    try stack.seed(3)
    var iterator = stack.context.snapshots(of: ResultsStack.request()).makeAsyncIterator()
    #expect(try await iterator.next()?.numberOfItems == 3)
    stack.context.performAndWait { stack.context.reset() }
    let count = try await iterator.next()?.numberOfItems
    try #require(count == 3)
    stack.context.performAndWait {
      stack.insert(1)
      stack.context.processPendingChanges()
    }
    #expect(try await iterator.next()?.numberOfItems == 4)
  }

  @Test("the sequence of a request that cannot be fetched throws")
  func failingSequence() async throws {
    let stack = try ResultsStack()
    let request = ResultsStack.request()
    request.sortDescriptors = nil
    var iterator = stack.context.snapshots(of: request).makeAsyncIterator()
    await #expect(throws: CocoaError.self) { try await iterator.next() }
  }

  @Test("observed results show the objects and report each change")
  @MainActor func observed() throws {
    let stack = try ResultsStack(mainQueue: true)
    try stack.seed(3, perSection: 2)
    let results = try ObservedResults(
      ResultsStack.request(sections: true), in: stack.context, sectionNameKeyPath: "section")
    #expect(results.objects.map(\.rank) == [10, 20, 30])
    #expect(results.sections.map(\.id) == ["a", "b"])
    let flag = ObservedFlag()
    withObservationTracking {
      _ = results.objects
    } onChange: {
      flag.isSet = true
    }
    stack.insert(15, section: "a")
    #expect(!flag.isSet)
    stack.context.processPendingChanges()
    #expect(flag.isSet)
    #expect(results.sections.first?.objects.map(\.rank) == [10, 15, 20])
    results.request.predicate = NSPredicate(format: "rank < 12")
    try results.fetch()
    #expect(results.objects.map(\.rank) == [10])
    #expect(throws: CocoaError.self) {
      try ObservedResults(ResultsStack.request(), in: stack.container.newBackgroundContext())
    }
  }

  @Test("a reset of the context empties observed results and reports the change")
  @MainActor func observedReset() throws {
    let stack = try ResultsStack(mainQueue: true)
    try stack.seed(3, perSection: 2)
    let results = try ObservedResults(
      ResultsStack.request(sections: true), in: stack.context, sectionNameKeyPath: "section")
    let flag = ObservedFlag()
    withObservationTracking {
      _ = results.sections
    } onChange: {
      flag.isSet = true
    }
    stack.context.reset()
    #expect(flag.isSet)
    #expect(results.objects.isEmpty)
    #expect(results.sections.isEmpty)
    try results.fetch()
    #expect(results.objects.map(\.rank) == [10, 20, 30])
  }
}

/// Set on the main thread.
private final class ObservedFlag: @unchecked Sendable {
  // Set and read only on the main thread.
  var isSet = false
}
