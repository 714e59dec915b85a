import CoreData
import Foundation
import Testing

@Suite("Types of fetch requests")
struct RequestTypeTests {
  private let context: NSManagedObjectContext

  init() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let shelf = Shelf(context: context)
      shelf.name = "History"
      try context.save()
    }
  }

  @Test("fetchRequest() of a class without a generated one has no type, unless one is written down")
  func untyped() throws {
    try context.performAndWait {
      let request = Shelf.fetchRequest()
      let erased: NSFetchRequest<any NSFetchRequestResult> = request
      #expect(erased.entityName == "Shelf")
      request.resultType = .dictionaryResultType
      let rows = try context.fetch(request) as? [[String: Any]]
      #expect(rows?.first?["name"] as? String == "History")
      let typed: NSFetchRequest<Shelf> = Shelf.fetchRequest()
      #expect(try context.fetch(typed).map(\.name) == ["History"])
    }
  }

  @Test("a request whose result type differs from its Swift type throws and states the remedy")
  func mistyped() throws {
    context.performAndWait {
      let request: NSFetchRequest<Shelf> = Shelf.fetchRequest()
      for (type, name) in [
        (NSFetchRequestResultType.dictionaryResultType, "NSFetchRequest<NSDictionary>"),
        (.managedObjectIDResultType, "NSFetchRequest<NSManagedObjectID>"),
        (.countResultType, "NSFetchRequest<NSNumber>"),
      ] {
        request.resultType = type
        let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
        #expect(error?.localizedDescription.contains(name) == true)
      }
    }
  }

  @Test("propertiesToFetch and propertiesToGroupBy read as descriptions once the entity is set")
  func properties() {
    let request = NSFetchRequest<NSDictionary>(entityName: "Shelf")
    request.propertiesToFetch = ["name", "volumes.@count"]
    request.propertiesToGroupBy = ["name"]
    #expect(request.propertiesToFetch?.first as? String == "name")
    request.entity = NSEntityDescription.entity(forEntityName: "Shelf", in: context)
    #expect((request.propertiesToFetch?.first as? NSAttributeDescription)?.name == "name")
    #expect(request.propertiesToFetch?.last as? String == "volumes.@count")
    #expect((request.propertiesToGroupBy?.first as? NSPropertyDescription)?.name == "name")
  }

  @Test("the default configuration has all entities of the model")
  func defaultConfiguration() {
    let model = ShelfModel.make()
    let entities = model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")
    #expect(entities?.compactMap(\.name).sorted() == ["Shelf", "Volume"])
    #expect(model.entities(forConfigurationName: "Other") == nil)
  }
}
