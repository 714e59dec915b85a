import Foundation
import OpenCoreData
import Testing

/// Objects whose rows another context deletes and restores, with unsaved changes and undo steps.
@Suite("Objects whose rows are deleted and restored")
struct ReturningObjectTests {
  /// Two contexts on one store with one author and one saved book of that author.
  private struct Pair {
    let one: NSManagedObjectContext
    let other: NSManagedObjectContext
    let book: NSManagedObjectID
    let author: NSManagedObjectID

    init(_ type: String) throws {
      let container = try ShelfModel.container(type)
      let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
      (book, author) = try one.performAndWait { () throws in
        let author = ShelfAuthor(context: one)
        author.code = 1
        let book = ShelfBook(context: one)
        book.code = 7
        book.title = "First"
        book.author = author
        try one.save()
        return (book.objectID, author.objectID)
      }
      for context in [one, other] {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.retainsRegisteredObjects = true
        let manager = UndoManager()
        manager.groupsByEvent = true
        context.undoManager = manager
      }
      (self.one, self.other) = (one, other)
    }

    /// Does something in `one`, saves it, and merges it into `other`.
    func merge(_ body: (ShelfBook) throws -> Void) throws {
      let collector = NotificationCollector(.NSManagedObjectContextDidSave, of: one)
      try one.performAndWait { () throws in
        try body(try #require(one.object(with: book) as? ShelfBook))
        one.processPendingChanges()
        try one.save()
      }
      other.performAndWait {
        for notification in collector.all {
          other.mergeChanges(fromContextDidSave: notification)
        }
      }
    }

    func titles(in context: NSManagedObjectContext) throws -> [String?] {
      try context.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook")).map(\.title)
    }

    func known(in context: NSManagedObjectContext) throws -> (book: ShelfBook, author: ShelfAuthor)
    {
      let book = try #require(context.object(with: book) as? ShelfBook)
      return (book, try #require(context.object(with: author) as? ShelfAuthor))
    }
  }

  @Test(
    "a deletion by another context remains when the context's own deletion is undone",
    arguments: StoreTypes.both)
  func othersDeletionStays(type: String) throws {
    let pair = try Pair(type)
    let other = pair.other
    try other.performAndWait { () throws in
      #expect(try pair.known(in: other).author.books?.count == 1)
      other.delete(try pair.known(in: other).book)
      other.processPendingChanges()
    }
    try pair.merge { $0.managedObjectContext?.delete($0) }
    try other.performAndWait { () throws in
      other.undo()
      #expect(try pair.titles(in: other).isEmpty)
      #expect(try pair.known(in: other).author.books?.count == 0)
      try other.save()
      #expect(!other.hasChanges)
    }
  }

  @Test(
    "a restored row restores its object, also in the lists", arguments: StoreTypes.both)
  func comesBack(type: String) throws {
    let pair = try Pair(type)
    let (one, other) = (pair.one, pair.other)
    let steps = try other.performAndWait { () throws in
      let (book, author) = try pair.known(in: other)
      #expect(author.books?.count == 1)
      book.pages = 9
      other.processPendingChanges()
      return other.undoManager?.undoCount
    }
    try pair.merge { one.delete($0) }
    try other.performAndWait { () throws in
      #expect(try pair.known(in: other).author.books?.count == 0)
    }
    try pair.merge { _ in one.undo() }
    try other.performAndWait { () throws in
      other.processPendingChanges()
      let (book, author) = try pair.known(in: other)
      #expect(!book.isDeleted)
      #expect(author.books?.count == 1)
      #expect(book.title == "First")
      #expect(book.pages == 9)
      #expect(other.updatedObjects.contains(book))
      #expect(other.undoManager?.undoCount == steps)
      try other.save()
    }
    try one.performAndWait { () throws in
      one.refreshAllObjects()
      #expect(try pair.known(in: one).book.pages == 9)
    }
  }

  @Test("a reinserted row has the new values in other contexts", arguments: StoreTypes.both)
  func newValues(type: String) throws {
    let pair = try Pair(type)
    let one = pair.one
    try pair.other.performAndWait { () throws in
      #expect(try pair.known(in: pair.other).book.title == "First")
    }
    try one.performAndWait { () throws in
      let book = try pair.known(in: one).book
      for title in ["Second", "Third"] {
        book.title = title
        try one.save()
      }
      one.delete(book)
      one.processPendingChanges()
      try one.save()
    }
    try pair.merge { _ in one.undo() }
    try pair.other.performAndWait { () throws in
      #expect(try pair.known(in: pair.other).book.title == "Third")
    }
  }

  @Test(
    "a destination set again takes effect once the row has another one", arguments: StoreTypes.both
  )
  func destinationSetAgain(type: String) throws {
    let pair = try Pair(type)
    let other = pair.other
    try other.performAndWait { () throws in
      try pair.known(in: other).book.author = nil
      other.processPendingChanges()
    }
    try pair.merge { $0.author = nil }
    try other.performAndWait { () throws in
      let (book, author) = try pair.known(in: other)
      book.author = author
      other.processPendingChanges()
      other.refreshAllObjects()
      #expect(author.books?.allObjects as? [ShelfBook] == [book])
    }
  }

  @Test("deleting a fault without a row counts as one deletion", arguments: StoreTypes.both)
  func faultWithoutRow(type: String) throws {
    let pair = try Pair(type)
    let (one, other) = (pair.one, pair.other)
    try other.performAndWait { () throws in
      let fault = try pair.known(in: other).book
      try one.performAndWait { () throws in
        one.delete(try pair.known(in: one).book)
        try one.save()
      }
      other.delete(fault)
      other.processPendingChanges()
      other.undoManager?.removeAllActions()
      let author = try pair.known(in: other).author
      other.delete(author)
      other.processPendingChanges()
      #expect(other.deletedObjects == [fault, author])
      other.undo()
      #expect(other.deletedObjects == [fault])
    }
  }

  @Test("a child's relationships do not change what the parent deleted", arguments: StoreTypes.both)
  func childOfDeletion(type: String) throws {
    let pair = try Pair(type)
    let parent = pair.one
    let child = parent.makeChild()
    try child.performAndWait { () throws in
      let author = ShelfAuthor(context: child)
      author.code = 2
      try pair.known(in: child).book.author = author
      try parent.performAndWait { () throws in
        parent.delete(try pair.known(in: parent).book)
        parent.processPendingChanges()
      }
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
    }
    try parent.performAndWait { () throws in
      parent.undo()
      #expect(try pair.known(in: parent).book.author?.code == 1)
    }
  }

  @Test(
    "an object whose deletion is undone after another context moved it leaves the lists when that context deletes it",
    arguments: StoreTypes.both, [false, true])
  func movedBeforeUndo(type: String, isListLoaded: Bool) throws {
    let container = try ShelfModel.container(type)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    context.automaticallyMergesChangesFromParent = true
    context.undoManager = UndoManager()
    let (former, next, book) = try other.performAndWait { () throws in
      let authors = (1...2).map { code in
        let author = ShelfAuthor(context: other)
        author.code = Int32(code)
        return author
      }
      let book = ShelfBook(context: other)
      book.author = authors[0]
      try other.save()
      return (authors[0].objectID, authors[1].objectID, book.objectID)
    }
    func members(_ id: NSManagedObjectID) -> Int {
      (context.object(with: id) as? ShelfAuthor)?.books?.count ?? -1
    }
    context.performAndWait {
      _ = (context.object(with: book) as? ShelfBook)?.author?.code
      if isListLoaded { _ = (members(former), members(next)) }
      context.delete(context.object(with: book))
      context.processPendingChanges()
    }
    try other.performAndWait { () throws in
      (other.object(with: book) as? ShelfBook)?.author = other.object(with: next) as? ShelfAuthor
      try other.save()
    }
    context.performAndWait {
      context.undo()
      #expect(members(former) == 0)
      #expect(members(next) == 1)
    }
    try other.performAndWait { () throws in
      other.delete(other.object(with: book))
      try other.save()
    }
    context.performAndWait {
      #expect(members(former) == 0)
      #expect(members(next) == 0)
    }
  }

  // MARK: The same object inserted twice

  /// Two contexts whose undo inserts the same deleted book again; `one` has saved it, with another title and without
  /// author.
  private func insertedTwice(_ type: String) throws -> Pair {
    let pair = try Pair(type)
    for context in [pair.one, pair.other] {
      try context.performAndWait { () throws in
        #expect(try pair.known(in: context).author.books?.count == 1)
        #expect(try pair.titles(in: context) == ["First"])
      }
    }
    for context in [pair.one, pair.other] {
      try context.performAndWait { () throws in
        context.delete(try pair.known(in: context).book)
        try context.save()
        context.undo()
        #expect(try pair.known(in: context).book.isInserted)
      }
    }
    try pair.one.performAndWait { () throws in
      let book = try pair.known(in: pair.one).book
      (book.title, book.author) = ("Second", nil)
      try pair.one.save()
    }
    return pair
  }

  @Test(
    "when two contexts insert the same deleted object again, the merge policy decides between them",
    arguments: StoreTypes.both, [true, false])
  func insertedTwice(type: String, memoryWins: Bool) throws {
    for policy in memoryWins
      ? [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite]
      : [.mergeByPropertyStoreTrump, .rollback]
    {
      let pair = try insertedTwice(type)
      let other = pair.other
      try other.performAndWait { () throws in
        other.mergePolicy = policy
        try other.save()
        #expect(!other.hasChanges)
        #expect(other.checkInvariants().isEmpty)
        let (book, author) = try pair.known(in: other)
        #expect(book.title == (memoryWins ? "First" : "Second"))
        #expect(book.author === (memoryWins ? author : nil))
        #expect(author.books?.count == (memoryWins ? 1 : 0))
      }
      try pair.one.performAndWait { () throws in
        pair.one.refreshAllObjects()
        let (book, author) = try pair.known(in: pair.one)
        #expect(book.title == (memoryWins ? "First" : "Second"))
        #expect(author.books?.count == (memoryWins ? 1 : 0))
      }
    }
  }

  @Test(
    "the error policy reports an object that two contexts reinsert, and it can be discarded",
    arguments: StoreTypes.both)
  func insertedTwiceIsReported(type: String) throws {
    let pair = try insertedTwice(type)
    let other = pair.other
    try other.performAndWait { () throws in
      other.mergePolicy = NSMergePolicy.error
      let error = try #require(
        #expect(throws: CocoaError.self) { try other.save() }.map { $0 as NSError })
      #expect(error.code == NSManagedObjectMergeError)
      let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict]
      #expect(conflicts?.map(\.oldVersionNumber) == [0])
      #expect(conflicts?.first?.persistedSnapshot?["title"] as? String == "Second")
      #expect(try pair.known(in: other).book.isInserted)
      other.rollback()
      #expect(try pair.titles(in: other) == ["Second"])
      try other.save()
    }
  }
}
