import Foundation
import OpenCoreData
import OpenSwiftData
import OpenTestSupport
import Synchronization
import Testing

@Suite("Commits of other stacks in the history")
struct ForeignCommitTests {
  @Test("own commits, and the histories of other stores, are not read again")
  func readOnce() throws {
    let folder = try StoreFolder()
    defer { withExtendedLifetime(folder) {} }
    let schema = Schema([Book.self, Author.self, Chapter.self, Tag.self, Note.self])
    let recorder = StatementRecorder()
    let notes = ModelConfiguration(
      "notes", schema: Schema([Note.self]), url: folder.file("notes"))
    var books = ModelConfiguration("books", schema: Library.schema, url: folder.file("books"))
    let other = ModelContext(try ModelContainer(for: schema, configurations: books, notes))
    books.statementObserver = recorder.observer
    let context = ModelContext(try ModelContainer(for: schema, configurations: books, notes))
    for number in 1...3 {
      context.insert(Book(isbn: "\(number)", title: "own"))
      try context.save()
    }
    for number in 1...2 {
      other.insert(Note(title: "foreign"))
      try other.save()
      let (count, statements) = try recorder.recording {
        try context.fetch(FetchDescriptor<Note>()).count
      }
      #expect(count == number)
      #expect(!statements.contains { $0.contains("FROM ACHANGE") }, "\(statements)")
    }
  }

  @Test("while the history is read, a statement observer can save to another store")
  func savingObserver() throws {
    let folder = try StoreFolder()
    defer { withExtendedLifetime(folder) {} }
    let schema = Schema([Book.self, Author.self, Chapter.self, Tag.self, Note.self])
    let notes = ModelConfiguration(
      "notes", schema: Schema([Note.self]), url: folder.file("notes"))
    var books = ModelConfiguration("books", schema: Library.schema, url: folder.file("books"))
    let other = ModelContext(try ModelContainer(for: schema, configurations: books, notes))
    let observed = Mutex<ModelContainer?>(nil)
    books.statementObserver = StatementObserver { sql in
      guard sql.contains("FROM ACHANGE"), let container = observed.withLock({ $0 }) else { return }
      observed.withLock { $0 = nil }
      do {
        let context = ModelContext(container)
        context.insert(Note(title: "observed"))
        try context.save()
      } catch {
        Issue.record(error)
      }
    }
    let container = try ModelContainer(for: schema, configurations: books, notes)
    let context = ModelContext(container)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
    observed.withLock { $0 = container }
    other.insert(Book(isbn: "1", title: "foreign"))
    try other.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1)
    #expect(observed.withLock { $0 } == nil)
    #expect(try other.fetch(FetchDescriptor<Note>()).map(\.title) == ["observed"])
  }

  @Test("a save of another stack during the notification about an own save is merged")
  func saveDuringNotification() throws {
    let stacks = try SharedStacks()
    defer { withExtendedLifetime(stacks) {} }
    let context = ModelContext(stacks.container)
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    let managed = stacks.managed
    let identifier = managed.persistentStoreCoordinator?.persistentStores.first?.identifier
    let wasCalled = Mutex(false)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { notification in
      guard let saved = notification.object as? NSManagedObjectContext, saved !== managed,
        saved.persistentStoreCoordinator?.persistentStores.first?.identifier == identifier
      else { return }
      wasCalled.withLock { $0 = true }
      do {
        try managed.performAndWait { () throws in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
          request.predicate = NSPredicate(format: "isbn == '1'")
          try managed.fetch(request).first?.setValue("b", forKey: "title")
          try managed.save()
        }
      } catch { Issue.record(error) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.insert(Book(isbn: "2", title: "c"))
    try context.save()
    let isNested = wasCalled.withLock { $0 }
    #expect(isNested)
    #expect(try context.fetch(FetchDescriptor<Book>()).count == 2)
    #expect(book.title == "b")
  }

  /// Saves a changed and a new book, and deletes the history.
  private func saveWithoutHistory(_ stacks: SharedStacks) throws {
    try stacks.managed.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      try stacks.managed.fetch(request).first?.setValue("b", forKey: "title")
      let made = NSEntityDescription.insertNewObject(forEntityName: "Book", into: stacks.managed)
      made.setValue("2", forKey: "isbn")
      made.setValue("c", forKey: "title")
      try stacks.managed.save()
      try stacks.managed.execute(
        NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
    }
  }

  @Test("models and results are reread if the history of a commit was already deleted")
  func deletedHistory() throws {
    let stacks = try SharedStacks()
    defer { withExtendedLifetime(stacks) {} }
    let context = ModelContext(stacks.container)
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    let observer = try ResultsObserver<Book, Never>(
      sortBy: [SortDescriptor(\.isbn)], modelContext: context, isolation: nil)
    #expect(observer.results.map(\.title) == ["a"])
    try saveWithoutHistory(stacks)
    #expect(observer.results.map(\.title) == ["b", "c"])
    #expect(book.title == "b")
    // Later commits are again merged from the history.
    try stacks.managed.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      for book in try stacks.managed.fetch(request) { book.setValue("d", forKey: "title") }
      try stacks.managed.save()
    }
    #expect(observer.results.map(\.title) == ["d", "d"])
  }

  @Test("a context without observers rereads its models if the history was already deleted")
  func deletedHistoryWithoutObservers() throws {
    let stacks = try SharedStacks()
    defer { withExtendedLifetime(stacks) {} }
    let context = ModelContext(stacks.container)
    context.insert(Book(isbn: "1", title: "a"))
    try context.save()
    let reading = ModelContext(stacks.container)
    let book = try #require(try reading.fetch(FetchDescriptor<Book>()).first)
    #expect(book.title == "a")
    try saveWithoutHistory(stacks)
    reading.processPendingChanges()
    #expect(book.title == "b")
  }
}
