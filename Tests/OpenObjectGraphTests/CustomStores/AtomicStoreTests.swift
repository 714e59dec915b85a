import Foundation
import OpenCoreData
import Testing

@Suite("Custom atomic stores")
struct AtomicStoreTests {
  init() { ListStore.register() }

  /// A coordinator with the store in a file of the stack's folder.
  private func open(
    _ stack: FileTestStack, _ options: [AnyHashable: Any]? = nil
  ) throws -> (NSPersistentStoreCoordinator, ListStore) {
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(
      ofType: ListStore.storeType, configurationName: nil, at: stack.url("list.plist"),
      options: options)
    return (coordinator, try #require(store as? ListStore))
  }

  @Test("the coordinator opens a store of the class that is registered for the store type")
  func registration() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes[ListStore.storeType] != nil)
    #expect(coordinator.persistentStores == [store])
    #expect(store.type == ListStore.storeType)
    #expect(UUID(uuidString: store.identifier) != nil)
    #expect(store.url == stack.url("list.plist"))
    #expect(store.persistentStoreCoordinator === coordinator)
  }

  @Test("containers open the store for a description of its type")
  func container() throws {
    let stack = try FileTestStack()
    let container = NSPersistentContainer(name: "Lists", managedObjectModel: stack.model)
    let description = NSPersistentStoreDescription(url: stack.url("list.plist"))
    description.type = ListStore.storeType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.first is ListStore)
  }

  @Test("objects, order and pairs persist when the store is reopened")
  func roundTrip() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    _ = try stack.fill(stack.context(coordinator))
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
    #expect(store.cacheNodes().count == 5)
    let (again, _) = try open(stack)
    #expect(try stack.summary(stack.context(again)) == "CAB2")
    #expect(again.persistentStores.first?.identifier == store.identifier)
  }

  @Test("a node contains its destinations' nodes, also for objects that are saved together")
  func nodes() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    let author = try stack.fill(stack.context(coordinator))
    let node = try #require(store.cacheNode(for: author.objectID))
    let books = try #require(node.value(forKey: "books") as? NSOrderedSet)
    let titles = books.array.compactMap {
      ($0 as? NSAtomicStoreCacheNode)?.value(forKey: "title") as? String
    }
    #expect(titles == ["C", "A", "B"])
  }

  @Test("references identify objects in ids and URIs each time the store is opened")
  func references() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    let author = try stack.fill(stack.context(coordinator))
    let reference = try #require(store.referenceObject(for: author.objectID) as? String)
    let entity = try #require(stack.model.entitiesByName["Author"])
    #expect(store.objectID(for: entity, withReferenceObject: reference) == author.objectID)
    let uri = author.objectID.uriRepresentation()
    #expect(uri.lastPathComponent == "p" + reference)
    let (again, reopened) = try open(stack)
    let id = try #require(again.managedObjectID(forURIRepresentation: uri))
    #expect(reopened.referenceObject(for: id) as? String == reference)
    let context = stack.context(again)
    try context.performAndWait { () throws in
      #expect(try context.existingObject(with: id).value(forKey: "name") as? String == "Ada")
    }
  }

  @Test("predicates, sort descriptors, counts and dictionaries work as in every store")
  func fetches() throws {
    let stack = try FileTestStack()
    let (coordinator, _) = try open(stack)
    let context = stack.context(coordinator)
    _ = try stack.fill(context)
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(
        format: "author.name == %@ AND ANY tags.word == 'good'", "Ada")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect(
        try context.fetch(request).map { $0.value(forKey: "title") as? String } == ["B", "C"])
      #expect(try context.count(for: request) == 2)
      let values = NSFetchRequest<NSDictionary>(entityName: "Book")
      values.resultType = .dictionaryResultType
      values.propertiesToFetch = ["title"]
      #expect(try context.fetch(values).count == 3)
    }
  }

  @Test("updates and deletions reach the nodes, and the file")
  func changes() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    let context = stack.context(coordinator)
    let author = try stack.fill(context)
    store.calls = []
    try context.performAndWait { () throws in
      let books = (author.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject]
      context.delete(try #require(books?.first))
      author.setValue("Bea", forKey: "name")
      try context.save()
    }
    #expect(store.calls.contains("remove 1"))
    #expect(store.calls.last == "save")
    #expect(store.cacheNode(for: author.objectID)?.value(forKey: "name") as? String == "Bea")
    let (again, _) = try open(stack)
    #expect(try stack.summary(stack.context(again)) == "AB1")
  }

  @Test("an error of save() reaches the caller unchanged, and nothing is written")
  func failedSave() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    let context = stack.context(coordinator)
    let author = try stack.fill(context)
    try context.performAndWait { () throws in
      store.refusal = ListStore.Refusal(reason: "full")
      author.setValue("Bea", forKey: "name")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      #expect(throws: ListStore.Refusal(reason: "full")) { try context.save() }
      #expect(context.hasChanges)
      #expect(store.cacheNodes().count == 5)
      #expect(store.cacheNode(for: author.objectID)?.value(forKey: "name") as? String == "Ada")
      let others = stack.context(coordinator)
      others.performAndWait {
        let names = try? others.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
          .map { $0.value(forKey: "name") as? String }
        #expect(names == ["Ada"])
      }
      store.refusal = nil
      try context.save()
      #expect(!tag.objectID.isTemporaryID)
      #expect(store.cacheNodes().count == 6)
    }
  }

  @Test("an error of load() reaches the caller unchanged")
  func failedLoad() throws {
    let stack = try FileTestStack()
    #expect(throws: ListStore.Refusal(reason: "load")) { try open(stack, ["refuses": true]) }
  }

  @Test("saving over a newer row is a conflict, as in every store")
  func conflict() throws {
    let stack = try FileTestStack()
    let (coordinator, _) = try open(stack)
    let context = stack.context(coordinator)
    let author = try stack.fill(context)
    let other = stack.context(coordinator)
    try other.performAndWait { () throws in
      let same = try other.existingObject(with: author.objectID)
      same.setValue("Cleo", forKey: "name")
      try context.performAndWait { () throws in
        author.setValue("Bea", forKey: "name")
        try context.save()
      }
      let error = #expect(throws: CocoaError.self) { try other.save() }
      #expect(error?.code == .managedObjectMerge)
    }
  }

  @Test("the next save writes metadata that the application sets")
  func metadata() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    coordinator.setMetadata(["flavour": "sweet"], for: store)
    let context = stack.context(coordinator)
    _ = try stack.fill(context)
    let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: ListStore.storeType, at: stack.url("list.plist"))
    #expect(stored["flavour"] as? String == "sweet")
    #expect(stored[NSStoreUUIDKey] as? String == store.identifier)
  }

  @Test("batch requests are rejected, and a class that is not a store class is not registered")
  func refusals() throws {
    let stack = try FileTestStack()
    let (coordinator, _) = try open(stack)
    let context = stack.context(coordinator)
    _ = try stack.fill(context)
    try context.performAndWait { () throws in
      let request = NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag"))
      let error = #expect(throws: CocoaError.self) { try context.execute(request) }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
    NSPersistentStoreCoordinator.registerStoreClass(NSNumber.self, forStoreType: "Number")
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: "Number", configurationName: nil, at: stack.url("a"), options: nil)
    }
    #expect(error?.code == .persistentStoreInvalidType)
  }

  @Test("a batch request does not wait for a running save, and is rejected even during the save")
  func refusalDuringSave() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    let other = stack.context(coordinator)
    var codes: Set<CocoaError.Code> = []
    store.onSave = {
      other.performAndWait {
        let request = NSBatchDeleteRequest(
          fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag"))
        let error = #expect(throws: CocoaError.self) { try other.execute(request) }
        if let error { codes.insert(error.code) }
      }
    }
    _ = try stack.fill(stack.context(coordinator))
    store.onSave = nil
    #expect(codes == [.persistentStoreUnsupportedRequestType])
  }

  @Test(
    "the coordinator does not destroy, replace or copy files of a registered store class (D-264)")
  func files() throws {
    let stack = try FileTestStack()
    let (coordinator, _) = try open(stack)
    _ = try stack.fill(stack.context(coordinator))
    let url = stack.url("list.plist")
    let content = try Data(contentsOf: url)
    let source = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url("a.sqlite"), options: nil)
    let attempts: [() throws -> Void] = [
      { try coordinator.destroyPersistentStore(at: url, ofType: ListStore.storeType) },
      {
        try coordinator.replacePersistentStore(
          at: url, withPersistentStoreFrom: stack.url("a.sqlite"), ofType: ListStore.storeType)
      },
      {
        _ = try coordinator.migratePersistentStore(
          source, to: stack.url("b.plist"), options: nil, withType: ListStore.storeType)
      },
    ]
    for attempt in attempts {
      let error = #expect(throws: CocoaError.self) { try attempt() }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
    #expect(try Data(contentsOf: url) == content)
    #expect(!FileManager.default.fileExists(atPath: stack.url("b.plist").path))
  }

  @Test("the error for a value of a node names the property, and no batch request")
  func unfitValue() throws {
    let stack = try FileTestStack()
    let tag: [String: Any] = ["entity": "Tag", "reference": "t", "values": ["word": Data([1])]]
    let metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: ListStore.storeType]
    try PropertyListSerialization.data(
      fromPropertyList: ["metadata": metadata, "objects": [tag]] as [String: Any],
      format: .binary, options: 0
    ).write(to: stack.url("list.plist"))
    let error = #expect(throws: CocoaError.self) { _ = try open(stack) }
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("word") && !text.contains("batch"))
  }

  @Test("a store whose reference objects are strings is saved as an XML store")
  func savingAsXML() throws {
    let stack = try FileTestStack()
    let (coordinator, store) = try open(stack)
    _ = try stack.fill(stack.context(coordinator))
    let url = stack.url("list.xml")
    let new = try coordinator.migratePersistentStore(store, to: url, type: .xml)
    try coordinator.remove(new)
    try coordinator.addPersistentStore(type: .xml, at: url)
    #expect(try stack.summary(stack.context(coordinator)) == "CAB2")
  }

  @Test("the coordinator and its store are deallocated although nodes refer to the store")
  func lifetime() throws {
    let stack = try FileTestStack()
    weak var store: ListStore?
    try {
      let (coordinator, opened) = try open(stack)
      store = opened
      _ = try stack.fill(stack.context(coordinator))
    }()
    #expect(store == nil)
  }
}
