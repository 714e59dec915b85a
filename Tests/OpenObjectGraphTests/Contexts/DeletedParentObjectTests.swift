import Foundation
import OpenCoreData
import Testing

/// Saves of a child that changed saved objects that its parent deleted or that have no row.
@Suite("Saved objects that the parent deleted")
struct DeletedParentObjectTests {
  enum Way: CaseIterable { case pendingDeletion, savedDeletion, otherContext }

  private func delete(
    _ id: NSManagedObjectID, _ way: Way, in parent: NSManagedObjectContext
  ) throws {
    let context = way == .otherContext ? NSManagedObjectContext(.privateQueue) : parent
    if way == .otherContext {
      context.persistentStoreCoordinator = parent.persistentStoreCoordinator
    }
    try context.performAndWait { () throws in
      context.delete(try context.existingObject(with: id))
      context.processPendingChanges()
      if way != .pendingDeletion { try context.save() }
    }
  }

  /// Docs/Contexts.md, Child contexts.
  @Test(
    "a save of a child throws 133000 for a change to an object that is deleted in its parent",
    arguments: StoreTypes.both, Way.allCases)
  func changed(type: String, way: Way) throws {
    let parent = try ShelfModel.container(type).newBackgroundContext()
    let child = parent.makeChild()
    let id = try parent.performAndWait { () throws in
      let book = ShelfBook(context: parent)
      book.title = "First"
      try parent.save()
      let id = book.objectID
      parent.reset()
      return id
    }
    try child.performAndWait { () throws in
      let book = try #require(child.existingObject(with: id) as? ShelfBook)
      book.title = "Second"
      try delete(id, way, in: parent)
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(error?.affectedObjects?.first === book)
      #expect(book.isUpdated && book.title == "Second")
      #expect(parent.performAndWait { parent.updatedObjects.isEmpty })
      child.rollback()
      try child.save()
    }
    try parent.performAndWait { () throws in
      try parent.save()
      #expect(try parent.count(for: NSFetchRequest<ShelfBook>(entityName: "ShelfBook")) == 0)
    }
  }

  @Test("a save of a child throws 133000 for a relationship to an object that its parent deleted")
  func related() throws {
    let parent = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let child = parent.makeChild()
    let id = try parent.performAndWait { () throws in
      let author = ShelfAuthor(context: parent)
      try parent.save()
      return author.objectID
    }
    try child.performAndWait { () throws in
      let author = try #require(child.existingObject(with: id) as? ShelfAuthor)
      let book = ShelfBook(context: child)
      book.author = author
      try delete(id, .pendingDeletion, in: parent)
      let error = #expect(throws: CocoaError.self) { try child.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      #expect(error?.affectedObjects?.contains { $0 === author } == true)
      #expect(book.isInserted && book.author === author)
      book.author = nil
      try child.save()
    }
    try parent.performAndWait { () throws in
      #expect(parent.insertedObjects.map(\.entity.name) == ["ShelfBook"])
      try parent.save()
    }
  }

  @Test(
    "a child may remove an object from a relationship of an object that its parent deleted",
    arguments: UndoModel.stores)
  func removed(type: String) throws {
    let parent = try UndoModel.context(type)
    let child = parent.makeChild()
    let ids = try parent.performAndWait { () throws in
      let owners = ["former", "next"].map { UndoModel.insert("Node", $0, in: parent) }
      let item = UndoModel.insert("Item", in: parent)
      item.setValue(owners[0], forKey: "owner")
      try parent.save()
      return (owners + [item]).map(\.objectID)
    }
    try child.performAndWait { () throws in
      let objects = try ids.map { try child.existingObject(with: $0) }
      objects[2].setValue(objects[1], forKey: "owner")
      try delete(ids[0], .pendingDeletion, in: parent)
      try child.save()
    }
    try parent.performAndWait { () throws in
      try parent.save()
      let item = try parent.existingObject(with: ids[2])
      #expect((item.value(forKey: "owner") as? NSManagedObject)?.objectID == ids[1])
    }
  }
}
