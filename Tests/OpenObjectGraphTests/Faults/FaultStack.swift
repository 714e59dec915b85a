import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenTestSupport
import Testing

/// Two authors with three books each, in a store in which any call can fail.
struct FaultStack {
  let faults = FaultInjection()
  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  init(_ type: String, _ model: NSManagedObjectModel = ShelfModel.make()) throws {
    let description = NSPersistentStoreDescription(
      type: try FaultInjectingStore.register(type, faults: faults))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container = try .loaded("Shelf", model, [description])
    let writer = container.newBackgroundContext()
    try writer.performAndWait { () throws in
      for code in 1...2 {
        let author = ShelfAuthor(context: writer)
        author.code = Int32(code)
        for number in 1...3 {
          let book = ShelfBook(context: writer)
          book.code = Int32(code * 10 + number)
          book.title = "title \(code * 10 + number)"
          book.author = author
        }
      }
      try writer.save()
    }
    context = container.newBackgroundContext()
    context.retainsRegisteredObjects = true
    // Rows are always read from the store.
    context.stalenessInterval = 0
  }

  func author(_ code: Int) throws -> ShelfAuthor {
    let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
    request.predicate = NSPredicate(format: "code == %d", code)
    return try #require(try context.fetch(request).first)
  }

  func book(_ code: Int) throws -> ShelfBook {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.predicate = NSPredicate(format: "code == %d", code)
    return try #require(try context.fetch(request).first)
  }

  /// The contents of the store as text: each book with its title and its author.
  func contents() throws -> [String] {
    let reader = container.newBackgroundContext()
    return try reader.performAndWait { () throws in
      let books = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      books.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      let authors = try reader.count(
        for: NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor"))
      return try reader.fetch(books).map {
        "\($0.code) \($0.title ?? "-") \($0.author?.code ?? 0)"
      } + ["\(authors) authors"]
    }
  }

  /// The context's pending changes.
  func pending() -> String {
    [context.insertedObjects, context.updatedObjects, context.deletedObjects].map { objects in
      objects.map { "\($0.entity.name ?? "") \($0.objectID.uriRepresentation().lastPathComponent)" }
        .sorted().joined(separator: ", ")
    }.joined(separator: " | ")
  }
}

/// An operation of a context that fails if a call of its store fails.
struct FaultScenario: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The preparation, in which no call fails.
  var prepare: @Sendable (FaultStack) throws -> Void = { _ in }
  /// The operation, whose result is compared with the result without faults.
  let action: @Sendable (FaultStack) throws -> String

  /// Operations that throw if a call of the store fails.
  static let throwing: [FaultScenario] = [
    FaultScenario(testDescription: "save", prepare: edit) { stack in
      try stack.context.save()
      return ""
    },
    FaultScenario(testDescription: "save of a child", prepare: { _ in }) { stack in
      let child = stack.context.makeChild()
      try child.performAndWait { () throws in
        let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
        request.predicate = NSPredicate(format: "code == 12")
        try child.fetch(request).first?.title = "of a child"
        try child.save()
      }
      try stack.context.save()
      return ""
    },
    FaultScenario(testDescription: "save with a conflict", prepare: makeConflict) { stack in
      try stack.context.save()
      return ""
    },
    FaultScenario(testDescription: "permanent ids", prepare: edit) { stack in
      try stack.context.obtainPermanentIDs(for: Array(stack.context.insertedObjects))
      return "\(stack.context.insertedObjects.filter { $0.objectID.isTemporaryID }.count)"
    },
    FaultScenario(testDescription: "fetch") { stack in
      "\(try fetched(in: stack.context))"
    },
    FaultScenario(testDescription: "fetch with unsaved changes", prepare: edit) { stack in
      "\(try fetched(in: stack.context))"
    },
    FaultScenario(testDescription: "fetch of a child", prepare: edit) { stack in
      let child = stack.context.makeChild()
      return try child.performAndWait { "\(try fetched(in: child))" }
    },
    FaultScenario(testDescription: "prefetch") { stack in
      let request = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
      request.relationshipKeyPathsForPrefetching = ["books"]
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      return "\(try stack.context.fetch(request).map { $0.books?.count ?? 0 })"
    },
    FaultScenario(testDescription: "dictionaries") { stack in
      let request = NSFetchRequest<NSDictionary>(entityName: "ShelfBook")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["code"]
      request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
      return "\(try stack.context.fetch(request).map { $0["code"] as? Int ?? 0 })"
    },
    FaultScenario(testDescription: "ids") { stack in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "ShelfBook")
      request.resultType = .managedObjectIDResultType
      return "\(try stack.context.fetch(request).count)"
    },
    FaultScenario(testDescription: "count") { stack in
      "\(try stack.context.count(for: NSFetchRequest<ShelfBook>(entityName: "ShelfBook")))"
    },
    FaultScenario(testDescription: "existing object", prepare: forgetRows) { stack in
      let id = try #require(stack.context.registeredObjects.first { $0 is ShelfBook }).objectID
      return "\(try stack.context.existingObject(with: id).isFault)"
    },
    FaultScenario(testDescription: "batch insertion") { stack in
      let rows: [[String: Any]] = (0..<3).map { ["code": 30 + $0, "title": "batch"] }
      let request = NSBatchInsertRequest(entityName: "ShelfBook", objects: rows)
      request.resultType = .count
      let result = try stack.context.execute(request) as? NSBatchInsertResult
      return "\(result?.result ?? 0)"
    },
    FaultScenario(testDescription: "batch update") { stack in
      let request = NSBatchUpdateRequest(entityName: "ShelfBook")
      request.propertiesToUpdate = ["title": "batch"]
      request.resultType = .updatedObjectsCountResultType
      let result = try stack.context.execute(request) as? NSBatchUpdateResult
      return "\(result?.result ?? 0)"
    },
    FaultScenario(testDescription: "batch deletion") { stack in
      let request = NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "ShelfBook"))
      request.resultType = .resultTypeCount
      let result = try stack.context.execute(request) as? NSBatchDeleteResult
      return "\(result?.result ?? 0)"
    },
    FaultScenario(testDescription: "history") { stack in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try stack.context.execute(request) as? NSPersistentHistoryResult
      return "\((result?.result as? [NSPersistentHistoryTransaction])?.count ?? 0)"
    },
    FaultScenario(testDescription: "deletion of history") { stack in
      let request = NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture)
      request.resultType = .count
      let result = try stack.context.execute(request) as? NSPersistentHistoryResult
      return "\(result?.result ?? 0)"
    },
  ]

  /// Changes of every kind.
  @Sendable static func edit(_ stack: FaultStack) throws {
    let author = ShelfAuthor(context: stack.context)
    author.code = 3
    let book = ShelfBook(context: stack.context)
    book.code = 31
    book.author = author
    try stack.book(11).title = "edited"
    try stack.book(12).author = author
    stack.context.delete(try stack.book(13))
    stack.context.delete(try stack.author(2))
    stack.context.processPendingChanges()
  }

  /// Edits a row that another context has changed since it was read.
  @Sendable static func makeConflict(_ stack: FaultStack) throws {
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let book = try stack.book(11)
    book.pages = 7
    let other = stack.container.newBackgroundContext()
    try other.performAndWait { () throws in
      let same = try other.existingObject(with: book.objectID) as? ShelfBook
      same?.title = "of another context"
      try other.save()
    }
  }

  /// Realized objects and faults.
  @Sendable static func forgetRows(_ stack: FaultStack) throws {
    _ = try fetched(in: stack.context)
    stack.context.refreshAllObjects()
  }

  private static func fetched(in context: NSManagedObjectContext) throws -> [Int32] {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request).map(\.code)
  }

  /// Operations that read but cannot throw.
  static let reading: [FaultScenario] = [
    FaultScenario(testDescription: "fault", prepare: forgetRows) { stack in
      try registeredBooks(stack).map { $0.title ?? "-" }.joined(separator: ", ")
    },
    FaultScenario(testDescription: "to-one relationship", prepare: forgetRows) { stack in
      try registeredBooks(stack).map { "\($0.author?.code ?? 0)" }.joined(separator: ", ")
    },
    FaultScenario(testDescription: "to-many relationship", prepare: keepAuthors) { stack in
      let authors = stack.context.registeredObjects.compactMap { $0 as? ShelfAuthor }
      return authors.sorted { $0.code < $1.code }.map { "\($0.books?.count ?? 0)" }
        .joined(separator: ", ")
    },
  ]

  /// Operations that take newer values or no values, but never values that the store did not return.
  static let updating: [FaultScenario] = [
    FaultScenario(testDescription: "refresh", prepare: changeElsewhere) { stack in
      let books = stack.context.registeredObjects.compactMap { $0 as? ShelfBook }
      for book in books { stack.context.refresh(book, mergeChanges: true) }
      return titles(of: books)
    },
    FaultScenario(testDescription: "merge", prepare: changeElsewhere) { stack in
      let books = stack.context.registeredObjects.compactMap { $0 as? ShelfBook }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: books.map(\.objectID)], into: [stack.context])
      return titles(of: books)
    },
    FaultScenario(testDescription: "undo of a deletion", prepare: deleteWithUndo) { stack in
      stack.context.undo()
      return "\(stack.context.deletedObjects.count)"
    },
  ]

  private static func titles(of books: [ShelfBook]) -> String {
    books.sorted { $0.code < $1.code }.map { $0.title ?? "-" }.joined(separator: ", ")
  }

  /// Books with older values than in the store.
  @Sendable static func changeElsewhere(_ stack: FaultStack) throws {
    for book in [try stack.book(11), try stack.book(12)] { _ = book.title }
    let request = NSBatchUpdateRequest(entityName: "ShelfBook")
    request.propertiesToUpdate = ["title": "new"]
    _ = try stack.container.newBackgroundContext().execute(request)
  }

  private static func registeredBooks(_ stack: FaultStack) throws -> [ShelfBook] {
    stack.context.registeredObjects.compactMap { $0 as? ShelfBook }
      .sorted {
        $0.objectID.uriRepresentation().absoluteString
          < $1.objectID.uriRepresentation().absoluteString
      }
  }

  /// Authors whose books are not loaded.
  @Sendable static func keepAuthors(_ stack: FaultStack) throws {
    _ = try (stack.author(1), stack.author(2))
  }

  @Sendable static func deleteWithUndo(_ stack: FaultStack) throws {
    stack.context.undoManager = UndoManager()
    stack.context.delete(try stack.book(11))
    stack.context.processPendingChanges()
  }
}
