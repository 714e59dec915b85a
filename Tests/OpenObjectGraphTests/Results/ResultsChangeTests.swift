import Foundation
import OpenCoreData
import Testing

/// The changes of the context itself that delegates receive.
@Suite("Fetched results: changes")
struct ResultsChangeTests {
  @Test(
    "one event of six changes is reported by six calls between will and did",
    arguments: ResultsStack.stores)
  func sixCallbacks(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(6)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      stack.insert(15)
      stack.insert(70)
      stack.context.delete(try #require(controller.entry(20)))
      try #require(controller.entry(30)).rank = 100
      try #require(controller.entry(40)).section = "x"
      try #require(controller.entry(50)).section = "y"
      _ = ResultsFolder(context: stack.context)
      #expect(recorder.calls.isEmpty)
      stack.context.processPendingChanges()
      #expect(
        recorder.calls == [
          "will", "delete 0.1 -", "insert - 0.1", "insert - 0.5", "move 0.2 0.6",
          "update 0.3 0.2", "update 0.4 0.3", "did",
        ])
      #expect(controller.ranks == [10, 15, 40, 50, 60, 70, 100])
      #expect(controller.object(at: [0, 0]) === controller.fetchedObjects?.first)
      recorder.calls = []
      stack.context.processPendingChanges()
      try stack.context.save()
      #expect(recorder.calls.isEmpty)
    }
  }

  @Test(
    "section changes precede object changes but follow deletions, and show the contents at that time",
    arguments: ResultsStack.stores)
  func sections(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(5, perSection: 2)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed(sections: true)
      try #require(controller.entry(10)).section = "bb"
      stack.context.delete(try #require(controller.entry(20)))
      try #require(controller.entry(50)).isShown = false
      stack.context.processPendingChanges()
      #expect(
        recorder.calls == [
          "will", "delete 0.1 -", "delete 2.0 -", "delete section a at 0",
          "delete section c at 2", "insert section bb at 1", "move 0.0 1.0", "did",
        ])
      #expect(recorder.sectionCounts == ["delete a": 0, "delete c": 0, "insert bb": 1])
      #expect(controller.content == ["b: 30 40", "bb: 10"])
      recorder.calls = []
      for entry in controller.fetchedObjects ?? [] { entry.section = "z" }
      stack.context.processPendingChanges()
      #expect(controller.content == ["z: 10 30 40"])
      #expect(recorder.count(.move) == 3)
    }
  }

  @Test(
    "a section whose rows all change order is reported as deleted and inserted only if its place changed"
  )
  func refilledSections() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      for (rank, section) in [(10, "a"), (20, "b"), (30, "c")] {
        stack.insert(rank, section: section)
      }
      let request = ResultsStack.request()
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "section",
        cacheName: nil)
      let recorder = ResultsRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      recorder.mirror(controller)
      try #require(controller.entry(10)).rank = 15
      stack.context.processPendingChanges()
      #expect(recorder.calls == ["will", "update 0.0 0.0", "did"])
      recorder.calls = []
      try #require(controller.entry(15)).rank = 25
      stack.context.processPendingChanges()
      #expect(
        recorder.calls == [
          "will", "delete section a at 0", "insert section a at 1", "move 0.0 1.0", "did",
        ])
      recorder.calls = []
      for entry in controller.fetchedObjects ?? [] { entry.rank = 100 - entry.rank }
      stack.context.processPendingChanges()
      #expect(controller.content == ["c: 70", "a: 75", "b: 80"])
    }
  }

  @Test("a section is the same object until its objects change")
  func sectionIdentity() throws {
    let stack = try ResultsStack()
    try stack.seed(4, perSection: 2)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed(sections: true)
      let before = try #require(controller.sections)
      #expect(try #require(controller.sections).elementsEqual(before, by: ===))
      stack.context.delete(try #require(controller.entry(10)))
      stack.context.processPendingChanges()
      let after = try #require(controller.sections)
      #expect(after[0] !== before[0])
      #expect(after[1] === before[1])
      #expect(before.map(\.numberOfObjects) == [2, 2])
      #expect(after.map(\.numberOfObjects) == [1, 2])
      #expect(recorder.count(.delete) == 1)
    }
  }

  @Test("setting an equal value is reported as an update, as Awful's tickling expects")
  func tickle() throws {
    let stack = try ResultsStack()
    try stack.seed(2)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      let entry = try #require(controller.entry(20))
      entry.section = entry.section
      stack.context.processPendingChanges()
      #expect(recorder.calls == ["will", "update 0.1 0.1", "did"])
    }
  }

  @Test("an object whose value changes without passing another one is updated, not moved")
  func staysInPlace() throws {
    let stack = try ResultsStack()
    try stack.seed(4)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      let entries = try #require(controller.fetchedObjects)
      stack.context.delete(entries[0])
      entries[2].rank = 35
      stack.context.processPendingChanges()
      #expect(recorder.calls == ["will", "delete 0.0 -", "update 0.2 0.1", "did"])
    }
  }

  @Test("moves are the fewest: one row that passes many moves alone")
  func fewestMoves() throws {
    let stack = try ResultsStack()
    try stack.seed(6)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      for (index, entry) in (controller.fetchedObjects ?? []).enumerated() {
        entry.rank = index == 0 ? 1000 : Int32(index)
      }
      stack.context.processPendingChanges()
      #expect(recorder.count(.move) == 1)
      #expect(recorder.count(.update) == 5)
    }
  }

  @Test("rows with equal sort values keep their original order")
  func ties() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed {
        $0.sortDescriptors = [NSSortDescriptor(key: "isShown", ascending: true)]
      }
      let entries = (0..<20).map { number in
        defer { stack.context.processPendingChanges() }
        return stack.insert(number)
      }
      #expect(controller.fetchedObjects == entries)
      recorder.calls = []
      entries[7].rank = 99
      stack.context.processPendingChanges()
      #expect(recorder.calls == ["will", "update 0.7 0.7", "did"])
    }
  }

  @Test("comparators and block predicates are also followed")
  func inMemory() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed { request in
        request.predicate = NSPredicate { object, _ in (object as? ResultsEntry)?.isShown == true }
        request.sortDescriptors = [
          NSSortDescriptor(key: "rank", ascending: true) { one, other in
            let (one, other) = (one as? Int32 ?? 0, other as? Int32 ?? 0)
            return one == other
              ? .orderedSame
              : abs(one - 50) < abs(other - 50) ? .orderedAscending : .orderedDescending
          }
        ]
      }
      for rank in [10, 60, 48, 90] { stack.insert(rank) }
      stack.insert(50, shown: false)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [48, 60, 10, 90] || controller.ranks == [48, 60, 90, 10])
      try #require(controller.entry(60)).rank = 51
      stack.context.processPendingChanges()
      #expect(controller.ranks.prefix(2) == [51, 48])
      #expect(recorder.count(.move) == 1)
    }
  }

  @Test("order over a to-one relationship; subentities are included unless excluded")
  func relationships() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let folders = (0..<2).map { index in
        let folder = ResultsFolder(context: stack.context)
        folder.index = Int32(index)
        return folder
      }
      let one = stack.insert(1)
      let other = stack.insert(2)
      (one.folder, other.folder) = (folders[0], folders[1])
      let sort = ["folder.index", "rank"].map { NSSortDescriptor(key: $0, ascending: true) }
      let (controller, recorder) = try stack.followed { $0.sortDescriptors = sort }
      let (narrow, narrowRecorder) = try stack.followed { $0.includesSubentities = false }
      one.folder = folders[1]
      other.folder = folders[0]
      stack.context.processPendingChanges()
      #expect(controller.ranks == [2, 1])
      #expect(recorder.count(.move) + recorder.count(.update) == 2)
      let special = ResultsSpecialEntry(context: stack.context)
      special.isShown = true
      special.rank = 9
      narrowRecorder.calls = []
      stack.context.processPendingChanges()
      #expect(Set(controller.ranks) == [1, 2, 9])
      #expect(narrow.ranks == [1, 2])
      #expect(narrowRecorder.calls.isEmpty)
    }
  }

  @Test("an object that was inserted and deleted before a save leaves the results")
  func withdrawn() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      let entry = stack.insert(1)
      stack.context.processPendingChanges()
      stack.context.delete(entry)
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects?.isEmpty == true)
      recorder.calls = []
      stack.context.delete(stack.insert(2))
      stack.context.processPendingChanges()
      #expect(recorder.calls.isEmpty)
    }
  }

  /// A delegate that changes, fetches or resets during a call.
  private final class Meddler: NSFetchedResultsControllerDelegate {
    var calls: [String] = []
    var meddle: (() throws -> Void)?

    private func note(_ call: String) {
      calls.append(call)
      let work = meddle
      meddle = nil
      // A failure is visible in the content.
      try? work?()
    }

    func controllerWillChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      note("will")
    }

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      note("did")
    }
  }

  @Test("a delegate can change the context, fetch and reset during a call")
  func meddling() throws {
    let stack = try ResultsStack()
    try stack.seed(3)
    try stack.context.performAndWait {
      let context = stack.context
      let controller = stack.controller()
      let delegate = Meddler()
      controller.delegate = delegate
      try controller.performFetch()
      delegate.meddle = {
        for entry in controller.fetchedObjects ?? [] { context.delete(entry) }
        context.processPendingChanges()
      }
      stack.insert(15)
      context.processPendingChanges()
      #expect(delegate.calls == ["will", "did", "will", "did"])
      #expect(controller.ranks == [15])
      delegate.meddle = { try controller.performFetch() }
      stack.insert(16)
      context.processPendingChanges()
      #expect(controller.ranks == [15, 16])
      delegate.meddle = { context.reset() }
      stack.insert(17)
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.isEmpty == true)
    }
  }
}
