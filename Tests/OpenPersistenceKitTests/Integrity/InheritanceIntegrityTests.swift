import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Integrity check with inheritance")
struct InheritanceIntegrityTests {
  /// Owners with a dog, and with a favourite of any kind; dogs and cats share a table.
  @Sendable private static func makeModel() -> NSManagedObjectModel {
    let (animal, dog, cat, owner) = (
      NSEntityDescription(), NSEntityDescription(), NSEntityDescription(), NSEntityDescription()
    )
    (animal.name, dog.name, cat.name, owner.name) = ("Animal", "Dog", "Cat", "Owner")
    let name = NSAttributeDescription()
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, false)
    animal.properties = [name]
    animal.uniquenessConstraints = [["name"]]
    animal.subentities = [dog, cat]
    owner.properties = [("dog", dog), ("favorite", animal)].map { name, destination in
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.destinationEntity) = (name, destination)
      (relationship.maxCount, relationship.isOptional) = (1, true)
      return relationship
    }
    let model = NSManagedObjectModel()
    model.entities = [animal, dog, cat, owner]
    return model
  }

  private static func findings(after sql: String?) throws -> [IntegrityFinding] {
    let folder = try Folder()
    let configuration = PersistenceController.Configuration(
      name: "Animals", storage: .file(folder.store), makeModel: makeModel)
    let persistence = PersistenceController(opening: configuration)
    try persistence.requireStores()
    try persistence.performBatchOperation { context in
      func insert(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      }
      let (dog, cat, owner) = (insert("Dog"), insert("Cat"), insert("Owner"))
      dog.setValue("Rex", forKey: "name")
      cat.setValue("Tom", forKey: "name")
      owner.setValue(dog, forKey: "dog")
      owner.setValue(cat, forKey: "favorite")
    }
    let coordinator = persistence.container.persistentStoreCoordinator
    if let sql {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
      try RawDatabase(folder.store).run(sql)
      let again = PersistenceController(opening: configuration)
      return try IntegrityCheck().findings(in: again.container.persistentStoreCoordinator)
    }
    return try IntegrityCheck().findings(in: coordinator)
  }

  @Test("references to subentities are valid")
  func sound() throws {
    #expect(try Self.findings(after: nil).isEmpty)
  }

  @Test(
    "a reference to an object of a wrong entity is found",
    arguments: [
      // The cat as a dog, and the cat's key with the dog's entity number.
      ("UPDATE ZOWNER SET ZDOG = ZFAVORITE", "dog"),
      (
        "UPDATE ZOWNER SET Z1_FAVORITE = (SELECT Z_ENT FROM ZANIMAL WHERE ZNAME = 'Rex')",
        "favorite"
      ),
    ])
  func wrongEntity(_ sql: String, _ property: String) throws {
    let findings = try Self.findings(after: sql)
    #expect(findings.map(\.kind) == [.wrongEntity])
    #expect(findings.first?.propertyName == property)
    #expect(findings.first?.relatedID?.entity.name == "Cat")
  }

  @Test("a constraint of a parent entity applies to all its subentities together")
  func constraint() throws {
    let sql = "DROP INDEX IF EXISTS Z_Animal_UNIQUE_name; UPDATE ZANIMAL SET ZNAME = 'Same'"
    let findings = try Self.findings(after: sql)
    #expect(findings.map(\.kind) == [.duplicateValues])
  }
}
