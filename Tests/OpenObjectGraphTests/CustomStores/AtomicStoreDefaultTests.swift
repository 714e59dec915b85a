import Foundation
import OpenCoreData
import Testing

/// The contents of stores that survive the stores.
private final class TagBox: NSObject {
  /// The words of the tags, by reference object.
  var words: [String: String] = [:]
}

/// A store class that overrides only what a subclass must override, and the initializer.
private final class PlainTagStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = "PlainTagStore"
  private let box: TagBox

  required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
    at url: URL, options: [AnyHashable: Any]? = nil
  ) {
    box = options?["box"] as? TagBox ?? TagBox()
    super.init(
      persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
  }

  override func load() throws {
    guard let tag = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Tag"] else {
      return
    }
    for (reference, word) in box.words {
      let node = NSAtomicStoreCacheNode(
        objectID: objectID(for: tag, withReferenceObject: reference))
      node.setValue(word, forKey: "word")
      addCacheNodes([node])
    }
  }

  override func save() throws {
    box.words = [:]
    for node in cacheNodes() {
      box.words["\(referenceObject(for: node.objectID))"] = node.value(forKey: "word") as? String
    }
  }
}

/// A store class whose reference objects are the words of the tags.
private final class RepeatingTagStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = "RepeatingTagStore"

  override func load() throws {}
  override func save() throws {}
  override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    managedObject.value(forKey: "word") ?? ""
  }
}

/// A store class whose nodes do not belong to the objects of the model.
private final class StrayNodeStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = "StrayNodeStore"

  private var strayID: NSManagedObjectID {
    let entity = NSEntityDescription()
    entity.name = "Unknown"
    return objectID(for: entity, withReferenceObject: "stray")
  }

  override func load() throws {
    guard options?["isStray"] as? Bool == true else { return }
    addCacheNodes([NSAtomicStoreCacheNode(objectID: strayID)])
  }

  override func save() throws {}

  override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    NSAtomicStoreCacheNode(objectID: strayID)
  }
}

/// A reference to a store that does not retain the store.
private final class StoreBox: NSObject {
  weak var store: NSPersistentStore?
}

/// A store class whose only node has a value of the wrong type.
private final class UnfitNodeStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = "UnfitNodeStore"

  override func load() throws {
    (options?["box"] as? StoreBox)?.store = self
    guard let tag = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Tag"] else {
      return
    }
    let node = NSAtomicStoreCacheNode(objectID: objectID(for: tag, withReferenceObject: "unfit"))
    node.setValue(NSArray(), forKey: "word")
    addCacheNodes([node])
  }

  override func save() throws {}
}

@Suite("The defaults of atomic stores")
struct AtomicStoreDefaultTests {
  private let stack: FileTestStack

  init() throws { stack = try FileTestStack() }

  private func insertTag(
    _ word: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(word, forKey: "word")
    return tag
  }

  @Test("a store class needs to override only load() and save() (D-263)")
  func plainClass() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      PlainTagStore.self, forStoreType: PlainTagStore.storeType)
    let box = TagBox()
    func open() throws -> (NSPersistentStoreCoordinator, NSAtomicStore) {
      let coordinator = stack.coordinator()
      let store = try coordinator.addPersistentStore(
        ofType: PlainTagStore.storeType, configurationName: nil, at: stack.url("tags"),
        options: ["box": box])
      return (coordinator, try #require(store as? NSAtomicStore))
    }
    let (coordinator, store) = try open()
    // The class does not set the metadata.
    #expect(store.metadata[NSStoreTypeKey] as? String == PlainTagStore.storeType)
    #expect(UUID(uuidString: store.identifier) != nil)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = insertTag("good", into: context)
      try context.save()
      let reference = try #require(store.referenceObject(for: tag.objectID) as? String)
      #expect(UUID(uuidString: reference) != nil)
      #expect(store.cacheNode(for: tag.objectID)?.value(forKey: "word") as? String == "good")
      #expect(box.words == [reference: "good"])
      tag.setValue("better", forKey: "word")
      try context.save()
      #expect(box.words == [reference: "better"])
    }
    let (again, _) = try open()
    let other = stack.context(again)
    try other.performAndWait { () throws in
      let tags = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(tags.map { $0.value(forKey: "word") as? String } == ["better"])
    }
  }

  @Test("new objects are copied to their nodes after all of them have nodes (D-263)")
  func order() throws {
    ListStore.register()
    let coordinator = stack.coordinator()
    let added = try coordinator.addPersistentStore(
      ofType: ListStore.storeType, configurationName: nil, at: stack.url("list.plist"))
    let store = try #require(added as? ListStore)
    _ = try stack.fill(stack.context(coordinator))
    let calls = ["new", "update"].flatMap { Array(repeating: $0, count: 5) }
    #expect(store.calls == calls + ["save"])
  }

  private func strayStore(
    in coordinator: NSPersistentStoreCoordinator, isStray: Bool
  ) throws -> NSAtomicStore? {
    NSPersistentStoreCoordinator.registerStoreClass(
      StrayNodeStore.self, forStoreType: StrayNodeStore.storeType)
    let store = try coordinator.addPersistentStore(
      ofType: StrayNodeStore.storeType, configurationName: nil, at: stack.url("stray"),
      options: ["isStray": isStray])
    return store as? NSAtomicStore
  }

  @Test("a store with a node of an entity that is not in the model cannot be added")
  func nodeOfUnknownEntity() throws {
    let coordinator = stack.coordinator()
    #expect(throws: CocoaError.self) {
      _ = try strayStore(in: coordinator, isStray: true)
    }
    #expect(coordinator.persistentStores.isEmpty)
  }

  /// A model of shelves and their books, which do not refer to their shelves.
  private func shelfModel() -> NSManagedObjectModel {
    let (shelf, book) = (NSEntityDescription(), NSEntityDescription())
    (shelf.name, book.name) = ("Shelf", "Book")
    let books = NSRelationshipDescription()
    books.name = "books"
    books.destinationEntity = book
    books.minCount = 0
    books.maxCount = 0
    books.isOptional = true
    shelf.properties = [books]
    let model = NSManagedObjectModel()
    model.entities = [shelf, book]
    return model
  }

  @Test("the nodes of other objects do not contain the node of a deleted object")
  func deletedMember() throws {
    ListStore.register()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: shelfModel())
    let added = try coordinator.addPersistentStore(
      ofType: ListStore.storeType, configurationName: nil, at: stack.url("shelves.plist"))
    let store = try #require(added as? ListStore)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      shelf.setValue(NSSet(array: [book]), forKey: "books")
      try context.save()
      let node = try #require(store.cacheNode(for: shelf.objectID))
      context.delete(book)
      store.refusal = ListStore.Refusal(reason: "full")
      #expect(throws: ListStore.Refusal(reason: "full")) { try context.save() }
      #expect((node.value(forKey: "books") as? NSSet)?.count == 1)
      store.refusal = nil
      try context.save()
      #expect((node.value(forKey: "books") as? NSSet)?.count == 0)
    }
  }

  @Test("a store that cannot be added is released with its nodes")
  func unfitStore() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      UnfitNodeStore.self, forStoreType: UnfitNodeStore.storeType)
    let coordinator = stack.coordinator()
    let box = StoreBox()
    #expect(throws: CocoaError.self) {
      _ = try coordinator.addPersistentStore(
        ofType: UnfitNodeStore.storeType, configurationName: nil, at: stack.url("unfit"),
        options: ["box": box])
    }
    #expect(box.store == nil)
  }

  @Test("a save throws if a new object gets the node of another object (D-263)")
  func nodeOfAnotherObject() throws {
    let coordinator = stack.coordinator()
    let store = try #require(try strayStore(in: coordinator, isStray: false))
    let context = stack.context(coordinator)
    context.performAndWait {
      _ = insertTag("good", into: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .persistentStoreOperation)
      #expect(store.cacheNodes().isEmpty)
    }
  }

  @Test("a save throws if a new object gets the reference object of another object (D-263)")
  func repeatedReference() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      RepeatingTagStore.self, forStoreType: RepeatingTagStore.storeType)
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(
      ofType: RepeatingTagStore.storeType, configurationName: nil, at: stack.url("tags"))
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      _ = insertTag("good", into: context)
      try context.save()
      _ = insertTag("new", into: context)
      let other = insertTag("good", into: context)
      _ = insertTag("last", into: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .persistentStoreOperation)
      #expect(error?.localizedDescription.contains("newReferenceObject") == true)
      #expect(other.isInserted && other.objectID.isTemporaryID)
      other.setValue("better", forKey: "word")
      try context.save()
      #expect(!context.hasChanges && !other.objectID.isTemporaryID)
    }
  }

  @Test("a new object can get a reference object that was only looked up (D-263)")
  func lookedUpReference() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      RepeatingTagStore.self, forStoreType: RepeatingTagStore.storeType)
    let coordinator = stack.coordinator()
    let added = try coordinator.addPersistentStore(
      ofType: RepeatingTagStore.storeType, configurationName: nil, at: stack.url("tags"))
    let store = try #require(added as? NSAtomicStore)
    let entity = try #require(stack.model.entitiesByName["Tag"])
    let id = store.objectID(for: entity, withReferenceObject: "good")
    #expect(store.cacheNode(for: id) == nil)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = insertTag("good", into: context)
      try context.save()
      #expect(tag.objectID == id)
      context.delete(tag)
      try context.save()
      _ = insertTag("good", into: context)
      #expect(throws: CocoaError.self) { try context.save() }
    }
  }

  @Test("the URI of an id identifies strings of digits, and integers of any size")
  func uris() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      PlainTagStore.self, forStoreType: PlainTagStore.storeType)
    let coordinator = stack.coordinator()
    let added = try coordinator.addPersistentStore(
      ofType: PlainTagStore.storeType, configurationName: nil, at: stack.url("tags"))
    let store = try #require(added as? NSAtomicStore)
    let tag = try #require(stack.model.entitiesByName["Tag"])
    let references: [Any] = ["42", 42, "007", "-1", "a/%2F7", 1.5, 9_007_199_254_740_993]
    let ids = references.map { store.objectID(for: tag, withReferenceObject: $0) }
    #expect(Set(ids).count == references.count)
    for (id, reference) in zip(ids, references) {
      let found = coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
      #expect(found == id, "\(reference)")
      #expect("\(store.referenceObject(for: id))" == "\(reference)")
    }
    let boxed = NSNumber(value: 9_007_199_254_740_993 as Int64)
    #expect(store.objectID(for: tag, withReferenceObject: boxed) == ids.last)
  }

  @Test("row versions begin at 1 again when an atomic custom store is opened (D-262)")
  func versionsAfterOpening() throws {
    ListStore.register()
    let coordinator = stack.coordinator()
    func add() throws -> NSPersistentStore {
      try coordinator.addPersistentStore(
        ofType: ListStore.storeType, configurationName: nil, at: stack.url("list.plist"))
    }
    let store = try add()
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let tag = insertTag("one", into: context)
      try context.save()
      tag.setValue("two", forKey: "word")
      try context.save()
      try coordinator.remove(store)
      _ = try add()
      tag.setValue("three", forKey: "word")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.refresh(tag, mergeChanges: false)
      #expect(tag.value(forKey: "word") as? String == "two")
      tag.setValue("three", forKey: "word")
      try context.save()
    }
  }
}
