import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

/// Inserts a companion when it is inserted.
@ManagedObject
class AwakenedOwner: NSManagedObject {
  @Managed var name: String?

  override func awakeFromInsert() {
    guard let context = managedObjectContext else { return }
    NSEntityDescription.insertNewObject(forEntityName: "Companion", into: context)
      .setValue(name ?? "new", forKey: "name")
  }
}

/// Contexts whose parent is another context.
@Suite("Child contexts")
struct ChildContextTests {
  private func parent(_ type: String = NSSQLiteStoreType) throws -> NSManagedObjectContext {
    let container = try ShelfModel.container(type)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let author = ShelfAuthor(context: context)
      author.name = "Ada"
      for code in 0..<3 {
        let book = ShelfBook(context: context)
        book.code = Int32(code)
        book.title = "Book \(code)"
        book.author = author
      }
      try context.save()
    }
    return context
  }

  private func books(in context: NSManagedObjectContext) throws -> [ShelfBook] {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  private func author(in context: NSManagedObjectContext) throws -> ShelfAuthor {
    try #require(
      try context.fetch(NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")).first)
  }

  @Test("a child has its parent's coordinator, and neither can be replaced")
  func setting() throws {
    let parent = try parent()
    let child = parent.makeChild()
    #expect(child.parent === parent)
    #expect(child.persistentStoreCoordinator === parent.persistentStoreCoordinator)
    let other = try self.parent()
    child.parent = other
    #expect(child.parent === parent)
    child.performAndWait { _ = #expect(throws: ObjectError.self) { try child.save() } }
    parent.parent = child
    #expect(parent.parent == nil)
    parent.performAndWait { _ = #expect(throws: ObjectError.self) { try parent.save() } }
    let coordinator = parent.persistentStoreCoordinator
    for context in [parent, child] {
      context.persistentStoreCoordinator = other.persistentStoreCoordinator
      #expect(context.persistentStoreCoordinator === coordinator)
      context.performAndWait { _ = #expect(throws: ObjectError.self) { try context.save() } }
    }
  }

  @Test("a context of the confinement kind cannot be a parent")
  func confinement() throws {
    let confined = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    let child = confined.makeChild()
    #expect(child.parent == nil)
  }

  @Test("a child fetches and reads its parent's unsaved values", arguments: StoreTypes.both)
  func unsavedValues(type: String) throws {
    let parent = try parent(type)
    let child = parent.makeChild()
    try parent.performAndWait {
      let all = try books(in: parent)
      all[0].title = "Unsaved"
      parent.delete(all[1])
      let fresh = ShelfNovel(context: parent)
      fresh.code = 9
      fresh.genre = "Saga"
      fresh.author = try author(in: parent)
    }
    try child.performAndWait {
      let found = try books(in: child)
      #expect(found.map(\.title) == ["Unsaved", "Book 2", nil])
      #expect((found[2] as? ShelfNovel)?.genre == "Saga")
      #expect(found[2].objectID.isTemporaryID)
      #expect(found[2].author === found[0].author)
      #expect(found[0].author?.books?.count == 3)
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = NSPredicate(format: "title == %@", "Unsaved")
      #expect(try child.count(for: request) == 1)
      #expect(!child.hasChanges)
    }
  }

  @Test("a save reaches only the parent, with temporary ids", arguments: StoreTypes.both)
  func saving(type: String) throws {
    let parent = try parent(type)
    let child = parent.makeChild()
    let id = try child.performAndWait {
      let all = try books(in: child)
      all[0].title = "Edited"
      child.delete(all[1])
      let fresh = ShelfBook(context: child)
      fresh.code = 7
      fresh.author = all[0].author
      try child.save()
      #expect(!child.hasChanges)
      #expect(fresh.objectID.isTemporaryID)
      #expect(fresh.title == nil)
      return fresh.objectID
    }
    try parent.performAndWait {
      #expect(parent.insertedObjects.count == 1)
      #expect(parent.deletedObjects.count == 1)
      #expect(parent.insertedObjects.first?.objectID == id)
      #expect(try books(in: parent).map(\.title) == ["Edited", "Book 2", nil])
      #expect(try author(in: parent).books?.count == 3)
      let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      other.persistentStoreCoordinator = parent.persistentStoreCoordinator
      try other.performAndWait { () throws in
        #expect(try books(in: other).map(\.title) == ["Book 0", "Book 1", "Book 2"])
      }
      try parent.save()
      other.performAndWait { other.refreshAllObjects() }
      try other.performAndWait { () throws in
        #expect(try books(in: other).map(\.title) == ["Edited", "Book 2", nil])
      }
    }
  }

  @Test("after the parent's save the child continues with the same objects")
  func permanentIDs() throws {
    let parent = try parent()
    let child = parent.makeChild()
    try child.performAndWait {
      let fresh = ShelfBook(context: child)
      fresh.code = 7
      let writer = ShelfAuthor(context: child)
      fresh.author = writer
      try child.save()
      try parent.performAndWait { try parent.save() }
      let again = try #require(try books(in: child).last)
      #expect(again === fresh)
      #expect(!fresh.objectID.isTemporaryID)
      #expect(fresh.author === writer)
      fresh.title = "Later"
      writer.name = "Late"
      try child.save()
      try parent.performAndWait {
        #expect(parent.insertedObjects.isEmpty)
        #expect(parent.updatedObjects.count == 2)
        try parent.save()
      }
    }
  }

  @Test("awakeFromInsert runs in the child only, so it creates related objects once")
  func awakening() throws {
    let (owner, companion) = (NSEntityDescription(), NSEntityDescription())
    owner.name = "AwakenedOwner"
    owner.managedObjectClassName = "AwakenedOwner"
    owner.properties = [attribute("name", .string)]
    companion.name = "Companion"
    companion.properties = [attribute("name", .string)]
    let model = NSManagedObjectModel()
    model.entities = [owner, companion]
    let parent = try NSPersistentContainer.loaded(
      "Owners", model, [NSPersistentStoreDescription(type: NSSQLiteStoreType)]
    ).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait {
      _ = AwakenedOwner(context: child)
      try child.save()
    }
    try parent.performAndWait { () throws in
      #expect(parent.insertedObjects.count == 2)
      try parent.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Companion")
      #expect(try parent.count(for: request) == 1)
    }
  }

  @Test("changes of a child reach objects whose ids the parent has made permanent")
  func permanentIDsOfParent() throws {
    let parent = try parent()
    let child = parent.makeChild()
    try child.performAndWait {
      let fresh = ShelfBook(context: child)
      fresh.code = 7
      let doomed = ShelfBook(context: child)
      doomed.code = 8
      try child.save()
      try parent.performAndWait {
        try parent.obtainPermanentIDs(for: Array(parent.insertedObjects))
        try parent.save()
      }
      fresh.title = "Later"
      child.delete(doomed)
      try child.save()
      #expect(try books(in: child).filter { $0.code > 2 }.map { $0 === fresh } == [true])
      try parent.performAndWait {
        #expect(parent.updatedObjects.count == 1)
        #expect(parent.deletedObjects.count == 1)
        try parent.save()
        #expect(try books(in: parent).map(\.title).last == "Later")
        #expect(try books(in: parent).count == 4)
      }
    }
  }

  @Test("refreshing a child's changed objects reads the rows that the parent has saved since")
  func refreshAfterParentSave() throws {
    let parent = try parent()
    let child = parent.makeChild()
    try child.performAndWait {
      let fresh = ShelfBook(context: child)
      fresh.code = 7
      try child.save()
      fresh.title = "Mine"
      try parent.performAndWait {
        try #require(try books(in: parent).last).pages = 9
        try parent.save()
      }
      child.refreshAllObjects()
      #expect(fresh.pages == 9)
      #expect(fresh.title == "Mine")
      try parent.performAndWait { try #require(try books(in: parent).last).pages = 10 }
      child.refresh(fresh, mergeChanges: true)
      #expect(fresh.pages == 10)
    }
  }

  @Test("ids made permanent before the save stay, in the parent and in the store")
  func obtainedIDs() throws {
    let parent = try parent()
    let child = parent.makeChild()
    let id = try child.performAndWait {
      let fresh = ShelfBook(context: child)
      try child.obtainPermanentIDs(for: [fresh])
      #expect(!fresh.objectID.isTemporaryID)
      try child.save()
      return fresh.objectID
    }
    try parent.performAndWait {
      #expect(parent.insertedObjects.first?.objectID == id)
      try parent.save()
      parent.reset()
      #expect(try parent.existingObject(with: id).objectID == id)
    }
  }

  @Test("releasing an unsaved child context changes nothing in the parent")
  func discarding() throws {
    let parent = try parent()
    do {
      let child = parent.makeChild()
      try child.performAndWait {
        try books(in: child)[0].title = "Never"
        _ = ShelfBook(context: child)
      }
    }
    try parent.performAndWait { () throws in
      #expect(!parent.hasChanges)
      #expect(try books(in: parent).map(\.title) == ["Book 0", "Book 1", "Book 2"])
    }
  }

  @Test("three saves of a child add up to one save of the parent")
  func accumulation() throws {
    let parent = try parent()
    let child = parent.makeChild()
    try child.performAndWait {
      let first = ShelfBook(context: child)
      _ = ShelfBook(context: child)
      try child.save()
      try books(in: child).last { $0.title == "Book 2" }?.title = "Second"
      try child.save()
      child.delete(try #require(try books(in: child).first { $0.title == "Book 1" }))
      _ = ShelfBook(context: child)
      try child.save()
      #expect(first.managedObjectContext === child)
    }
    let sets = NotificationCollector(.NSManagedObjectContextDidSave, of: parent)
    try parent.performAndWait { try parent.save() }
    // The author of the deleted book lost a member.
    #expect(sets.counts == [[3, 2, 1]])
  }

  @Test("the parent announces each save of a child as changed objects")
  func announcement() throws {
    let parent = try parent()
    let child = parent.makeChild()
    let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: parent)
    let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: child)
    try child.performAndWait {
      try books(in: child)[0].title = "One"
      try child.save()
      _ = ShelfBook(context: child)
      try child.save()
    }
    #expect(changes.counts == [[0, 1, 0], [1, 0, 0]])
    #expect(saves.counts == [[0, 1, 0], [1, 0, 0]])
  }

  @Test(
    "a child that merges automatically sees the saves of its parent and siblings, another does not")
  func merging() throws {
    let parent = try parent()
    let (merging, still, sibling) = (parent.makeChild(), parent.makeChild(), parent.makeChild())
    merging.automaticallyMergesChangesFromParent = true
    let (seen, kept) = try merging.performAndWait {
      let seen = try books(in: merging)
      let kept = try still.performAndWait { try books(in: still) }
      for book in seen + kept { _ = book.title }
      return (seen, kept)
    }
    try parent.performAndWait {
      try books(in: parent)[0].title = "Parent's"
      try parent.save()
    }
    try sibling.performAndWait {
      try books(in: sibling)[1].title = "Sibling's"
      sibling.delete(try books(in: sibling)[2])
      try sibling.save()
    }
    merging.performAndWait {
      #expect(seen[0].title == "Parent's")
      #expect(seen[1].title == "Sibling's")
      #expect(seen[2].isDeleted)
    }
    still.performAndWait { #expect(kept.map(\.title) == ["Book 0", "Book 1", "Book 2"]) }
  }

  @Test("transient values reach the parent, and validation runs in the child")
  func validation() throws {
    let parent = try parent()
    let child = parent.makeChild()
    try child.performAndWait {
      let book = try books(in: child)[0]
      child.refresh(book, mergeChanges: false)
      #expect(book.title == "Book 0")
      book.title = "x"
      child.rollback()
      #expect(book.title == "Book 0")
    }
  }

  @Test("a relationship to an object of the parent context is rejected")
  func otherContext() throws {
    let parent = try parent()
    let child = parent.makeChild()
    let foreign = try parent.performAndWait { try author(in: parent) }
    try child.performAndWait {
      let book = ShelfBook(context: child)
      book.author = foreign
      #expect(book.author == nil)
      #expect(throws: ObjectError.self) { try child.save() }
      try child.save()
    }
  }

  @Test("fetches of ids, dictionaries, batches and counts work in a child")
  func resultTypes() async throws {
    let parent = try parent()
    let child = parent.makeChild()
    try await child.perform { () throws in
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "ShelfBook")
      ids.resultType = .managedObjectIDResultType
      #expect(try child.fetch(ids).count == 3)
      let dictionaries = NSFetchRequest<NSDictionary>(entityName: "ShelfBook")
      dictionaries.resultType = .dictionaryResultType
      #expect(try child.fetch(dictionaries).count == 3)
      let batched = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      batched.fetchBatchSize = 2
      #expect(Set(try child.fetch(batched).map(\.title)) == ["Book 0", "Book 1", "Book 2"])
      let prefetching = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
      prefetching.relationshipKeyPathsForPrefetching = ["books"]
      #expect(try child.fetch(prefetching)[0].books?.count == 3)
      #expect(try child.fetchLazily(batched).count == 3)
    }
  }
}
