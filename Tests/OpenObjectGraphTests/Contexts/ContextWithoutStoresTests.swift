import Foundation
import OpenCoreData
import Testing

/// A context without a coordinator rejects every request, and no request traps.
@Suite("Contexts without coordinator")
struct ContextWithoutStoresTests {
  /// The id of a saved object of another stack.
  private static func savedID() throws -> NSManagedObjectID {
    let context = try ShelfModel.container(NSInMemoryStoreType).newBackgroundContext()
    return try context.performAndWait {
      let book = ShelfBook(context: context)
      try context.save()
      return book.objectID
    }
  }

  @Test("objects requested by id belong to no context, and the save reports it")
  func ids() throws {
    let id = try Self.savedID()
    let context = NSManagedObjectContext(.privateQueue)
    context.performAndWait {
      let object = context.object(with: id)
      #expect(object.managedObjectContext == nil)
      #expect(object.entity.name == "ShelfBook")
      #expect(context.registeredObject(for: id) == nil)
      #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  @Test("an id of an entity that is not in the model is rejected")
  func foreignEntity() throws {
    let id = try Self.savedID()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.performAndWait {
      #expect(context.registeredObject(for: id) == nil)
      #expect(context.object(with: id).managedObjectContext == nil)
      #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
      #expect(throws: ObjectError.self) { try context.save() }
    }
  }

  @Test("fetches, counts, requests and saves throw; everything else does nothing")
  func everything() throws {
    let context = NSManagedObjectContext(.privateQueue)
    let request = NSFetchRequest<NSManagedObject>(entityName: "ShelfBook")
    context.performAndWait {
      #expect(throws: CocoaError.self) { try context.fetch(request) }
      #expect(throws: CocoaError.self) { try context.count(for: request) }
      #expect(throws: CocoaError.self) {
        try context.execute(NSBatchUpdateRequest(entityName: "ShelfBook"))
      }
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(throws: Never.self) { try context.setQueryGenerationFrom(.current) }
      context.undoManager = UndoManager()
      context.retainsRegisteredObjects = true
      context.automaticallyMergesChangesFromParent = true
      context.mergeChanges(
        fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: nil))
      context.processPendingChanges()
      context.undo()
      context.redo()
      context.rollback()
      context.refreshAllObjects()
      context.reset()
      #expect(!context.hasChanges)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test("obtainPermanentIDs(for:) throws 134060 if the coordinator has no stores")
  func permanentIDs() {
    let container = NSPersistentContainer(name: "None", managedObjectModel: ShelfModel.make())
    let context = container.newBackgroundContext()
    context.performAndWait {
      let book = ShelfBook(context: context)
      let error = #expect(throws: CocoaError.self) {
        try context.obtainPermanentIDs(for: [book])
      }
      #expect(error?.code == .coreData)
      #expect(book.objectID.isTemporaryID)
    }
  }
}
