import Foundation
import OpenCoreData
import Testing

/// The content of a controller after a fetch.
@Suite("Fetched results: content")
struct ResultsContentTests {
  @Test("objects, index paths and sections match the fetch", arguments: ResultsStack.stores)
  func content(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(5, perSection: 2)
    try stack.context.performAndWait {
      let controller = stack.controller(sections: true)
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections == nil)
      try controller.performFetch()
      #expect(controller.content == ["a: 10 20", "b: 30 40", "c: 50"])
      #expect(
        controller.object(at: IndexPath(item: 0, section: 0)) === controller.fetchedObjects?[0])
      let last = try #require(controller.entry(50))
      #expect(controller.indexPath(forObject: last) == IndexPath(row: 0, section: 2))
      #expect(controller.sections?.map(\.numberOfObjects) == [2, 2, 1])
      #expect(controller.sectionIndexTitles == ["A", "B", "C"])
      #expect(controller.sections?[1].indexTitle == "B")
      #expect(controller.section(forSectionIndexTitle: "C", at: 2) == 2)
      #expect(controller.section(forSectionIndexTitle: "X", at: 9) == NSNotFound)
      #expect(controller.sectionIndexTitle(forSectionName: "") == nil)
    }
  }

  @Test("without a key path, there is one unnamed section, even if it is empty")
  func noSections() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let controller = stack.controller()
      try controller.performFetch()
      #expect(controller.content == [": "])
      let sectioned = stack.controller(sections: true)
      try sectioned.performFetch()
      #expect(sectioned.content.isEmpty)
      #expect(controller.sectionIndexTitles.isEmpty)
    }
  }

  @Test("a section's name is the text of its value, or empty for nil")
  func names() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      stack.insert(1, section: nil)
      stack.insert(2, section: "a", shown: false)
      let controller = stack.controller(sections: true) { $0.predicate = nil }
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["", "a"])
      for (path, names) in [("isShown", ["0", "1"]), ("rank", ["2", "1"])] {
        let request = NSFetchRequest<ResultsEntry>(entityName: "ResultsEntry")
        request.sortDescriptors = [NSSortDescriptor(key: "isShown", ascending: true)]
        let other = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: path,
          cacheName: "cache")
        try other.performFetch()
        #expect(other.sections?.map(\.name) == names)
        #expect(other.cacheName == "cache")
      }
      NSFetchedResultsController<ResultsEntry>.deleteCache(withName: nil)
    }
  }

  @Test(
    "names that differ only in Unicode normalization name different sections",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func compositions(_ store: String) throws {
    let (decomposed, composed) = ("e\u{301}", "\u{e9}")
    let stack = try ResultsStack(store)
    try stack.context.performAndWait {
      for (rank, name) in [(1, decomposed), (2, "f"), (3, composed)] {
        stack.insert(rank, section: name)
      }
      try stack.context.save()
      let (controller, recorder) = try stack.followed(sections: true)
      #expect(controller.ranks == [1, 2, 3])
      #expect(controller.sections?.map(\.numberOfObjects) == [1, 1, 1])
      try #require(controller.entry(1)).section = composed
      stack.context.processPendingChanges()
      #expect(controller.ranks == [2, 1, 3])
      #expect(controller.sections?.map(\.numberOfObjects) == [1, 2])
      #expect(recorder.count(.move) == 1)
      stack.insert(4, section: decomposed)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [4, 2, 1, 3])
      #expect(controller.sections?.map(\.numberOfObjects) == [1, 1, 2])
    }
  }

  @Test("nil sort descriptors are rejected; an empty list is accepted without sections")
  func sortDescriptors() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      stack.insert(1)
      #expect(throws: CocoaError.self) {
        try stack.controller { $0.sortDescriptors = nil }.performFetch()
      }
      #expect(throws: CocoaError.self) {
        try stack.controller(sections: true) { $0.sortDescriptors = [] }.performFetch()
      }
      let (controller, recorder) = try stack.followed { $0.sortDescriptors = [] }
      #expect(controller.ranks == [1])
      stack.insert(0)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [1, 0])
      #expect(recorder.calls == ["will", "insert - 0.1", "did"])
    }
  }

  @Test("misuse throws errors and does not change the content")
  func misuse() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      stack.insert(1, section: "a")
      stack.insert(2, section: "b")
      stack.insert(3, section: "a")
      let scattered = NSFetchedResultsController(
        fetchRequest: ResultsStack.request(), managedObjectContext: stack.context,
        sectionNameKeyPath: "section", cacheName: nil)
      let error = #expect(throws: CocoaError.self) { try scattered.performFetch() }
      let message = error?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
      #expect(message.contains("out of order section name 'a'"))
      #expect(scattered.fetchedObjects == nil)
      let unknown = NSFetchedResultsController(
        fetchRequest: ResultsStack.request(), managedObjectContext: stack.context,
        sectionNameKeyPath: "nothing", cacheName: nil)
      #expect(throws: CocoaError.self) { try unknown.performFetch() }
      for type in [.managedObjectIDResultType, .dictionaryResultType] as [NSFetchRequestResultType]
      {
        #expect(throws: CocoaError.self) {
          try stack.controller { $0.resultType = type }.performFetch()
        }
      }
      let controller = stack.controller()
      try controller.performFetch()
      for path in [
        IndexPath(item: 3, section: 0), IndexPath(item: 0, section: 1),
        IndexPath(item: -1, section: 0), IndexPath(), IndexPath(indexes: [0, 0, 0]),
      ] {
        #expect(controller.objectIfPresent(at: path) == nil)
      }
      controller.fetchRequest.sortDescriptors = nil
      #expect(throws: CocoaError.self) { try controller.performFetch() }
      #expect(controller.ranks == [1, 2, 3])
      let stranger = ResultsFolder(context: stack.context)
      let untyped = NSFetchedResultsController<any NSFetchRequestResult>(sharing: controller)
      #expect(untyped.indexPath(forObject: stranger) == nil)
    }
  }

  @Test("typed and untyped views of one controller are identical, with the same content")
  func faces() throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      let other = stack.controller()
      let face = NSFetchedResultsController<any NSFetchRequestResult>(sharing: controller)
      stack.insert(1)
      stack.context.processPendingChanges()
      let shown = try #require(recorder.controllers.first)
      // Outside of the macro, which would compare without types.
      let isFound = shown === controller && face === shown && !(shown !== controller)
      #expect(isFound)
      #expect(shown == controller)
      #expect(shown != other)
      #expect(face.fetchedObjects?.count == 1)
      #expect(face.delegate === recorder)
    }
  }

  @Test(
    "without a delegate, the results do not change; a delegate set later follows from then on"
  )
  func untracked() throws {
    let stack = try ResultsStack()
    try stack.seed(3)
    try stack.context.performAndWait {
      let controller = stack.controller()
      try controller.performFetch()
      stack.insert(5)
      let moved = try #require(controller.entry(10))
      moved.rank = 25
      stack.context.delete(try #require(controller.entry(30)))
      stack.context.processPendingChanges()
      #expect(controller.fetchedObjects?.count == 3)
      let recorder = ResultsRecorder()
      controller.delegate = recorder
      #expect(controller.ranks == [20, 25])
      recorder.mirror(controller)
      moved.rank = 1
      stack.context.processPendingChanges()
      #expect(recorder.calls == ["will", "move 0.1 0.0", "did"])
      #expect(controller.ranks == [1, 20])
    }
  }

  @Test("a change that is pending when the delegate is set is reported as a move")
  func pendingChange() throws {
    let stack = try ResultsStack()
    try stack.seed(3)
    try stack.context.performAndWait {
      let controller = stack.controller()
      try controller.performFetch()
      try #require(controller.entry(10)).rank = 25
      let recorder = ResultsRecorder()
      controller.delegate = recorder
      recorder.mirror(controller)
      stack.context.processPendingChanges()
      #expect(recorder.calls == ["will", "move 0.0 0.1", "did"])
      #expect(controller.ranks == [20, 25, 30])
    }
  }
}
