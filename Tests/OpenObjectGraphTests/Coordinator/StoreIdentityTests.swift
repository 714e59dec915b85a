import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// The stores that ids, URIs and objects identify after stores are removed, added or opened by
/// other coordinators.
@Suite("Identity of stores")
struct StoreIdentityTests {
  private func tag(
    _ word: String, in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(word, forKey: "word")
    return tag
  }

  private func savedTag(
    _ word: String, in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    try context.performAndWait {
      let tag = try tag(word, in: context)
      try context.save()
      return tag
    }
  }

  private func words(in context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        .compactMap { $0.value(forKey: "word") as? String }.sorted()
    }
  }

  // MARK: Removed and added again

  @Test("ids and URIs still name their objects after a store was removed and added again")
  func idsOfReturningStore() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let url = stack.url("a.sqlite")
    let old = try coordinator.addPersistentStore(type: .sqlite, at: url)
    let id = try savedTag("kept", in: stack.context(coordinator)).objectID
    let uri = id.uriRepresentation()
    try coordinator.remove(old)
    let gone = stack.context(coordinator)
    gone.performAndWait {
      #expect(gone.registeredObject(for: id) == nil)
      #expect(throws: CocoaError.self) { try gone.existingObject(with: id) }
      #expect(coordinator.managedObjectID(forURIRepresentation: uri) == nil)
    }
    // Another store is added first, so that the old store has a different position.
    try coordinator.addPersistentStore(type: .sqlite, at: stack.url("b.sqlite"))
    let new = try coordinator.addPersistentStore(type: .sqlite, at: url)
    #expect(id.persistentStore === new)
    let found = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
    #expect(found == id)
    #expect(found.persistentStore === new)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let object = try context.existingObject(with: id)
      #expect(object.value(forKey: "word") as? String == "kept")
      #expect(context.registeredObject(for: found) === object)
      #expect(context.object(with: found) === object)
      #expect(object.objectID.persistentStore === new)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      request.predicate = NSPredicate(format: "SELF == %@", id)
      #expect(try context.fetch(request) == [object])
      request.affectedStores = [old]
      #expect(try context.fetch(request) == [object])
      object.setValue("changed", forKey: "word")
      try context.save()
    }
    #expect(try words(in: stack.context(coordinator)) == ["changed"])
  }

  @Test("unsaved changes are rejected until their store is added again, and then saved")
  func objectsOfReturningStore() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let url = stack.url("a.sqlite")
    let old = try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = stack.context(coordinator)
    let tag = try savedTag("old", in: context)
    let unread = try savedTag("unread", in: stack.context(coordinator)).objectID
    let fault = context.performAndWait { context.object(with: unread) }
    try coordinator.remove(old)
    try coordinator.addPersistentStore(type: .sqlite, at: stack.url("b.sqlite"))
    try context.performAndWait { () throws in
      tag.setValue("new", forKey: "word")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.errorCode == NSPersistentStoreOperationError)
      #expect(tag.isUpdated)
      try coordinator.addPersistentStore(type: .sqlite, at: url)
      #expect(fault.value(forKey: "word") as? String == "unread")
      try context.save()
    }
    #expect(try words(in: stack.context(coordinator)) == ["new", "unread"])
  }

  @Test("a new object whose store was removed before the save is saved in the remaining store")
  func newObjectOfRemovedStore() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let old = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = try tag("new", in: context)
      try coordinator.remove(old)
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(tag.isInserted)
      let store = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("b.sqlite"))
      try context.save()
      #expect(tag.objectID.persistentStore === store)
    }
    #expect(try words(in: stack.context(coordinator)) == ["new"])
  }

  @Test(
    "after more stores than 16 bits can number, objects are saved in the attached store, and old ids name none"
  )
  func manyStores() throws {
    let word = attribute("word", .string)
    let tag = NSEntityDescription()
    (tag.name, tag.properties) = ("Tag", [word])
    let model = NSManagedObjectModel()
    model.entities = [tag]
    let stack = try FileTestStack()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    func add() throws -> NSPersistentStore {
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
    let first = try add()
    let context = stack.context(coordinator)
    let old = try savedTag("old", in: context)
    try coordinator.remove(first)
    for _ in 0..<65_600 { try coordinator.remove(add()) }
    let last = try add()
    #expect(coordinator.persistentStores == [last])
    let new = try savedTag("new", in: context)
    #expect(new.objectID.persistentStore === last)
    #expect(try words(in: stack.context(coordinator)) == ["new"])
    context.performAndWait {
      #expect(new.objectID != old.objectID)
      #expect(context.registeredObject(for: new.objectID) === new)
      #expect(context.registeredObject(for: old.objectID) == nil)
      #expect(throws: CocoaError.self) { try context.existingObject(with: old.objectID) }
    }
  }

  // MARK: Other coordinators

  @Test("an id of another coordinator's store names no object and deletes nothing")
  func foreignIDs() throws {
    let stack = try FileTestStack()
    let (own, other) = (stack.coordinator(), stack.coordinator())
    try own.addPersistentStore(type: .sqlite, at: stack.url("own.sqlite"))
    try other.addPersistentStore(type: .sqlite, at: stack.url("other.sqlite"))
    let foreign = try savedTag("other", in: stack.context(other)).objectID
    let context = stack.context(own)
    let mine = try savedTag("mine", in: context)
    try context.performAndWait { () throws in
      #expect(context.registeredObject(for: foreign) == nil)
      let error = #expect(throws: CocoaError.self) { try context.existingObject(with: foreign) }
      #expect(error?.errorCode == NSCoreDataError)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      for format in ["SELF == %@", "SELF IN {%@}"] {
        request.predicate = NSPredicate(format: format, foreign)
        #expect(try context.fetch(request) == [])
        #expect(try context.count(for: request) == 0)
      }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectIDsKey: [foreign]], into: [context])
      #expect(!context.hasChanges)
      let stranger = context.object(with: foreign)
      #expect(stranger.managedObjectContext == nil)
      #expect(stranger.value(forKey: "word") == nil)
      #expect(throws: ObjectError.self) { try context.save() }
      context.delete(stranger)
      try context.save()
      #expect(!mine.isDeleted)
      let delete = NSBatchDeleteRequest(objectIDs: [foreign])
      delete.resultType = .resultTypeCount
      #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 0)
    }
    #expect(try words(in: stack.context(own)) == ["mine"])
    #expect(try words(in: stack.context(other)) == ["other"])
  }

  /// Apple, existingObject(with:): an id of another coordinator of the same store names its object.
  @Test(
    "an id of the same store, opened by another coordinator with its own model, names its object"
  )
  func sharedStore() throws {
    let stack = try FileTestStack()
    let (own, other) = (
      stack.coordinator(),
      NSPersistentStoreCoordinator(managedObjectModel: FileTestStack.makeModel())
    )
    // The store has another position there.
    try other.addPersistentStore(type: .sqlite, at: stack.url("first.sqlite"))
    for coordinator in [own, other] {
      try coordinator.addPersistentStore(type: .sqlite, at: stack.url("shared.sqlite"))
    }
    let author = try stack.fill(stack.context(own)).objectID
    let context = stack.context(other)
    try context.performAndWait { () throws in
      let object = try context.existingObject(with: author)
      #expect(object.value(forKey: "name") as? String == "Ada")
      #expect(object.objectID == author)
      #expect(context.registeredObject(for: author) === object)
      let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
      books.predicate = NSPredicate(format: "author == %@", author)
      #expect(try context.fetch(books).count == 3)
      let loaded = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(books.predicate.map { loaded.filter($0.evaluate(with:)).count } == 3)
      context.delete(context.object(with: author))
      try context.save()
    }
    #expect(try stack.summary(stack.context(own)) == "0")
  }

  // MARK: Copies

  @Test("a copy of an added store is refused; a store that is saved as another one is not")
  func copyOfAddedStore() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let (url, copyURL) = (stack.url("a.sqlite"), stack.url("b.sqlite"))
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    _ = try savedTag("one", in: stack.context(coordinator))
    try stack.coordinator().replacePersistentStore(
      at: copyURL, withPersistentStoreFrom: url, type: .sqlite)
    let error = try #require(throws: CocoaError.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: copyURL)
    }
    #expect(error.errorCode == NSPersistentStoreOpenError)
    let message = try #require(error.userInfo[NSLocalizedDescriptionKey] as? String)
    #expect(message.contains(url.path) && message.contains(copyURL.path))
    #expect(coordinator.persistentStores == [store])
    #expect(try words(in: stack.context(coordinator)) == ["one"])
    try coordinator.remove(store)
    let copy = try coordinator.addPersistentStore(type: .sqlite, at: copyURL)
    #expect(copy.identifier == store.identifier)
    try coordinator.migratePersistentStore(copy, to: stack.url("c.sqlite"), type: .sqlite)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    #expect(try words(in: stack.context(coordinator)) == ["one", "one"])
  }

  // MARK: Stores without a coordinator

  @Test("a store is closed when its coordinator is deallocated, even if an object id is held")
  func storeOfDeallocatedCoordinator() throws {
    let stack = try FileTestStack()
    let memory = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString)")
    func savedID(at url: URL) throws -> NSManagedObjectID {
      let coordinator = stack.coordinator()
      try coordinator.addPersistentStore(type: .sqlite, at: url)
      return try savedTag("kept", in: stack.context(coordinator)).objectID
    }
    for url in [stack.url("a.sqlite"), memory] {
      let id = try savedID(at: url)
      let store = try #require(id.persistentStore)
      #expect(store.persistentStoreCoordinator == nil)
      #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
      // An open store cannot be destroyed.
      try stack.coordinator().destroyPersistentStore(at: url, type: .sqlite)
    }
  }

  // MARK: URIs and URLs

  @Test(
    "a URI that names no row yields no id",
    arguments: ["p0", "p-1", "p+1", "p01", "p", "p1x", "t1", "1"])
  func badURIs(_ row: String) throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    let context = stack.context(coordinator)
    try context.performAndWait { _ = try tag("unsaved", in: context) }
    let uri = URL(string: "x-coredata://\(store.identifier ?? "")/Tag/\(row)")
    #expect(try coordinator.managedObjectID(forURIRepresentation: #require(uri)) == nil)
    let good = URL(string: "x-coredata://\(store.identifier ?? "")/Tag/p1")
    #expect(try coordinator.managedObjectID(forURIRepresentation: #require(good)) != nil)
  }

  @Test("every file operation throws for a URL that is not a file URL, and creates no file")
  func foreignURLs() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let file = try coordinator.addPersistentStore(type: .sqlite, at: stack.url("a.sqlite"))
    try coordinator.remove(file)
    let url = try #require(URL(string: "https://example.org" + stack.url("b.sqlite").path))
    func code(_ work: () throws -> Void) -> Int {
      do { try work() } catch { return (error as NSError).code }
      return 0
    }
    typealias Coordinator = NSPersistentStoreCoordinator
    let codes = [
      code { try coordinator.addPersistentStore(type: .sqlite, at: url) },
      code { _ = try Coordinator.metadataForPersistentStore(type: .sqlite, at: url) },
      code { try Coordinator.setMetadata(["a": "b"], type: .sqlite, at: url) },
      code { try coordinator.destroyPersistentStore(at: url, type: .sqlite) },
      code {
        try coordinator.replacePersistentStore(
          at: url, withPersistentStoreFrom: stack.url("a.sqlite"), type: .sqlite)
      },
      code {
        try coordinator.replacePersistentStore(
          at: stack.url("c.sqlite"), withPersistentStoreFrom: url, type: .sqlite)
      },
    ]
    #expect(codes == Array(repeating: NSPersistentStoreOpenError, count: 6))
    #expect(try stack.names == ["a.sqlite"])
  }

  @Test("a SQLite store requires a URL; /dev/null denotes an in-memory store")
  func nullURL() throws {
    let stack = try FileTestStack()
    let coordinator = stack.coordinator()
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: nil)
    }
    #expect(error?.errorCode == NSPersistentStoreOpenError)
    let description = NSPersistentStoreDescription()
    description.url = nil
    #expect(throws: CocoaError.self) {
      try NSPersistentContainer.loaded("Files", FileTestStack.makeModel(), [description])
    }
    let nowhere = URL(fileURLWithPath: "/dev/null")
    for _ in 0..<2 { try coordinator.addPersistentStore(type: .sqlite, at: nowhere) }
    _ = try savedTag("in memory", in: stack.context(coordinator))
    #expect(try words(in: stack.context(coordinator)) == ["in memory"])
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
  }

  @Test("coordinators share the SQLite store at /dev/null/NAME while one of them has it open")
  func sharedMemory() throws {
    let stack = try FileTestStack()
    let place = URL(fileURLWithPath: "/dev/null/\(UUID().uuidString) ä?#")
    func opened() throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
      let coordinator = stack.coordinator()
      return (coordinator, try coordinator.addPersistentStore(type: .sqlite, at: place))
    }
    let (one, first) = try opened()
    let (other, second) = try opened()
    #expect(first.identifier == second.identifier)
    let context = stack.context(other)
    _ = try savedTag("from one", in: stack.context(one))
    #expect(try words(in: context) == ["from one"])
    _ = try savedTag("from the other", in: context)
    #expect(try words(in: stack.context(one)).sorted() == ["from one", "from the other"])
    let twice = #expect(throws: CocoaError.self) {
      try one.addPersistentStore(type: .sqlite, at: place)
    }
    #expect(twice?.errorCode == 134081)
    let elsewhere = stack.coordinator()
    try elsewhere.addPersistentStore(
      type: .sqlite, at: place.deletingLastPathComponent().appendingPathComponent("another"))
    #expect(try words(in: stack.context(elsewhere)) == [])
    try one.remove(first)
    #expect(throws: CocoaError.self) { try one.destroyPersistentStore(at: place, type: .sqlite) }
    #expect(try words(in: context).count == 2)
    try other.remove(second)
    try one.destroyPersistentStore(at: place, type: .sqlite)
    let (anew, _) = try opened()
    #expect(try words(in: stack.context(anew)) == [])
  }
}
