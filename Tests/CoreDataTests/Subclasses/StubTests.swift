import CoreData
import Foundation
import Testing

/// Overrides of everything that Apple's framework declares `open`, as mocks have them.
@Suite("Stubs of the framework's classes")
struct StubTests {
  private let request = NSFetchRequest<StubbedItem>(entityName: "Stubbed")

  /// Calls a test on the queue of a context with an in-memory store.
  private func run<Context: NSManagedObjectContext>(
    in context: Context, _ test: (Context) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StubbedModel.make())
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { () throws in try test(context) }
  }

  private var privateContext: NSManagedObjectContext {
    NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  }

  @Test("fetches and counts call a context's overrides with a copy of a typed request (D-418)")
  func fetches() throws {
    let recorder = RecordingContext(concurrencyType: .privateQueueConcurrencyType)
    try run(in: recorder) { context in
      let item = StubbedItem(context: context)
      try context.save()
      request.fetchLimit = 3
      #expect(try context.fetch(request) == [item])
      #expect(request.entity?.name == "Stubbed")
      #expect(context.requests.last?.fetchLimit == 3)
      #expect(try context.count(for: request) == 1)
      #expect(try request.execute() == [item])
      let untyped = NSFetchRequest<any NSFetchRequestResult>(entityName: "Stubbed")
      let found = try context.fetch(untyped)
      #expect(found.first as? StubbedItem === item)
      #expect(context.requests.last === untyped)
      #expect(context.requests.count == 4)
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      let count = try child.performAndWait { () throws in try child.fetch(request).count }
      #expect(count == 1)
      #expect(context.requests.count == 4)
    }
  }

  @Test("a stub of a context needs no store, and its results are checked")
  func results() throws {
    let context = StubbedContext(concurrencyType: .privateQueueConcurrencyType)
    #expect(throws: StubError.fetch) { try context.fetch(request) }
    #expect(throws: StubError.count) { try context.count(for: request) }
    let item = StubbedItem()
    context.results = [item]
    #expect(try context.fetch(request) == [item])
    #expect(try context.count(for: request) == 1)
    context.results = [NSManagedObject()]
    let mismatch = try #require(throws: CocoaError.self) { try context.fetch(request) }
    #expect(mismatch.localizedDescription.contains("StubbedItem"))
    context.results = ["text"]
    #expect(throws: CocoaError.self) { try context.fetch(request) }
    let deletion = NSBatchDeleteRequest(
      fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Stubbed"))
    let deleted = try context.execute(deletion) as? NSBatchDeleteResult
    #expect((deleted?.result as? [NSManagedObjectID])?.count == 1)
    #expect(deleted?.resultType == .resultTypeObjectIDs)
  }

  @Test("the properties and the other methods of a context can be overridden")
  func contextMembers() throws {
    let stub = StubbedContext(concurrencyType: .privateQueueConcurrencyType)
    let context: NSManagedObjectContext = stub
    #expect(context.userInfo["kind"] as? String == "stub")
    #expect(context.concurrencyType == .mainQueueConcurrencyType)
    #expect(context.stalenessInterval == 7)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StubbedModel.make())
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    context.assign(StubbedItem(), to: store)
    context.detectConflicts(for: StubbedItem())
    #expect(stub.calls == ["assign", "detectConflicts"])
  }

  @Test("the properties of a container, a coordinator and a model can be overridden")
  func stack() throws {
    let stub = StubbedContainer(name: "Stack", managedObjectModel: StubbedModel.make())
    let container: NSPersistentContainer = stub
    #expect(container.viewContext === stub.stubbedContext)
    #expect(container.name == "stub of Stack")
    let coordinatorModel = container.persistentStoreCoordinator.managedObjectModel
    #expect(coordinatorModel === container.managedObjectModel)
    let model: NSManagedObjectModel = StubbedModel.make()
    #expect(model.isConfiguration(withName: "missing", compatibleWithStoreMetadata: [:]))
    let coordinator: NSPersistentStoreCoordinator = StubbedCoordinator(managedObjectModel: model)
    #expect(coordinator.managedObjectModel !== model)
    #expect(try coordinator.execute(request, with: privateContext) as? String == "stub")
    #expect(throws: StubError.destruction) {
      try coordinator.destroyPersistentStore(
        at: URL(fileURLWithPath: "/stub"), type: NSPersistentStore.StoreType.sqlite)
    }
  }

  @Test("the state of a managed object and its class methods can be overridden")
  func objects() {
    let object: NSManagedObject = StubbedItem()
    #expect(object.managedObjectContext == nil)
    #expect(object.objectID is StubbedID)
    #expect(!object.isInserted && !object.isUpdated && object.isDeleted && !object.hasChanges)
    #expect(object.isFault && object.faultingState == 7 && !object.hasPersistentChangedValues)
    #expect(object.changedValues().keys.sorted() == ["stub"])
    #expect(object.committedValues(forKeys: nil).keys.sorted() == ["stub"])
    #expect(object.value(forKey: "isDeleted") as? Bool == true)
    let type: NSManagedObject.Type = StubbedItem.self
    let untyped: NSFetchRequest<any NSFetchRequestResult> = type.fetchRequest()
    #expect(untyped.fetchLimit == 1)
    #expect(type.entity().name == "stub")
    #expect(type.keyPathsForValuesAffectingValue(forKey: "name") == ["title"])
    #expect(type.description() == "CoreDataTests.StubbedItem")
  }

  @Test("the library's own work uses the true state of an object, not its overrides (D-418)")
  func trueState() throws {
    try run(in: privateContext) { context in
      let item = StubbedItem(context: context)
      item.setValue("one", forKey: "title")
      #expect(context.insertedObjects == [item])
      try context.save()
      request.predicate = NSPredicate(format: "title == %@", "one")
      #expect(try context.fetch(request) == [item])
      request.resultType = .managedObjectIDResultType
      let ids = NSFetchRequest<NSManagedObjectID>(copying: request)
      let id = try #require(try context.fetch(ids).first)
      #expect(!(id is StubbedID))
      #expect(context.object(with: id) === item)
      context.delete(item)
      try context.save()
      #expect(try context.count(for: request) == 0)
    }
  }

  @Test("key-value coding passes unknown keys to the methods for them")
  func unknownKeys() throws {
    try run(in: privateContext) { context in
      let item = StubbedItem(context: context)
      item.setValue("red", forKey: "color")
      #expect(item.value(forKey: "color") as? String == "red")
      #expect(item.value(forKeyPath: "color") as? String == "red")
      #expect(item.value(forKey: "size") == nil)
      #expect(NSPredicate(format: "color == 'red'").evaluate(with: item))
      try context.save()
    }
  }

  @Test("results, requests, ids, conflicts and the history can be stubbed")
  func values() {
    #expect(throws: StubError.fetch) { try StubbedRequest().execute() }
    let transaction: NSPersistentHistoryTransaction = StubbedTransaction()
    #expect(transaction.author == "stub")
    let changes = transaction.objectIDNotification().userInfo?[NSInsertedObjectIDsKey]
    let id = (changes as? Set<NSManagedObjectID>)?.first
    #expect(id?.uriRepresentation().path == "/stub")
    #expect(id?.isTemporaryID == false)
    #expect(NSPersistentHistoryTransaction().changes == nil)
    #expect(NSPersistentHistoryChange().changedObjectID.isTemporaryID)
    let history: NSPersistentHistoryResult = StubbedHistory()
    #expect((history.result as? [NSPersistentHistoryTransaction])?.count == 1)
    let insertion: NSBatchInsertResult = StubbedInsertion()
    #expect(insertion.result as? Int == 7)
    let update: NSBatchUpdateResult = StubbedUpdate()
    #expect(update.result as? Int == 7)
    let conflict: NSMergeConflict = StubbedConflict(
      source: StubbedItem(), newVersion: 2, oldVersion: 1, cachedSnapshot: nil,
      persistedSnapshot: nil)
    #expect(conflict.newVersionNumber == 7)
    #expect(conflict.oldVersionNumber == 1)
    let constraint: NSConstraintConflict = StubbedConstraint(
      constraint: ["title"], database: nil, databaseSnapshot: nil, conflicting: [],
      conflictingSnapshots: [])
    #expect(constraint.constraint == ["stub"])
  }
}
