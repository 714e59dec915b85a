import Foundation
import OpenCoreData
import Testing

/// Objects that were created without a context.
@Suite("Objects without a context")
struct FreeObjectTests {
  @Test("each object has its own temporary id, and keeps the id when it is inserted")
  func ids() throws {
    let container = try ShelfModel.container(NSInMemoryStoreType)
    let entity = try #require(container.managedObjectModel.entitiesByName["ShelfBook"])
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let one = ShelfBook(entity: entity, insertInto: nil)
      let other = ShelfBook(entity: entity, insertInto: nil)
      let id = one.objectID
      #expect(one.objectID == id && other.objectID != id)
      #expect(id.isTemporaryID && other.objectID.isTemporaryID)
      #expect(id.persistentStore == nil)
      #expect(Set([id, other.objectID]).count == 2)
      let isOne = NSPredicate(format: "SELF == %@", argumentArray: [one])
      #expect(isOne.evaluate(with: one) && !isOne.evaluate(with: other))
      context.insert(one)
      #expect(one.objectID == id && Set([id]).contains(one.objectID))
      #expect(context.registeredObject(for: id) === one)
      #expect(try context.existingObject(with: id) === one)
      context.insert(other)
      try context.save()
      #expect(!one.objectID.isTemporaryID && one.objectID != other.objectID)
    }
  }

  @Test("an id that was read before the insertion identifies the object in any store")
  func severalStores() throws {
    let entities = ["First", "Second"].map { name in
      let entity = NSEntityDescription()
      (entity.name, entity.managedObjectClassName) = (name, "NSManagedObject")
      entity.properties = [attribute("name", .string)]
      return entity
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    for entity in entities { model.setEntities([entity], forConfigurationName: entity.name ?? "") }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for entity in entities {
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: entity.name, at: nil)
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.performAndWait {
      for entity in entities {
        let object = NSManagedObject(entity: entity, insertInto: nil)
        let id = object.objectID
        context.insert(object)
        #expect(context.object(with: id) === object)
      }
    }
  }
}
