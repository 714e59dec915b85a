import Foundation
import OpenCoreData
import Testing

/// The stores in which new objects are saved, and relationships between objects of two stores.
@Suite("The stores of new objects")
struct StorePlacementTests {
  private let stack: FileTestStack
  private let coordinator: NSPersistentStoreCoordinator

  init() throws {
    stack = try FileTestStack()
    coordinator = stack.coordinator()
  }

  private func addStore(_ configuration: String?) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: configuration, at: nil)
  }

  private func count(_ entity: String) throws -> Int {
    let context = stack.context(coordinator)
    return try context.performAndWait { () throws in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  private func insert(
    _ entity: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }

  @Test("an object whose entity is in no store's configuration is saved once such a store is added")
  func entityOfNoStore() throws {
    let tags = try addStore("Tags")
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let (author, tag) = (insert("Author", into: context), insert("Tag", into: context))
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .persistentStoreOperation)
      #expect(error?.affectedObjects?.first === author)
      #expect(throws: CocoaError.self) { try context.obtainPermanentIDs(for: [author]) }
      #expect(author.isInserted && author.objectID.isTemporaryID && tag.isInserted)
      #expect(try count("Tag") == 0)
      let all = try addStore("Everything")
      try context.save()
      #expect(author.objectID.persistentStore === all)
      #expect(tag.objectID.persistentStore === tags)
      #expect(try count("Author") == 1)
    }
  }

  @Test("an object that was inserted before there were stores is saved in a store of its entity")
  func objectBeforeStores() throws {
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let author = insert("Author", into: context)
      _ = try addStore("Tags")
      let all = try addStore("Everything")
      try context.save()
      #expect(author.objectID.persistentStore === all)
      #expect(try count("Author") == 1)
    }
  }

  @Test(
    "a relationship between objects of two stores makes the save throw 133010 and write nothing",
    arguments: ["author", "tags"], [false, true])
  func relationshipAcrossStores(_ relationship: String, _ isReversed: Bool) throws {
    var stores = [try addStore(nil), try addStore(nil)]
    if isReversed { stores.reverse() }
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let book = insert("Book", into: context)
      let other = insert(relationship == "author" ? "Author" : "Tag", into: context)
      context.assign(other, to: stores[0])
      context.assign(book, to: stores[1])
      let value: Any = relationship == "author" ? other : NSSet(object: other)
      book.setValue(value, forKey: relationship)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectExternalRelationship)
      #expect(book.isInserted && other.isInserted)
    }
    for entity in ["Author", "Book", "Tag"] { #expect(try count(entity) == 0) }
  }

  @Test("a destination in another store makes the save throw 133010 even if it has the stored key")
  func relationshipToEqualKey() throws {
    let stores = [try addStore(nil), try addStore(nil)]
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let (own, other) = (insert("Author", into: context), insert("Author", into: context))
      context.assign(own, to: stores[0])
      context.assign(other, to: stores[1])
      let book = insert("Book", into: context)
      context.assign(book, to: stores[0])
      book.setValue(own, forKey: "author")
      try context.save()
      let uris = [own, other].map { $0.objectID.uriRepresentation() }
      #expect(uris[0].lastPathComponent == uris[1].lastPathComponent)
      book.setValue(other, forKey: "author")
      #expect(book.changedValues()["author"] as? NSManagedObject === other)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectExternalRelationship)
      context.rollback()
      #expect(book.value(forKey: "author") as? NSManagedObject === own)
    }
  }

  @Test("assigning a saved object to its own store does nothing; to another store is rejected")
  func assignmentOfSavedObject() throws {
    let (own, other) = (try addStore(nil), try addStore(nil))
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = insert("Tag", into: context)
      try context.save()
      context.assign(tag, to: own)
      tag.setValue("changed", forKey: "word")
      try context.save()
      context.assign(tag, to: other)
      #expect(throws: ObjectError.self) { try context.save() }
      #expect(tag.objectID.persistentStore === own)
    }
  }

  @Test("a new object can be assigned to a store that was added after its insertion")
  func assignmentToLaterStore() throws {
    _ = try addStore(nil)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = insert("Tag", into: context)
      let later = try addStore(nil)
      context.assign(tag, to: later)
      try context.save()
      #expect(tag.objectID.persistentStore === later)
    }
  }

  @Test("a new object is saved in a writable store that was added after a read-only one")
  func writableStoreAddedLater() throws {
    let url = stack.url("fixed.sqlite")
    let writer = stack.coordinator()
    let written = try writer.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    try writer.remove(written)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSReadOnlyPersistentStoreOption: true])
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = insert("Tag", into: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .persistentStoreSave)
      let later = try addStore(nil)
      try context.save()
      #expect(tag.objectID.persistentStore === later)
      #expect(try count("Tag") == 1)
    }
  }

  @Test("a new object is saved in a writable store after its store was made read-only")
  func storeMadeReadOnly() throws {
    let (first, second) = (try addStore(nil), try addStore(nil))
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = insert("Tag", into: context)
      first.isReadOnly = true
      try context.save()
      #expect(tag.objectID.persistentStore === second)
    }
  }

  @Test(
    "a child context follows an unsaved object that its parent moves to another store",
    arguments: [false, true], [false, true])
  func movedInParent(isAssigned: Bool, isSavedFirst: Bool) throws {
    let first = try addStore(nil)
    let parent = stack.context(coordinator)
    let child = parent.makeChild()
    try child.performAndWait { () throws in
      let tag = insert("Tag", into: child)
      tag.setValue("first", forKey: "word")
      try child.save()
      let later = try addStore(nil)
      if isAssigned {
        try parent.performAndWait { () throws in
          parent.assign(try #require(parent.insertedObjects.first), to: later)
        }
      } else {
        try coordinator.remove(first)
      }
      if isSavedFirst {
        child.refreshAllObjects()
        try parent.performAndWait { () throws in try parent.save() }
        #expect(tag.value(forKey: "word") as? String == "first")
      }
      tag.setValue("changed", forKey: "word")
      try child.save()
      try parent.performAndWait { () throws in try parent.save() }
      child.refreshAllObjects()
      #expect(tag.value(forKey: "word") as? String == "changed")
      #expect(tag.objectID.persistentStore === later)
    }
    #expect(try count("Tag") == 1)
  }

  @Test(
    "a child's changes reach the object of its parent after the root context has saved the object",
    arguments: [false, true])
  func movedInRoot(isAssigned: Bool) throws {
    let first = try addStore(nil)
    let root = stack.context(coordinator)
    let middle = root.makeChild()
    let child = middle.makeChild()
    try child.performAndWait { () throws in
      let tag = insert("Tag", into: child)
      tag.setValue("first", forKey: "word")
      try child.save()
      let known = try middle.performAndWait { () throws -> NSManagedObject in
        let known = try #require(middle.insertedObjects.first)
        try middle.save()
        return known
      }
      let store = try isAssigned ? addStore(nil) : first
      try root.performAndWait { () throws in
        root.assign(try #require(root.insertedObjects.first), to: store)
        try root.save()
      }
      tag.setValue("changed", forKey: "word")
      try child.save()
      try middle.performAndWait { () throws in
        #expect(middle.updatedObjects == [known])
        try middle.save()
      }
      try root.performAndWait { () throws in try root.save() }
      child.refreshAllObjects()
      #expect(tag.value(forKey: "word") as? String == "changed")
      #expect(tag.objectID.persistentStore === store)
    }
    #expect(try count("Tag") == 1)
  }

  @Test(
    "a result of a child context finds an unsaved object that the parent has moved since the fetch",
    arguments: [false, true])
  func movedSinceFetch(isSaved: Bool) throws {
    _ = try addStore(nil)
    let parent = stack.context(coordinator)
    let child = parent.makeChild()
    parent.performAndWait { insert("Tag", into: parent).setValue("moved", forKey: "word") }
    try child.performAndWait { () throws in
      let results = try child.fetchLazily(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      let later = try addStore(nil)
      try parent.performAndWait { () throws in
        parent.assign(try #require(parent.insertedObjects.first), to: later)
        if isSaved { try parent.save() }
      }
      #expect(results.objectID(at: 0).persistentStore === (isSaved ? later : nil))
      let tag = try #require(results.first)
      #expect(tag.value(forKey: "word") as? String == "moved")
      tag.setValue("changed", forKey: "word")
      try child.save()
      try parent.performAndWait { () throws in try parent.save() }
      let again = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(again.map { $0 === tag } == [true])
      #expect(tag.objectID.persistentStore === later)
    }
    #expect(try count("Tag") == 1)
  }
}
