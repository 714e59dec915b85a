import Foundation
import OpenCoreData
import Testing

@Suite("Custom incremental stores")
struct IncrementalStoreTests {
  private let stack: FileTestStack
  private let server = Server()

  init() throws {
    ServerStore.register()
    stack = try FileTestStack()
  }

  private func coordinator() throws -> NSPersistentStoreCoordinator {
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(
      ofType: ServerStore.storeType, configurationName: nil, at: stack.url("server"),
      options: ["server": server])
    return coordinator
  }

  private func context() throws -> NSManagedObjectContext { stack.context(try coordinator()) }

  private func books(
    _ context: NSManagedObjectContext, _ predicate: NSPredicate? = nil
  ) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
  }

  @Test("the coordinator opens the class, whose metadata names the store")
  func opening() throws {
    let store = try #require(try coordinator().persistentStores.first)
    #expect(store is ServerStore)
    #expect(store.identifier == server.metadata[NSStoreUUIDKey] as? String)
    #expect(store.metadata[NSStoreTypeKey] as? String == ServerStore.storeType)
  }

  @Test("other contexts read saved values, relationships and their order")
  func roundTrip() throws {
    _ = try stack.fill(try context())
    #expect(server.records.count == 5)
    #expect(server.calls.contains("save 5 0 0"))
    #expect(try stack.summary(try context()) == "CAB2")
  }

  @Test("predicate, sort descriptors and limit reach the store")
  func requests() throws {
    let context = try context()
    _ = try stack.fill(context)
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "title > %@", "A")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      request.fetchLimit = 1
      #expect(try context.fetch(request).map { $0.value(forKey: "title") as? String } == ["C"])
      let asked = try #require(server.requests.last)
      #expect(asked.predicate == request.predicate)
      #expect(asked.sortDescriptors?.first?.key == "title")
      #expect(asked.fetchLimit == 1)
      #expect(asked.entity?.name == "Book")
      #expect(try context.count(for: request) == 1)
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids).count == 3)
      let values = NSFetchRequest<NSDictionary>(entityName: "Book")
      values.resultType = .dictionaryResultType
      let titles = try context.fetch(values).compactMap { $0["title"] as? String }
      #expect(Set(titles) == ["A", "B", "C"])
    }
  }

  @Test("a limit and an offset apply once if a part of the predicate runs in memory")
  func windowOfMemoryWork() throws {
    _ = try stack.fill(try context())
    let context = try context()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate { object, _ in
        (object as? NSManagedObject)?.value(forKey: "title") as? String != "A"
      }
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.fetchOffset = 1
      #expect(try context.fetch(request).map { $0.value(forKey: "title") as? String } == ["C"])
      #expect(try context.count(for: request) == 1)
      let asked = try #require(server.requests.last)
      #expect(asked.fetchOffset == 0 && asked.fetchLimit == 0)
      // With unsaved changes of another entity, the predicate receives copies with stored values.
      _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      request.includesPendingChanges = false
      request.fetchLimit = 1
      #expect(try context.fetch(request).map { $0.value(forKey: "title") as? String } == ["C"])
    }
  }

  @Test("the store is not notified of the objects that contexts register")
  func registrations() throws {
    _ = try stack.fill(try context())
    do {
      let context = try context()
      try context.performAndWait { () throws in _ = try books(context) }
      context.reset()
    }
    #expect(!server.calls.contains { $0.contains("register") })
  }

  @Test("faults fire one by one, when they are used")
  func faults() throws {
    _ = try stack.fill(try context())
    let context = try context()
    server.calls = []
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let books = try context.fetch(request)
      #expect(server.calls == ["fetch Book"])
      #expect(books.filter(\.isFault).count == 3)
      _ = books[0].value(forKey: "title")
      #expect(server.calls == ["fetch Book", "values", "relationship author"])
    }
  }

  @Test("fetchLazily(_:) reads no destinations in advance")
  func lazyPrefetching() throws {
    _ = try stack.fill(try context())
    let context = try context()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.relationshipKeyPathsForPrefetching = ["author"]
      let books = try context.fetchLazily(request)
      server.calls = []
      #expect(books.first?.value(forKey: "title") != nil)
      #expect(server.calls.filter { $0 == "values" }.count == 3)
    }
  }

  @Test("unsaved changes are applied to the rows that the store returns")
  func pendingChanges() throws {
    let context = try context()
    let author = try stack.fill(context)
    try context.performAndWait { () throws in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("D", forKey: "title")
      let known = (author.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject]
      let first = try #require(known?.first)
      context.delete(first)
      #expect(try books(context) == ["A", "B", "D"])
      #expect(try books(context, NSPredicate(format: "title > %@", "A")) == ["B", "D"])
    }
  }

  @Test("updates and deletions reach the store")
  func changes() throws {
    let context = try context()
    let author = try stack.fill(context)
    try context.performAndWait { () throws in
      author.setValue("Bea", forKey: "name")
      let known = (author.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject]
      context.delete(try #require(known?.first))
      try context.save()
    }
    #expect(server.records.values.contains { $0.values["name"] as? String == "Bea" })
    #expect(try stack.summary(try self.context()) == "AB1")
  }

  @Test("an error that the store throws reaches the caller unchanged")
  func errors() throws {
    let context = try context()
    let author = try stack.fill(context)
    server.refusal = Server.Refusal(reason: "offline")
    try context.performAndWait { () throws in
      author.setValue("Bea", forKey: "name")
      #expect(throws: Server.Refusal(reason: "offline")) { try context.save() }
      #expect(context.hasChanges)
      #expect(throws: Server.Refusal(reason: "offline")) { _ = try books(context) }
      #expect(throws: Server.Refusal(reason: "offline")) {
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      }
      server.refusal = nil
      try context.save()
    }
    let other = stack.context(try coordinator())
    server.refusal = Server.Refusal(reason: "offline")
    #expect(throws: Server.Refusal(reason: "offline")) { _ = try coordinator() }
    try other.performAndWait { () throws in
      let coordinator = try #require(other.persistentStoreCoordinator)
      let id = try #require(
        coordinator.managedObjectID(forURIRepresentation: author.objectID.uriRepresentation()))
      #expect(throws: Server.Refusal(reason: "offline")) {
        _ = try other.existingObject(with: id)
      }
      server.refusal = nil
      #expect(try other.existingObject(with: id).value(forKey: "name") as? String == "Bea")
    }
  }

  @Test("the next save throws the error of a fault")
  func faultErrors() throws {
    _ = try stack.fill(try context())
    let context = try context()
    try context.performAndWait { () throws in
      let tag = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
      server.refusal = Server.Refusal(reason: "offline")
      #expect(tag.value(forKey: "word") == nil)
      server.refusal = nil
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.userInfo[NSUnderlyingErrorKey] as? Server.Refusal != nil)
    }
  }

  @Test("a fetch throws if the store returns an object of another entity")
  func objectsOfAnotherEntity() throws {
    _ = try stack.fill(try context())
    server.answer = server.records.filter { $0.value.entity == "Author" }.map(\.key)
    let context = try context()
    context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let error = #expect(throws: CocoaError.self) { _ = try context.fetch(request) }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
  }

  @Test("a count throws if the store returns a negative number")
  func negativeCount() throws {
    let context = try context()
    server.count = -1
    context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      let error = #expect(throws: CocoaError.self) { _ = try context.count(for: request) }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
  }

  @Test("members of another entity than the destination are not read, and the next save throws")
  func membersOfAnotherEntity() throws {
    _ = try stack.fill(try context())
    let author = try #require(server.records.first { $0.value.entity == "Author" }?.key)
    for (reference, record) in server.records where record.entity == "Book" {
      server.records[reference]?.destinations["tags"] = [author]
    }
    let context = try context()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let book = try #require(try context.fetch(request).first)
      let tags = book.value(forKey: "tags") as? NSSet
      #expect((tags?.count ?? 0) == 0)
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  @Test("saving over a row that another context saved is a conflict")
  func conflicts() throws {
    let first = try context()
    let author = try stack.fill(first)
    let second = stack.context(try #require(first.persistentStoreCoordinator))
    try second.performAndWait { () throws in
      let same = try second.existingObject(with: author.objectID)
      same.setValue("Cleo", forKey: "name")
      try first.performAndWait { () throws in
        author.setValue("Bea", forKey: "name")
        try first.save()
      }
      let error = #expect(throws: CocoaError.self) { try second.save() }
      #expect(error?.code == .managedObjectMerge)
      second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try second.save()
      #expect(server.records.values.contains { $0.values["name"] as? String == "Cleo" })
    }
  }

  @Test("permanent ids are obtained before a save, and their URIs name the references")
  func ids() throws {
    let context = try context()
    try context.performAndWait { () throws in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      try context.obtainPermanentIDs(for: [tag])
      #expect(!tag.objectID.isTemporaryID)
      let store = try #require(tag.objectID.persistentStore as? ServerStore)
      let reference = try #require(store.referenceObject(for: tag.objectID) as? String)
      #expect(reference.hasPrefix("tag/"))
      try context.save()
      #expect(server.records[reference] != nil)
    }
  }

  @Test("objects of different entities may have the same reference object")
  func equalReferences() throws {
    let context = try context()
    server.newReference = "1"
    try context.performAndWait { () throws in
      let objects = ["Author", "Tag"].map {
        NSEntityDescription.insertNewObject(forEntityName: $0, into: context)
      }
      try context.obtainPermanentIDs(for: objects)
      #expect(!objects[0].objectID.isTemporaryID && !objects[1].objectID.isTemporaryID)
      #expect(objects[0].objectID != objects[1].objectID)
    }
  }

  @Test("metadata that the application sets is a separate save request")
  func metadata() throws {
    let context = try context()
    let coordinator = try #require(context.persistentStoreCoordinator)
    let store = try #require(coordinator.persistentStores.first)
    coordinator.setMetadata(["flavour": "sweet"], for: store)
    try context.performAndWait { () throws in try context.save() }
    #expect(server.calls.last == "metadata")
    #expect(server.metadata["flavour"] as? String == "sweet")
    #expect(coordinator.metadata(for: store)["flavour"] as? String == "sweet")
  }

  @Test("a controller follows the objects of the store")
  func fetchedResults() throws {
    let context = try context()
    _ = try stack.fill(context)
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      try controller.performFetch()
      #expect(controller.fetchedObjects?.count == 3)
    }
  }

  @Test("objects of the store and of a SQLite store are fetched together, in one order")
  func severalStores() throws {
    let coordinator = try coordinator()
    let sqlite = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    let context = stack.context(coordinator)
    _ = try stack.fill(context)
    try context.performAndWait { () throws in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("AA", forKey: "title")
      context.assign(book, to: sqlite)
      try context.save()
      #expect(try books(context) == ["A", "AA", "B", "C"])
    }
  }

  @Test("dictionaries of an entity that only a SQLite store contains are read from this store")
  func dictionariesOfOtherStore() throws {
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(
      ofType: ServerStore.storeType, configurationName: "Tags", at: stack.url("server"),
      options: ["server": server])
    try coordinator.addPersistentStore(
      type: .sqlite, configuration: "Everything", at: stack.url("a.sqlite"))
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("A", forKey: "title")
      try context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Book")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title"]
      #expect(try context.fetch(request).map { $0["title"] as? String } == ["A"])
      #expect(try context.count(for: request) == 1)
    }
  }

  @Test(
    "batch requests are rejected, and other stores cannot be migrated to an incremental store (D-267)"
  )
  func refusals() throws {
    let context = try context()
    _ = try stack.fill(context)
    try context.performAndWait { () throws in
      let request = NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag"))
      let error = #expect(throws: CocoaError.self) { try context.execute(request) }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
    let coordinator = try #require(context.persistentStoreCoordinator)
    let source = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url("a.sqlite"), options: nil)
    let error = #expect(throws: CocoaError.self) {
      try coordinator.migratePersistentStore(
        source, to: stack.url("b"), options: nil, withType: ServerStore.storeType)
    }
    #expect(error?.code == .persistentStoreUnsupportedRequestType)
  }
}
