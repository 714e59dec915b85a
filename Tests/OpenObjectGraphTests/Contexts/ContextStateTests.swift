import Foundation
import OpenCoreData
import Testing

/// Stores of objects, ages of rows, and the small settings of a context.
@Suite("State of contexts")
struct ContextStateTests {
  /// Two stores of one model: authors in the second, everything in the first.
  private func twoStores() throws -> (NSPersistentStoreCoordinator, [NSPersistentStore]) {
    let model = ShelfModel.make()
    model.setEntities(
      model.entities.filter { $0.name == "ShelfAuthor" }, forConfigurationName: "Authors")
    let container = NSPersistentContainer(name: "Two", managedObjectModel: model)
    let coordinator = container.persistentStoreCoordinator
    let stores = [
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: "Authors", at: nil),
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil),
    ]
    return (coordinator, stores)
  }

  private func context(
    _ coordinator: NSPersistentStoreCoordinator
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test("a new object is saved in the first store with its entity, or in its assigned store")
  func assigning() throws {
    let (coordinator, stores) = try twoStores()
    let context = context(coordinator)
    try context.performAndWait { () throws in
      let (one, two) = (ShelfAuthor(context: context), ShelfAuthor(context: context))
      let book = ShelfBook(context: context)
      context.assign(two, to: stores[1])
      (one.code, two.code) = (1, 2)
      try context.save()
      #expect(one.objectID.persistentStore === stores[0])
      #expect(two.objectID.persistentStore === stores[1])
      #expect(book.objectID.persistentStore === stores[1])
      let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
      #expect(try context.count(for: request) == 2)
      request.affectedStores = [stores[1]]
      #expect(try context.fetch(request) == [two])
      #expect(try context.count(for: request) == 1)
      context.reset()
      request.affectedStores = nil
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: false)]
      #expect(try context.fetch(request).map(\.code) == [2, 1])
    }
  }

  @Test("the save rejects a saved object, a store without the entity and a foreign store")
  func refusedAssignments() throws {
    let (coordinator, stores) = try twoStores()
    let (_, foreign) = try twoStores()
    let context = context(coordinator)
    try context.performAndWait { () throws in
      let author = ShelfAuthor(context: context)
      try context.save()
      let book = ShelfBook(context: context)
      for (object, store) in [
        (author, stores[1]), (book, stores[0]), (book, foreign[1]), (NSObject(), stores[0]),
      ] as [(Any, NSPersistentStore)] {
        context.assign(object, to: store)
        #expect(throws: ObjectError.self) { try context.save() }
      }
      try context.save()
      #expect(book.objectID.persistentStore === stores[1])
    }
  }

  @Test("cached rows of any age are used unless the staleness interval limits it")
  func staleness() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stale-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Shelf.sqlite")
    let reader = try ShelfModel.container(NSSQLiteStoreType, url: url).newBackgroundContext()
    let writer = try ShelfModel.container(NSSQLiteStoreType, url: url).newBackgroundContext()
    try reader.performAndWait { () throws in
      let book = ShelfBook(context: reader)
      book.title = "old"
      try reader.save()
      try writer.performAndWait { () throws in
        let all = try writer.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
        all[0].title = "new"
        try writer.save()
      }
      reader.refresh(book, mergeChanges: true)
      #expect(book.title == "old")
      reader.stalenessInterval = 0
      reader.refresh(book, mergeChanges: true)
      #expect(book.title == "new")
      try writer.performAndWait { () throws in
        let all = try writer.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
        all[0].title = "newer"
        try writer.save()
      }
      reader.stalenessInterval = 3600
      reader.refresh(book, mergeChanges: true)
      #expect(book.title == "new")
      reader.stalenessInterval = 0
      reader.refreshAllObjects()
      #expect(book.title == "newer")
    }
  }

  @Test("delete rules apply at the save if they do not apply at the end of an event")
  func lateDeletions() throws {
    let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    context.propagatesDeletesAtEndOfEvent = false
    try context.performAndWait { () throws in
      let author = ShelfAuthor(context: context)
      let book = ShelfBook(context: context)
      book.author = author
      try context.save()
      context.delete(author)
      context.processPendingChanges()
      #expect(!book.isDeleted)
      try context.save()
      #expect(book.managedObjectContext == nil)
    }
  }

  @Test("a context can be configured not to treat an object without a row as deleted")
  func inaccessibleFaults() throws {
    final class Strict: NSManagedObjectContext, @unchecked Sendable {
      var asked: [String?] = []

      override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
      ) -> Bool {
        asked.append(property?.name)
        return false
      }
    }
    let container = try ShelfModel.container(NSSQLiteStoreType)
    let writer = container.newBackgroundContext()
    let id = try writer.performAndWait { () throws in
      let book = ShelfBook(context: writer)
      try writer.save()
      let id = book.objectID
      writer.delete(book)
      try writer.save()
      return id
    }
    let strict = Strict(concurrencyType: .privateQueueConcurrencyType)
    strict.persistentStoreCoordinator = container.persistentStoreCoordinator
    strict.performAndWait {
      let book = strict.object(with: id) as? ShelfBook
      #expect(book?.title == nil)
      #expect(strict.asked == ["title"])
      #expect(book?.isDeleted == false)
      let error = #expect(throws: CocoaError.self) { try strict.save() }
      #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
    }
  }

  @Test("a context that retains its objects keeps those it already has")
  func retaining() throws {
    let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    try context.performAndWait { () throws in
      do {
        let book = ShelfBook(context: context)
        try context.save()
        context.retainsRegisteredObjects = true
        _ = book
      }
      #expect(context.registeredObjects.count == 1)
      context.retainsRegisteredObjects = false
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test("a request executes itself in the context whose block is running, and nowhere else")
  func executing() throws {
    let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    #expect(throws: CocoaError.self) { try request.execute() }
    let child = context.makeChild()
    try child.performAndWait { () throws in
      let book = ShelfBook(context: child)
      #expect(try request.execute() == [book])
      try context.performAndWait { () throws in #expect(try request.execute().isEmpty) }
      #expect(try request.execute() == [book])
    }
  }

  @Test("a main context announces its changes at the end of the turn, once") @MainActor
  func mainQueue() async throws {
    let container = try ShelfModel.container(NSSQLiteStoreType)
    let context = container.viewContext
    let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
    let book = ShelfBook(context: context)
    book.title = "one"
    book.title = "two"
    #expect(changes.all.isEmpty)
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(changes.counts == [[1, 0, 0]])
    book.title = "three"
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(changes.counts == [[1, 0, 0], [0, 1, 0]])
  }

  @Test("a save without changes is announced, with empty sets")
  func emptySaves() throws {
    let context = context(try twoStores().0)
    try context.performAndWait { () throws in
      let starts = NotificationCollector(.NSManagedObjectContextWillSave, of: context)
      let ends = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
      try context.save()
      #expect(starts.all.count == 1)
      #expect(ends.counts == [[0, 0, 0]])
    }
  }

  private func reads(_ log: StatementLog) -> Int {
    log.all.filter { $0.hasPrefix("SELECT") }.count
  }

  @Test("a batched array reads one batch for each 100 rows that are accessed")
  func batches() throws {
    let log = StatementLog()
    let description = NSPersistentStoreDescription()
    description.setOption(
      log.observer, forKey: OpenStatementObserverOption)
    let context = try NSPersistentContainer.loaded("Shelf", ShelfModel.make(), [description])
      .newBackgroundContext()
    try context.performAndWait { () throws in
      for code in 0..<1000 { ShelfBook(context: context).code = Int32(code) }
      try context.save()
      context.reset()
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.fetchBatchSize = 100
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      log.removeAll()
      let books = try context.fetch(request)
      #expect(reads(log) == 1)
      #expect(books.prefix(100).map(\.code) == Array(0..<100))
      #expect(reads(log) == 2)
      #expect(books.map(\.code) == Array(0..<1000))
      #expect(reads(log) == 11)
    }
  }
}
