import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Integrity check of the store of a configuration")
struct ConfigurationIntegrityTests {
  /// Photos and songs, each with its own configuration and with values that can be in files.
  @Sendable private static func makeModel() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let entities = ["Photo", "Song"].map { name in
      let image = NSAttributeDescription()
      (image.name, image.attributeType) = ("image", .binaryDataAttributeType)
      (image.isOptional, image.allowsExternalBinaryDataStorage) = (true, true)
      let entity = NSEntityDescription()
      (entity.name, entity.properties) = (name, [image])
      return entity
    }
    model.entities = entities
    model.setEntities([entities[0]], forConfigurationName: "Photos")
    model.setEntities([entities[1]], forConfigurationName: "Songs")
    return model
  }

  @Test("a store is checked and measured although an entity of another configuration has no table")
  func missingTable() throws {
    let folder = try Folder()
    var configuration = PersistenceController.Configuration(
      name: "Photos", storage: .file(folder.store), makeModel: Self.makeModel)
    configuration.prepareStore = { $0.configuration = "Photos" }
    let persistence = PersistenceController(opening: configuration)
    try persistence.requireStores()
    try persistence.performBatchOperation { context in
      let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
      photo.setValue(Data(repeating: 7, count: 300_000), forKey: "image")
    }
    let coordinator = persistence.container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try RawDatabase(folder.store).run("DROP TABLE ZSONG")
    let again = PersistenceController(opening: configuration)
    try again.requireStores()
    let findings = try IntegrityCheck().findings(in: again.container.persistentStoreCoordinator)
    #expect(findings.isEmpty)
    let report = try StorePruning(rules: [], sizeLimit: nil).prune(again)
    #expect(try #require(report.bytesAfter) > 300_000)
  }
}
