import Foundation
import OpenObjectGraph
import OpenSwiftData
import Testing

@ModelActor
actor Librarian {
  func add(_ titles: [String]) throws -> [PersistentIdentifier] {
    let books = titles.map { Book(isbn: $0, title: $0) }
    books.forEach { modelContext.insert($0) }
    try modelContext.save()
    return books.map(\.persistentModelID)
  }

  func title(of id: PersistentIdentifier) -> String? { self[id, as: Book.self]?.title }

  func isOnMainThread() -> Bool { Foundation.Thread.isMainThread }

  func keep(_ id: PersistentIdentifier) -> Int {
    kept = self[id, as: Book.self]
    return kept?.pageCount ?? 0
  }

  var kept: Book?
  var keptPageCount: Int { kept?.pageCount ?? 0 }
}

/// An actor with an executor that existed before the actor.
actor Archivist: ModelActor {
  nonisolated let modelExecutor: any ModelExecutor
  nonisolated let modelContainer: ModelContainer

  init(_ executor: DefaultSerialModelExecutor, of container: ModelContainer) {
    modelExecutor = executor
    modelContainer = container
  }

  func pageCount(of id: PersistentIdentifier) -> Int? { self[id, as: Book.self]?.pageCount }

  func isOnMainQueue() -> Bool { MainQueue.isCurrent }
}

@Suite("Model actors")
struct ActorTests {
  @Test("an actor uses its own context, off the main thread")
  @MainActor
  func work() async throws {
    let container = try Library.container()
    let librarian = Librarian(modelContainer: container)
    let ids = try await librarian.add(["a", "b"])
    #expect(await !librarian.isOnMainThread())
    #expect(await librarian.title(of: ids[1]) == "b")
    let context = container.mainContext
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    #expect(books.map(\.persistentModelID) == ids)
  }

  @Test("an actor's models have the values that other contexts saved")
  func takingOver() async throws {
    let container = try Library.container()
    let librarian = Librarian(modelContainer: container)
    let ids = try await librarian.add(["a"])
    #expect(await librarian.keep(ids[0]) == 100)
    do {
      let context = ModelContext(container)
      let book = try #require(context.model(for: ids[0]) as? Book)
      book.pageCount = 7
      try context.save()
    }
    #expect(await librarian.keptPageCount == 7)
  }

  @Test("identifiers that no store contains return no model")
  func missing() async throws {
    let librarian = Librarian(modelContainer: try Library.container())
    let stranger = try PersistentIdentifier.identifier(
      for: "another store", entityName: "Book", primaryKey: "p1")
    #expect(await librarian.title(of: stranger) == nil)
    let other = Librarian(modelContainer: try Library.container())
    for id in try await other.add(["b"]) { #expect(await librarian.title(of: id) == nil) }
    // The save does not throw.
    let ids = try await librarian.add(["a"])
    let context = ModelContext(librarian.modelContainer)
    try context.delete(model: Book.self)
    try context.save()
    #expect(await librarian.title(of: ids[0]) == nil)
  }

  @Test("the main context saves automatically")
  @MainActor
  func autosave() async throws {
    let container = try Library.container()
    let context = container.mainContext
    #expect(context.autosaveEnabled)
    context.insert(Book(isbn: "1", title: "a"))
    let other = ModelContext(container)
    #expect(!other.autosaveEnabled)
    for _ in 0..<1000 where context.hasChanges { await Task.yield() }
    #expect(!context.hasChanges)
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test("the executor of a main context runs jobs on the main queue")
  @MainActor
  func executorOfMainContext() async throws {
    let container = try Library.container()
    let book = Book(isbn: "1", title: "a")
    container.mainContext.insert(book)
    try container.mainContext.save()
    let executor = DefaultSerialModelExecutor(modelContext: container.mainContext)
    let archivist = Archivist(executor, of: container)
    #expect(await archivist.pageCount(of: book.persistentModelID) == 100)
    #expect(await archivist.isOnMainQueue())
    book.pageCount = 7
    #expect(await archivist.pageCount(of: book.persistentModelID) == 7)
  }

  @Test("the context of a new executor merges the saves that waited for the context's next use")
  func usedContext() async throws {
    let container = try Library.container()
    let ids = try await Librarian(modelContainer: container).add(["a"])
    let archivist = Archivist(try executor(of: container, changing: ids[0]), of: container)
    #expect(await archivist.pageCount(of: ids[0]) == 7)
  }

  /// Returns the executor of a context that retains a changed book, after another context saved.
  private func executor(
    of container: ModelContainer, changing id: PersistentIdentifier
  ) throws -> DefaultSerialModelExecutor {
    let context = ModelContext(container)
    let book = try #require(context.model(for: id) as? Book)
    #expect(book.pageCount == 100)
    book.title = "changed"
    let other = ModelContext(container)
    let same = try #require(other.model(for: id) as? Book)
    same.pageCount = 7
    try other.save()
    return DefaultSerialModelExecutor(modelContext: context)
  }
}
