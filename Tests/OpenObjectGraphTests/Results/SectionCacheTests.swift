import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// Sections cached on disk under `cacheName`, as documented for `NSFetchedResultsController`.
@Suite("Fetched results: cached sections", .serialized)
final class SectionCacheTests {
  private let name = "Sections/\(UUID().uuidString)"
  private let stack: ResultsStack

  init() throws {
    stack = try ResultsStack()
    try stack.seed(2000, perSection: 200)
  }

  deinit { NSFetchedResultsController<ResultsEntry>.deleteCache(withName: name) }

  /// Fetches in a new context, as in a restarted program.
  ///
  /// - Returns: The content, and the number of objects that had their values before the first
  ///   access.
  private func fetch(
    cache: String?, batchSize: Int = 20, _ adjust: (NSFetchRequest<ResultsEntry>) -> Void = { _ in }
  ) throws -> (content: [String], read: Int) {
    let context = stack.container.newBackgroundContext()
    return try context.performAndWait {
      let controller = stack.controller(sections: true, in: context, cache: cache) {
        $0.fetchBatchSize = batchSize
        adjust($0)
      }
      try controller.performFetch()
      let read = controller.fetchedObjects?.count { !$0.isFault } ?? 0
      return (controller.content, read)
    }
  }

  private func fetch(
    batchSize: Int = 20, _ adjust: (NSFetchRequest<ResultsEntry>) -> Void = { _ in }
  ) throws -> (content: [String], read: Int) {
    try fetch(cache: name, batchSize: batchSize, adjust)
  }

  /// The results of a controller without a cache.
  private func fresh(
    _ adjust: (NSFetchRequest<ResultsEntry>) -> Void = { _ in }
  ) throws -> [String] { try fetch(cache: nil, adjust).content }

  @Test("cached sections avoid reading the rows, and are the same sections")
  func kept() throws {
    let expected = try fresh()
    #expect(try fetch() == (expected, 2000))
    let second = try fetch()
    #expect(second.content == expected)
    #expect((20...400).contains(second.read), "rows of batches that a section begins or ends in")
  }

  @Test("cached sections that no longer match the store's rows are detected")
  func changed() throws {
    var numbers = SeededNumbers(seed: 20_261)
    _ = try fetch()
    for round in 0..<40 {
      let writer = stack.container.newBackgroundContext()
      try writer.performAndWait {
        let entries = try writer.fetch(ResultsStack.request())
        for _ in 0...numbers.below(3) {
          let entry = entries[numbers.below(entries.count)]
          switch numbers.below(4) {
          case 0: entry.section = numbers.section
          case 1: entry.rank = Int32(numbers.below(1000))
          case 2: entry.isShown = false
          default: stack.insert(numbers.below(1000), section: numbers.section, in: writer)
          }
        }
        try writer.save()
      }
      #expect(try fetch().content == (try fresh()), "round \(round)")
    }
  }

  @Test("the cached sections of another request or order are not used")
  func otherRequest() throws {
    let whole = try fetch()
    let isHigh = NSPredicate(format: "rank > 5000")
    #expect(try fetch { $0.predicate = isHigh }.content == (try fresh { $0.predicate = isHigh }))
    let descending = try fetch {
      $0.sortDescriptors?[0] = NSSortDescriptor(key: "section", ascending: false)
    }
    #expect(descending.content == whole.content.reversed())
    #expect(try fetch().content == whole.content)
  }

  @Test("registered, changed objects are in the sections of their values")
  func unsaved() throws {
    _ = try fetch()
    let context = stack.container.newBackgroundContext()
    try context.performAndWait {
      let entry = try #require(try context.fetch(ResultsStack.request()).first)
      entry.section = "b"
      let controller = stack.controller(sections: true, in: context, cache: name) {
        $0.fetchBatchSize = 20
      }
      try controller.performFetch()
      #expect(controller.sections?.map(\.numberOfObjects).prefix(2) == [199, 201])
    }
  }

  @Test("results from cached sections follow changes")
  func followed() throws {
    _ = try fetch()
    let context = stack.container.newBackgroundContext()
    try context.performAndWait {
      let controller = stack.controller(sections: true, in: context, cache: name) {
        $0.fetchBatchSize = 20
      }
      let recorder = ResultsRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      recorder.mirror(controller)
      let entry = try #require(controller.objectIfPresent(at: IndexPath(item: 100, section: 4)))
      entry.section = "z"
      context.processPendingChanges()
      #expect(controller.sections?.map(\.numberOfObjects)[4] == 199)
      #expect(controller.sections?.last?.name == "z")
      #expect(recorder.count(.move) == 1)
    }
  }

  @Test("a request without a batch size caches nothing, and deleted sections are reread")
  func deleted() throws {
    _ = try fetch(batchSize: 0)
    #expect(try fetch().read == 2000)
    #expect(try fetch().read < 2000)
    NSFetchedResultsController<ResultsEntry>.deleteCache(withName: name)
    #expect(try fetch().read == 2000)
    #expect(try fetch().read < 2000)
    NSFetchedResultsController<ResultsEntry>.deleteCache(withName: nil)
    #expect(try fetch().read == 2000)
  }

  @Test(
    "a damaged file is ignored", arguments: ["", "{", "[]", "[{\"name\":\"a\",\"count\":-3}]"])
  func damaged(_ text: String) throws {
    let expected = try fetch()
    let folder = UserFolders.cache.appendingPathComponent(ProcessInfo.processInfo.processName)
      .appendingPathComponent("SectionCaches")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try Data(text.utf8).write(to: folder.appendingPathComponent(file))
    }
    #expect(try fetch().content == expected.content)
  }
}
