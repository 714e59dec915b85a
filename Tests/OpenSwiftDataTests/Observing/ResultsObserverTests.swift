import Foundation
import Observation
import OpenSwiftData
import Synchronization
import Testing

/// An actor that retains its observers.
private actor Watcher {
  private var results: ResultsObserver<Note, Never>?
  private var history: HistoryObserver?

  func observe(_ container: ModelContainer) throws {
    results = try ResultsObserver<Note, Never>(modelContainer: container)
    history = try HistoryObserver(modelContainer: container)
  }
}

@Suite("Results observers")
@MainActor
struct ResultsObserverTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func insert(_ titles: String..., in other: ModelContext? = nil) throws {
    let context = other ?? context
    for title in titles { context.insert(Note(title: title)) }
    try context.save()
  }

  private func titles(_ observer: ResultsObserver<Note, some Hashable>) -> [String] {
    observer.results.map(\.title)
  }

  // MARK: Results

  @Test("results contain the existing models, filtered and sorted")
  func content() throws {
    try insert("c", "a", "b")
    let observer = try ResultsObserver<Note, Never>(
      filterBy: #Predicate { $0.title != "b" }, sortBy: [SortDescriptor(\.title)],
      modelContext: context)
    #expect(titles(observer) == ["a", "c"])
    #expect(observer.sections == nil)
    #expect(observer.sectionBy == nil)
    #expect(observer.element(at: IndexPath(indexes: [0, 0])) == nil)
    #expect(observer.modelContext === context)
  }

  @Test("results follow unsaved changes of their context")
  func ownChanges() throws {
    try insert("b")
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: context)
    let note = Note(title: "a")
    context.insert(note)
    #expect(titles(observer) == ["a", "b"])
    note.title = "c"
    #expect(titles(observer) == ["b", "c"])
    context.delete(note)
    context.processPendingChanges()
    #expect(titles(observer) == ["b"])
  }

  @Test("results follow the saves of other contexts")
  func otherContexts() throws {
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: context)
    #expect(titles(observer).isEmpty)
    let other = ModelContext(container)
    try insert("a", "b", in: other)
    #expect(titles(observer) == ["a", "b"])
    try other.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)]))[0].title = "z"
    try other.save()
    #expect(titles(observer) == ["b", "z"])
  }

  @Test("results and fetches of the main context include another context's latest save")
  func mainContext() throws {
    try insert("a")
    let main = container.mainContext
    let note = try #require(try main.fetch(FetchDescriptor<Note>()).first)
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: main)
    #expect(titles(observer) == ["a"])
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Note>()).first)
    same.title = "c"
    try insert("b", in: other)
    #expect(titles(observer) == ["b", "c"])
    #expect(note.title == "c")
    same.count = 9
    try other.save()
    let changed = FetchDescriptor<Note>(predicate: #Predicate { $0.count == 9 })
    #expect(try main.fetch(changed).first === note)
    #expect(note.count == 9)
  }

  @Test("an observer of a container has its own context")
  func ownContext() throws {
    try insert("a")
    let observer = try ResultsObserver<Note, Never>(modelContainer: container)
    #expect(titles(observer) == ["a"])
    #expect(observer.modelContext !== context)
  }

  @Test("a limit stays exact")
  func limit() throws {
    var descriptor = FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)])
    descriptor.fetchLimit = 2
    let observer = try ResultsObserver<Note, Never>(
      fetchDescriptor: descriptor, modelContext: context)
    try insert("c", "b", "a")
    #expect(titles(observer) == ["a", "b"])
  }

  @Test("models with equal sort values keep their order, with new models last (D-362)")
  func equalValues() throws {
    try insert("b", "a")
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.count)], modelContext: context)
    let before = titles(observer)
    #expect(before.sorted() == ["a", "b"])
    try insert("0", in: ModelContext(container))
    #expect(titles(observer) == before + ["0"])
    observer.results[0].title = "z"
    #expect(titles(observer) == ["z", before[1], "0"])
  }

  // MARK: What is fetched

  @Test("setting the filter or the order fetches at once")
  func newDescriptor() throws {
    try insert("a", "b", "c")
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: context)
    observer.filterBy = #Predicate { $0.title != "b" }
    #expect(titles(observer) == ["a", "c"])
    observer.sortBy = [SortDescriptor(\.title, order: .reverse)]
    #expect(titles(observer) == ["c", "a"])
    #expect(observer.fetchDescriptor.predicate != nil)
    try insert("d")
    #expect(titles(observer) == ["d", "c", "a"])
  }

  // MARK: Sections

  @Test("sections group the results by a property")
  func sections() throws {
    for (title, count) in [("b", 1), ("a", 2), ("b", 3)] {
      let note = Note(title: title)
      note.count = count
      context.insert(note)
    }
    try context.save()
    let observer = try ResultsObserver<Note, String>(
      sortBy: [SortDescriptor(\.count, order: .reverse)], sectionBy: \.title,
      modelContext: context)
    let sections = try #require(observer.sections)
    #expect(sections.sectionTitles == ["a", "b"])
    #expect(sections.map { $0.map(\.count) } == [[2], [3, 1]])
    #expect(sections[sectionTitle: "b"]?.id == "b")
    #expect(sections[sectionTitle: "c"] == nil)
    #expect(sections.contains(sectionTitle: "a"))
    #expect(sections.index(ofSectionTitled: "b") == 1)
    let last = try #require(observer.element(at: IndexPath(indexes: [1, 1])))
    #expect(last.count == 1)
    #expect(observer.indexPath(for: last) == IndexPath(indexes: [1, 1]))
    #expect(observer.element(at: IndexPath(indexes: [1, 2])) == nil)
    #expect(observer.element(at: IndexPath(indexes: [2, 0])) == nil)
    last.title = "c"
    #expect(observer.sections?.sectionTitles == ["a", "b", "c"])
    #expect(observer.indexPath(for: last) == IndexPath(indexes: [2, 0]))
  }

  @Test("sections can be in descending order")
  func descendingSections() throws {
    try insert("a", "b")
    let observer = try ResultsObserver<Note, String>(
      sortBy: [SortDescriptor(\.title, order: .reverse)], sectionBy: \.title,
      modelContext: context)
    #expect(observer.sections?.sectionTitles == ["b", "a"])
  }

  // MARK: Observation

  @Test("reading results is tracked by Observation")
  func observation() throws {
    let observer = try ResultsObserver<Note, Never>(modelContext: context)
    let changes = Mutex(0)
    withObservationTracking {
      _ = observer.results
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    context.insert(Note(title: "a"))
    context.processPendingChanges()
    #expect(changes.withLock { $0 } == 1)
  }

  @Test("updates yield the current results, and the results after each change")
  func updates() async throws {
    try insert("a")
    let observer = try ResultsObserver<Note, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: context)
    var iterator = observer.updates.makeAsyncIterator()
    #expect(await iterator.next(isolation: #isolation)?.map(\.title) == ["a"])
    try insert("b")
    #expect(await iterator.next(isolation: #isolation)?.map(\.title) == ["a", "b"])
    try insert("c", in: ModelContext(container))
    #expect(await iterator.next(isolation: #isolation)?.map(\.title) == ["a", "b", "c"])
  }

  @Test("updates do not repeat the results of a change that the previous results include")
  func repeatedUpdates() async throws {
    let observer = try ResultsObserver<Note, Never>(modelContext: context)
    let counts = try await Task {
      // The observer merges this save when the first results are read.
      try insert("a", in: ModelContext(container))
      var iterator = observer.updates.makeAsyncIterator()
      let first = await iterator.next(isolation: #isolation)?.count
      // In a canceled task, the sequence has only the elements for changes that have happened.
      withUnsafeCurrentTask { $0?.cancel() }
      let second = await iterator.next(isolation: #isolation)?.count
      return [first, second]
    }.value
    #expect(counts == [1, nil])
  }

  @Test(
    "an actor that retains its observers is deallocated with its last reference",
    .timeLimit(.minutes(30)))
  func owningActor() async throws {
    weak var released: Watcher?
    do {
      let watcher = Watcher()
      try await watcher.observe(container)
      released = watcher
    }
    // The first read of the history retains the actor.
    while released != nil { await Task.yield() }
  }

  // MARK: Errors

  @Test("a condition that is not supported is the same error as in a fetch")
  func unsupportedCondition() throws {
    var descriptor = FetchDescriptor<Note>(
      predicate: #Predicate { $0.title.contains(/[0-9]/) }, sortBy: [SortDescriptor(\.count)])
    descriptor.allowsEvaluationInMemory = false
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try ResultsObserver<Note, Never>(fetchDescriptor: descriptor, modelContext: context)
    }
    descriptor.predicate = nil
    let observer = try ResultsObserver<Note, Never>(
      fetchDescriptor: descriptor, modelContext: context)
    observer.filterBy = #Predicate { $0.title.contains(/[0-9]/) }
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.save() }
  }
}
