import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// Temporary ids of objects that are unsaved in another context.
@Suite("Temporary ids of other contexts")
struct TemporaryIDTests {
  /// Runs work with the id of an unsaved book of another context.
  private func run(
    _ type: String, _ work: (NSManagedObjectContext, NSManagedObjectID) throws -> Void
  ) throws {
    let container = try ShelfModel.container(type)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    try other.performAndWait { () throws in
      let book = ShelfBook(context: other)
      let id = book.objectID
      try context.performAndWait { () throws in try work(context, id) }
      try other.save()
      #expect(throws: CocoaError.self) { _ = try other.existingObject(with: id) }
      #expect(try other.existingObject(with: book.objectID) === book)
    }
  }

  @Test(
    "existingObject(with:) throws for a temporary id of another context, and names the object",
    arguments: StoreTypes.both)
  func existingObject(type: String) throws {
    try run(type) { context, id in
      let fault = context.object(with: id)
      #expect(fault.isFault)
      #expect(context.checkInvariants() == [])
      for _ in 0..<2 {
        let error = #expect(throws: CocoaError.self) { _ = try context.existingObject(with: id) }
        #expect(error?.code == .managedObjectReferentialIntegrity)
        #expect(error?.localizedDescription.contains("Its id is temporary") == true)
        let affected = error?.affectedObjects as? [NSManagedObject]
        #expect(affected?.map(\.objectID) == [id])
      }
      #expect(context.registeredObjects.isEmpty && !context.hasChanges)
    }
  }

  @Test("the error of existingObject(with:) names an object whose row was deleted")
  func deletedRow() throws {
    let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    try context.performAndWait { () throws in
      let book = ShelfBook(context: context)
      try context.save()
      context.delete(book)
      let pending = #expect(throws: CocoaError.self) {
        _ = try context.existingObject(with: book.objectID)
      }
      #expect(pending?.affectedObjects?.first === book)
      try context.save()
      let saved = #expect(throws: CocoaError.self) {
        _ = try context.existingObject(with: book.objectID)
      }
      #expect(saved?.code == .managedObjectReferentialIntegrity)
      #expect(saved?.affectedObjects?.count == 1)
    }
  }

  @Test(
    "firing a fault with a temporary id of another context obeys shouldDeleteInaccessibleFaults",
    arguments: StoreTypes.both, [true, false])
  func firing(type: String, deletes: Bool) throws {
    try run(type) { context, id in
      context.shouldDeleteInaccessibleFaults = deletes
      let fault = try #require(context.object(with: id) as? ShelfBook)
      #expect(fault.title == nil)
      #expect(fault.isDeleted == deletes)
      #expect(context.checkInvariants() == [])
      if !deletes {
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .managedObjectReferentialIntegrity)
      }
      try context.save()
      #expect(!context.hasChanges)
      #expect(try context.count(for: NSFetchRequest<ShelfBook>(entityName: "ShelfBook")) == 0)
    }
  }

  @Test(
    "a parent's fault for a new object of a child becomes the inserted object",
    arguments: StoreTypes.both, [false, true])
  func insertionInChild(type: String, isPermanent: Bool) throws {
    let parent = try ShelfModel.container(type).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait { () throws in
      let (book, author) = (ShelfBook(context: child), ShelfAuthor(context: child))
      book.title = "Notes"
      book.author = author
      author.name = "Ada"
      if isPermanent { try child.obtainPermanentIDs(for: [book, author]) }
      let ids = [book.objectID, author.objectID]
      let faults = parent.performAndWait { ids.map { parent.object(with: $0) } }
      try child.save()
      try parent.performAndWait { () throws in
        #expect(parent.insertedObjects == Set(faults))
        #expect(parent.checkInvariants() == [])
        #expect((faults[0] as? ShelfBook)?.title == "Notes")
        #expect((faults[0] as? ShelfBook)?.author === faults[1])
        try parent.save()
        #expect(parent.checkInvariants() == [])
        parent.reset()
        let stored = try parent.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
        #expect(stored.map(\.title) == ["Notes"])
        #expect(stored.map(\.author?.name) == ["Ada"])
      }
    }
  }

  @Test(
    "an object that is passed twice to obtainPermanentIDs(for:) has the same id in a child",
    arguments: StoreTypes.both)
  func repeatedObject(type: String) throws {
    let parent = try ShelfModel.container(type).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait { () throws in
      let book = parent.performAndWait { ShelfBook(context: parent) }
      let copy = try #require(child.object(with: book.objectID) as? ShelfBook)
      try parent.performAndWait { () throws in
        try parent.obtainPermanentIDs(for: [book, book])
      }
      copy.title = "Notes"
      #expect(copy.objectID == book.objectID)
      try child.save()
      try parent.performAndWait { () throws in
        #expect(book.title == "Notes")
        #expect(parent.insertedObjects == [book])
        try parent.save()
      }
    }
  }

  @Test("a fault of a context between parent and child becomes the inserted object")
  func insertionInGrandchild() throws {
    let root = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let middle = root.makeChild()
    let child = middle.makeChild()
    try child.performAndWait { () throws in
      let book = ShelfBook(context: child)
      book.title = "Notes"
      let id = book.objectID
      let fault = middle.performAndWait { middle.object(with: id) }
      try child.save()
      try middle.performAndWait { () throws in
        #expect(middle.insertedObjects == [fault])
        try middle.save()
      }
      try root.performAndWait { () throws in
        #expect(root.insertedObjects.count == 1)
        try root.save()
        let stored = try root.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
        #expect(stored.map(\.title) == ["Notes"])
      }
    }
  }

  @Test(
    "an object whose value was read in the parent before its insertion arrived is inserted",
    arguments: StoreTypes.both, [false, true])
  func readBeforeInsertion(type: String, isPermanent: Bool) throws {
    let parent = try ShelfModel.container(type).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait { () throws in
      let book = ShelfBook(context: child)
      book.title = "Notes"
      if isPermanent { try child.obtainPermanentIDs(for: [book]) }
      let id = book.objectID
      let known = parent.performAndWait {
        let known = parent.object(with: id)
        #expect((known as? ShelfBook)?.title == nil)
        #expect(known.isDeleted)
        return known
      }
      try child.save()
      try parent.performAndWait { () throws in
        #expect(parent.insertedObjects == [known])
        #expect(parent.deletedObjects.isEmpty)
        #expect(parent.checkInvariants() == [])
        #expect((known as? ShelfBook)?.title == "Notes")
        try parent.save()
        parent.reset()
        let stored = try parent.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
        #expect(stored.map(\.title) == ["Notes"])
      }
    }
  }

  @Test(
    "a fault with a temporary id gets its values after an ancestor has saved the object",
    arguments: StoreTypes.both, [false, true])
  func firingAfterSave(type: String, isHeld: Bool) throws {
    let root = try ShelfModel.container(type).newBackgroundContext()
    let middle = root.makeChild()
    let child = middle.makeChild()
    middle.retainsRegisteredObjects = isHeld
    try child.performAndWait { () throws in
      let book = ShelfBook(context: child)
      book.title = "Notes"
      try child.save()
      child.refreshAllObjects()
      try middle.performAndWait { () throws in
        try middle.save()
        middle.refreshAllObjects()
      }
      try root.performAndWait { () throws in try root.save() }
      #expect(book.isFault)
      #expect(book.title == "Notes")
      #expect(!book.isDeleted && !book.objectID.isTemporaryID)
      #expect(child.checkInvariants() == [])
    }
  }

  @Test(
    "a predicate with an id that was read before the insertion selects the inserted object",
    arguments: StoreTypes.both)
  func idBeforeInsertion(type: String) throws {
    let container = try ShelfModel.container(type)
    let entity = try #require(container.managedObjectModel.entitiesByName["ShelfBook"])
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      let book = ShelfBook(entity: entity, insertInto: nil)
      let id = book.objectID
      context.insert(book)
      ShelfBook(context: context).code = 1
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = NSPredicate(format: "SELF == %@", id)
      #expect(try context.fetch(request) == [book])
      request.predicate = NSPredicate(format: "SELF IN %@", [id])
      #expect(try context.fetch(request) == [book])
    }
  }
}
