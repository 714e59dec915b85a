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

  @Test("an actor's models have what other contexts saved")
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

  @Test("identifiers that no store has give no model")
  func missing() async throws {
    let librarian = Librarian(modelContainer: try Library.container())
    let stranger = try PersistentIdentifier.identifier(
      for: "another store", entityName: "Book", primaryKey: "p1")
    #expect(await librarian.title(of: stranger) == nil)
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

  @Test("a context that an executor uses does not save automatically")
  @MainActor
  func executorOfMainContext() throws {
    let container = try Library.container()
    let executor = DefaultSerialModelExecutor(modelContext: container.mainContext)
    #expect(!executor.modelContext.autosaveEnabled)
  }
}
