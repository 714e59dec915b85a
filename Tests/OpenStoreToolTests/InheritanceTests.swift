import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenStoreTool
import Testing

@Suite("Rows of several entities")
struct InheritanceTests {
  private static func attribute(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
    attribute.isOptional = true
    return attribute
  }

  /// Animals; birds have wings, dogs have a leash, and cats have no other properties.
  private static func makeModel() -> NSManagedObjectModel {
    let entities = ["Animal": "name", "Bird": "wings", "Dog": "leash", "Cat": nil].map {
      let entity = NSEntityDescription()
      entity.name = $0.key
      entity.properties = $0.value.map { [attribute($0)] } ?? []
      return entity
    }
    entities.first { $0.name == "Animal" }?.subentities = entities.filter { $0.name != "Animal" }
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  /// A store with one animal of each given kind, named after the kind.
  private func sample(_ kinds: [String]) throws -> Sample {
    let sample = try Sample()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: sample.file, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for kind in kinds {
        let animal = NSEntityDescription.insertNewObject(forEntityName: kind, into: context)
        animal.setValue(kind, forKey: "name")
        for key in ["wings", "leash"] where animal.entity.attributesByName[key] != nil {
          animal.setValue("\(key) of it", forKey: key)
        }
        try context.save()
      }
    }
    try coordinator.remove(store)
    return sample
  }

  private func csv(_ sample: Sample, _ options: String = "") throws -> [String] {
    let run = try ToolProcess(
      "\"$TOOL\" fetch \"$1\" --entity Animal --format csv \(options)", store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\r\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropFirst()
        .joined(separator: ",")
    }
  }

  @Test("CSV has the columns of all entities with rows, regardless of their order")
  func columns() throws {
    let sample = try sample(["Cat", "Dog", "Bird"])
    #expect(
      try csv(sample) == [
        "entity,leash,name,wings", "Cat,,Cat,", "Dog,leash of it,Dog,", "Bird,,Bird,wings of it",
      ])
    #expect(
      try csv(sample, "--limit 2") == ["entity,leash,name", "Cat,,Cat", "Dog,leash of it,Dog"])
    #expect(
      try csv(sample, "--where 'name == \"Bird\"'") == [
        "entity,name,wings", "Bird,Bird,wings of it",
      ])
    #expect(try csv(sample, "--limit 0").count <= 1)
  }

  @Test("tables also have these columns")
  func tables() throws {
    let sample = try sample(["Cat", "Dog"])
    let run = try ToolProcess("\"$TOOL\" fetch \"$1\" --entity Animal", store: sample.file)
    #expect(run.output.hasPrefix("objectID "))
    #expect(run.output.contains("leash of it"))
  }

  @Test("an exact entity excludes subentities")
  func exactEntity() throws {
    let sample = try sample(["Dog", "Animal", "Cat"])
    #expect(try csv(sample, "--exact-entity") == ["entity,name", "Animal,Animal"])
  }

  @Test("an object ID with the entity of a sibling finds no object")
  func otherEntity() throws {
    let sample = try sample(["Cat"])
    let store = try sample.open()
    let identifier = try #require(store.coordinator.persistentStores.first?.identifier)
    let cat = try ObjectReading(store).object("x-coredata://\(identifier)/Cat/p1")
    #expect(cat["name"] == .text("Cat"))
    #expect(
      try ObjectReading(store).object("x-coredata://\(identifier)/Animal/p1")["name"]
        == .text("Cat"))
    #expect(throws: ToolError.self) {
      try ObjectReading(store).object("x-coredata://\(identifier)/Dog/p1")
    }
  }
}
