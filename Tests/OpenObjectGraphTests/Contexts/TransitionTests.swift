import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// How objects enter a context, leave it and return.
@Suite("Transitions of objects")
struct TransitionTests {
  /// Runs work on the queue of a context, and checks the context's invariants after it.
  private func run(_ type: String, _ work: (NSManagedObjectContext) throws -> Void) throws {
    let context = try ShelfModel.container(type).newBackgroundContext()
    try context.performAndWait {
      try work(context)
      #expect(context.checkInvariants() == [])
    }
  }

  private func codes(in context: NSManagedObjectContext) throws -> [Int32] {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request).map(\.code)
  }

  @Test(
    "an object that is inserted, deleted and inserted within one event is saved once",
    arguments: StoreTypes.both)
  func insertionOfWithdrawn(_ type: String) throws {
    try run(type) { context in
      let book = ShelfBook(context: context)
      book.code = 1
      for _ in 0..<3 {
        context.delete(book)
        #expect(book.isDeleted && !context.hasChanges)
        #expect(context.checkInvariants() == [])
        context.insert(book)
        #expect(book.isInserted && !book.isDeleted && context.hasChanges)
        #expect(context.insertedObjects == [book])
        #expect(context.checkInvariants() == [])
      }
      try context.save()
      #expect(!context.hasChanges && !book.isInserted)
      #expect(book.code == 1)
      context.reset()
      #expect(try codes(in: context) == [1])
    }
  }

  @Test("an announced insertion that is withdrawn and restored is not announced as deleted")
  func insertionOfAnnounced() throws {
    try run(NSInMemoryStoreType) { context in
      let book = ShelfBook(context: context)
      context.processPendingChanges()
      let collector = NotificationCollector(
        .NSManagedObjectContextObjectsDidChange, of: context)
      context.delete(book)
      context.insert(book)
      context.processPendingChanges()
      #expect(collector.counts.allSatisfy { $0[2] == 0 })
      #expect(book.isInserted)
    }
  }

  @Test("a rollback releases an object that was inserted and deleted within the same event")
  func rollbackOfWithdrawn() throws {
    try run(NSInMemoryStoreType) { context in
      let book = ShelfBook(context: context)
      context.delete(book)
      context.rollback()
      #expect(book.managedObjectContext == nil)
      #expect(!book.isDeleted)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test(
    "an object that left one context and was inserted into another belongs to the other alone",
    arguments: StoreTypes.both)
  func movedObject(_ type: String) throws {
    let container = try ShelfModel.container(type)
    let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
    try one.performAndWait { () throws in
      let book = ShelfBook(context: one)
      book.code = 1
      one.delete(book)
      one.processPendingChanges()
      #expect(book.managedObjectContext == nil)
      try two.performAndWait { () throws in
        two.insert(book)
        #expect(one.insertedObjects.isEmpty)
        ShelfBook(context: one).code = 2
        try one.save()
        #expect(book.isInserted && two.insertedObjects == [book])
        #expect(book.code == 1)
        #expect(two.checkInvariants() == [])
        try two.save()
        #expect(try codes(in: two) == [1, 2])
      }
      #expect(one.checkInvariants() == [])
    }
  }

  @Test("inserting a deleted object again is rejected if another context has deleted the row")
  func insertionOfMissing() throws {
    let container = try ShelfModel.container(NSSQLiteStoreType)
    let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
    try one.performAndWait { () throws in
      let book = ShelfBook(context: one)
      try one.save()
      one.delete(book)
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: two)
      try two.performAndWait { () throws in
        two.delete(two.object(with: book.objectID))
        try two.save()
      }
      for save in saves.all { one.mergeChanges(fromContextDidSave: save) }
      one.insert(book)
      #expect(book.isDeleted)
      #expect(one.checkInvariants() == [])
      let error = #expect(throws: ObjectError.self) { try one.save() }
      #expect(error?.message.contains("another context deleted its row") == true)
      try one.save()
      #expect(one.checkInvariants() == [])
    }
  }

  // MARK: Refreshing

  @Test(
    "refreshing an inserted object without merging makes it a fault and discards its values",
    arguments: StoreTypes.both)
  func refreshOfInserted(_ type: String) throws {
    try run(type) { context in
      let author = ShelfAuthor(context: context)
      let book = ShelfBook(context: context)
      (book.code, book.title, book.author) = (7, "Dune", author)
      context.refresh(book, mergeChanges: false)
      #expect(book.isFault && book.isInserted)
      #expect(book.changedValues().isEmpty)
      #expect(context.checkInvariants() == [])
      #expect(author.books?.count == 0)
      #expect(book.title == nil && book.code == 0 && book.author == nil)
      #expect(!book.isFault)
      context.refresh(book, mergeChanges: false)
      book.title = "Emma"
      try context.save()
      context.reset()
      let found = try context.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
      #expect(found.map(\.title) == ["Emma"])
    }
  }

  @Test("an inserted object that is a fault is saved with the model's values")
  func saveOfInsertedFault() throws {
    try run(NSSQLiteStoreType) { context in
      let book = ShelfBook(context: context)
      book.title = "Dune"
      try context.obtainPermanentIDs(for: [book])
      context.refresh(book, mergeChanges: false)
      try context.save()
      #expect(context.checkInvariants() == [])
      #expect(book.title == nil && !book.isInserted)
      #expect(book.value(forKey: "code") as? Int == 0)
      #expect(try codes(in: context) == [0])
    }
  }

  @Test(
    "a child reads an inserted fault of its parent with the model's values",
    arguments: [false, true])
  func childOfInsertedFault(isFetched: Bool) throws {
    try run(NSSQLiteStoreType) { context in
      let book = ShelfBook(context: context)
      book.title = "Dune"
      context.refresh(book, mergeChanges: false)
      let child = context.makeChild()
      try child.performAndWait { () throws in
        let request = NSFetchRequest<NSManagedObject>(entityName: "ShelfBook")
        let found = try isFetched ? child.fetch(request).first : nil
        let own = try found ?? child.existingObject(with: book.objectID)
        #expect((own as? ShelfBook)?.title == nil)
        #expect(own.value(forKey: "code") as? Int == 0)
        #expect(!own.isDeleted)
      }
    }
  }

  @Test("undo reverts the insertion of an object that was refreshed")
  func undoOfRefreshedInsertion() throws {
    try run(NSInMemoryStoreType) { context in
      context.undoManager = UndoManager()
      let book = ShelfBook(context: context)
      book.title = "Dune"
      context.processPendingChanges()
      context.refresh(book, mergeChanges: false)
      context.processPendingChanges()
      context.undo()
      #expect(context.insertedObjects.isEmpty && book.managedObjectContext == nil)
    }
  }

  // MARK: Objects of other contexts

  @Test(
    "a deletion of another context's object is an error of the context that was asked to delete")
  func foreignDeletion() throws {
    let container = try ShelfModel.container(NSInMemoryStoreType)
    let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
    try two.performAndWait { () throws in
      let book = ShelfBook(context: two)
      try one.performAndWait { () throws in
        one.delete(book)
        ShelfBook(context: one).code = 2
        let error = #expect(throws: ObjectError.self) { try one.save() }
        #expect(error?.message.contains("cannot delete objects in other contexts") == true)
        try one.save()
      }
      #expect(!book.isDeleted)
      try two.save()
    }
  }

  @Test(
    "an insertion of another context's object is an error of the context that was asked to insert")
  func foreignInsertion() throws {
    let container = try ShelfModel.container(NSInMemoryStoreType)
    let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
    try two.performAndWait { () throws in
      let book = ShelfBook(context: two)
      try one.performAndWait { () throws in
        one.insert(book)
        #expect(!one.hasChanges)
        #expect(throws: ObjectError.self) { try one.save() }
        one.refresh(book, mergeChanges: true)
        #expect(throws: ObjectError.self) { try one.save() }
        #expect(throws: ObjectError.self) { try one.obtainPermanentIDs(for: [book]) }
        #expect(one.checkInvariants() == [])
      }
      #expect(book.isInserted && book.objectID.isTemporaryID)
      try two.save()
      #expect(two.checkInvariants() == [])
    }
  }

  @Test("an insertion into a context without coordinator is an error of its next save")
  func insertionWithoutCoordinator() throws {
    let container = try ShelfModel.container(NSInMemoryStoreType)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    try context.performAndWait { () throws in
      let author = container.managedObjectModel.entitiesByName["ShelfAuthor"]
      let book = NSManagedObject(entity: try #require(author), insertInto: nil)
      context.insert(book)
      context.persistentStoreCoordinator = container.persistentStoreCoordinator
      #expect(throws: ObjectError.self) { try context.save() }
      try context.save()
    }
  }
}
