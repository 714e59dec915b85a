import Foundation
import OpenCoreData
import OpenPredicates
import Testing

@Suite("XML and binary stores can be opened again after every save")
struct FileStoreReopeningTests {
  static let types = [NSXMLStoreType, NSBinaryStoreType]

  private let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("reopening-\(UUID().uuidString)")
  private let model = NSManagedObjectModel()

  init() {
    let page = NSEntityDescription()
    page.name = "Page"
    let reader = NSEntityDescription()
    reader.name = "Reader"
    let score = NSAttributeDescription()
    (score.name, score.attributeType) = ("score", .integer16AttributeType)
    let position = NSRelationshipDescription()
    (position.name, position.destinationEntity) = ("position", page)
    (position.maxCount, position.isOptional) = (1, true)
    reader.properties = [score, position]
    model.entities = [page, reader]
  }

  private func open(_ type: String) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func readers(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Reader"))
  }

  @Test("a reference to a deleted object is nil after the store is opened again", arguments: types)
  func danglingReference(_ type: String) throws {
    let context = try open(type)
    try context.performAndWait {
      let page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: context)
      let reader = NSEntityDescription.insertNewObject(forEntityName: "Reader", into: context)
      reader.setValue(page, forKey: "position")
      try context.save()
      context.delete(page)
      try context.save()
    }
    for _ in 1...2 {
      let again = try open(type)
      try again.performAndWait {
        let reader = try #require(try readers(again).first)
        #expect(reader.value(forKey: "position") == nil)
        reader.setValue(7, forKey: "score")
        try again.save()
      }
    }
    try FileManager.default.removeItem(at: url)
  }

  @Test(
    "a batch update whose result does not fit the attribute throws and changes nothing",
    arguments: types)
  func unfitResult(_ type: String) throws {
    let context = try open(type)
    try context.performAndWait { () throws in
      let reader = NSEntityDescription.insertNewObject(forEntityName: "Reader", into: context)
      reader.setValue(300, forKey: "score")
      try context.save()
      let request = NSBatchUpdateRequest(entityName: "Reader")
      request.propertiesToUpdate = ["score": OpenPredicates.NSExpression(format: "score * 1000")]
      let error = #expect(throws: CocoaError.self) { try context.execute(request) }
      #expect(error?.code.rawValue == 134_030)
      request.propertiesToUpdate = ["score": OpenPredicates.NSExpression(format: "score * 100")]
      _ = try context.execute(request)
    }
    let again = try open(type)
    try again.performAndWait { () throws in
      #expect(try readers(again).map { $0.value(forKey: "score") as? Int } == [30_000])
    }
    try FileManager.default.removeItem(at: url)
  }
}
