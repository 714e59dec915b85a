import Foundation
import OpenCoreData
import OpenSwiftData
import Testing

@Suite("Core Data and SwiftData stacks on one store")
struct SharedStoreTests {
  private struct Stacks {
    let container: ModelContainer
    let managed: NSManagedObjectContext

    init() throws {
      let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("shared-\(UUID().uuidString).store")
      container = try ModelContainer(
        for: Library.schema, configurations: ModelConfiguration(url: url))
      let model = try #require(
        NSManagedObjectModel.makeManagedObjectModel(for: [Book.self, Author.self]))
      let stack = NSPersistentContainer(name: "Shared", managedObjectModel: model)
      let description = NSPersistentStoreDescription(url: url)
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      description.setOption(
        true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
      stack.persistentStoreDescriptions = [description]
      var failure: (any Error)?
      stack.loadPersistentStores { failure = $1 }
      if let failure { throw failure }
      managed = stack.newBackgroundContext()
    }
  }

  @Test("each stack sees what the other saves")
  func seeing() throws {
    let stacks = try Stacks()
    let context = ModelContext(stacks.container)
    context.insert(Book(isbn: "1", title: "a", author: Author(name: "x")))
    try context.save()
    try stacks.managed.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let books = try stacks.managed.fetch(request)
      #expect(books.map { $0.value(forKeyPath: "author.name") as? String } == ["x"])
      books.first?.setValue("b", forKey: "title")
      let made = NSEntityDescription.insertNewObject(
        forEntityName: "Book", into: stacks.managed)
      made.setValue("2", forKey: "isbn")
      made.setValue("c", forKey: "title")
      try stacks.managed.save()
    }
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.isbn)]))
    #expect(books.map(\.title) == ["b", "c"])
    #expect(books.map(\.pageCount) == [100, 100])
  }

  @Test("models that a context holds follow the other stack's saves, unsaved changes apart")
  func following() throws {
    let stacks = try Stacks()
    let context = ModelContext(stacks.container)
    let book = Book(isbn: "1", title: "a")
    context.insert(book)
    try context.save()
    book.pageCount = 5
    try stacks.managed.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      try stacks.managed.fetch(request).first?.setValue("b", forKey: "title")
      try stacks.managed.save()
    }
    context.processPendingChanges()
    #expect(book.title == "b")
    #expect(book.pageCount == 5)
    try context.save()
    try stacks.managed.performAndWait {
      stacks.managed.refreshAllObjects()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      try stacks.managed.fetch(request).forEach { book in
        #expect(book.value(forKey: "pageCount") as? Int == 5)
        stacks.managed.delete(book)
      }
      try stacks.managed.save()
    }
    context.processPendingChanges()
    #expect(book.modelContext == nil || book.isDeleted)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }
}
