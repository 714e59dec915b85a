import Foundation
import OpenCoreData
import Testing

/// Conflicts of objects that a save does not write.
@Suite("Conflict detection on demand")
struct ConflictDetectionTests {
  /// Two contexts on one store, each with the same book.
  private struct Pair {
    let mine: NSManagedObjectContext
    let book: ShelfBook
    let other: NSManagedObjectContext

    init(_ type: String, _ policy: NSMergePolicy = .error) throws {
      let container = try ShelfModel.container(type)
      let (mine, other) = (container.newBackgroundContext(), container.newBackgroundContext())
      mine.mergePolicy = policy
      book = try mine.performAndWait { () throws in
        let book = ShelfBook(context: mine)
        book.title = "First"
        try mine.save()
        return book
      }
      (self.mine, self.other) = (mine, other)
    }

    /// Changes or deletes the book in the other context.
    func changeElsewhere(_ change: (ShelfBook) -> Void) throws {
      let id = mine.performAndWait { book.objectID }
      try other.performAndWait { () throws in
        let theirs = try #require(try other.existingObject(with: id) as? ShelfBook)
        change(theirs)
        try other.save()
      }
    }
  }

  @Test(
    "a save fails when an unchanged object that it watches changed in the store",
    arguments: StoreTypes.both)
  func changed(type: String) throws {
    let pair = try Pair(type)
    try pair.changeElsewhere { $0.title = "Second" }
    try pair.mine.performAndWait { () throws in
      ShelfBook(context: pair.mine).title = "New"
      pair.mine.detectConflicts(for: pair.book)
      let error = #expect(throws: CocoaError.self) { try pair.mine.save() }
      #expect(error?.code == .managedObjectMerge)
      let conflict = try #require(error?.persistentStoreSaveConflicts?.first)
      #expect(conflict.sourceObject === pair.book)
      #expect(conflict.persistedSnapshot?["title"] as? String == "Second")
      #expect(pair.mine.insertedObjects.count == 1)
      #expect(try pair.mine.count(for: Self.stored) == 1)
      // The request stays in effect until a save succeeds.
      #expect(throws: CocoaError.self) { try pair.mine.save() }
      pair.mine.refresh(pair.book, mergeChanges: true)
      try pair.mine.save()
      #expect(try pair.mine.count(for: Self.stored) == 2)
    }
    try pair.changeElsewhere { $0.title = "Third" }
    try pair.mine.performAndWait { () throws in
      ShelfBook(context: pair.mine).title = "Newer"
      try pair.mine.save()
    }
  }

  private static var stored: NSFetchRequest<ShelfBook> {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.includesPendingChanges = false
    return request
  }

  @Test(
    "without other changes, the save still checks the object and writes nothing",
    arguments: StoreTypes.both)
  func alone(type: String) throws {
    let pair = try Pair(type)
    try pair.mine.performAndWait { () throws in
      pair.mine.detectConflicts(for: pair.book)
      try pair.mine.save()
    }
    try pair.changeElsewhere { $0.title = "Second" }
    try pair.mine.performAndWait { () throws in
      try pair.mine.save()
      pair.mine.detectConflicts(for: pair.book)
      #expect(throws: CocoaError.self) { try pair.mine.save() }
    }
  }

  @Test(
    "a row that was deleted is a conflict of an unchanged object too", arguments: StoreTypes.both)
  func deleted(type: String) throws {
    let pair = try Pair(type)
    try pair.changeElsewhere { book in book.managedObjectContext?.delete(book) }
    pair.mine.performAndWait {
      pair.mine.detectConflicts(for: pair.book)
      let error = #expect(throws: CocoaError.self) { try pair.mine.save() }
      #expect(error?.persistentStoreSaveConflicts?.first?.newVersionNumber == 0)
    }
  }

  @Test(
    "merge policies resolve the conflict of an unchanged object, which is announced as refreshed")
  func policies() throws {
    let titles: [(NSMergePolicy, String)] = [
      (.mergeByPropertyObjectTrump, "Second"), (.mergeByPropertyStoreTrump, "Second"),
      (.rollback, "Second"), (.overwrite, "First"),
    ]
    for (policy, title) in titles {
      let pair = try Pair(NSSQLiteStoreType, policy)
      try pair.changeElsewhere { $0.title = "Second" }
      try pair.mine.performAndWait { () throws in
        let collector = NotificationCollector(
          .NSManagedObjectContextObjectsDidChange, of: pair.mine)
        pair.mine.detectConflicts(for: pair.book)
        try pair.mine.save()
        #expect(pair.book.title == title)
        let refreshed = collector.all.compactMap {
          $0.userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject>
        }
        #expect(refreshed.isEmpty == (policy === NSMergePolicy.overwrite))
        pair.mine.refresh(pair.book, mergeChanges: false)
        #expect(pair.book.title == title)
      }
    }
  }

  @Test("a child context forwards the request to its parent")
  func child() throws {
    let pair = try Pair(NSSQLiteStoreType)
    let child = pair.mine.makeChild()
    let id = pair.mine.performAndWait { pair.book.objectID }
    try pair.changeElsewhere { $0.title = "Second" }
    try child.performAndWait { () throws in
      child.detectConflicts(for: child.object(with: id))
      try child.save()
    }
    pair.mine.performAndWait {
      let error = #expect(throws: CocoaError.self) { try pair.mine.save() }
      #expect(error?.code == .managedObjectMerge)
    }
  }

  @Test("a child's save throws 133000 if the row of an object that it watches was deleted")
  func deletedForChild() throws {
    let pair = try Pair(NSSQLiteStoreType)
    let child = pair.mine.makeChild()
    let id = pair.mine.performAndWait { pair.book.objectID }
    try child.performAndWait { () throws in
      let book = try #require(try child.existingObject(with: id) as? ShelfBook)
      #expect(book.title == "First")
      child.detectConflicts(for: book)
      pair.mine.performAndWait { pair.mine.refresh(pair.book, mergeChanges: false) }
      try pair.changeElsewhere { book in book.managedObjectContext?.delete(book) }
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(error?.affectedObjects?.first === book)
      child.reset()
      try child.save()
    }
  }

  @Test(
    "a child's save throws 133000 for an object that it watches and refers to if its parent deleted the object",
    arguments: [0, 1])
  func deletedDestination(savedDeletions: Int) throws {
    let parent = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let child = parent.makeChild()
    let id = try parent.performAndWait { () throws in
      let author = ShelfAuthor(context: parent)
      try parent.save()
      return author.objectID
    }
    try child.performAndWait { () throws in
      let author = try #require(try child.existingObject(with: id) as? ShelfAuthor)
      let book = ShelfBook(context: child)
      book.author = author
      child.detectConflicts(for: author)
      try parent.performAndWait { () throws in
        parent.delete(try parent.existingObject(with: id))
        parent.processPendingChanges()
        for _ in 0..<savedDeletions { try parent.save() }
      }
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(error?.affectedObjects?.filter { $0 === author }.count == 1)
      #expect(book.isInserted)
      child.reset()
      try child.save()
    }
  }

  @Test("the save of a child does not call an override of the parent")
  func overriddenInParent() throws {
    final class Unasked: NSManagedObjectContext, @unchecked Sendable {
      override func detectConflicts(for object: NSManagedObject) {
        Issue.record("The override was called.")
      }
    }
    let pair = try Pair(NSInMemoryStoreType)
    let parent = Unasked(concurrencyType: .privateQueueConcurrencyType)
    parent.persistentStoreCoordinator = pair.mine.persistentStoreCoordinator
    let child = parent.makeChild()
    let id = pair.mine.performAndWait { pair.book.objectID }
    try child.performAndWait { () throws in
      child.detectConflicts(for: child.object(with: id))
      try child.save()
    }
    try parent.performAndWait { () throws in try parent.save() }
  }

  @Test(
    "an object of another context makes the next save throw; new and deleted ones change nothing")
  func otherObjects() throws {
    let pair = try Pair(NSSQLiteStoreType)
    try pair.other.performAndWait { () throws in
      pair.other.detectConflicts(for: pair.book)
      #expect(throws: ObjectError.self) { try pair.other.save() }
      try pair.other.save()
    }
    try pair.mine.performAndWait { () throws in
      pair.mine.detectConflicts(for: ShelfBook(context: pair.mine))
      pair.mine.detectConflicts(for: pair.book)
      pair.mine.delete(pair.book)
      try pair.mine.save()
      pair.mine.detectConflicts(for: pair.book)
      #expect(throws: ObjectError.self) { try pair.mine.save() }
    }
  }
}
