import Foundation
import OpenCoreData
import Testing

/// Which objects a context treats as changed, and what each of its notifications reports.
@Suite("Recorded changes")
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
  @Test("setting a primitive value records no change", arguments: [false, true])
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

  @Test("setting a relationship to its current destination records no change (D-008)")
  func currentDestination() throws {
    let context = try context()
    try context.performAndWait { () throws in
      let (book, author) = (ShelfBook(context: context), ShelfAuthor(context: context))
      book.author = author
      try context.save()
      book.author = author
      book.setValue(author, forKey: "author")
      #expect(!book.hasChanges && !context.hasChanges)
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
  @Test("each notification reports the changes since the previous one, each object once")
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
      #expect(changes.counts == [[1, 2, 0], [0, 3, 0], [0, 1, 2]])
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

  @Test("a new object is announced as inserted once, and again after its deletion was announced")
  func insertions() throws {
    let context = try context()
    context.propagatesDeletesAtEndOfEvent = false
    context.performAndWait {
      let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
      let book = ShelfBook(context: context)
      context.processPendingChanges()
      book.pages = 1
      context.processPendingChanges()
      #expect(changes.counts == [[1, 0, 0], [0, 1, 0]])
      #expect(context.insertedObjects == [book] && context.updatedObjects.isEmpty)
      context.delete(book)
      context.processPendingChanges()
      context.insert(book)
      context.processPendingChanges()
      #expect(changes.counts == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
    }
  }

  @Test("a change that a refresh drops is announced only as a refresh")
  func droppedChanges() throws {
    let context = try context()
    try context.performAndWait { () throws in
      let book = try save(1...1, in: context)[0]
      let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
      book.pages = 1
      context.refresh(book, mergeChanges: false)
      #expect(book.pages == 0)
      context.processPendingChanges()
      #expect(changes.counts == [[0, 0, 0]])
      let refreshed = changes.all.first?.userInfo?[NSRefreshedObjectsKey]
      #expect(refreshed as? Set<NSManagedObject> == [book])
      book.pages = 2
      context.processPendingChanges()
      book.pages = 3
      context.refresh(book, mergeChanges: false)
      book.pages = 4
      context.processPendingChanges()
      #expect(changes.counts == [[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0]])
    }
  }

  // MARK: Owners that are not registered

  /// Saves the authors 1 and 2, and their books 10, 11, 20 and 21.
  private func authors(_ type: String) throws -> NSPersistentContainer {
    let container = try ShelfModel.container(type)
    let writer = container.newBackgroundContext()
    try writer.performAndWait { () throws in
      for code: Int32 in 1...2 {
        let author = ShelfAuthor(context: writer)
        author.code = code
        for number: Int32 in 0...1 {
          let book = ShelfBook(context: writer)
          book.code = code * 10 + number
          book.author = author
        }
      }
      try writer.save()
    }
    return container
  }

  /// Fetches the book 10 and the author 2, but not the author of the book.
  private func bookAndAuthor(
    in context: NSManagedObjectContext
  ) throws -> (ShelfBook, ShelfAuthor) {
    let books = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    books.predicate = NSPredicate(format: "code == 10")
    let authors = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
    authors.predicate = NSPredicate(format: "code == 2")
    return (
      try #require(try context.fetch(books).first), try #require(try context.fetch(authors).first)
    )
  }

  /// Apple, NSManagedObject: the context maintains inverse relationships.
  @Test(
    "an object that loses a member is changed, even if it was not registered",
    arguments: StoreTypes.both)
  func unregisteredOwner(type: String) throws {
    let container = try authors(type)
    let moves: [(way: String, owners: [Int32], move: (ShelfBook, ShelfAuthor) -> Void)] = [
      ("another owner", [2], { $0.author = $1 }),
      ("no owner", [], { book, _ in book.author = nil }),
      ("a value for a key", [2], { $0.setValue($1, forKey: "author") }),
      ("a new member", [2], { $1.mutableSetValue(forKey: "books").add($0) }),
      ("a new set", [2], { $1.books = NSSet(object: $0) }),
    ]
    for (way, owners, move) in moves {
      let context = container.newBackgroundContext()
      try context.performAndWait { () throws in
        let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
        let (book, author) = try bookAndAuthor(in: context)
        move(book, author)
        let former = try #require(
          context.updatedObjects.first { $0 is ShelfAuthor && $0 !== author }, "\(way)")
        #expect(former.isFault, "\(way)")
        let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
        request.predicate = NSPredicate(format: "ANY books.code == 10")
        #expect(try context.fetch(request).map(\.code) == owners, "\(way)")
        context.processPendingChanges()
        let updated = changes.all.last?.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
        #expect(updated?.contains(former) == true, "\(way)")
        context.rollback()
        #expect((former as? ShelfAuthor)?.books?.count == 2, "\(way)")
      }
    }
  }

  @Test("the save of a child changes the object of the parent that loses a member")
  func unregisteredOwnerOfParent() throws {
    let parent = try authors(NSInMemoryStoreType).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait { () throws in
      let (book, author) = try bookAndAuthor(in: child)
      book.author = author
      try child.save()
      try parent.performAndWait { () throws in
        let authors = parent.updatedObjects.compactMap { $0 as? ShelfAuthor }
        #expect(authors.map(\.code).sorted() == [1, 2])
        #expect(authors.map { $0.books?.count ?? 0 }.sorted() == [1, 3])
        try parent.save()
      }
    }
  }

  @Test("after a failed save, all changes can be announced and saved again")
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
