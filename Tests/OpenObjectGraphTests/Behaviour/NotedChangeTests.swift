import Foundation
import OpenCoreData
import Testing

/// Which objects a context counts as changed, and what each of its notifications tells.
@Suite("Noted changes")
struct NotedChangeTests {
  private func context() throws -> NSManagedObjectContext {
    try ShelfModel.container(NSInMemoryStoreType).newBackgroundContext()
  }

  /// Saves books with these codes.
  private func save(_ codes: ClosedRange<Int32>, in context: NSManagedObjectContext) throws
    -> [ShelfBook]
  {
    let books = codes.map { code in
      let book = ShelfBook(context: context)
      book.code = code
      return book
    }
    try context.save()
    return books
  }

  /// Apple, setPrimitiveValue(_:forKey:): sets the value in private storage; didChangeValue(forKey:) notes the change.
  @Test("a primitive value is set without a change being noted", arguments: [false, true])
  func primitiveValues(ofFaults: Bool) throws {
    let context = try context()
    try context.performAndWait { () throws in
      let book = try save(1...1, in: context)[0]
      if ofFaults { context.refresh(book, mergeChanges: false) }
      for title in ["one", "two"] {
        book.setPrimitiveValue(title, forKey: "title")
        #expect(book.title == title)
        #expect(!book.hasChanges && !context.hasChanges)
        #expect(context.updatedObjects.isEmpty)
      }
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
      book.willChangeValue(forKey: "title")
      book.setPrimitiveValue("three", forKey: "title")
      book.didChangeValue(forKey: "title")
      #expect(book.isUpdated)
      #expect(context.updatedObjects == [book])
      try context.save()
      #expect(saves.counts == [[0, 1, 0]])
      context.reset()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      #expect(try context.fetch(request).map(\.title) == ["three"])
    }
  }

  @Test(
    "a primitive value of the wrong type for a to-one relationship changes nothing, and the next save throws"
  )
  func wrongPrimitiveDestination() throws {
    let context = try context()
    try context.performAndWait { () throws in
      let book = try save(1...1, in: context)[0]
      let author = ShelfAuthor(context: context)
      book.author = author
      try context.save()
      book.setPrimitiveValue("Austen", forKey: "author")
      #expect(book.author === author)
      book.title = "changed"
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  /// Apple, NSManagedObjectContextObjectsDidChange: the sets are relative to the notification before.
  @Test("each notification tells what changed since the one before, each object once")
  func notifications() throws {
    let context = try context()
    try context.performAndWait { () throws in
      let books = try save(1...3, in: context)
      let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
      books[0].pages = 1
      books[0].pages = 2
      books[1].pages = 1
      let new = ShelfBook(context: context)
      context.processPendingChanges()
      books[1].pages = 2
      books[2].pages = 1
      new.pages = 1
      context.processPendingChanges()
      context.processPendingChanges()
      context.delete(new)
      context.delete(books[1])
      books[2].pages = 3
      context.processPendingChanges()
      #expect(changes.counts == [[1, 2, 0], [1, 2, 0], [0, 1, 2]])
      #expect(context.insertedObjects.isEmpty)
      #expect(context.updatedObjects == [books[0], books[2]])
      #expect(context.deletedObjects == [books[1]])
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
      books[0].pages = 5
      try context.save()
      #expect(changes.counts.last == [0, 1, 0])
      #expect(saves.counts == [[0, 2, 1]])
      books[0].pages = 6
      try context.save()
      #expect(changes.counts.last == [0, 1, 0])
      #expect(saves.counts.last == [0, 1, 0])
    }
  }

  @Test("a save that fails leaves everything to be announced and saved again")
  func failedSave() throws {
    let context = try context()
    try context.performAndWait { () throws in
      let books = try save(1...2, in: context)
      let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
      books[0].pages = 1
      books[0].setValue("no date", forKey: "printed")
      #expect(throws: ObjectError.self) { try context.save() }
      books[1].pages = 1
      try context.save()
      #expect(saves.counts == [[0, 2, 0]])
      #expect(changes.counts.reduce(0) { $0 + $1[1] } == 2)
    }
  }
}
