import Foundation
import OpenCoreData
import Testing

/// How a context merges other contexts' saves, for each kind of notification.
@Suite("Merging")
struct MergeTests {
  private func container() throws -> NSPersistentContainer {
    let container = try ShelfModel.container(NSSQLiteStoreType)
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      for code in 0..<2 {
        let author = ShelfAuthor(context: context)
        author.code = Int32(code)
        for number in 0..<3 {
          let book = ShelfBook(context: context)
          book.code = Int32(code * 10 + number)
          book.author = author
        }
      }
      try context.save()
    }
    return container
  }

  private func authors(in context: NSManagedObjectContext) throws -> [ShelfAuthor] {
    let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  private func book(_ code: Int32, in context: NSManagedObjectContext) throws -> ShelfBook {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.predicate = NSPredicate(format: "code == %d", code)
    return try #require(try context.fetch(request).first)
  }

  private func codes(_ author: ShelfAuthor) -> [Int32] {
    (author.books?.allObjects ?? []).compactMap { ($0 as? ShelfBook)?.code }.sorted()
  }

  @Test("loaded lists follow moves, insertions and deletions, and keep their own unsaved members")
  func lists() throws {
    let container = try container()
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    reader.automaticallyMergesChangesFromParent = true
    let seen = try reader.performAndWait { () throws -> [ShelfAuthor] in
      let seen = try authors(in: reader)
      #expect(seen.map(codes) == [[0, 1, 2], [10, 11, 12]])
      let own = ShelfBook(context: reader)
      own.code = 99
      own.author = seen[0]
      return seen
    }
    try writer.performAndWait { () throws in
      let all = try authors(in: writer)
      try book(1, in: writer).author = all[1]
      writer.delete(try book(12, in: writer))
      let fresh = ShelfBook(context: writer)
      fresh.code = 50
      fresh.author = all[0]
      try writer.save()
    }
    reader.performAndWait {
      #expect(seen.map(codes) == [[0, 2, 50, 99], [1, 10, 11]])
      #expect(reader.insertedObjects.count == 1)
    }
  }

  @Test("a refresh that keeps changes rereads loaded lists beneath unsaved additions and removals")
  func refreshedLists() throws {
    let container = try container()
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    let seen = try reader.performAndWait { () throws -> [ShelfAuthor] in
      let seen = try authors(in: reader)
      #expect(seen.map(codes) == [[0, 1, 2], [10, 11, 12]])
      let own = ShelfBook(context: reader)
      own.code = 99
      own.author = seen[0]
      try book(2, in: reader).author = nil
      return seen
    }
    func insert(_ code: Int32, _ author: Int) throws {
      let fresh = ShelfBook(context: writer)
      fresh.code = code
      fresh.author = try authors(in: writer)[author]
    }
    try writer.performAndWait { () throws in
      try insert(50, 0)
      try insert(51, 1)
      writer.delete(try book(1, in: writer))
      try writer.save()
    }
    reader.performAndWait {
      #expect(seen.map(codes) == [[0, 1, 99], [10, 11, 12]])
      for author in seen { reader.refresh(author, mergeChanges: true) }
      #expect(seen[0].hasFault(forRelationshipNamed: "books"))
      #expect(seen.map(codes) == [[0, 50, 99], [10, 11, 12, 51]])
    }
    try writer.performAndWait { () throws in
      try insert(60, 0)
      try writer.save()
    }
    try reader.performAndWait { () throws in
      reader.refreshAllObjects()
      #expect(seen.map(codes) == [[0, 50, 60, 99], [10, 11, 12, 51]])
      try reader.save()
    }
    try writer.performAndWait { () throws in
      writer.reset()
      #expect(try authors(in: writer).map(codes) == [[0, 50, 60, 99], [10, 11, 12, 51]])
    }
  }

  @Test("a list that a child unloads before the parent's save is read under the permanent id")
  func refreshedListsOfChild() throws {
    let container = try container()
    let parent = container.newBackgroundContext()
    let child = parent.makeChild()
    let author = try child.performAndWait { () throws -> ShelfAuthor in
      let author = ShelfAuthor(context: child)
      for code: Int32 in [70, 71] {
        let book = ShelfBook(context: child)
        book.code = code
        book.author = author
      }
      try child.save()
      child.refresh(author, mergeChanges: true)
      #expect(author.hasFault(forRelationshipNamed: "books"))
      return author
    }
    try parent.performAndWait { () throws in try parent.save() }
    child.performAndWait { #expect(codes(author) == [70, 71]) }
  }

  @Test("a refresh that keeps changes keeps the loaded lists of objects whose store was removed")
  func refreshedListsOfRemovedStore() throws {
    let container = try container()
    let coordinator = container.persistentStoreCoordinator
    let reader = container.newBackgroundContext()
    try reader.performAndWait { () throws in
      let seen = try authors(in: reader)
      #expect(seen.map(codes) == [[0, 1, 2], [10, 11, 12]])
      for author in seen { author.name = "changed" }
      try coordinator.remove(try #require(coordinator.persistentStores.first))
      for author in seen { reader.refresh(author, mergeChanges: true) }
      #expect(seen.map(codes) == [[0, 1, 2], [10, 11, 12]])
    }
  }

  @Test("an object that was fetched between its save and the merge is added to loaded lists")
  func fetchedBeforeMerge() throws {
    let container = try container()
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    reader.automaticallyMergesChangesFromParent = true
    let seen = try reader.performAndWait { () throws -> [ShelfAuthor] in
      let seen = try authors(in: reader)
      #expect(seen.map(codes) == [[0, 1, 2], [10, 11, 12]])
      try writer.performAndWait { () throws in
        let fresh = ShelfBook(context: writer)
        fresh.code = 50
        fresh.author = try authors(in: writer)[0]
        try writer.save()
      }
      // The merge waits for the end of this block.
      #expect(try book(50, in: reader).title == nil)
      return seen
    }
    reader.performAndWait { #expect(seen.map(codes) == [[0, 1, 2, 50], [10, 11, 12]]) }
  }

  @Test("a merge costs nothing for objects that did not change")
  func cost() throws {
    let container = try container()
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    reader.automaticallyMergesChangesFromParent = true
    let seen = try reader.performAndWait { () throws -> [ShelfAuthor] in
      let seen = try authors(in: reader)
      #expect(seen.map(codes) == [[0, 1, 2], [10, 11, 12]])
      return seen
    }
    try writer.performAndWait { () throws in
      try book(1, in: writer).title = "New"
      try writer.save()
    }
    reader.performAndWait {
      // The lists did not change, so their members are still the same loaded objects.
      #expect(seen[0].hasFault(forRelationshipNamed: "books") == false)
      #expect(seen[1].hasFault(forRelationshipNamed: "books") == false)
    }
  }

  @Test("one notification reports a merge: inserted, refreshed and deleted objects")
  func announcement() throws {
    let container = try container()
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: writer)
    let kept = try reader.performAndWait { () throws in
      [try book(0, in: reader), try book(1, in: reader)].map { book in
        _ = book.code
        return book
      }
    }
    try writer.performAndWait { () throws in
      try book(0, in: writer).title = "New"
      writer.delete(try book(1, in: writer))
      _ = ShelfBook(context: writer)
      try writer.save()
    }
    let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: reader)
    let ids = NotificationCollector(
      NSManagedObjectContext.didMergeChangesObjectIDsNotification, of: reader)
    reader.mergeChanges(fromContextDidSave: try #require(saves.all.first))
    reader.performAndWait {
      #expect(changes.all.count == 1)
      let info = changes.all.first?.userInfo
      #expect((info?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count == 1)
      #expect(info?[NSRefreshedObjectsKey] as? Set<NSManagedObject> == [kept[0]])
      #expect(info?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [kept[1]])
      #expect(reader.insertedObjects.isEmpty)
      #expect(reader.deletedObjects == [kept[1]])
      let merged = ids.all.first?.userInfo
      #expect((merged?[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
      #expect((merged?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
    }
    try reader.performAndWait { () throws in
      try reader.save()
      #expect(!reader.hasChanges)
    }
  }

  @Test("a save is announced with the permanent ids of all its objects")
  func savedIDs() throws {
    let container = try container()
    let writer = container.newBackgroundContext()
    let ids = NotificationCollector(
      NSManagedObjectContext.didSaveObjectIDsNotification, of: writer)
    let id = try writer.performAndWait { () throws in
      let changed = try book(0, in: writer)
      changed.title = "New"
      writer.delete(try book(1, in: writer))
      _ = ShelfBook(context: writer)
      try writer.save()
      return changed.objectID
    }
    let info = ids.all.first?.userInfo
    let inserted = info?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>
    #expect(inserted?.count == 1)
    #expect(inserted?.first?.isTemporaryID == false)
    #expect((info?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>)?.contains(id) == true)
    #expect(
      (info?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID>)?.first?.persistentStore != nil)
  }

  @Test("a notification with ids is posted only after the program has read its name (D-054)")
  func unreadName() async {
    // In a separate process, because other tests read the names.
    await #expect(processExitsWith: .success) {
      let context = try ShelfModel.container(NSInMemoryStoreType).newBackgroundContext()
      nonisolated(unsafe) var count = 0
      let token = NotificationCenter.default.addObserver(
        forName: nil, object: context, queue: nil
      ) { if $0.userInfo?[NSInsertedObjectIDsKey] != nil { count += 1 } }
      for expected in [0, 1] {
        try context.performAndWait { () throws in
          _ = ShelfBook(context: context)
          try context.save()
        }
        #expect(count == expected)
        _ = NSManagedObjectContext.didSaveObjectIDsNotification
      }
      NotificationCenter.default.removeObserver(token)
    }
  }

  @Test("changes by another coordinator of the same file are reread, by ids or by their URIs")
  func remoteChanges() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("merge-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Shelf.sqlite")
    let first = try ShelfModel.container(NSSQLiteStoreType, url: url)
    let second = try ShelfModel.container(NSSQLiteStoreType, url: url)
    let (reader, writer) = (first.newBackgroundContext(), second.newBackgroundContext())
    let own = try reader.performAndWait { () throws -> ShelfBook in
      let book = ShelfBook(context: reader)
      book.title = "Old"
      book.pages = 1
      try reader.save()
      book.pages = 2
      return book
    }
    for title in ["by id", "by URI"] {
      let id = try writer.performAndWait { () throws -> NSManagedObjectID in
        let book = try book(0, in: writer)
        book.title = title
        try writer.save()
        return book.objectID
      }
      let value: Any = title == "by id" ? [id] : [id.uriRepresentation()]
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectIDsKey: value], into: [reader])
      reader.performAndWait {
        #expect(own.title == title)
        #expect(own.pages == 2)
      }
    }
  }

  @Test("invalid URIs and URIs of another store or kind are ignored")
  func badInput() throws {
    let container = try container()
    let other = try self.container()
    let reader = container.newBackgroundContext()
    let foreign = try other.viewContext.performAndWait { () throws in
      try #require(
        try other.newBackgroundContext().fetch(
          NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
        ).first
      ).objectID
    }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSUpdatedObjectsKey: [foreign], NSDeletedObjectsKey: ["text", 7],
        NSInsertedObjectsKey: URL(string: "x-coredata://nowhere/Nothing/p1") as Any,
        "other": 3,
      ], into: [reader])
    reader.mergeChanges(fromContextDidSave: Notification(name: Notification.Name("none")))
    reader.performAndWait { #expect(!reader.hasChanges && reader.registeredObjects.isEmpty) }
  }

  /// A controller of all books in a context, and its delegate.
  private func followed(
    in context: NSManagedObjectContext
  ) throws -> (NSFetchedResultsController<ShelfBook>, ResultsRecorder) {
    try context.performAndWait { () throws in
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      let recorder = ResultsRecorder()
      controller.delegate = recorder
      try controller.performFetch()
      recorder.mirror(controller)
      return (controller, recorder)
    }
  }

  @Test("only the children of a parent merge an insertion that is not in the store")
  func unsavedInsertion() throws {
    let container = try container()
    let (parent, reader) = (container.newBackgroundContext(), container.newBackgroundContext())
    let child = parent.makeChild()
    let contexts = [reader, reader.makeChild(), parent.makeChild()]
    let followers = try contexts.map(followed)
    let saves = NotificationCollector(.NSManagedObjectContextDidSave, of: child)
    try child.performAndWait { () throws in
      let book = ShelfBook(context: child)
      book.code = 50
      try child.save()
    }
    let saved = try #require(saves.all.first)
    for context in contexts { context.mergeChanges(fromContextDidSave: saved) }
    let codes = zip(contexts, followers).map { context, follower in
      context.performAndWait { (follower.0.fetchedObjects ?? []).map(\.code) }
    }
    let stored: [Int32] = [0, 1, 2, 10, 11, 12]
    #expect(codes == [stored, stored, stored + [50]])
  }

  @Test("a merge reports only the deletions that it merged")
  func laterDeletions() throws {
    let container = try container()
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    reader.automaticallyMergesChangesFromParent = true
    let kept = try reader.performAndWait { () throws in
      [try book(0, in: reader), try book(1, in: reader)]
    }
    let ids = kept.map(\.objectID)
    let merges = NotificationCollector(
      NSManagedObjectContext.didMergeChangesObjectIDsNotification, of: reader)
    for code: Int32 in [0, 1] {
      try writer.performAndWait { () throws in
        writer.delete(try book(code, in: writer))
        try writer.save()
      }
      reader.performAndWait {}
    }
    let deleted = merges.all.compactMap {
      $0.userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID>
    }
    #expect(deleted == ids.map { Set([$0]) })
    reader.performAndWait { #expect(kept.allSatisfy { $0.isDeleted }) }
  }
}
