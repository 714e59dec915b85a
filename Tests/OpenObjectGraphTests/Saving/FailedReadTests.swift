import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenTestSupport
import Testing

/// The behavior of a context after a store failed to return values (D-009).
@Suite("A failed read is never a value")
struct FailedReadTests {
  /// Fires a fault whose row cannot be read.
  private func failRead(of book: ShelfBook, _ stack: FaultStack) {
    stack.context.refresh(book, mergeChanges: false)
    stack.faults.fail(1, of: [.rows])
    #expect(book.title == nil)
    #expect(stack.faults.stop())
  }

  @Test(
    "saves throw the read's error with the object until it is refreshed", arguments: StoreTypes.both
  )
  func refreshing(_ type: String) throws {
    let stack = try FaultStack(type)
    try stack.context.performAndWait { () throws in
      let book = try stack.book(11)
      let other = try stack.book(12)
      failRead(of: book, stack)
      other.title = "worked out from nothing"
      for _ in 0..<2 {
        let error = try #require(throws: CocoaError.self) { try stack.context.save() }
        #expect(error.code == .persistentStoreSave)
        #expect(error.affectedObjects?.first === book)
      }
      stack.context.refresh(book, mergeChanges: true)
      #expect(book.title == "title 11")
      try stack.context.save()
    }
    #expect(try stack.contents().contains("12 worked out from nothing 1"))
  }

  @Test("an object that cannot be read rejects edits and its deletion", arguments: StoreTypes.both)
  func refusing(_ type: String) throws {
    let stack = try FaultStack(type)
    let before = try stack.contents()
    try stack.context.performAndWait { () throws in
      let book = try stack.book(11)
      stack.context.refresh(book, mergeChanges: false)
      stack.faults.fail(1, of: [.rows])
      book.title = "never read"
      stack.faults.stop()
      #expect(!book.hasChanges)
      stack.context.refresh(book, mergeChanges: false)
      stack.faults.fail(1, of: [.rows])
      stack.context.delete(book)
      stack.faults.stop()
      #expect(!book.isDeleted)
      #expect(throws: CocoaError.self) { try stack.context.save() }
      stack.context.rollback()
      try stack.context.save()
    }
    #expect(try stack.contents() == before)
  }

  @Test("rollback and reset discard failed reads", arguments: StoreTypes.both)
  func forgetting(_ type: String) throws {
    let stack = try FaultStack(type)
    try stack.context.performAndWait { () throws in
      failRead(of: try stack.book(11), stack)
      stack.context.rollback()
      try stack.context.save()
      failRead(of: try stack.book(11), stack)
      stack.context.reset()
      try stack.context.save()
    }
  }

  /// Merges newer values of a book, whose first two reads fail.
  private func failUpdate(of book: ShelfBook, by merging: Bool, _ stack: FaultStack) throws {
    let request = NSBatchUpdateRequest(entityName: "ShelfBook")
    request.propertiesToUpdate = ["title": "new"]
    _ = try stack.container.newBackgroundContext().execute(request)
    stack.faults.failAll(of: [.rows])
    if merging {
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: [book.objectID]], into: [stack.context])
    } else {
      stack.context.refresh(book, mergeChanges: true)
    }
    #expect(stack.faults.stop())
  }

  @Test(
    "newer values that cannot be read are read at the next use of the object",
    arguments: StoreTypes.both, [false, true])
  func updating(_ type: String, merging: Bool) throws {
    let stack = try FaultStack(type)
    try stack.context.performAndWait { () throws in
      let book = try stack.book(11)
      #expect(book.title == "title 11")
      try failUpdate(of: book, by: merging, stack)
      #expect(book.isFault)
      #expect(book.title == "new")
      try stack.context.save()
    }
  }

  @Test(
    "newer values of a changed object that cannot be read make saves throw until it is refreshed",
    arguments: StoreTypes.both, [false, true])
  func updatingChanged(_ type: String, merging: Bool) throws {
    let stack = try FaultStack(type)
    try stack.context.performAndWait { () throws in
      stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let book = try stack.book(11)
      book.pages = 7
      try failUpdate(of: book, by: merging, stack)
      #expect(book.pages == 7 && book.title == "title 11")
      let error = try #require(throws: CocoaError.self) { try stack.context.save() }
      #expect(error.affectedObjects?.first === book)
      stack.context.refresh(book, mergeChanges: true)
      #expect(book.pages == 7 && book.title == "new")
      try stack.context.save()
    }
    #expect(try stack.contents().contains("11 new 1"))
  }

  @Test(
    "a child of a changed parent throws the error of a relationship that the parent cannot read",
    arguments: StoreTypes.both)
  func readingThroughParent(_ type: String) throws {
    let stack = try FaultStack(type)
    let child = stack.context.makeChild()
    try child.performAndWait { () throws in
      stack.context.performAndWait {
        let book = ShelfBook(context: stack.context)
        book.code = 31
      }
      let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
      request.predicate = NSPredicate(format: "code == 1")
      let author = try #require(try child.fetch(request).first)
      stack.faults.failAll(of: [.destinations])
      let error = #expect(throws: (any Error).self) {
        try author.checkedValue(forKey: "books")
      }
      #expect(error.map(FaultInjection.made) == true)
      #expect(stack.faults.stop())
      #expect(author.books?.count == 3)
    }
    // The child context threw the error, so the parent context does not defer it.
    try stack.context.performAndWait { try stack.context.save() }
  }

  @Test(
    "the save of a child throws if its parent cannot read an object that the child deleted",
    arguments: StoreTypes.both)
  func deletingThroughParent(_ type: String) throws {
    let stack = try FaultStack(type)
    let (parent, child) = (stack.context, stack.context.makeChild())
    try child.performAndWait { () throws in
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = NSPredicate(format: "code == 12")
      let book = try #require(try child.fetch(request).first)
      #expect(book.author?.code == 1)
      try parent.performAndWait { () throws in
        let own = try stack.book(12)
        #expect(own.author?.code == 1)
        parent.refresh(own, mergeChanges: false)
      }
      child.delete(book)
      stack.faults.failAll(of: [.rows])
      let error = #expect(throws: (any Error).self) { try child.save() }
      #expect(stack.faults.stop())
      #expect(error.map(FaultInjection.made) == true)
      #expect(book.isDeleted)
      let isParentChanged = parent.performAndWait { parent.hasChanges }
      #expect(!isParentChanged)
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    #expect(try !stack.contents().contains("12 title 12 1"))
  }

  @Test(
    "saves throw until the rows that a cascade deletes can be read",
    arguments: StoreTypes.both, [false, true])
  func cascading(_ type: String, isToOne: Bool) throws {
    let model = ShelfModel.make()
    if isToOne {
      let author = model.entitiesByName["ShelfBook"]?.relationshipsByName["author"]
      author?.deleteRule = .cascadeDeleteRule
    }
    let stack = try FaultStack(type, model)
    try stack.context.performAndWait { () throws in
      let first: NSManagedObject = try isToOne ? stack.book(11) : stack.author(1)
      stack.context.delete(first)
      stack.faults.failAll(of: [.rows])
      for _ in 0..<2 {
        let error = #expect(throws: (any Error).self) { try stack.context.save() }
        #expect(error.map(FaultInjection.made) == true)
        #expect(stack.context.checkInvariants() == [])
        stack.context.refreshAllObjects()
      }
      #expect(stack.faults.stop())
      try stack.context.save()
      #expect(stack.context.checkInvariants() == [])
    }
    #expect(
      try stack.contents() == ["21 title 21 2", "22 title 22 2", "23 title 23 2", "1 authors"])
  }

  @Test(
    "saves throw if the members for an undo step cannot be read, until the object is refreshed",
    arguments: UndoModel.stores)
  func undoStep(_ type: String) throws {
    let faults = FaultInjection()
    let context = try UndoModel.context(try FaultInjectingStore.register(type, faults: faults))
    try context.performAndWait { () throws in
      let node = UndoModel.insert("Node", "n", in: context)
      let tag = UndoModel.insert("Tag", "t", in: context)
      node.setValue(NSSet(object: tag), forKey: "tags")
      try context.save()
      context.refreshAllObjects()
      context.undoManager = UndoManager()
      // The nodes of the tag are not read.
      node.setValue(NSSet(), forKey: "tags")
      faults.failAll(of: [.destinations])
      context.processPendingChanges()
      #expect(faults.stop())
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.affectedObjects?.first === tag)
      context.refresh(tag, mergeChanges: true)
      try context.save()
      context.undo()
      #expect(node.related("tags") == [tag])
      #expect(tag.related("nodes") == [node])
    }
  }
}
