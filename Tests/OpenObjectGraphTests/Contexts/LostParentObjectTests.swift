import Foundation
import OpenCoreData
import Testing

/// Saves of a child whose parent no longer has an unsaved object, or merged it into another object.
@Suite("Unsaved objects that the parent no longer has")
struct LostParentObjectTests {
  enum Way: CaseIterable { case rollback, reset, deletion }

  private func lose(_ id: NSManagedObjectID, _ way: Way, in parent: NSManagedObjectContext) {
    parent.performAndWait {
      switch way {
      case .rollback: parent.rollback()
      case .reset: parent.reset()
      case .deletion:
        if let object = parent.registeredObject(for: id) { parent.delete(object) }
      }
    }
  }

  /// Docs/Contexts.md, Child contexts.
  @Test(
    "a save of a child throws 133000 for a change to an object that the parent no longer has",
    arguments: Way.allCases, [false, true])
  func changed(way: Way, isPermanent: Bool) throws {
    let parent = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait {
      let book = ShelfBook(context: child)
      if isPermanent { try child.obtainPermanentIDs(for: [book]) }
      try child.save()
      lose(book.objectID, way, in: parent)
      book.title = "Emma"
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(error?.affectedObjects?.first === book)
      #expect(book.isUpdated)
      child.rollback()
      #expect(throws: Never.self) { try child.save() }
    }
    parent.performAndWait {
      #expect(parent.insertedObjects.isEmpty && parent.updatedObjects.isEmpty)
    }
  }

  @Test("a save of a child throws 133000 for a relationship to an object that the parent lost")
  func related() throws {
    let parent = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait {
      let author = ShelfAuthor(context: child)
      try child.save()
      lose(author.objectID, .rollback, in: parent)
      let book = ShelfBook(context: child)
      book.author = author
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(error?.affectedObjects?.contains { $0 === author } == true)
      #expect(book.isInserted && book.author === author)
      book.author = nil
      try child.save()
    }
    try parent.performAndWait {
      #expect(parent.insertedObjects.map(\.entity.name) == ["ShelfBook"])
      try parent.save()
    }
  }

  // MARK: Merged objects

  /// A context with a stored row whose name is unique.
  private func tags(_ policy: NSMergePolicy) throws -> NSManagedObjectContext {
    let tag = NSEntityDescription()
    tag.name = "UniqueTag"
    tag.properties = [attribute("name", .string), attribute("text", .string)]
    tag.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [tag]
    let store = NSPersistentStoreDescription(type: NSSQLiteStoreType)
    let context = try NSPersistentContainer.loaded("Tags", model, [store]).newBackgroundContext()
    context.mergePolicy = policy
    try context.performAndWait {
      insertTag(in: context, "stored")
      try context.save()
      context.reset()
    }
    return context
  }

  @discardableResult
  private func insertTag(in context: NSManagedObjectContext, _ text: String) -> NSManagedObject {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "UniqueTag", into: context)
    tag.setValue("a", forKey: "name")
    tag.setValue(text, forKey: "text")
    return tag
  }

  private func storedTexts(_ context: NSManagedObjectContext) throws -> [String?] {
    try context.performAndWait {
      context.reset()
      return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "UniqueTag"))
        .map { $0.value(forKey: "text") as? String }
    }
  }

  @Test(
    "a child continues with the object into which its parent's save merged the child's object",
    arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump])
  func merged(policy: NSMergePolicy) throws {
    let parent = try tags(policy)
    let child = parent.makeChild()
    try child.performAndWait {
      let tag = insertTag(in: child, "new")
      try child.save()
      try parent.performAndWait { try parent.save() }
      tag.setValue("later", forKey: "text")
      try child.save()
      #expect(!tag.objectID.isTemporaryID && tag.managedObjectContext === child)
      try parent.performAndWait { try parent.save() }
    }
    #expect(try storedTexts(parent) == ["later"])
  }

  @Test("a child's save throws if a change to a merged object is lost because both are registered")
  func mergedIntoRegistered() throws {
    let parent = try tags(.mergeByPropertyStoreTrump)
    let child = parent.makeChild()
    try child.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "UniqueTag")
      let survivor = try #require(try child.fetch(request).first)
      let tag = insertTag(in: child, "new")
      try child.save()
      try parent.performAndWait { try parent.save() }
      tag.setValue("lost", forKey: "text")
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(tag.managedObjectContext == nil)
      #expect(survivor.managedObjectContext === child)
      #expect(child.registeredObject(for: survivor.objectID) === survivor)
      try child.save()
    }
    #expect(try storedTexts(parent) == ["stored"])
  }

  @Test("a save that merges a new object into a stored one removes the undo steps")
  func undoSteps() throws {
    let context = try tags(.mergeByPropertyObjectTrump)
    try context.performAndWait {
      let manager = UndoManager()
      context.undoManager = manager
      let tag = insertTag(in: context, "new")
      context.processPendingChanges()
      #expect(manager.canUndo)
      try context.save()
      #expect(tag.managedObjectContext == nil)
      #expect(!manager.canUndo)
      let request = NSFetchRequest<NSManagedObject>(entityName: "UniqueTag")
      let survivor = try #require(try context.fetch(request).first)
      survivor.setValue("later", forKey: "text")
      context.undo()
      #expect(survivor.value(forKey: "text") as? String == "new")
      try context.save()
    }
    #expect(try storedTexts(context) == ["new"])
  }
}
