import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// What a child context knows of unsaved objects that its parent moves to another store or saves.
@Suite("Unsaved objects that are moved")
struct MovedObjectTests {
  private let stack: FileTestStack
  private let parent: NSManagedObjectContext
  private let child: NSManagedObjectContext

  init() throws {
    stack = try FileTestStack()
    parent = stack.context(stack.coordinator())
    child = parent.makeChild()
    _ = try addStore()
  }

  private func addStore() throws -> NSPersistentStore {
    let coordinator = try #require(parent.persistentStoreCoordinator)
    return try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
  }

  /// Inserts an author, the author's book and two tags of the book, and leaves them unsaved.
  private func insertBook(into context: NSManagedObjectContext) {
    context.performAndWait {
      let book = insert("Book", "title", "Notes", into: context)
      book.setValue(insert("Author", "name", "Ada", into: context), forKey: "author")
      let tags = ["good", "old"].map { insert("Tag", "word", $0, into: context) }
      book.setValue(NSSet(array: tags), forKey: "tags")
      context.processPendingChanges()
    }
  }

  private func insert(
    _ entity: String, _ key: String, _ value: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(value, forKey: key)
    return object
  }

  private func fetch(
    _ entity: String, in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// Assigns the parent's new objects of some entities to a store.
  private func assign(_ entities: Set<String>, to store: NSPersistentStore) {
    parent.performAndWait {
      for object in parent.insertedObjects where entities.contains(object.entity.name ?? "") {
        parent.assign(object, to: store)
      }
    }
  }

  private func words(of book: NSManagedObject) -> [String] {
    let tags = book.value(forKey: "tags") as? Set<NSManagedObject> ?? []
    return tags.compactMap { $0.value(forKey: "word") as? String }.sorted()
  }

  @Test("a merged deletion reaches a loaded list whose owner was moved to another store")
  func loadedListOfMovedOwner() throws {
    insertBook(into: parent)
    let later = try addStore()
    try child.performAndWait { () throws in
      let book = try #require(try fetch("Book", in: child).first)
      #expect(words(of: book) == ["good", "old"])
      assign(["Author", "Book", "Tag"], to: later)
      // The fetch moves the registered objects of the child.
      _ = try fetch("Author", in: child)
      let id = try parent.performAndWait { () throws -> NSManagedObjectID in
        let tag = try #require(
          try fetch("Tag", in: parent).first { $0.value(forKey: "word") as? String == "good" })
        parent.delete(tag)
        parent.processPendingChanges()
        return tag.objectID
      }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectIDsKey: [id]], into: [child])
      #expect(words(of: book) == ["old"])
      #expect(child.checkInvariants() == [])
    }
  }

  @Test("dropping a changed destination restores the list of a destination that was moved")
  func listOfMovedDestination() throws {
    insertBook(into: parent)
    let later = try addStore()
    try child.performAndWait { () throws in
      let book = try #require(try fetch("Book", in: child).first)
      let author = try #require(book.value(forKey: "author") as? NSManagedObject)
      let books = { (author.value(forKey: "books") as? NSOrderedSet)?.count }
      #expect(books() == 1)
      book.setValue(nil, forKey: "author")
      #expect(books() == 0)
      assign(["Author"], to: later)
      child.refresh(book, mergeChanges: false)
      #expect(books() == 1)
      #expect(book.value(forKey: "author") as? NSManagedObject === author)
    }
  }

  @Test(
    "a relationship leads to a destination that was moved to another store and never registered")
  func unregisteredDestination() throws {
    insertBook(into: parent)
    let later = try addStore()
    try child.performAndWait { () throws in
      let book = try #require(try fetch("Book", in: child).first)
      assign(["Author"], to: later)
      let author = try #require(book.value(forKey: "author") as? NSManagedObject)
      #expect(author.value(forKey: "name") as? String == "Ada")
      assign(["Book", "Tag"], to: later)
      try parent.performAndWait { () throws in try parent.save() }
      child.refreshAllObjects()
      #expect(book.value(forKey: "author") as? NSManagedObject === author)
      #expect(book.objectIDs(forRelationshipNamed: "author") == [author.objectID])
      #expect(author.objectID.persistentStore === later)
      #expect(child.checkInvariants() == [])
    }
  }

  @Test("a change that was announced before the object was moved reaches the child context")
  func announcedBeforeMove() throws {
    insertBook(into: parent)
    let later = try addStore()
    child.automaticallyMergesChangesFromParent = true
    let sibling = parent.makeChild()
    let author = try child.performAndWait { () throws -> NSManagedObject in
      let author = try #require(try fetch("Author", in: child).first)
      try sibling.performAndWait { () throws in
        try fetch("Author", in: sibling).first?.setValue("Grace", forKey: "name")
        try sibling.save()
      }
      // The child merges the change after this block.
      assign(["Author", "Book", "Tag"], to: later)
      #expect(author.value(forKey: "name") as? String == "Ada")
      return author
    }
    child.performAndWait { #expect(author.value(forKey: "name") as? String == "Grace") }
  }

  @Test("an id that was read before the object was assigned to another store still identifies it")
  func idFromBeforeAssignment() throws {
    let later = try addStore()
    parent.performAndWait {
      let tag = insert("Tag", "word", "good", into: parent)
      let id = tag.objectID
      parent.assign(tag, to: later)
      #expect(parent.registeredObject(for: id) === tag)
      #expect(parent.object(with: id) === tag)
    }
  }

  @Test(
    "a parent's fault for a new object of a child is inserted in the store that the child chose")
  func faultInParent() throws {
    let later = try addStore()
    try child.performAndWait { () throws in
      let tag = insert("Tag", "word", "good", into: child)
      let id = tag.objectID
      let fault = parent.performAndWait { parent.object(with: id) }
      child.assign(tag, to: later)
      try child.save()
      try parent.performAndWait { () throws in
        #expect(parent.insertedObjects == [fault])
        try parent.save()
        #expect(fault.objectID.persistentStore === later)
      }
    }
  }

  @Test("a child of a child finds a destination that was saved before the child was created")
  func laterGrandchild() throws {
    insertBook(into: parent)
    let book = try child.performAndWait { () throws -> NSManagedObject in
      try #require(try fetch("Book", in: child).first)
    }
    try parent.performAndWait { () throws in try parent.save() }
    let grandchild = child.makeChild()
    try grandchild.performAndWait { () throws in
      let found = try #require(try fetch("Book", in: grandchild).first)
      let author = try #require(found.value(forKey: "author") as? NSManagedObject)
      #expect(!author.objectID.isTemporaryID)
      #expect(try fetch("Author", in: grandchild) == [author])
    }
    withExtendedLifetime(book) {}
  }

  @Test("a child context keeps only the temporary keys that its rows contain")
  func keptTemporaryKeys() throws {
    insertBook(into: parent)
    let book = try child.performAndWait { () throws -> NSManagedObject in
      try #require(try fetch("Book", in: child).first)
    }
    let count = 2_000
    for _ in 0..<4 {
      try parent.performAndWait { () throws in
        for _ in 0..<count { _ = insert("Tag", "word", "new", into: parent) }
        try parent.save()
      }
    }
    child.performAndWait {
      // The author, whose key the row of the book contains, and the objects of the last save.
      #expect(child.renameCount <= count + 2)
      let author = book.value(forKey: "author") as? NSManagedObject
      #expect(author?.value(forKey: "name") as? String == "Ada")
      #expect(author?.objectID.isTemporaryID == false)
    }
  }
}
