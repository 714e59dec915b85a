import Foundation
import OpenCoreData
import Testing

/// How contexts manage objects: identity, changes, saving, conflicts, merging.
@Suite("Contexts", .serialized)
struct ContextTests {
  private func stack(_ type: String = NSSQLiteStoreType) throws -> NSPersistentContainer {
    try ShelfModel.container(type)
  }

  private func seed(_ container: NSPersistentContainer, count: Int = 3) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for code in 0..<count {
        let book = ShelfBook(context: context)
        book.code = Int32(code)
        book.title = "Book \(code)"
      }
      try context.save()
    }
  }

  private func book(_ code: Int32, in context: NSManagedObjectContext) throws -> ShelfBook {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.predicate = NSPredicate(format: "code == %d", code)
    return try #require(try context.fetch(request).first)
  }

  @Test("a row has one object in a context, regardless of how it is requested")
  func identity() throws {
    let container = try stack()
    try seed(container)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let one = try book(1, in: context)
      #expect(try book(1, in: context) === one)
      #expect(context.object(with: one.objectID) === one)
      #expect(try context.existingObject(with: one.objectID) === one)
      let uri = one.objectID.uriRepresentation()
      let id = container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri)
      #expect(id == one.objectID)
    }
  }

  @Test("an id is temporary until the save, and a missing row is an error of code 133000")
  func objectIDs() throws {
    let container = try stack()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let book = ShelfBook(context: context)
      #expect(book.objectID.isTemporaryID)
      try context.obtainPermanentIDs(for: [book])
      let id = book.objectID
      #expect(!id.isTemporaryID)
      #expect(book.isInserted)
      try context.save()
      #expect(book.objectID == id)
      context.delete(book)
      try context.save()
      let error = #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
      #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
    }
  }

  @Test("rollback restores committed values and discards insertions")
  func rollback() throws {
    let container = try stack()
    try seed(container)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let one = try book(1, in: context)
      one.title = "Changed"
      _ = ShelfBook(context: context)
      context.delete(try book(2, in: context))
      #expect(context.insertedObjects.count == 1)
      #expect(context.updatedObjects == [one])
      #expect(context.deletedObjects.count == 1)
      context.rollback()
      #expect(!context.hasChanges)
      #expect(one.title == "Book 1")
      #expect(try context.count(for: NSFetchRequest<ShelfBook>(entityName: "ShelfBook")) == 3)
    }
  }

  @Test("changed and committed values distinguish edits from stored values")
  func changedValues() throws {
    let container = try stack()
    try seed(container)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let one = try book(1, in: context)
      #expect(one.changedValues().isEmpty)
      one.title = "New"
      #expect(one.changedValues()["title"] as? String == "New")
      #expect(one.committedValues(forKeys: ["title"])["title"] as? String == "Book 1")
      #expect(one.hasPersistentChangedValues)
      one.title = "Book 1"
      #expect(!one.hasPersistentChangedValues)
      #expect(one.isUpdated)
    }
  }

  @Test("changed values do not include values that equal the saved values")
  func restoredValues() throws {
    let container = try stack()
    try seed(container)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let one = try book(1, in: context)
      let author = ShelfAuthor(context: context)
      one.author = author
      try context.save()
      let pages = one.pages
      one.pages = pages
      one.title = "New"
      one.title = "Book 1"
      one.author = nil
      one.author = author
      #expect(one.changedValues().isEmpty)
      #expect(one.isUpdated && one.hasChanges)
      one.pages = 5
      #expect(one.changedValues() as? [String: Int] == ["pages": 5])
      one.author = nil
      #expect(one.changedValues()["author"] is NSNull)
      let inserted = ShelfBook(context: context)
      inserted.title = "Book 1"
      #expect(inserted.changedValues()["title"] as? String == "Book 1")
    }
  }

  @Test("refresh without merging drops edits, with merging keeps them; reset releases objects")
  func refreshing() throws {
    let container = try stack()
    try seed(container)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let one = try book(1, in: context)
      one.title = "Edit"
      context.refresh(one, mergeChanges: true)
      #expect(one.title == "Edit")
      context.refresh(one, mergeChanges: false)
      #expect(one.isFault)
      #expect(!context.hasChanges)
      #expect(one.title == "Book 1")
      context.reset()
      #expect(one.managedObjectContext == nil)
      #expect(one.isFault)
      #expect(one.title == nil)
    }
  }

  @Test("two contexts that change one row conflict; each merge policy has a different resolution")
  func conflicts() throws {
    for (policy, title, pages): (NSMergePolicy, String?, Int64) in [
      (.mergeByPropertyObjectTrump, "second", 10), (.mergeByPropertyStoreTrump, "first", 10),
      (.overwrite, "second", 0), (.rollback, "first", 10),
    ] {
      let container = try stack()
      try seed(container)
      let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
      second.mergePolicy = policy
      let later = try second.performAndWait {
        let book = try book(1, in: second)
        #expect(book.title == "Book 1")
        return book
      }
      try first.performAndWait {
        let book = try book(1, in: first)
        book.title = "first"
        book.pages = 10
        try first.save()
      }
      try second.performAndWait {
        later.title = "second"
        try second.save()
        #expect(later.title == title)
      }
      let check = container.newBackgroundContext()
      try check.performAndWait {
        let book = try book(1, in: check)
        #expect(book.title == title, "\(policy.mergeType)")
        #expect(book.pages == pages, "\(policy.mergeType)")
      }
    }
  }

  @Test("the default policy makes a save with a conflict fail with 133020 and keeps the edit")
  func errorPolicy() throws {
    let container = try stack()
    try seed(container)
    let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
    let later = try second.performAndWait { () throws -> ShelfBook in
      let book = try book(1, in: second)
      _ = book.title
      return book
    }
    try first.performAndWait {
      try book(1, in: first).title = "first"
      try first.save()
    }
    second.performAndWait {
      later.title = "second"
      let error = #expect(throws: CocoaError.self) { try second.save() }
      #expect(error?.code.rawValue == NSManagedObjectMergeError)
      let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      #expect(list?.first?.sourceObject === later)
      #expect(list?.first?.newVersionNumber == 2)
      #expect(second.hasChanges)
      #expect(later.title == "second")
    }
  }

  @Test("a context that merges automatically receives a save beneath its own edits")
  func automaticMerge() throws {
    let container = try stack()
    try seed(container)
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    reader.automaticallyMergesChangesFromParent = true
    let seen = try reader.performAndWait { () throws -> ShelfBook in
      let book = try book(1, in: reader)
      book.price = 7
      return book
    }
    try writer.performAndWait {
      let book = try book(1, in: writer)
      book.title = "Merged"
      book.price = 3
      try writer.save()
    }
    // The save enqueued the merge on the reader's queue, so this block runs after it.
    reader.performAndWait {
      #expect(seen.title == "Merged")
      #expect(seen.price == 7)
    }
  }

  @Test("a context merges the changes of a save notification, including deletions")
  func mergeFromNotification() throws {
    let container = try stack()
    try seed(container)
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    let (one, two) = try reader.performAndWait {
      let pair = (try book(1, in: reader), try book(2, in: reader))
      _ = (pair.0.title, pair.1.title)
      return pair
    }
    nonisolated(unsafe) var notification: Notification?
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { notification = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try writer.performAndWait {
      try book(1, in: writer).title = "Told"
      writer.delete(try book(2, in: writer))
      try writer.save()
    }
    let saved = try #require(notification)
    #expect((saved.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.count == 1)
    #expect((saved.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>)?.count == 1)
    reader.mergeChanges(fromContextDidSave: saved)
    reader.performAndWait {
      #expect(one.title == "Told")
      #expect(two.isDeleted)
    }
  }

  @Test("an unreferenced object leaves its context, a changed one stays")
  func registration() throws {
    let container = try stack()
    try seed(container)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      do {
        let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
        let books = try context.fetch(request)
        #expect(context.registeredObjects.count == 3)
        books[0].pages = 9
      }
      #expect(context.registeredObjects.count == 1)
      try context.save()
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test("deleting an author deletes the books, also of an unsaved author")
  func cascade() throws {
    for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
      let container = try stack(type)
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let author = ShelfAuthor(context: context)
        for _ in 0..<3 { ShelfNovel(context: context).author = author }
        try context.save()
        ShelfBook(context: context).author = author
        context.delete(author)
        try context.save()
        #expect(try context.count(for: NSFetchRequest<ShelfBook>(entityName: "ShelfBook")) == 0)
      }
    }
  }

  @Test("both sides of a relationship change at once, without loading the other side")
  func inverses() throws {
    let container = try stack()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let (one, two) = (ShelfAuthor(context: context), ShelfAuthor(context: context))
      let book = ShelfBook(context: context)
      book.author = one
      #expect(one.books == NSSet(object: book))
      two.books = NSSet(object: book)
      #expect(book.author === two)
      #expect(one.books?.count == 0)
      try context.save()
      book.author = nil
      #expect(two.books?.count == 0)
      try context.save()
      context.reset()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = NSPredicate(format: "author == nil")
      #expect(try context.fetch(request).count == 1)
    }
  }
}
