import Foundation
import OpenCoreData
import Testing

@Suite("Files with entities outside the configuration of a store")
struct ConfigurationFileTests {
  private static let value = Data(repeating: 7, count: 300_000)

  /// Entities with a value that can be in an external file, each with its own configuration.
  private static func makeModel(_ names: [String]) -> NSManagedObjectModel {
    let entities = names.map { name in
      let image = NSAttributeDescription()
      (image.name, image.attributeType) = ("image", .binaryDataAttributeType)
      (image.isOptional, image.allowsExternalBinaryDataStorage) = (true, true)
      let entity = NSEntityDescription()
      (entity.name, entity.properties) = (name, [image])
      return entity
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    for (name, entity) in zip(names, entities) {
      model.setEntities([entity], forConfigurationName: name)
    }
    return model
  }

  private func coordinator(_ names: [String]) -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel(names))
  }

  private func images(_ entity: String, in context: NSManagedObjectContext) throws -> [Data?] {
    try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        .map { $0.value(forKey: "image") as? Data }
    }
  }

  @Test("emptying the log keeps the external values of entities that the model lacks")
  func externalValuesOfOthers() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let whole = coordinator(["Photo", "Song"])
    let store = try whole.addPersistentStore(type: .sqlite, at: url)
    let writer = stack.context(whole)
    try writer.performAndWait {
      let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: writer)
      song.setValue(Self.value, forKey: "image")
      try writer.save()
    }
    try whole.remove(store)
    let part = coordinator(["Photo"])
    let photos = try part.addPersistentStore(type: .sqlite, configuration: "Photo", at: url)
    try part.checkpoint(.emptyingLog)
    try part.remove(photos)
    let again = coordinator(["Photo", "Song"])
    try again.addPersistentStore(type: .sqlite, at: url)
    #expect(try images("Song", in: stack.context(again)) == [Self.value])
  }

  @Test("a store can be written although an entity outside its configuration has no table")
  func missingTable() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let stores = coordinator(["Photo", "Song"])
    let store = try stores.addPersistentStore(type: .sqlite, configuration: "Photo", at: url)
    try stores.remove(store)
    try stack.execute("DROP TABLE ZSONG", on: url)
    try stores.addPersistentStore(type: .sqlite, configuration: "Photo", at: url)
    let context = stack.context(stores)
    try context.performAndWait {
      let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
      photo.setValue(Self.value, forKey: "image")
      try context.save()
    }
    #expect(try images("Photo", in: stack.context(stores)) == [Self.value])
  }
}
