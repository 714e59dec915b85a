import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("A Core Data stack works on a PostgreSQL store", .enabled(if: TestServer.isPresent))
struct StackTests {
  @Test("values of every type are read back unchanged, also texts that servers reject")
  func roundTrip() throws {
    let url = try TestServer.shared.get().newURL()
    let writing = try Library.container(url)
    let context = writing.viewContext
    let isbn = UUID()
    let published = Date(timeIntervalSinceReferenceDate: 1234.000_000_123)
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("Ursula \u{0} K. \u{1} Le Guin ☃", forKey: "name")
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("The Dispossessed", forKey: "title")
      book.setValue(387, forKey: "pages")
      book.setValue(NSDecimalNumber(string: "-12.3450"), forKey: "price")
      book.setValue(published, forKey: "published")
      book.setValue(Data([0, 1, 2, 255]), forKey: "cover")
      book.setValue(isbn, forKey: "isbn")
      book.setValue(true, forKey: "isRead")
      book.setValue(author, forKey: "author")
      try context.save()
    }
    let other = try Library.container(url).viewContext
    try other.performAndWait {
      let books = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      let book = try #require(books.first)
      #expect(book.value(forKey: "title") as? String == "The Dispossessed")
      #expect(book.value(forKey: "pages") as? Int == 387)
      #expect(book.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "-12.345"))
      #expect(book.value(forKey: "published") as? Date == published)
      #expect(book.value(forKey: "cover") as? Data == Data([0, 1, 2, 255]))
      #expect(book.value(forKey: "isbn") as? UUID == isbn)
      #expect(book.value(forKey: "isRead") as? Bool == true)
      let author = book.value(forKey: "author") as? NSManagedObject
      #expect(author?.value(forKey: "name") as? String == "Ursula \u{0} K. \u{1} Le Guin ☃")
    }
  }

  @Test("a store is not copied over another store of the server")
  func occupiedLocation() throws {
    let (url, other) = (
      try TestServer.shared.get().newURL(), try TestServer.shared.get().newURL()
    )
    let context = try Library.container(url).viewContext
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        .setValue("Ada", forKey: "name")
      try context.save()
    }
    let copied = try Library.container(other)
    let coordinator = copied.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let error = #expect(throws: CocoaError.self) {
      try coordinator.migratePersistentStore(
        store, to: url, options: nil, withType: OpenPostgresStoreType)
    }
    #expect(error?.code == .persistentStoreOperation)
    #expect(coordinator.persistentStores == [store])
    let reader = try Library.container(url).viewContext
    try reader.performAndWait { () throws in
      let authors = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
      #expect(authors.map { $0.value(forKey: "name") as? String } == ["Ada"])
    }
  }

  @Test("predicates that a server cannot decide exactly are decided by the library")
  func predicates() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      for (index, title) in ["Ärger", "arger", "Zorn", "Über", "zebra", "a_c", "abc"].enumerated() {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(index * 100, forKey: "pages")
      }
      try context.save()
      func titles(_ format: String, _ arguments: [Any] = []) throws -> Set<String> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        let found = try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
        let stored = try context.count(for: request)
        #expect(stored == found.count)
        return Set(found)
      }
      let folded = try titles("title CONTAINS[cd] 'ARG'")
      #expect(folded == ["Ärger", "arger"])
      let begun = try titles("title BEGINSWITH 'z'")
      #expect(begun == ["zebra"])
      let alike = try titles("title LIKE 'a_c'")
      #expect(alike == ["a_c"])
      let matched = try titles("title MATCHES '[a-z]{3}'")
      #expect(matched == ["abc"])
      let combined = try titles("pages > 250 AND title ENDSWITH 'er'")
      #expect(combined == ["Über"])
      let listed = try titles("pages IN %@", [[0, 200]])
      #expect(listed == ["Ärger", "Zorn"])
      let divided = try titles("pages / 100 == 1.0")
      #expect(divided == ["arger"])
    }
  }

  @Test(
    "two stacks on one store: the second save of a row conflicts, and the merge policy solves it")
  func conflicts() throws {
    let url = try TestServer.shared.get().newURL()
    let one = try Library.container(url).viewContext
    let other = try Library.container(url).viewContext
    try one.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: one)
      author.setValue("A", forKey: "name")
      try one.save()
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    try other.performAndWait {
      let author = try #require(try other.fetch(request).first)
      author.setValue("other", forKey: "name")
    }
    try one.performAndWait {
      try #require(try one.fetch(request).first).setValue("one", forKey: "name")
      try one.save()
    }
    try other.performAndWait {
      let error = #expect(throws: CocoaError.self) { try other.save() }
      #expect(error?.code.rawValue == NSManagedObjectMergeError)
      other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try other.save()
    }
    try one.performAndWait {
      one.refreshAllObjects()
      let name = try one.fetch(request).first?.value(forKey: "name") as? String
      #expect(name == "other")
    }
  }

  @Test("a duplicate under a uniqueness constraint is reported, and replaced by the policy")
  func uniqueness() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      func insert() {
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("same", forKey: "name")
      }
      insert()
      try context.save()
      insert()
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      let stored = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
      #expect(stored == 1)
    }
  }

  @Test("a duplicate is reported even if an object of another entity with its key is also saved")
  func uniquenessBesideOtherEntities() throws {
    let context = try Library.container(try TestServer.shared.get().newURL()).viewContext
    try context.performAndWait {
      func insertAuthor() {
        NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
          .setValue("same", forKey: "name")
      }
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      insertAuthor()
      try context.save()
      // The book has the key of the first author.
      book.setValue(5, forKey: "pages")
      insertAuthor()
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
      let conflicts =
        error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      #expect(conflicts?.count == 1)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      let stored = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
      #expect(stored == 1)
    }
  }

  @Test("ordered members keep their order, and a cascading batch deletion deletes them")
  func orderAndDeletion() throws {
    let url = try TestServer.shared.get().newURL()
    let context = try Library.container(url).viewContext
    try context.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("A", forKey: "name")
      let books = (0..<5).map { index in
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("\(index)", forKey: "title")
        return book
      }
      author.setValue(NSOrderedSet(array: [3, 1, 4, 0, 2].map { books[$0] }), forKey: "books")
      try context.save()
    }
    let other = try Library.container(url).viewContext
    try other.performAndWait {
      let author = try #require(
        try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
      let titles = author.mutableOrderedSetValue(forKey: "books").array
        .compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
      #expect(titles == ["3", "1", "4", "0", "2"])
      let deletion = NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Author"))
      try other.execute(deletion)
      let left = try other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(left == 0)
    }
  }

  @Test("a store of another model version is rejected with Apple's code")
  func otherVersion() throws {
    let url = try TestServer.shared.get().newURL()
    _ = try Library.container(url)
    let entity = NSEntityDescription()
    entity.name = "Author"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: OpenPostgresStoreType, configurationName: nil, at: url, options: nil)
    }
    #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: OpenPostgresStoreType, at: url)
    #expect(metadata[NSStoreTypeKey] as? String == OpenPostgresStoreType)
    try coordinator.destroyPersistentStore(at: url, ofType: OpenPostgresStoreType)
    try coordinator.addPersistentStore(
      ofType: OpenPostgresStoreType, configurationName: nil, at: url, options: nil)
  }

  @Test("a schema without a store throws 260, as a missing file does")
  func missingStore() throws {
    PostgresStore.register()
    let url = try TestServer.shared.get().newURL()
    let calls: [() throws -> Void] = [
      {
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: OpenPostgresStoreType, at: url)
      },
      {
        try NSPersistentStoreCoordinator.setMetadata(
          ["key": "value"], forPersistentStoreOfType: OpenPostgresStoreType, at: url)
      },
    ]
    for call in calls {
      let error = #expect(throws: CocoaError.self) { try call() }
      #expect(error?.code == .fileReadNoSuchFile)
      #expect(error?.localizedDescription.contains("does not contain a store") == true)
    }
  }

  @Test("the history contains the changes of each save, and numbers the saves without gaps")
  func history() async throws {
    let url = try TestServer.shared.get().newURL()
    let context = try Library.container(url).viewContext
    try await context.perform {
      for index in 0..<3 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("\(index)", forKey: "title")
        try context.save()
      }
    }
    try await context.perform {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.transactionNumber) == [1, 2, 3])
      #expect(transactions.map { $0.changes?.count } == [1, 1, 1])
    }
  }
}
