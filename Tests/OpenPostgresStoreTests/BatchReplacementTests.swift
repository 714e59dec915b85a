import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Synchronization
import Testing

@Suite("Batch insertions that replace rows", .enabled(if: TestServer.isPresent))
struct BatchReplacementTests {
  /// Items with a constraint of two properties.
  // Invariant: the model is not changed once it is made.
  private nonisolated(unsafe) static let model: NSManagedObjectModel = {
    let item = NSEntityDescription()
    item.name = "Item"
    item.properties = ["shelf", "place", "title"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = name == "place" ? .integer32AttributeType : .stringAttributeType
      attribute.isOptional = true
      return attribute
    }
    item.uniquenessConstraints = [["shelf", "place"]]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }()

  /// Returns a context on a new stack, which calls a closure before each commit.
  private func context(
    _ schema: String, beforeCommit action: @escaping @Sendable () -> Void
  ) throws -> NSManagedObjectContext {
    PostgresStore.register()
    let container = NSPersistentContainer(name: "Items", managedObjectModel: Self.model)
    let url = try TestServer.shared.get().url(schema: schema)
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(
      StatementObserver { if $0 == "COMMIT" { action() } }, forKey: OpenStatementObserverOption)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container.newBackgroundContext()
  }

  private func item(_ shelf: String, _ place: Int, _ title: String) -> [String: Any] {
    ["shelf": shelf, "place": place, "title": title]
  }

  @Test("an insertion locks only the rows that have all values of a constraint of two properties")
  func locks() throws {
    let server = try TestServer.shared.get()
    let schema = "replaced_items"
    let isReplacing = Atomic<Bool>(false)
    let isReplacedRowLocked = Atomic<Bool>(false)
    let context = try context(schema) {
      guard isReplacing.load(ordering: .sequentiallyConsistent) else { return }
      do {
        try server.execute(
          "SELECT 1 FROM \(schema).zitem WHERE ztitle = 'old' FOR UPDATE NOWAIT")
      } catch {
        isReplacedRowLocked.store(true, ordering: .sequentiallyConsistent)
      }
      do {
        try server.execute(
          "SELECT 1 FROM \(schema).zitem WHERE ztitle = 'other' FOR UPDATE NOWAIT")
      } catch {
        Issue.record("The insertion locked other rows.")
      }
    }
    try context.performAndWait {
      let stored = (0..<20).map { item("A", $0, $0 == 7 ? "old" : "other") }
      try context.execute(NSBatchInsertRequest(entityName: "Item", objects: stored))
      isReplacing.store(true, ordering: .sequentiallyConsistent)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let new = [
        item("A", 7, "new"), item("B", 7, "b"), item("A", 7, "newest"), item("B", 7, "B"),
      ]
      try context.execute(NSBatchInsertRequest(entityName: "Item", objects: new))
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "place == 7")
      request.sortDescriptors = [NSSortDescriptor(key: "shelf", ascending: true)]
      let titles = try context.fetch(request).map { $0.value(forKey: "title") as? String }
      #expect(titles == ["newest", "B"])
    }
    #expect(isReplacedRowLocked.load(ordering: .sequentiallyConsistent) == true)
  }

  @Test("replaced rows can receive unique values that other replaced rows had")
  func takenValues() throws {
    let person = NSEntityDescription()
    person.name = "Person"
    person.properties = ["code", "name"].map { name in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
      return attribute
    }
    person.uniquenessConstraints = [["code"], ["name"]]
    let model = NSManagedObjectModel()
    model.entities = [person]
    let url = try TestServer.shared.get().newURL()
    let context = try NSManagedObjectContext.opening(model, OpenPostgresStoreType, at: url)
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      for people in [[("1", "a"), ("2", "b")], [("2", "c"), ("1", "b")]] {
        let objects: [[String: Any]] = people.map { ["code": $0, "name": $1] }
        try context.execute(NSBatchInsertRequest(entityName: "Person", objects: objects))
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      let names = try context.fetch(request).map { $0.value(forKey: "name") as? String }
      #expect(names == ["b", "c"])
    }
  }

  @Test("an insertion of -0 replaces a row with the unique value 0")
  func negativeZero() throws {
    let reading = NSEntityDescription()
    reading.name = "Reading"
    let value = NSAttributeDescription()
    value.name = "value"
    value.attributeType = .doubleAttributeType
    reading.properties = [value]
    reading.uniquenessConstraints = [["value"]]
    let model = NSManagedObjectModel()
    model.entities = [reading]
    let url = try TestServer.shared.get().newURL()
    let context = try NSManagedObjectContext.opening(model, OpenPostgresStoreType, at: url)
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      for value in [0, -0.0] {
        try context.execute(
          NSBatchInsertRequest(entityName: "Reading", objects: [["value": value]]))
      }
      let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Reading"))
      #expect(count == 1)
    }
  }
}
