import Foundation
import OpenCoreData
import OpenSwiftData
import Testing

@Suite("Core Data and SwiftData stacks on one store")
struct SharedStoreTests {
  @Test("each stack sees the other's saves")
  func seeing() throws {
    let stacks = try SharedStacks()
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

  @Test("registered models follow the other stack's saves, except for unsaved changes")
  func following() throws {
    let stacks = try SharedStacks()
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
