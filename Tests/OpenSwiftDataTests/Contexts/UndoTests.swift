import Foundation
import Observation
import OpenObjectGraph
import OpenSwiftData
import Testing

@Suite("Undoing changes of models")
struct UndoTests {
  private let context: ModelContext
  private let manager = UndoManager()

  init() throws {
    context = try Library.context()
    context.undoManager = manager
  }

  private func titles() throws -> [String] {
    try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)])).map(\.title)
  }

  @Test("a context has no undo manager unless one is set")
  func unset() throws {
    #expect(try Library.context().undoManager == nil)
    #expect(context.undoManager === manager)
    #expect(!manager.canUndo && !manager.canRedo)
  }

  @Test("an insertion is undone and redone, with the same instance")
  func insertion() throws {
    let book = Book(isbn: "1", title: "a")
    book.note = "kept"
    context.insert(book)
    context.processPendingChanges()
    manager.undo()
    #expect(try titles() == [])
    #expect(book.modelContext == nil)
    manager.redo()
    #expect(try titles() == ["a"])
    #expect(try context.fetch(FetchDescriptor<Book>()).first === book)
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test("a change is undone and redone; readers are notified")
  func change() throws {
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    book.title = "b"
    context.processPendingChanges()
    book.title = "c"
    book.pageCount = 5
    context.processPendingChanges()
    let counter = Counter()
    withObservationTracking {
      _ = book.title
    } onChange: {
      counter.count()
    }
    manager.undo()
    #expect(book.title == "b" && book.pageCount == 100)
    #expect(counter.value == 1)
    manager.undo()
    #expect(book.title == "a" && !book.hasChanges)
    manager.redo()
    manager.redo()
    #expect(book.title == "c" && book.pageCount == 5)
    #expect(!manager.canRedo)
  }

  @Test("a deletion is undone with the effects of its delete rules")
  func deletion() throws {
    let book = Book(isbn: "1", title: "a", author: Author(name: "x"))
    book.chapters = [Chapter(title: "one", number: 1)]
    book.tags = [Tag(name: "t")]
    context.insert(book)
    try context.save()
    context.delete(book)
    context.processPendingChanges()
    #expect(try context.fetchCount(FetchDescriptor<Chapter>()) == 0)
    manager.undo()
    #expect(!book.isDeleted && !context.hasChanges)
    #expect(book.author?.name == "x" && book.author?.books?.first === book)
    #expect(book.chapters.map(\.title) == ["one"] && book.tags.first?.books.first === book)
    manager.redo()
    #expect(book.isDeleted)
    try context.save()
    #expect(try titles() == [])
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test("a changed relationship is undone on both sides")
  func relationship() throws {
    let (first, second) = (Author(name: "x"), Author(name: "y"))
    let book = Book(isbn: "1", title: "a", author: first)
    context.insert(book)
    context.insert(second)
    try context.save()
    book.author = second
    book.tags.append(Tag(name: "t"))
    context.processPendingChanges()
    manager.undo()
    #expect(book.author === first && first.books?.count == 1 && second.books?.isEmpty == true)
    #expect(try book.tags.isEmpty && context.fetchCount(FetchDescriptor<Tag>()) == 0)
    manager.redo()
    #expect(book.author === second && second.books?.first === book && first.books?.isEmpty == true)
    #expect(book.tags.map(\.name) == ["t"])
    second.books?.removeAll()
    context.processPendingChanges()
    #expect(book.author == nil)
    manager.undo()
    #expect(book.author === second)
  }

  @Test("a group is one step, with a name, over saves and fetches")
  func grouping() throws {
    manager.beginUndoGrouping()
    for number in 1...3 {
      context.insert(Book(isbn: "\(number)", title: "t\(number)"))
      _ = try titles()
      try context.save()
    }
    manager.endUndoGrouping()
    manager.setActionName("Import")
    #expect(manager.undoActionName == "Import")
    manager.undo()
    #expect(try titles() == [])
    #expect(!manager.canUndo)
    manager.redo()
    #expect(try titles() == ["t1", "t2", "t3"])
  }

  @Test("steps persist across a save; the next save writes the undone changes")
  func saved() throws {
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    book.title = "b"
    try context.save()
    manager.undo()
    #expect(book.title == "a" && context.hasChanges)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetch(FetchDescriptor<Book>()).map(\.title) == ["a"])
    context.delete(book)
    try context.save()
    manager.undo()
    #expect(try titles() == ["a"])
    try context.save()
    #expect(try other.fetch(FetchDescriptor<Book>()).map(\.title) == ["a"])
    #expect(book.modelContext == context && book.pageCount == 100)
  }

  @Test("undoing a saved insertion deletes the model with the next save")
  func savedInsertion() throws {
    context.insert(Book(isbn: "1", title: "a"))
    try context.save()
    manager.undo()
    #expect(try titles() == [])
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 0)
    manager.redo()
    try context.save()
    #expect(try other.fetch(FetchDescriptor<Book>()).map(\.title) == ["a"])
  }

  @Test("rollback discards all steps, and other contexts' saves are not steps")
  func forgetting() throws {
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    book.title = "b"
    context.rollback()
    #expect(!manager.canUndo && book.title == "a")
    let other = ModelContext(context.container)
    try other.fetch(FetchDescriptor<Book>()).first?.title = "c"
    try other.save()
    context.processPendingChanges()
    #expect(book.title == "c" && !manager.canUndo)
  }

  @Test("values of all kinds of properties are restored")
  func values() throws {
    let keepsake = Keepsake(title: "a", kind: .letter)
    let context = ModelContext(
      try ModelContainer(
        for: Keepsake.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.insert(keepsake)
    try context.save()
    context.undoManager = manager
    keepsake.kind = .photo
    keepsake.origin = Keepsake.Origin(place: "p", year: 1)
    keepsake.tags = ["t"]
    context.processPendingChanges()
    manager.undo()
    #expect(keepsake.kind == .letter && keepsake.origin == nil && keepsake.tags == [])
    manager.redo()
    #expect(keepsake.kind == .photo && keepsake.tags == ["t"])
    #expect(keepsake.origin == Keepsake.Origin(place: "p", year: 1))
  }
}
