import Foundation
import OpenCoreData
import Testing

/// Contexts that read one state of the store.
@Suite("Query generations")
struct QueryGenerationTests {
  private func withFile(_ body: (NSPersistentContainer) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("generation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Shelf.sqlite")
    try body(filled(try ShelfModel.container(NSSQLiteStoreType, url: url)))
  }

  /// Runs a test on a file and, if there is a server, on a store in PostgreSQL.
  private func withStores(_ body: (NSPersistentContainer) throws -> Void) throws {
    try withFile(body)
    for type in ServedStores.types { try body(filled(try ShelfModel.container(type))) }
  }

  private func filled(_ container: NSPersistentContainer) throws -> NSPersistentContainer {
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      let author = ShelfAuthor(context: context)
      for code in 0..<3 {
        let book = ShelfBook(context: context)
        book.code = Int32(code)
        book.title = "old"
        book.author = author
      }
      try context.save()
    }
    return container
  }

  private func books(in context: NSManagedObjectContext) throws -> [ShelfBook] {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  /// Changes one book, deletes one and adds one.
  private func change(_ container: NSPersistentContainer) throws {
    let writer = container.newBackgroundContext()
    try writer.performAndWait { () throws in
      let all = try books(in: writer)
      all[0].title = "new"
      writer.delete(all[1])
      let fresh = ShelfBook(context: writer)
      fresh.code = 9
      fresh.author = all[2].author
      try writer.save()
    }
  }

  @Test("a context of a read-only store can be pinned")
  func readOnlyStore() throws {
    try withFile { container in
      let url = try #require(container.persistentStoreCoordinator.persistentStores.first?.url)
      let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: container.managedObjectModel)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [
          NSReadOnlyPersistentStoreOption: true, NSPersistentHistoryTrackingKey: true,
        ])
      let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      reader.persistentStoreCoordinator = coordinator
      try reader.performAndWait { () throws in
        try reader.setQueryGenerationFrom(.current)
        #expect(try books(in: reader).map(\.code) == [0, 1, 2])
        try change(container)
        #expect(try books(in: reader).map(\.code) == [0, 1, 2])
        try reader.setQueryGenerationFrom(.current)
        #expect(try books(in: reader).map(\.code) == [0, 2, 9])
      }
    }
  }

  @Test("a pinned context sees one state in fetches, counts, faults and relationships")
  func stability() throws {
    try withStores { container in
      let reader = container.newBackgroundContext()
      try reader.performAndWait { () throws in
        try reader.setQueryGenerationFrom(.current)
        #expect(reader.queryGenerationToken === NSQueryGenerationToken.current)
        let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
        request.includesPropertyValues = false
        request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
        let faults = try reader.fetch(request)
        #expect(reader.queryGenerationToken !== NSQueryGenerationToken.current)
        try change(container)
        #expect(faults.map(\.title) == ["old", "old", "old"])
        #expect(try reader.count(for: request) == 3)
        #expect(faults[0].author?.books?.count == 3)
        #expect(try books(in: reader).map(\.code) == [0, 1, 2])
        try reader.setQueryGenerationFrom(nil)
        #expect(try books(in: reader).map(\.code) == [0, 2, 9])
      }
    }
  }

  @Test("a reset, a merge and a save advance a pinned context")
  func advancing() throws {
    try withStores { container in
      let reader = container.newBackgroundContext()
      let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: reader)
      try reader.performAndWait { () throws in
        try reader.setQueryGenerationFrom(.current)
        #expect(try books(in: reader).map(\.code) == [0, 1, 2])
        try change(container)
        #expect(try books(in: reader).map(\.code) == [0, 1, 2])
        reader.reset()
        #expect(try books(in: reader).map(\.title) == ["new", "old", nil])
        try change(container)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [reader])
        #expect(try books(in: reader).map(\.code) == [0, 9, 9])
        try change(container)
        #expect(try books(in: reader).count == 3)
        _ = ShelfAuthor(context: reader)
        try reader.save()
        let token = saves.all.last?.userInfo?[NSManagedObjectContextQueryGenerationKey]
        #expect(token as? NSQueryGenerationToken === reader.queryGenerationToken)
        #expect(try books(in: reader).count == 3)
      }
    }
  }

  @Test("two contexts can read the same state, and a changed row is a conflict when it is saved")
  func sharing() throws {
    try withStores { container in
      let (one, two) = (container.newBackgroundContext(), container.newBackgroundContext())
      try one.performAndWait { () throws in
        try one.setQueryGenerationFrom(.current)
        let seen = try books(in: one)
        try change(container)
        let token = one.queryGenerationToken
        try two.performAndWait { () throws in
          try two.setQueryGenerationFrom(token)
          #expect(try books(in: two).map(\.title) == ["old", "old", "old"])
        }
        seen[0].title = "mine"
        let error = #expect(throws: CocoaError.self) { try one.save() }
        #expect(error?.code.rawValue == NSManagedObjectMergeError)
      }
    }
  }

  @Test(
    "removing a store ends its pinned states: reading them throws, and the file can be destroyed")
  func removal() throws {
    try withStores { container in
      let coordinator = container.persistentStoreCoordinator
      let store = try #require(coordinator.persistentStores.first)
      let url = try #require(store.url)
      let reader = container.newBackgroundContext()
      try reader.performAndWait { () throws in
        try reader.setQueryGenerationFrom(.current)
        let seen = try books(in: reader)
        let token = try #require(reader.queryGenerationToken)
        try coordinator.remove(store)
        let again = try coordinator.addPersistentStore(
          type: .init(rawValue: store.type), at: url)
        // The state was released with the removed store.
        let error = #expect(throws: CocoaError.self) { try books(in: reader) }
        #expect(error?.errorCode == NSPersistentStoreOperationError)
        try reader.setQueryGenerationFrom(.current)
        #expect(try books(in: reader) == seen)
        try coordinator.remove(again)
        try coordinator.destroyPersistentStore(
          at: url, type: .init(rawValue: store.type),
          options: [NSPersistentStoreTimeoutOption: 0])
        withExtendedLifetime(token) {}
      }
    }
  }

  @Test("in-memory stores return their current rows, and children cannot be pinned")
  func unsupported() throws {
    for type in StoreTypes.both {
      let container = try ShelfModel.container(type)
      let reader = container.newBackgroundContext()
      try reader.performAndWait { () throws in
        try reader.setQueryGenerationFrom(.current)
        #expect(try books(in: reader).isEmpty)
        let writer = container.newBackgroundContext()
        try writer.performAndWait { () throws in
          _ = ShelfBook(context: writer)
          try writer.save()
        }
        #expect(try books(in: reader).count == 1)
        let child = reader.makeChild()
        #expect(throws: CocoaError.self) { try child.setQueryGenerationFrom(.current) }
        #expect(child.queryGenerationToken == nil)
      }
    }
  }

  @Test("a child reads objects, counts and values of the state that its parent is pinned to")
  func children() throws {
    try withStores { container in
      let reader = container.newBackgroundContext()
      try reader.performAndWait { () throws in
        try reader.setQueryGenerationFrom(.current)
        _ = try books(in: reader)
        let child = reader.makeChild()
        try change(container)
        let request = NSFetchRequest<NSDictionary>(entityName: "ShelfBook")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["code", "title"]
        try child.performAndWait { () throws in
          #expect(try books(in: child).map(\.title) == ["old", "old", "old"])
          #expect(try child.count(for: NSFetchRequest<ShelfBook>(entityName: "ShelfBook")) == 3)
          let titles = try child.fetch(request).map { $0["title"] as? String }
          #expect(titles == ["old", "old", "old"])
        }
      }
    }
  }
}
